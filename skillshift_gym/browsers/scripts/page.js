// Runs in an isolated world of every document. It reads the document and hands input to it; of the document itself it
// changes only what the function names say.
(() => {
  if (globalThis.skillshift) return;
  const SPACE = /[ \t\n\f\r]+/g;
  const INTERACTIVE = "a[href],button,input,select,textarea,label,option,summary";
  const PICKERS = ["color", "file"];
  const DATES = ["date", "month", "week", "time", "datetime-local"];
  const overlay = [];
  let all = null, places = null, layers = [], refused = [], expected = 0;

  const nodes = () => {
    if (!all) {
      all = [];
      const collect = (root) => {
        for (const element of root.querySelectorAll("*")) {
          all.push(element);
          if (element.localName === "template") collect(element.content);
        }
      };
      collect(document);
      places = new Map(all.map((element, index) => [element, index]));
    }
    return all;
  };
  const place = (element) => { nodes(); return places.get(element) ?? -1; };
  const isDropDown = (e) => e.localName === "select" && !e.multiple && e.size <= 1;

  // Pop-up windows of the browser would take the keyboard away from the page, so lists and pickers do not open.
  const take = (event) => event.preventDefault();
  addEventListener("mousedown", (event) => {
    if (event.button === 0 && event.target instanceof Element && isDropDown(event.target)) {
      take(event);
      event.target.focus();
    }
  }, true);
  addEventListener("click", (event) => {
    const target = event.target;
    if (!(target instanceof Element)) return;
    if (target.localName === "input" && PICKERS.includes(target.type)) take(event);
    const link = target.closest("a[href]");
    if (link && isElsewhere(link.getAttribute("target") ?? baseTarget())) expected += 1;
  }, true);
  addEventListener("keydown", (event) => {
    const target = event.target, list = target instanceof Element && isDropDown(target);
    const opens = event.key === "F4" || (event.altKey && /^Arrow(Up|Down)$/.test(event.key));
    if (list && (opens || event.key === "Enter" || event.key === " ")) take(event);
    else if (target.localName === "input" && DATES.includes(target.type) && (opens || event.key === " ")) take(event);
  }, true);
  addEventListener("invalid", (event) => refused.push(event.target), true);
  addEventListener("submit", (event) => {
    const form = event.target, button = event.submitter, own = (name) => button?.hasAttribute(`form${name}`);
    const method = own("method") ? button.formMethod : form.method;
    const action = own("action") ? button.formAction : form.getAttribute("action") || location.href;
    if (method !== "dialog" && URL.canParse(action, document.baseURI)) {
      expected += /^https?:$/.test(new URL(action, document.baseURI).protocol);
    }
  }, true);
  addEventListener("beforetoggle", (event) => {
    layers = layers.filter((layer) => layer !== event.target);
    if (event.newState === "open") layers.push(event.target);
  }, true);

  const baseTarget = () => document.querySelector("base[target]")?.getAttribute("target") ?? "";
  const isElsewhere = (target) => !["", "_self", "_parent", "_top"].includes(target.toLowerCase());

  // Structure. An open details or dialog has an attribute that no one wrote, so `open` is no part of it there.
  const isLive = (element, name) => name === "open" && /^(details|dialog)$/.test(element.localName);
  const attributesOf = (element) => [...element.attributes].map((a) => [a.name.toLowerCase(), a.value]);
  const childrenOf = (element) => (element.localName === "template" ? element.content : element).childNodes;
  const outline = () => {
    const parts = [];
    const write = (element) => {
      parts.push("<", element.localName.toLowerCase());
      for (const [name, value] of attributesOf(element)) {
        if (!isLive(element, name)) parts.push("\u0001", name, "\u0002", value);
      }
      parts.push(">");
      for (const child of childrenOf(element)) {
        if (child.nodeType === 1) write(child);
        else if (child.nodeType === 3) parts.push(child.data);
      }
      parts.push("\u0003");
    };
    write(document.documentElement);
    return parts.join("").replace(SPACE, "").replaceAll("\u0000", "");
  };
  const TABLE = Uint32Array.from({length: 256}, (_, n) => {
    for (let k = 0; k < 8; k++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
    return n;
  });
  const checksum = (text) => {
    let sum = -1;
    for (const byte of new TextEncoder().encode(text)) sum = TABLE[(sum ^ byte) & 255] ^ (sum >>> 8);
    return (sum ^ -1) >>> 0;
  };
  const structure = () => {
    const found = [];
    const write = (element, parent) => {
      const index = found.length, children = [];
      const row = [element.localName.toLowerCase(), Object.fromEntries(attributesOf(element)), parent, children, 0];
      found.push(row);
      for (const child of childrenOf(element)) {
        if (child.nodeType === 1) {
          children.push(found.length);
          write(child, index);
        } else if (child.nodeType === 3) {
          if (typeof children.at(-1) === "string") children.push(children.pop() + child.data);
          else children.push(child.data);
        }
      }
      row[4] = found.length;
    };
    write(document.documentElement, -1);
    return found;
  };

  // Live state.
  const isFolded = (element) => element.hidden === "until-found" && getComputedStyle(element).contentVisibility === "hidden";
  const isShown = (element) => {
    const list = /^opt(ion|group)$/.test(element.localName) ? element.closest("select") : null;
    if (!list || element.checkVisibility()) return element.checkVisibility({visibilityProperty: true}) && !isFolded(element);
    for (let at = element; at !== list; at = at.parentElement) {
      if (getComputedStyle(at).display === "none") return false;
    }
    return isShown(list) && getComputedStyle(element).visibility === "visible";
  };
  const stateOf = (element) => {
    const checkable = element.type === "checkbox" || element.type === "radio";
    const value = element.type === "file" ? [...element.files].map((f) => f.name).join(", ") : element.value;
    const selected = element.localName === "select" ? [...element.selectedOptions].map(place) : [];
    return [place(element), value, checkable && element.localName === "input" ? element.checked : null, selected];
  };
  const isOpen = (element) => element.matches("details[open],dialog[open],:popover-open");
  const focused = () => {
    const active = document.activeElement;
    return active && active !== document.body && active !== document.documentElement ? place(active) : -1;
  };
  const refusal = () => {
    const first = refused.includes(document.activeElement) ? document.activeElement : refused[0];
    const title = first.validity.patternMismatch && first.title ? ` ${first.title}` : "";
    return [place(first), first.validationMessage + title];
  };
  const snapshot = () => {
    const elements = nodes();
    layers = layers.filter((layer) => layer.isConnected && layer.matches(":modal,:popover-open"));
    const seen = {
      url: location.href,
      shown: elements.map((element) => (isShown(element) ? "1" : "0")).join(""),
      controls: elements.filter((e) => /^(input|select|textarea|output)$/.test(e.localName)).map(stateOf),
      opened: elements.filter(isOpen).map(place),
      layers: layers.map((layer) => [place(layer), layer.matches(":modal")]),
      focus: focused(),
      scroll: Math.round(scrollY),
      expected,
      refusal: refused.length ? refusal() : null,
    };
    refused = [];
    expected = 0;
    return seen;
  };

  // Waiting: a promise for what is not there yet, never a time.
  const parsed = () => new Promise((done) => {
    if (document.readyState !== "loading") done();
    else document.addEventListener("DOMContentLoaded", done, {once: true});
  });
  // Going back restores the controls in a task of its own after parsing; a task of low priority comes behind it.
  const restored = () => parsed().then(() => scheduler.postTask(() => {}, {priority: "background"}));
  const styled = () => Promise.all([...document.querySelectorAll("link[rel~=stylesheet][href]:not([disabled])")]
    .filter((link) => !link.sheet && matchMedia(link.media || "all").matches)
    .map((link) => new Promise((done) => ["load", "error"].forEach((e) => link.addEventListener(e, done, {once: true})))));

  // The focus that the document itself asks for comes with the first frame after loading.
  const focusedByItself = () => new Promise((done) => {
    const waits = location.hash || document.querySelector("[autofocus]");
    if (!waits || document.visibilityState !== "visible") done();
    else requestAnimationFrame(() => requestAnimationFrame(done));
  });

  // Aiming: a point where the mouse meets the element, or what is in the way.
  const owner = (element) => element.closest(INTERACTIVE);
  const meets = (hit, element) => {
    if (!hit || !element.contains(hit)) return 0;
    const inner = owner(hit);
    return inner && inner !== element && element.contains(inner) ? 1 : 2;
  };
  const isLabelOf = (hit, element) => [...(element.labels ?? [])].some((label) => label.contains(hit));
  const pointsOf = (element) => {
    const points = [], shares = [0.5, 0.25, 0.75, 0.1, 0.9, 0.02, 0.98];
    const sendsPlace = element.matches("input[type=image i]");  // its corner is the place that needs no layout
    for (const box of element.getClientRects()) {
      if (box.width <= 0 || box.height <= 0) continue;
      if (sendsPlace) points.push([box.x + 0.01, box.y + 0.01]);
      for (const y of shares) for (const x of shares) points.push([box.x + box.width * x, box.y + box.height * y]);
    }
    return points.filter(([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight);
  };
  const best = (element) => {
    let found = null, grade = 0;
    for (const [x, y] of pointsOf(element)) {
      const hit = document.elementFromPoint(x, y), now = meets(hit, element) || (hit && isLabelOf(hit, element) ? 1 : 0);
      if (now > grade) [found, grade] = [{x, y}, now];
      if (grade === 2) break;
    }
    return found;
  };
  const aim = async (index) => {
    await styled();
    const element = nodes()[index];
    let found = best(element);
    if (!found) {
      element.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
      found = best(element);
    }
    if (found) return found;
    const points = pointsOf(element);
    if (!points.length) return {};
    const cover = document.elementFromPoint(...points[0]);
    return {cover: cover ? place(cover) : -1};
  };

  // Input that no device event stands for.
  const focus = (index, caretAtStart) => {
    const element = nodes()[index];
    if (!element) document.activeElement?.blur();
    if (!element || document.activeElement === element) return;
    element.focus();
    if (caretAtStart && document.activeElement === element && element.matches("input,textarea")) {
      try { element.setSelectionRange(0, 0); } catch { /* a field without a text selection */ }
    }
  };
  const select = (index) => { const field = nodes()[index]; field.focus(); field.select(); };
  const set = (index, value) => { const field = nodes()[index]; field.focus(); field.value = value; };
  const choose = (index, options) => {
    const chosen = new Set(options.map((option) => nodes()[option]));
    for (const option of nodes()[index].options) option.selected = chosen.has(option);
  };
  const push = (index, init) => {
    const element = nodes()[index];
    let at = element;
    while (at && at !== document.activeElement) { at.focus(); at = at === document.activeElement ? at : at.parentElement; }
    if (!at) document.activeElement?.blur();
    element.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, composed: true, view: window, ...init}));
  };
  const scroll = (x, y) => scrollBy({left: x, top: y, behavior: "instant"});

  const clearOverlay = () => { for (const element of overlay.splice(0)) element.remove(); all = null; };
  // `autofocus` acts on insertion, and an overlay must leave the focus alone; so it is written afterwards.
  const insertQuietly = (holder, element) => {
    const waiting = [element, ...element.querySelectorAll("*")].filter((e) => e.hasAttribute("autofocus"));
    const written = waiting.map(attributesOf);
    waiting.forEach((e) => e.removeAttribute("autofocus"));
    holder.append(element);
    waiting.forEach((e, n) => {
      for (const [name] of written[n]) e.removeAttribute(name);
      for (const [name, value] of written[n]) e.setAttribute(name, value);
    });
  };
  const showOverlay = (html) => {
    clearOverlay();
    const body = document.querySelector("body"), root = document.documentElement;
    const holder = body && !body.nextElementSibling && body.parentElement === root ? body : root;
    const added = new DOMParser().parseFromString(html, "text/html");
    overlay.push(...added.head.children, ...added.body.children);
    overlay.forEach((element) => insertQuietly(holder, element));
    all = null;
  };

  // Saved contexts and pictures.
  const TYPED = "textarea,input:is([type=text i],[type=search i],[type=tel i],[type=url i],[type=password i],:not([type]))";
  const carets = () => nodes().filter((e) => e.matches(TYPED) && e.selectionEnd)
    .map((e) => [place(e), e.selectionStart, e.selectionEnd]);
  const apply = ({controls, opened, layers: wanted, focus: at, scroll: y, carets: places}) => {
    const elements = nodes();
    for (const [index, value, checked, selected] of controls) {
      const control = elements[index];
      if (control.localName === "select") choose(index, selected);
      else if (checked !== null) control.checked = checked;
      else if (control.type !== "file" && control.localName !== "output" && control.value !== value) control.value = value;
    }
    for (const element of elements) {
      if (/^(details|dialog)$/.test(element.localName)) element.open = false;
    }
    for (const [index, modal] of wanted) modal ? elements[index].showModal() : elements[index].showPopover();
    for (const index of opened) {
      const element = elements[index];
      if (isOpen(element)) continue;
      element.localName === "details" ? (element.open = true) : element.localName === "dialog" ? element.show() : element.showPopover();
    }
    for (const [index, start, end] of places) elements[index].setSelectionRange(start, end);
    if (at >= 0) elements[at].focus();
    else document.activeElement?.blur();
    scrollTo({top: y, behavior: "instant"});
  };

  const still = new CSSStyleSheet();
  still.replaceSync("*, ::before, ::after { caret-color: transparent !important; animation: none !important; transition: none !important; }");
  const freeze = async () => {
    document.adoptedStyleSheets.push(still);
    await styled();
    const near = (image) => { const box = image.getBoundingClientRect(); return box.bottom >= 0 && box.top < innerHeight; };
    await Promise.all([...document.images].filter(near).map((image) => image.decode().catch(() => {})));
  };
  const thaw = () => { document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== still); };

  globalThis.skillshift = {
    aim, apply, carets, freeze, thaw, choose, clearOverlay, focus, push, scroll, select, set, showOverlay, structure,
    checksum: () => checksum(outline()),
    read: () => JSON.stringify(snapshot()),
    arrive: async (fromHistory) => {
      await (fromHistory ? restored() : parsed());
      await styled();
      await focusedByItself();
      all = null;
      return JSON.stringify({...snapshot(), checksum: checksum(outline())});
    },
    name: () => window.name,
    replaceAddress: (url) => history.replaceState(null, "", url),
  };
})();
