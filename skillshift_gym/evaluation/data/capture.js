// Runs in the isolated world of the browsers' `page.js`, before it: tells what a person does, and changes nothing in
// the document. A deed is told with the state from before it, which the press of a button or key that leads to it reads.
(nativePopups) => {
  if (globalThis.isCapturing || window !== top) return;
  globalThis.isCapturing = true;
  const OWNERS = "a[href],area[href],button,input,select,textarea,summary,label,option";
  const BUTTONS = ["button", "submit", "reset", "image"];
  const is = (element, name) => element instanceof Element && element.localName === name;
  const isTicked = (e) => is(e, "input") && ["checkbox", "radio"].includes(e.type);
  const isTyped = (e) => is(e, "textarea") || (is(e, "input") && !isTicked(e) && ![...BUTTONS, "file"].includes(e.type));
  const isField = (e) => isTyped(e) || isTicked(e) || is(e, "select");
  let before = "", typing = null, entered = false;

  // The sites have no `template` elements, so document order is the order of the browsers' pages.
  const place = (element) => [...document.querySelectorAll("*")].indexOf(element);
  const look = () => { before = skillshift.read(); };
  const layers = (state) => JSON.parse(state).layers.length;
  const tell = (kind, element, more = {}) => {
    const message = {kind, place: element ? place(element) : -1, state: before || skillshift.read(), ...more};
    typing = kind === "fill" ? element : null;
    skillshiftTell(JSON.stringify(message));
  };
  const on = (name, act) => addEventListener(name, (event) => { if (event.isTrusted) act(event, event.target); }, true);

  on("pointerdown", () => { entered = false; look(); });
  on("beforeinput", (event, target) => { if (typing !== target) look(); });
  on("keydown", (event, target) => {
    entered = false;
    if (event.isComposing) return;
    const plain = !(event.ctrlKey || event.altKey || event.metaKey), known = ["Enter", "Escape"].includes(event.key);
    if (typing !== target || known) look();
    if (plain && event.key === "Escape" && layers(before)) tell("escape");
    if (plain && event.key === "Enter" && isField(target) && !is(target, "textarea")) {
      tell("enter", target);
      entered = true;  // a click on the form's button that now comes is the browser's own
    }
  });
  on("keyup", () => { entered = false; });
  on("input", (event, target) => {
    if (isTyped(target)) tell("fill", target, {value: target.value});
    else if (is(target, "select")) tell("select", target, {values: chosen(target)});
  });
  on("change", (event, target) => {
    if (isTicked(target)) tell(target.checked ? "check" : "uncheck", target);
  });
  on("click", (event, target) => {
    const element = target instanceof Element ? target.closest(OWNERS) : null;
    if (!element) {
      if (before && layers(before) > layers(skillshift.read())) tell("escape");  // it closed by the click beside it
    } else if (isField(element) || is(element, "option") || is(element, "label") || entered) {
      return;  // what follows, a change or a click on the label's control, tells it
    } else if (is(element, "input") && element.type === "file") {
      tell("upload", element);
    } else if (event.ctrlKey || event.metaKey || event.shiftKey) {
      open(element);
    } else {
      tell("click", element);
    }
  });
  on("auxclick", (event, target) => {
    if (event.button === 1 && target instanceof Element) open(target.closest(OWNERS));
  });
  const open = (link) => { if (link?.href) tell("open", link, {value: link.href}); };
  const chosen = (list) => {
    const labels = [...list.options].map((option) => option.label.trim().replace(/\s+/g, " "));
    return [...list.selectedOptions].map((option) => {
      const label = labels[option.index];
      return label && labels.indexOf(label) === labels.lastIndexOf(label) ? label : option.value;
    });
  };

  // `page.js` keeps lists and pickers from opening; a person at the screen needs them.
  if (nativePopups) {
    for (const name of ["mousedown", "keydown"]) on(name, (event) => event.stopImmediatePropagation());
    on("click", (event, target) => { if (is(target, "input") && target.type === "color") event.stopImmediatePropagation(); });
  }

  const begin = () => {
    look();
    tell("document", null, {checksum: skillshift.checksum(), structure: skillshift.structure()});
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", begin, {once: true});
  else queueMicrotask(begin);
}
