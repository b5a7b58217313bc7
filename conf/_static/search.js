/* The search page: ranks what the pages say (search_index.py), any word counts, and a word that
   nothing knows is taken for one that is spelt like it. Of the index only the lines of the words
   that are asked for are read: a phone shows the first result as soon as the index is there. */
const siteSearch = (() => {
  /* As in search_index.py. */
  const WORD = /[\p{L}\p{N}]+(?:[-_]+[\p{L}\p{N}]+)*/gu;
  const SEAM = /[-_]+|(?<=[a-z])(?=[A-Z])/;
  const APOSTROPHE = /['’]/g;
  /* The fields of a passage: its text, its section's heading, its page's title and hidden words. A
     word in one of them is a word of all passages with the same scope, and counts so much. */
  const FIELDS = [
    { scope: "place", boost: 1 },
    { scope: "section", boost: 1.5 },
    { scope: "page", boost: 2 },
    { scope: "page", boost: 1.5 },
  ];
  /* What BM25+ calls b, k and d: how much the length of a field counts, how soon a word that is said
     again adds little, and what a word is worth in the longest field. */
  const LENGTH = 0.7, AGAIN = 1.2, LEAST = 0.5;
  const RESULTS = 10, MARKS = 5, ALIKE = 4, JOINED = 5, ENOUGH = 0.6;

  /* The page's own beginning, by the id that furo gives it: nothing scrolls on from there. */
  const TOP = "furo-main-content";

  /* What readers say around what they ask. */
  const POLITE = ["find", "get", "make", "want", "need", "know", "way", "please", "help", "issue",
    "problem", "even", "though", "still", "use", "check"];
  let stemmer, stops, polite, data, passages, means, lines, decoded, loading;

  /* An identifier is also its parts. */
  const words = (text) => (text.replace(APOSTROPHE, "").match(WORD) ?? []).flatMap((spelt) => {
    const parts = spelt.split(SEAM).map((part) => part.toLowerCase());
    const all = parts.length > 1 ? [parts.join(""), ...parts] : parts;
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
    if (lines.has(term)) return [term];
    const longer = [...lines.keys()].filter((one) => term.length > 2 && one.startsWith(term));
    if (longer.length) return longer.slice(0, ALIKE);
    const most = term.length < 4 ? 0 : term.length < 6 ? 1 : 2;
    const rated = [...lines.keys()].map((one) => [apart(term, one, most), one]);
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
    const all = [...new Set([...words(text), ...runs.filter((run) => lines.has(run))])];
    const telling = all.filter((term) => !polite.has(term));
    return (telling.length ? telling : all).map(meant).filter((each) => each.length);
  };

  const load = (loaded) => {
    data = loaded;
    stemmer = new Stemmer();
    stops = new Set(data.stops);
    polite = new Set(POLITE.map((word) => stemmer.stemWord(word)));
    passages = [];
    for (const [page, [, , , onPage]] of data.pages.entries()) {
      const [[, , , , titled, hidden]] = onPage;
      let section, shown, headed;
      for (const [anchor, heading, length, ofHeading] of onPage) {
        const place = passages.length;
        if (heading || !anchor) [section, shown, headed] = [place, heading, ofHeading];
        passages.push({ place, section, page, anchor, shown, lengths: [length, headed, titled, hidden] });
      }
    }
    means = FIELDS.map((_, field) =>
      passages.reduce((sum, { lengths }) => sum + lengths[field], 0) / passages.length);
    lines = new Map(data.words.split("\n").map((line) => [line.split(",", 1)[0], line]));
    decoded = new Map();
  };

  /* The numbers of the passages that a term is a word of, by field. A line tells of each number how
     much it is behind the one before, and of the passages with one scope only the first. */
  const decode = (line) => line.split(",").slice(1).map((steps, field) => {
    const { scope } = FIELDS[field], places = [];
    let first = 0;
    for (const step of steps ? steps.split(" ") : []) {
      first += Number(step);
      let place = first;
      do places.push(place++);
      while (passages[place]?.[scope] === passages[first][scope]);
    }
    return places;
  });
  const placesOf = (term) => {
    if (!decoded.has(term)) decoded.set(term, decode(lines.get(term)));
    return decoded.get(term);
  };

  /* How telling a term is: the rarer, the more. */
  const rarity = (term) => Math.log(1 + passages.length / placesOf(term).flat().length);

  /* The passages with any of the terms, each with its score by BM25+ and the terms that it has. */
  const matches = (terms) => {
    const hits = new Map();
    for (const term of terms) {
      for (const [field, places] of placesOf(term).entries()) {
        const times = new Map();
        for (const place of places) times.set(place, (times.get(place) ?? 0) + 1);
        const rare = Math.log(1 + (passages.length - times.size + 0.5) / (times.size + 0.5));
        for (const [place, often] of times) {
          const length = passages[place].lengths[field] / means[field];
          const long = AGAIN * (1 - LENGTH + LENGTH * length);
          const hit = hits.get(place) ?? { ...passages[place], score: 0, has: new Set() };
          hit.score += FIELDS[field].boost * rare * (LEAST + often * (AGAIN + 1) / (often + long));
          hit.has.add(term);
          hits.set(place, hit);
        }
      }
    }
    return [...hits.values()];
  };

  const kind = ({ page }) => {
    const [name] = data.pages[page];
    if (/^(evidence\/|(glossary|symptoms|how_this_site_knows)$)/.test(name)) return 0.3;
    return name.startsWith("gallery/") ? 0.3 : 1;
  };

  /* How much of what is asked a passage says. */
  const said = (groups, { has }) => groups.reduce((sum, { terms, telling }) =>
    sum + (terms.some((term) => has.has(term)) ? telling : 0), 0);

  /* The best passage of each page, best page first; a lead that says enough is better than its page's
     passages, and stands at the top. */
  const find = (text) => {
    const groups = asked(text).map((terms) => ({ terms, telling: rarity(terms[0]) }));
    const best = new Map(), leads = new Map();
    for (const hit of matches(groups.flatMap(({ terms }) => terms))) {
      hit.rating = hit.score * kind(hit) * said(groups, hit);
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
    const found = (text.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) => {
      const term = words(word)[0];
      return !term ? [] : lines.has(term) ? [[term, word]] : meant(term).map((one) => [one, one]);
    });
    found.sort(([one], [other]) => rarity(other) - rarity(one));
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

  /* The index is loaded when somebody searches, and again if that failed. */
  const ready = () => (loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { src: "_static/search_index.js", onload: resolve, onerror: reject });
    document.head.append(script);
  }).catch(() => (loading = undefined)));

  const box = document.querySelector("[role=main] input[name=q]");
  const list = document.querySelector("ul.search");
  const status = document.querySelector("#search-status");
  const search = async () => {
    if (!data) status.textContent = status.dataset.searching;
    await ready();
    if (data) show(box.value);
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
  return { load, find, words };
})();
