"""The motifs of the blog's pictures: flat drawings in a box from (-100, -80) to (100, 80) that stand on y = 60.

A drawing names its colours by classes of the palette: `a` main, `b` second, `d` dark, `l` light, and those of things that
have their own: `w` white, `g` leaves, `y` the sun, `n` the night, `u` water, `t` and `o` toast, `r` an apple. A `d` before
the name makes a line without filling: `da` is a line in the main colour.
"""

from __future__ import annotations

INDOORS = frozenset({"apple", "ball", "book", "bread", "clock", "cup", "guitar", "lamp"})
ALOFT = frozenset({"bird", "moon", "sun"})

MOTIFS = {
    "lighthouse": """
<path class="d" d="M-60 60Q-30 36 0 40T64 60Z"/>
<path class="w" d="M-17 46L-11-38H11L17 46Z"/>
<path class="a" d="M-15.5 26L-14 6H14L15.5 26ZM-12.5-14L-11.4-30H11.4L12.5-14Z"/>
<rect class="d" x="-16" y="-43" width="32" height="6" rx="2"/>
<rect class="l" x="-9" y="-59" width="18" height="16"/>
<path class="a" d="M-13-59L0-75L13-59Z"/>
<path class="l" opacity=".55" d="M12-54L98-72V-34L12-48Z"/>
<rect class="d" x="-4" y="32" width="8" height="13" rx="4"/>""",
    "bicycle": """
<circle class="dd" cx="-46" cy="30" r="29" stroke-width="6"/>
<circle class="dd" cx="46" cy="30" r="29" stroke-width="6"/>
<path class="da" stroke-width="6" d="M-46 30L-20-18H32L-2 30ZM-2 30L-24-30M46 30L26-38"/>
<path class="dd" stroke-width="6" d="M-36-31H-13M26-38L44-44"/>
<circle class="b" cx="-2" cy="30" r="8"/>
<circle class="d" cx="-46" cy="30" r="4"/>
<circle class="d" cx="46" cy="30" r="4"/>""",
    "bread": """
<rect class="b" x="-84" y="46" width="168" height="14" rx="7"/>
<path class="t" d="M-70 46C-92 10-66-22-40-18C-28-34 28-34 40-18C66-22 92 10 70 46Z"/>
<path class="o" d="M-60 40C-76 14-58-8-36-6C-26-20 26-20 36-6C58-8 76 14 60 40Z"/>
<path class="dt" stroke-width="7" d="M-38 26L-22-4M-6 28L8-6M26 28L40 0"/>""",
    "bridge": """
<path class="u" d="M-300 120H300V42H-300Z"/>
<rect class="a" x="-62" y="-58" width="12" height="116"/>
<rect class="a" x="50" y="-58" width="12" height="116"/>
<path class="da" stroke-width="4" d="M-130 12Q-90 0-56-54Q0 44 56-54Q90 0 130 12"/>
<path class="dd" stroke-width="2" d="M-40-28V16M-24-8V16M-8 1V16M8 1V16M24-8V16M40-28V16M-76-26V16M-96-4V16M76-26V16M96-4V16"/>
<rect class="d" x="-300" y="14" width="600" height="9"/>
<path class="dw" stroke-width="3" d="M-40 52H-16M14 54H40M-110 52H-90M84 53H106"/>""",
    "mountain": """
<path class="b" d="M-120 60L-56-22L6 60Z"/>
<path class="a" d="M-70 60L14-62L98 60Z"/>
<path class="w" d="M14-62L-10-27L2-33L12-22L24-34L38-27Z"/>
<path class="w" d="M-56-22L-70-4L-60-8L-52 0L-43-5Z"/>
<path class="d" opacity=".25" d="M14-62L98 60H40L24-34Z"/>
<path class="d" d="M-88 62L-78 36L-68 62ZM-70 62L-62 42L-54 62ZM74 62L84 38L94 62Z"/>""",
    "cat": """
<path class="da" stroke-width="11" d="M40 46C84 50 84 4 62-6"/>
<path class="a" d="M-34 60C-40 12-24-4 2-4C36-4 48 26 46 60Z"/>
<circle class="a" cx="-10" cy="-26" r="29"/>
<path class="a" d="M-37-34L-36-66L-14-50ZM17-34L16-66L-6-50Z"/>
<path class="l" d="M-32-42L-32-58L-20-49ZM12-42L12-58L0-49Z"/>
<ellipse class="l" cx="0" cy="36" rx="17" ry="24"/>
<circle class="d" cx="-20" cy="-28" r="4"/>
<circle class="d" cx="1" cy="-28" r="4"/>
<path class="d" d="M-14-18H-5L-9.5-13Z"/>
<path class="dd" stroke-width="2" d="M-24-15L-48-19M-24-11L-47-8M5-15L29-19M5-11L28-8M-9.5-13Q-16-4-20-9M-9.5-13Q-3-4 1-9"/>""",
    "boat": """
<path class="u" d="M-210 44Q-180 36-150 44T-90 44T-30 44T30 44T90 44T150 44T210 44V120H-210Z"/>
<rect class="d" x="-4" y="-72" width="6" height="94"/>
<path class="w" d="M-8-66V10H-62Q-24-20-8-66Z"/>
<path class="a" d="M6-60Q34-26 50 10H6Z"/>
<path class="d" d="M-66 18H66L48 46H-48Z"/>
<path class="l" d="M-63 22H63L60 28H-60Z"/>
<path class="a" d="M2-72L24-66L2-60Z"/>
<path class="dw" stroke-width="3" d="M-110 54Q-98 48-86 54M-20 56Q-8 50 4 56M76 55Q88 49 100 55M-70 72Q-58 66-46 72M30 74Q42 68 54 74"/>""",
    "tree": """
<path class="d" d="M-9 60L-5 0H5L9 60Z"/>
<path class="dd" stroke-width="6" d="M0 24L22 4M0 34L-20 14"/>
<circle class="g" cx="0" cy="-40" r="33"/>
<circle class="g" cx="-30" cy="-14" r="27"/>
<circle class="g" cx="30" cy="-14" r="27"/>
<circle class="a" cx="-12" cy="-48" r="6"/>
<circle class="a" cx="-38" cy="-18" r="6"/>
<circle class="a" cx="20" cy="-24" r="6"/>""",
    "cup": """
<ellipse class="b" cx="-4" cy="54" rx="72" ry="9"/>
<path class="da" stroke-width="11" d="M44-6C82-10 78 36 36 32"/>
<path class="a" d="M-56-14H48C48 26 34 52 16 52H-24C-42 52-56 26-56-14Z"/>
<ellipse class="l" cx="-4" cy="-14" rx="52" ry="11"/>
<ellipse class="d" cx="-4" cy="-12" rx="43" ry="8"/>
<path class="dw" stroke-width="5" d="M-24-30C-34-42-14-50-24-64M-2-30C-12-44 8-54-2-70M20-30C10-42 30-50 20-64"/>""",
    "book": """
<path class="d" d="M-92-24L-4-14V60L-92 48ZM92-24L4-14V60L92 48Z"/>
<path class="w" d="M-84-34Q-34-40 0-18V54Q-34 34-84 40ZM84-34Q34-40 0-18V54Q34 34 84 40Z"/>
<path class="a" d="M-3-20L0-18L3-20V56H-3Z"/>
<path class="dl" stroke-width="4" d="M-70-18Q-38-20-14-8M-70-4Q-38-6-14 6M-70 10Q-38 8-14 20M70-18Q38-20 14-8M70-4Q38-6 14 6"/>
<path class="b" d="M48-36H62V18L55 10L48 18Z"/>""",
    "lamp": """
<path class="l" opacity=".5" d="M-34-14L-88 60H88L34-14Z"/>
<rect class="d" x="-4" y="-14" width="8" height="66"/>
<path class="d" d="M-34 60Q-30 48 0 48T34 60Z"/>
<path class="a" d="M-22-66H22L48-12H-48Z"/>
<path class="b" d="M-45-18H45L48-12H-48Z"/>
<circle class="l" cx="0" cy="-6" r="9"/>
<path class="dd" stroke-width="2.5" d="M28-12V14"/>
<circle class="b" cx="28" cy="17" r="4"/>""",
    "train": """
<path class="dd" stroke-width="4" d="M-300 58H300"/>
<rect class="a" x="-78" y="-18" width="92" height="52" rx="6"/>
<path class="b" d="M14-52H72V34H14Z"/>
<rect class="d" x="8" y="-60" width="70" height="10" rx="4"/>
<rect class="l" x="26" y="-40" width="34" height="28" rx="3"/>
<path class="d" d="M-62-18L-66-48H-40L-44-18Z"/>
<circle class="w" cx="-46" cy="-62" r="9"/>
<circle class="w" cx="-28" cy="-72" r="12" opacity=".8"/>
<circle class="w" cx="-4" cy="-78" r="8" opacity=".6"/>
<rect class="d" x="-84" y="30" width="160" height="10" rx="3"/>
<circle class="d" cx="-54" cy="44" r="14"/>
<circle class="d" cx="-16" cy="44" r="14"/>
<circle class="d" cx="44" cy="40" r="18"/>
<circle class="l" cx="-54" cy="44" r="5"/>
<circle class="l" cx="-16" cy="44" r="5"/>
<circle class="l" cx="44" cy="40" r="7"/>
<circle class="l" cx="-80" cy="4" r="7"/>""",
    "house": """
<rect class="d" x="30" y="-66" width="15" height="36"/>
<path class="a" d="M-84-6L0-70L84-6Z"/>
<rect class="w" x="-66" y="-6" width="132" height="66"/>
<rect class="b" x="-14" y="16" width="28" height="44" rx="3"/>
<circle class="l" cx="8" cy="38" r="3"/>
<path class="l" d="M-52 8H-26V34H-52ZM26 8H52V34H26Z"/>
<path class="dd" stroke-width="3" d="M-52 8H-26V34H-52ZM26 8H52V34H26ZM-39 8V34M39 8V34M-52 21H-26M26 21H52"/>
<circle class="l" cx="0" cy="-30" r="9"/>""",
    "fish": """
<path class="u" d="M-210 120V-46Q-180-56-150-46T-90-46T-30-46T30-46T90-46T150-46T210-46V120Z"/>
<path class="b" d="M-20-10Q2-44 26-10ZM-10 44Q6 62 22 44Z"/>
<path class="a" d="M-72 18Q-38-26 14-16Q42-10 50 10L84-14Q76 18 84 48L50 26Q34 50-6 50Q-50 48-72 18Z"/>
<path class="dl" stroke-width="4" d="M-34-6Q-20 18-34 42M-2-4Q10 18-2 38M20 0Q30 18 20 34"/>
<circle class="w" cx="-50" cy="10" r="7"/>
<circle class="d" cx="-51" cy="10" r="3.5"/>
<circle class="dw" cx="-88" cy="-2" r="5" stroke-width="2.5"/>
<circle class="dw" cx="-80" cy="-18" r="3" stroke-width="2"/>""",
    "flower": """
<path class="dg" stroke-width="7" d="M0 60C4 34-4 20 0-4"/>
<path class="g" d="M0 40Q34 38 42 10Q6 10 0 40ZM0 52Q-34 50-40 24Q-6 24 0 52Z"/>
<g class="a"><circle cx="0" cy="-58" r="17"/><circle cx="25" cy="-43" r="17"/><circle cx="25" cy="-14" r="17"/>
<circle cx="0" cy="0" r="17"/><circle cx="-25" cy="-14" r="17"/><circle cx="-25" cy="-43" r="17"/></g>
<circle class="l" cx="0" cy="-29" r="17"/>
<circle class="b" cx="0" cy="-29" r="9"/>""",
    "sun": """
<path class="dy" stroke-width="8" d="M0-66V-52M0 32V46M-56-10H-42M42-10H56M-40-50L-30-40M30 20L40 30M40-50L30-40M-30 20L-40 30"/>
<circle class="y" cx="0" cy="-10" r="32"/>
<circle class="w" cx="-8" cy="-18" r="12" opacity=".35"/>
<path class="a" d="M-300 62Q-120 20-10 52T300 44V62Z"/>
<path class="b" d="M-300 62Q-40 40 60 62Z"/>""",
    "moon": """
<rect class="n" x="-500" y="-500" width="1000" height="1000"/>
<path class="y" d="M16-62A48 48 0 1 0 44 22A40 40 0 1 1 16-62Z"/>
<g class="w"><circle cx="-70" cy="-44" r="3"/><circle cx="-84" cy="4" r="2"/><circle cx="60" cy="-50" r="2.5"/><circle cx="84" cy="-12" r="3"/>
<circle cx="52" cy="-14" r="2"/><circle cx="-58" cy="20" r="2.5"/><circle cx="-40" cy="-70" r="2"/><circle cx="92" cy="-60" r="2"/></g>
<path class="a" d="M-300 62V50Q-200 30-100 48T60 44T300 50V62Z"/>
<path class="d" d="M54 46V28L66 18L78 28V46Z"/>
<rect class="y" x="63" y="31" width="6" height="7"/>""",
    "guitar": """
<g transform="rotate(35) scale(.84)">
<path class="a" d="M-30 70C-52 48-34 24-26 14C-32-2-22-16 0-16S32-2 26 14C34 24 52 48 30 70C16 82-16 82-30 70Z"/>
<circle class="d" cx="0" cy="22" r="13"/>
<rect class="d" x="-6" y="-88" width="12" height="100"/>
<rect class="b" x="-10" y="-108" width="20" height="24" rx="4"/>
<path class="dl" stroke-width="1.5" d="M-3-100V56M0-100V56M3-100V56M-6-70H6M-6-56H6M-6-42H6M-6-28H6"/>
<rect class="d" x="-17" y="54" width="34" height="7" rx="2"/>
</g>""",
    "clock": """
<path class="d" d="M-34 40L-46 60H-34L-22 48ZM34 40L46 60H34L22 48Z"/>
<circle class="a" cx="-32" cy="-46" r="16"/>
<circle class="a" cx="32" cy="-46" r="16"/>
<rect class="d" x="-4" y="-70" width="8" height="16"/>
<circle class="a" cx="0" cy="0" r="56"/>
<circle class="w" cx="0" cy="0" r="45"/>
<path class="dd" stroke-width="4" d="M0-39V-32M0 32V39M-39 0H-32M32 0H39"/>
<path class="dd" stroke-width="6" d="M0 2V-26M0 2L20 14"/>
<circle class="b" cx="0" cy="1" r="6"/>""",
    "umbrella": """
<path class="dd" stroke-width="6" d="M0-60V42C0 62 26 62 26 44"/>
<path class="a" d="M-78 0C-74-44-38-62 0-62S74-44 78 0Q65-14 52 0Q39-14 26 0Q13-14 0 0Q-13-14-26 0Q-39-14-52 0Q-65-14-78 0Z"/>
<path class="b" d="M-26 0C-24-36-12-56 0-62C12-56 24-36 26 0Q13-14 0 0Q-13-14-26 0Z"/>
<path class="d" d="M-3-72H3V-60H-3Z"/>
<path class="dl" stroke-width="4" d="M-60 24L-64 38M-34 30L-38 44M52 24L48 38M74 34L70 48M-84 40L-88 54M40 50L36 64"/>""",
    "bird": """
<path class="dd" stroke-width="7" d="M-260 50Q-40 30 260 44"/>
<path class="b" d="M34 6L82 28L70 2Z"/>
<path class="a" d="M-46-10C-48-44-10-54 4-30C14-14 42-14 46 8C46 30 24 38 4 38C-26 38-42 20-46-10Z"/>
<path class="b" d="M-6 0Q24-8 46 8Q24 32-2 22Q-14 12-6 0Z"/>
<path class="l" d="M-36 10Q-28 34 0 37Q-22 22-22 4Z"/>
<path class="y" d="M-45-26L-68-16L-45-12Z"/>
<circle class="w" cx="-26" cy="-24" r="6"/>
<circle class="d" cx="-27" cy="-24" r="3"/>
<path class="dy" stroke-width="4" d="M-4 36V42M10 36V42"/>
<path class="g" d="M86 38Q96 12 120 14Q116 38 86 38ZM-104 42Q-120 18-136 26Q-128 46-104 42Z"/>""",
    "tent": """
<path class="g" d="M62 60L80-26L98 60ZM86 60L100 2L114 60ZM-110 60L-94-6L-78 60Z"/>
<path class="b" d="M-4-46L68 60H20Z"/>
<path class="a" d="M-4-46L-84 60H60Z"/>
<path class="d" d="M-8-4L-36 60H16Z"/>
<path class="l" d="M-8-4L-36 60L-18 60Z"/>
<path class="dd" stroke-width="3" d="M-4-46L-8-58M-4-46L2-58M-50 14L-104 62M40 18L82 62"/>""",
    "ball": """
<ellipse class="d" cx="0" cy="58" rx="48" ry="6" opacity=".25"/>
<circle class="w" cx="0" cy="0" r="58"/>
<path class="a" d="M0 0C-8-24-4-46 12-56.700A58 58 0 0 1 54-21C34-22 14-16 0 0Z"/>
<path class="b" d="M0 0C22 4 42 14 47 34A58 58 0 0 1 2 58C8 38 10 18 0 0Z"/>
<path class="l" d="M0 0C-14 20-30 34-47 34A58 58 0 0 1-52-26C-34-24-14-16 0 0Z"/>
<circle class="w" cx="0" cy="0" r="9"/>
<circle class="dd" cx="0" cy="0" r="58" stroke-width="3"/>""",
    "apple": """
<path class="r" d="M0-22C-18-38-58-34-58 8C-58 40-34 62-16 58C-6 56 6 56 16 58C34 62 58 40 58 8C58-34 18-38 0-22Z"/>
<path class="dd" stroke-width="7" d="M0-20C0-36 4-48 14-58"/>
<path class="g" d="M10-44Q22-72 56-64Q46-36 10-44Z"/>
<path class="w" opacity=".45" d="M-44 2C-44-14-34-22-24-22C-34-10-36 4-34 18C-40 16-44 10-44 2Z"/>""",
}
