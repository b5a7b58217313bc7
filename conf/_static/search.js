/* The search page: MiniSearch ranks what the pages say (search_index.py), any word counts, and a
   word that nothing knows is taken for one that is spelt like it. */
const siteSearch = (() => {
  /* As in search_index.py. */
  const WORD = /[\p{L}\p{N}]+(?:[-_]+[\p{L}\p{N}]+)*/gu;
  const SEAM = /[-_]+|(?<=[a-z])(?=[A-Z])/;
  const APOSTROPHE = /['’]/g;
  const IDENTIFIER = /_|[a-z][A-Z]/;
  /* How much a word counts: in a page's title, its hidden words, a heading, the text. */
  const BOOST = { title: 2, hidden: 1.5, heading: 1.5, text: 1 };
  const RESULTS = 10, MARKS = 5, ALIKE = 4, JOINED = 5, ENOUGH = 0.6;

  /* The page's own beginning, by the id that furo gives it: nothing scrolls on from there. */
  const TOP = "furo-main-content";

  const stemmer = new Stemmer();
  const stops = new Set([...stopwords].map((word) => word.replace(APOSTROPHE, "")));
  /* What readers say around what they ask. */
  const polite = new Set(["find", "get", "make", "want", "need", "know", "way", "please", "help", "issue",
    "problem", "even", "though", "still", "use", "check"].map((word) => stemmer.stemWord(word)));
  let engine, data, known, loading, indexed;

  /* An identifier is also its parts, unless it is to be taken whole. */
  const words = (text, whole = false) => (text.replace(APOSTROPHE, "").match(WORD) ?? []).flatMap((found) => {
    const parts = found.split(SEAM).map((part) => part.toLowerCase());
    const rest = whole && IDENTIFIER.test(found) ? [] : parts;
    const all = parts.length > 1 ? [parts.join(""), ...rest] : parts;
    const telling = all.filter((word) => word.length > 1 && !/^\d+$/.test(word) && !stops.has(word));
    return telling.map((word) => stemmer.stemWord(word));
  });

  /* How many letters to add, drop, change or swap; infinite where it is more than `most`. */
  const apart = (one, other, most) => {
    if (Math.abs(one.length - other.length) > most) return Infinity;
    let before = [], row = [...other, ""].map((_, place) => place);
    for (let i = 1; i <= one.length; i++) {
      const next = [i];
      for (let j = 1; j <= other.length; j++) {
        const same = one[i - 1] === other[j - 1];
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + !same);
        const swapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
        if (i > 1 && j > 1 && swapped) next[j] = Math.min(next[j], before[j - 2] + 1);
      }
      [before, row] = [row, next];
      if (Math.min(...row) > most) return Infinity;
    }
    return row.at(-1);
  };

  /* The terms that a term stands for: itself, or those that begin with it or are spelt most alike. */
  const meant = (term) => {
    if (known.has(term)) return [term];
    const longer = [...known.keys()].filter((one) => term.length > 2 && one.startsWith(term));
    if (longer.length) return longer.slice(0, ALIKE);
    const most = term.length < 4 ? 0 : term.length < 6 ? 1 : 2;
    const rated = [...known.keys()].map((one) => [apart(term, one, most), one]);
    const least = Math.min(...rated.map(([letters]) => letters));
    return rated.filter(([letters]) => letters === least && least <= most).map(([, one]) => one).slice(0, ALIKE);
  };

  /* What is asked, as lists of terms of which one is enough; "pin memory" also asks for pin_memory. */
  const asked = (text) => {
    const plain = text.toLowerCase().replace(APOSTROPHE, "").match(/[\p{L}\p{N}]+/gu) ?? [];
    const runs = plain.flatMap((word, place) => {
      const next = plain.slice(place, place + JOINED);
      const stop = next.findIndex((each) => stops.has(each));
      const run = stop < 0 ? next : next.slice(0, stop);
      return run.slice(1).map((_, last) => stemmer.stemWord(run.slice(0, last + 2).join("")));
    });
    const all = [...new Set([...words(text), ...runs.filter((run) => known.has(run))])];
    const telling = all.filter((term) => !polite.has(term));
    return (telling.length ? telling : all).map(meant).filter((each) => each.length);
  };

  const load = (loaded) => {
    data = loaded;
    known = new Map();
    const processTerm = (term) => (known.set(term, (known.get(term) ?? 0) + 1), term);
    engine = new MiniSearch({
      fields: Object.keys(BOOST), storeFields: ["page", "anchor", "shown"], processTerm,
      tokenize: (text) => (text ? text.split(" ") : []),
    });
    const prepared = (text) => words(text).join(" ");
    const pages = data.pages.map(([name, title, lead, hidden], page) => ({
      page, anchor: "", shown: "", title: prepared(`${title} ${name.split("/").pop()}`),
      hidden: words(hidden, true).join(" "), heading: "", text: prepared(lead),
    }));
    let shown = "", heading = "", last = -1;
    const passages = data.passages.map(([page, anchor, own, text]) => {
      if (own || page !== last) [shown, heading] = [own, prepared(own)];
      last = page;
      return { ...pages[page], anchor, shown, heading, text };
    });
    const all = [...pages, ...passages].map((passage, id) => ({ id, ...passage }));
    /* A few at a time: what is typed meanwhile appears. */
    indexed = engine.addAllAsync(all, { chunkSize: 50 });
  };

  const kind = ({ page }) => {
    const [name] = data.pages[page];
    if (/^(evidence\/|(glossary|symptoms|how_this_site_knows)$)/.test(name)) return 0.3;
    return name.startsWith("gallery/") ? 0.3 : 1;
  };

  /* How telling the terms are: the rarer, the more. */
  const sum = (groups) => groups.reduce((total, [term]) =>
    total + Math.log(1 + engine.documentCount / known.get(term)), 0);

  /* How much of what is asked a passage says. */
  const said = (groups, { match }) =>
    sum(groups.filter((group) => group.some((term) => match[term])));

  /* The best passage of each page, best page first; a lead that says enough is better than its page's
     passages, and stands at the top. */
  const find = (text) => {
    const groups = asked(text);
    const found = engine.search(groups.flat().join(" "), { boost: BOOST, processTerm: (term) => term });
    const best = new Map(), leads = new Map();
    for (const hit of found) {
      hit.rating = (hit.score / hit.queryTerms.length) * kind(hit) * (said(groups, hit) / sum(groups));
      if (!(best.get(hit.page)?.rating >= hit.rating)) best.set(hit.page, hit);
      if (!hit.anchor) leads.set(hit.page, hit);
    }
    const sorted = [...best.values()].sort((one, other) => other.rating - one.rating);
    return sorted.slice(0, RESULTS).map((hit) => {
      const lead = leads.get(hit.page);
      const top = lead && said(groups, lead) >= ENOUGH * said(groups, hit);
      return { page: hit.page, ...(top ? { anchor: "", shown: "" } : hit) };
    });
  };

  /* What the page that is opened marks: the most telling words, as they are spelt on this site. */
  const marks = (text) => {
    const rarity = (term) => known.get(term) ?? 0;
    const found = (text.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) => {
      const term = words(word)[0];
      return !term ? [] : known.has(term) ? [[term, word]] : meant(term).map((one) => [one, one]);
    });
    found.sort(([one], [other]) => rarity(one) - rarity(other));
    return encodeURIComponent([...new Set(found.map(([, word]) => word))].slice(0, MARKS).join(" "));
  };

  const result = ({ page, anchor, shown }, marked) => {
    const [name, title, lead] = data.pages[page];
    const item = document.createElement("li");
    const link = item.appendChild(document.createElement("a"));
    const place = anchor || (marked && TOP);
    link.href = `${name}.html${marked && `?highlight=${marked}`}${place && `#${place}`}`;
    link.textContent = shown && shown !== title ? `${title} › ${shown}` : title;
    item.appendChild(document.createElement("p")).textContent = lead;
    return item;
  };

  const show = (text) => {
    const found = text.trim() ? find(text) : [];
    const nothing = text.trim() && !found.length;
    const offered = data.best.map((page) => ({ page, anchor: "" }));
    const marked = found.length ? marks(text) : "";
    list.replaceChildren(...(found.length ? found : offered).map((each) => result(each, marked)));
    status.textContent = nothing ? status.dataset.nothing
      : found.length ? status.dataset.found.replace("{count}", found.length) : status.dataset.best;
  };

  /* What ranks is loaded when somebody searches. */
  const script = (name) => new Promise((resolve, reject) => {
    const element = document.createElement("script");
    Object.assign(element, { src: `_static/${name}`, onload: resolve, onerror: reject });
    document.head.append(element);
  });
  const ready = () => (loading ??= script("minisearch.js")
    .then(() => script("search_index.js")).then(() => indexed));

  const box = document.querySelector("[role=main] input[name=q]");
  const list = document.querySelector("ul.search");
  const status = document.querySelector("#search-status");
  const search = async () => {
    await ready();
    show(box.value);
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
  return { load, find, words };
})();
