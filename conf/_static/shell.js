/* What pages need beyond furo and Sphinx: a way to scroll by keyboard, buttons that copy code, and a
   landing for a reader who comes from the search. Without JavaScript nothing is missing but these. */

/* The words of scripts in the language of the page, where that is not English: editions.py. */
const said = JSON.parse(document.getElementById("said")?.textContent ?? "{}");
const say = (text) => said[text] ?? text;

(() => {
  const SCROLLERS = ".highlight pre, .table-wrapper";
  const BLOCKS = "h1, h2, h3, p, li, pre, td, dd, summary";

  /* A block is a Tab stop while it scrolls, and only then. */
  const reach = ({ target }) => {
    const box = target.closest(SCROLLERS);
    const wider = box.scrollWidth > box.clientWidth + 1;
    if (wider || box.scrollHeight > box.clientHeight + 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  };
  const watch = new ResizeObserver((entries) => entries.forEach(reach));

  /* The block with the most of the terms, and of those the first. */
  const best = (marks) => {
    let found = null;
    let most = 0;
    for (const block of new Set(marks.map((mark) => mark.closest(BLOCKS)))) {
      if (!block?.checkVisibility()) continue;
      const inside = [...block.querySelectorAll("span.highlighted")];
      const terms = new Set(inside.map((mark) => mark.textContent.toLowerCase())).size;
      if (terms > most) [found, most] = [block, terms];
    }
    return found;
  };

  /* A claim keeps its id on whichever page it stands: a link from before it moved still leads there.
     What is no claim of a page that moved leads to the page that took its place. */
  const follow = async () => {
    const id = location.hash.slice(1);
    const root = document.documentElement.dataset.content_root;
    if (id && !document.getElementById(id)) {
      const answer = await fetch(`${root}claims/${encodeURIComponent(id)}.json`);
      if (answer.ok) return location.replace(root + (await answer.json()).anchor);
    }
    const moved = document.querySelector("a.moved");
    if (moved) location.replace(moved.href);
  };

  /* The evidence of the claim that the address names, for who was sent it; who comes from a page of
     this site wants the sentence. */
  const evidenceOf = (hash) => {
    const target = document.getElementById(hash.slice(1));
    const own = target?.querySelector(":scope > .line") ?? target?.closest(".line");
    const behind = [target?.nextElementSibling, target?.nextElementSibling?.nextElementSibling];
    const inRow = target?.closest("tr.row")?.querySelector(".ev");
    return own ?? inRow ?? behind.find((each) => each?.matches(".ev"));
  };
  const unfold = () => {
    const evidence = evidenceOf(location.hash);
    const isFromHere = document.referrer && new URL(document.referrer).origin === location.origin;
    if (evidence) evidence.open = !isFromHere;
  };

  /* What evidence opens; that of a row stands in the next one. */
  const panelOf = (evidence) =>
    (evidence.closest("tr.row")?.nextElementSibling ?? evidence).querySelector(".panel");

  /* On approach, a tick shows the values of its panel in a line. */
  const peek = ({ target }) => {
    const tick = target.closest?.(".ev > summary");
    if (!tick) return;
    const labels = [...panelOf(tick.parentElement).querySelectorAll(".value")].map((v) => v.firstChild);
    const told = labels.map((label) => `${label.textContent.trim()}: ${label.nextSibling.textContent}`);
    tick.dataset.peek = told.join(" · ");
    const { left, bottom } = tick.getBoundingClientRect();
    const { right } = tick.closest("article").getBoundingClientRect();
    const most = right - Math.min(384, 0.6 * innerWidth);
    tick.style.setProperty("--left", `${Math.min(left - 16, most)}px`);
    tick.style.setProperty("--top", `${bottom + 8}px`);
  };
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, peek);
  document.addEventListener("scroll", () => peek({ target: document.activeElement }));

  /* Printed, evidence stands at the end, once for each claim, by the number that its ticks have. */
  const proofs = document.createElement("section");
  proofs.className = "proofs";
  const collect = () => {
    const article = document.querySelector("[role=main]");
    const list = document.createElement("ol");
    const all = [...article.querySelectorAll(".ev, .line")];
    const own = all.filter((evidence) => !panelOf(evidence).matches(".short"));
    for (const evidence of own) {
      const item = document.createElement("li");
      item.append(panelOf(evidence).cloneNode(true));
      list.append(item);
    }
    for (const evidence of all) {
      const link = panelOf(evidence).matches(".short") && panelOf(evidence).querySelector("a");
      const place = own.indexOf(link ? evidenceOf(link.hash) : evidence);
      evidence.firstElementChild.dataset.number = place + 1;
    }
    const heading = document.createElement("h2");
    heading.textContent = say("Evidence");
    proofs.replaceChildren(heading, list);
    if (own.length) article.append(proofs);
  };
  window.addEventListener("beforeprint", collect);
  window.addEventListener("afterprint", () => proofs.remove());

  const land = () => {
    const page = document.querySelector("[role=main]");
    const target = location.hash ? document.getElementById(location.hash.slice(1)) : page;
    if (location.hash && target === page) return; /* the search says that the top answers */
    const marks = [...(target ?? page).querySelectorAll("span.highlighted")];
    /* Of a claim the sentence, and what fits below the page's beginning leaves that in view. */
    const block = marks.length && target?.matches(".box") ? target.firstElementChild : best(marks);
    if (!block) return;
    const { top, bottom } = block.getBoundingClientRect();
    if (bottom + scrollY < innerHeight) scrollTo(0, 0);
    else if (top < 0 || bottom > innerHeight) block.scrollIntoView({ block: "center" });
  };

  /* Code as one would type it: without prompts and what was printed. */
  const typed = (code) => {
    const copy = code.cloneNode(true);
    const session = copy.querySelector(".gp");
    copy.querySelectorAll(".gp, .go, .linenos").forEach((part) => part.remove());
    const lines = copy.textContent.trimEnd().split("\n");
    return lines.filter((line) => line || !session).join("\n");
  };

  const addButton = (block) => {
    const button = document.createElement("button");
    const show = (text) => (button.textContent = text);
    button.className = "copybtn";
    button.type = "button";
    show(say("copy"));
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(typed(block.querySelector("pre")));
      show(say("copied"));
      setTimeout(show, 2000, say("copy"));
    });
    block.append(button);
  };

  /* The open page is in view in the list of pages, which scrolls by itself. */
  const show = (entry) => {
    const pane = entry.closest(".sidebar-scroll");
    const far = entry.getBoundingClientRect().top - pane.getBoundingClientRect().top;
    pane.scrollTo({ top: far - pane.clientHeight / 3, behavior: "instant" });
  };

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll(".sidebar-tree .current-page").forEach(show);
    /* Browsers give pages the clipboard only where nobody can have changed them on the way. */
    if (navigator.clipboard) {
      const printed = (block) => block.closest(".sphx-glr-script-out");
      const blocks = [...document.querySelectorAll(".highlight")];
      blocks.filter((block) => !printed(block)).forEach(addButton);
    }
    /* A long table is laid out late, which does not change the size of its frame. */
    const watched = document.querySelectorAll(`${SCROLLERS}, .table-wrapper > table`);
    watched.forEach((element) => watch.observe(element));
    unfold();
    follow().catch(() => {}); /* a page that was opened from the disk can ask nobody */
  });
  /* sphinx_highlight.js marks the terms 10 ms after the last event, and until this one the browser
     keeps going back to the heading that an address names. */
  window.addEventListener("load", () => setTimeout(land, 30));

  /* Ctrl-K goes where "/" goes by Sphinx's script; on a phone the box is in the closed menu. */
  document.addEventListener("keydown", (event) => {
    if (event.key !== "k" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    const boxes = [...document.querySelectorAll("[role=main] [name=q], .sidebar-search")];
    const box = boxes.find((each) => each.checkVisibility());
    if (box) box.focus();
    else location.assign(`${document.documentElement.dataset.content_root}search.html`);
  });

  /* Who goes to a search box will want the index, which only the search page reads. */
  document.addEventListener("focusin", ({ target }) => {
    const asked = document.querySelector("[href$='search_index.js'], [src$='search_index.js']");
    if (target.name !== "q" || asked) return;
    const link = document.createElement("link");
    const root = document.documentElement.dataset.content_root;
    Object.assign(link, { rel: "prefetch", href: `${root}_static/search_index.js` });
    document.head.append(link);
  });

  /* Another version opens at the page, claim or search that one reads, if it has such a page. */
  document.addEventListener("click", async (event) => {
    const link = event.target.closest(".versions a");
    const { page, folder } = link?.parentElement.dataset ?? {};
    if (!page || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    for (const place of folder ? [folder + page, page] : [page]) { /* in this language, or in English */
      const same = new URL(place + location.search + location.hash, link.href);
      const answer = await fetch(same, { method: "HEAD" }).catch(() => ({}));
      if (answer.ok) return location.assign(same);
    }
    location.assign(link.href);
  });

  /* Another language opens at the claim or the search that one reads: anchors are the same in all. */
  document.addEventListener("click", ({ target }) => {
    const link = target.closest("a.edition");
    if (link) link.href = new URL(location.search + location.hash, link.href);
  });

  /* Sphinx's own link is a javascript: address, which the page's policy forbids. */
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".highlight-link a")) return;
    event.preventDefault();
    SphinxHighlight.hideSearchWords();
  });
})();
