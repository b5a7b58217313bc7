/* The search page: shows what search.js finds, each with the passage that matched and its words
   marked. The index is loaded when somebody searches, the texts of a page when it is found. */
(() => {
  /* The page's own beginning, by the id that furo gives it: nothing scrolls on from there. */
  const TOP = "furo-main-content";
  /* A pair of Han, which may overlap with the next one, or a word of other letters. */
  const HAN = "[\\u3400-\\u9fff]", LETTERS = `(?:(?!${HAN})[\\p{L}\\p{N}])+`;
  const WORD = new RegExp(`(?=(${HAN}{1,2}))${HAN}|${LETTERS}(?:[-_'’]+${LETTERS})*`, "gu");
  /* Where a text may be cut: at spaces, and at any Han. */
  const BEGIN = new RegExp(`(?<= |${HAN})|(?=${HAN})`, "u"), END = new RegExp(`(?: |(?<=${HAN}))(?:(?!${HAN})[^ ])*$`, "u");
  const EXCERPT = 160, BEFORE = 50;
  const box = document.querySelector("[role=main] input[name=q]");
  const list = document.querySelector("ul.search");
  const status = document.querySelector("#search-status");
  const texts = new Map();
  let loading;

  /* Where the words stand that were asked for: pairs that touch are one. */
  const toldIn = (text, told) => {
    const found = [];
    for (const { 0: one, 1: word = one, index } of text.matchAll(WORD)) {
      if (!siteSearch.words(word).some((term) => told.has(term))) continue;
      const [from] = found.at(-1)?.[1] >= index ? found.pop() : [index];
      found.push([from, index + word.length]);
    }
    return found;
  };

  /* A text with the words marked that were asked for. */
  const marked = (text, told) => {
    const parts = [];
    let end = 0;
    for (const [from, to] of toldIn(text, told)) {
      const mark = document.createElement("mark");
      mark.textContent = text.slice(from, to);
      parts.push(text.slice(end, from), mark);
      end = to;
    }
    return [...parts, text.slice(end)];
  };

  /* So much of a sentence, from a little before the first word that is marked. */
  const cut = (sentence, told) => {
    const [[first] = [0]] = toldIn(sentence, told);
    const from = Math.max(0, Math.min(first - BEFORE, sentence.length - EXCERPT));
    const part = sentence.slice(from, from + EXCERPT);
    const begun = from ? `… ${part.slice(Math.max(0, part.search(BEGIN)))}` : part;
    return from + EXCERPT < sentence.length ? `${begun.replace(END, "")} …` : begun;
  };

  /* The sentence of a passage that says most of what was asked, with those behind it that fit; cut
     where it is long itself. */
  const excerpt = (text, told) => {
    const sentences = text.split(/(?<=[.?!])\s+|(?<=[。？！])\s*/);
    const ratings = sentences.map((sentence) => {
      const said = new Set(siteSearch.words(sentence).map((term) => told.get(term)));
      said.delete(undefined);
      return [...said].reduce((sum, { telling }) => sum + telling, 0);
    });
    const [best, ...behind] = sentences.slice(ratings.indexOf(Math.max(...ratings)));
    if (best.length > EXCERPT) return cut(best, told);
    const over = behind.findIndex((_, at) => [best, ...behind.slice(0, at + 1)].join(" ").length > EXCERPT);
    return [best, ...(over < 0 ? behind : behind.slice(0, over))].join(" ").replace(/(?<=[。？！]) /g, "");
  };

  /* The texts of a page, by their anchor; none where they could not be loaded. */
  const textsOf = (name) => {
    if (!texts.has(name)) {
      const sent = fetch(`_static/passages/${name}.json`).then((answer) => answer.json());
      texts.set(name, sent.catch(() => (texts.delete(name), {})));
    }
    return texts.get(name);
  };

  const result = ({ page, anchor, shown }, marks, told) => {
    const [name, title, lead] = siteSearch.loaded().pages[page];
    const item = document.createElement("li");
    const link = item.appendChild(document.createElement("a"));
    const place = anchor || (marks && TOP);
    link.href = `${name}.html${marks && `?highlight=${marks}`}${place && `#${place}`}`;
    link.textContent = shown && shown !== title ? `${title} › ${shown}` : title;
    const text = item.appendChild(document.createElement("p"));
    text.append(...marked(lead, told));
    if (anchor) {
      textsOf(name).then(({ [anchor]: said }) => {
        if (said) text.replaceChildren(...marked(excerpt(said, told), told));
      });
    }
    return item;
  };

  const show = (text) => {
    const { best } = siteSearch.loaded();
    const found = text.trim() ? siteSearch.find(text) : [];
    const offered = best.map((page) => ({ page, anchor: "" }));
    const told = found.length ? siteSearch.told(text) : new Map();
    const marks = found.length ? siteSearch.marks(text) : "";
    list.replaceChildren(...(found.length ? found : offered).map((each) => result(each, marks, told)));
    const { nothing, cut, count, begin } = status.dataset;
    const counted = found.length < siteSearch.RESULTS ? count : cut;
    status.textContent = found.length ? counted.replace("{count}", found.length) : text.trim() ? nothing : begin;
  };

  /* The index is loaded when somebody searches, and again if that failed. */
  const ready = () => (loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { src: "_static/search_index.js", onload: resolve, onerror: reject });
    document.head.append(script);
  }).catch(() => (loading = undefined)));

  const search = async () => {
    if (!siteSearch.loaded()) status.textContent = status.dataset.searching;
    await ready();
    if (siteSearch.loaded()) show(box.value);
    else status.textContent = status.dataset.failed;
  };
  box.addEventListener("focus", ready);
  box.addEventListener("input", () => {
    const query = new URLSearchParams({ q: box.value });
    history.replaceState(null, "", `?${query}`);
    search();
  });
  box.form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.focus();
  });
  box.value = new URLSearchParams(location.search).get("q") ?? "";
  if (box.value) search();
})();
