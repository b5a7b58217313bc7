"""What runs within a page: how it moved, what a reader would see of it, and axe."""

from __future__ import annotations

#: Keeps how far things moved while the page was loaded, and what did.
SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  const name = ({ node }) => (node?.outerHTML ?? node?.textContent)?.slice(0, 80);
  for (const { value, sources } of list.getEntries())
    window.shifts.push([value, sources.map(name)]);
}).observe({ type: "layout-shift", buffered: true });
"""

#: Waits for two frames: in the first, observers are told of the sizes of what was laid out.
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

#: Lays out the tables that wait until a reader comes near, as they are when one does.
NEAR = """() => document.querySelectorAll(".table-wrapper.filtered").forEach(
  (frame) => { frame.style.contentVisibility = "visible"; })"""

#: Leaves nothing of a page to lay out: the next one is opened on another screen.
GONE = "() => { document.documentElement.style.display = 'none'; }"

#: Runs axe with all evidence open. Text whose styles, and those of all boxes around it, are those
#: of text whose contrast sufficed is not measured again: most rows of a table are like the first.
#: What lies outside the flow may stand over anything, so it is like nothing else.
AXE = (
    f"async (rules) => {{ const drawn = {DRAWN};"
    + """
  const closed = document.querySelectorAll("details:not([open])");
  const contrast = axe._audit.checks["color-contrast"];
  const { evaluate } = contrast;
  const [keys, ids, passed] = [new Map(), new Map(), new Set()];
  const keyOf = (box) => {
    if (!box || keys.has(box)) return keys.get(box);
    const style = getComputedStyle(box);
    const flows = ["static", "relative"].includes(style.position);
    const key = [keyOf(box.parentElement), box.nodeName, flows ? style.position : keys.size,
      style.color, style.background, style.opacity, style.font, style.textShadow, style.filter,
      style.webkitTextStroke, style.mixBlendMode, style.margin, style.inset, style.transform,
    ].join();
    if (!ids.has(key)) ids.set(key, ids.size);
    keys.set(box, ids.get(key));
    return keys.get(box);
  };
  contrast.evaluate = function (box, ...others) {
    if (passed.has(keyOf(box))) return true;
    const found = evaluate.call(this, box, ...others);
    if (found && axe.commons.dom.isVisibleOnScreen(box)) passed.add(keyOf(box));
    return found;
  };
  for (const box of closed) box.open = true;
  // What scrolls now is a tab stop when observers were told.
  await drawn();
  return axe.run({ resultTypes: ["violations"], ...(rules.length && { runOnly: rules }) })
    .then(({ violations }) => violations.map((rule) =>
      `${rule.id}: ${rule.nodes.map((node) => node.target.join(" ")).join(" | ")}`))
    .finally(() => {
      contrast.evaluate = evaluate;
      for (const box of closed) box.open = false;
    });
}
"""
)

#: What a reader would see amiss, and the sizes and colours that tests compare.
SEEN = """() => {
  const boxes = [...document.querySelectorAll("[role=main] *")];
  const wider = (box) => box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 1;
  const higher = (box) => box.scrollHeight > box.clientHeight + 1;
  const scrolls = (box) => {
    const { overflowX, overflowY } = getComputedStyle(box);
    const may = (overflow) => ["auto", "scroll"].includes(overflow);
    return (may(overflowX) && wider(box)) || (may(overflowY) && higher(box));
  };
  // On a narrow screen furo lets this box scroll, and the page never does.
  const over = (selector) => {
    const box = document.querySelector(selector);
    return box ? box.scrollWidth - box.clientWidth : 0;
  };
  // Words of a drawing that are smaller than 11 px, or leave it.
  const drawings = [...document.querySelectorAll(".plot-drawing")];
  const illegible = drawings.filter((one) => one.checkVisibility()).flatMap((drawing) => {
    const frame = drawing.getBoundingClientRect();
    const scale = frame.width / drawing.viewBox.baseVal.width;
    return [...drawing.querySelectorAll("text")].filter((text) => {
      const { left, right, top, bottom } = text.getBoundingClientRect();
      const outside = left < frame.left - 1 || right > frame.right + 1
        || top < frame.top - 3 || bottom > frame.bottom + 3;
      return outside || parseFloat(getComputedStyle(text).fontSize) * scale < 11;
    }).map((text) => text.textContent);
  });
  // Tables of sentences that are cut off.
  const misplaced = boxes.filter(
    (box) => box.matches(".table-wrapper:is(.changes, .analysis)") && wider(box));
  // The words of recorded tables that stand on more than one line.
  const cells = [...document.querySelectorAll("table.words tbody :is(td, th)")];
  const torn = cells.flatMap((cell) => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const text = walker.currentNode;
      for (const word of text.data.matchAll(/[a-z]{3,}/gi)) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.push(word[0]);
      }
    }
    return found;
  });
  const names = (found) => found.map((box) => `${box.tagName}.${box.className}`);
  return {
    illegible,
    drawings: drawings.filter((one) => one.checkVisibility()).length,
    shifts: window.shifts,
    background: getComputedStyle(document.body).backgroundColor,
    sideways: Math.max(document.documentElement.scrollWidth - innerWidth, over(".content")),
    idle: names(boxes.filter((box) => box.matches("[tabindex='0']") && !scrolls(box))),
    misplaced: names(misplaced),
    torn,
    unreachable: names(boxes.filter(
      (box) => box.checkVisibility() && box.tabIndex < 0 && scrolls(box))),
  };
}"""
