/* What pages need beyond furo and Sphinx: a way to scroll by keyboard, buttons that copy code, and a
   landing for a reader who comes from the search. Without JavaScript nothing is missing but these. */
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

  /* A claim keeps its id on whichever page it stands: a link from before it moved still leads there. */
  const follow = async () => {
    const id = location.hash.slice(1);
    if (!id || document.getElementById(id)) return;
    const root = document.documentElement.dataset.content_root;
    const answer = await fetch(`${root}claims/${encodeURIComponent(id)}.json`);
    if (answer.ok) location.replace(root + (await answer.json()).anchor);
  };

  /* The evidence of the claim that the address names is open. */
  const unfold = () => {
    const target = document.getElementById(location.hash.slice(1));
    const own = target?.querySelector(":scope > .line") ?? target?.closest(".line");
    const behind = [target?.nextElementSibling, target?.nextElementSibling?.nextElementSibling];
    const inRow = target?.closest("tr.row")?.querySelector(".ev");
    const evidence = own ?? inRow ?? behind.find((each) => each?.matches(".ev"));
    if (evidence) evidence.open = true;
  };
  window.addEventListener("hashchange", unfold);

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
    const say = (text) => (button.textContent = text);
    button.className = "copybtn";
    button.type = "button";
    say("copy");
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(typed(block.querySelector("pre")));
      say("copied");
      setTimeout(say, 2000, "copy");
    });
    block.append(button);
  };

  /* On a phone the topics fit a screen when they are closed; the one that is asked for stays open. */
  const settle = (topic) => {
    topic.open = topic.matches(":target") || !matchMedia("(max-width: 46em)").matches;
    topic.classList.add("settled");
  };

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("details.problems").forEach(settle);
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

  /* Sphinx's own link is a javascript: address, which the page's policy forbids. */
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".highlight-link a")) return;
    event.preventDefault();
    SphinxHighlight.hideSearchWords();
  });
})();
