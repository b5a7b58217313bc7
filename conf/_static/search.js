/* The search: ranks what the pages say (search_index.py), any word counts, and a word that
   nothing knows is taken for one that is spelt like it. A message that is pasted comes before all
   words. Of the index only the lines of the words that are asked for are read: a phone shows the
   first result as soon as the index is there. */
const siteSearch = (() => {
  /* As in search_index.py. */
  const WORD = /[\p{L}\p{N}]+(?:[-_]+[\p{L}\p{N}]+)*/gu;
  const SEAM = /[-_]+|(?<=[a-z])(?=[A-Z])/;
  const APOSTROPHE = /['’]/g;
  /* As in chinese.py. */
  const HAN = /[\u3400-\u9fff]+/g;
  const POLITE_HAN = new RegExp(
    "为什么|怎么(?:办|样|回事)?|怎样|如何|为何|是?什么(?:时候)?|请问|(?<!申)请(?!求)|是否|是不是|有没有|能否|能不能"
    + "|可不可以|可以|要不要|应[该当]|[这那哪][个些里种]|[你您我]们?|一[下直]|很|太|非常|特别|总是|吗|呢|吧|啊|呀|(?<!目)的(?!确)|了(?!解)", "g");
  /* As in search_messages.py. */
  const TOKEN = /[\p{L}_]+(?:\.[\p{L}_]+)*|\p{N}+/gu;
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
  const RESULTS = 10, MARKS = 5, ALIKE = 4, JOINED = 5, ENOUGH = 0.62, PASTED = 5, RARE = 6;

  /* What readers say around what they ask. */
  const POLITE = ["find", "get", "make", "want", "need", "know", "way", "please", "help", "issue",
    "problem", "even", "though", "still", "use", "check", "seem", "just", "really", "take", "put", "say",
    "try", "appear", "set"];
  /* Words that readers use for one thing. */
  const SAME = ["freeze frozen stuck hang hung", "utilization utilisation utility util",
    "ddp distributeddataparallel", "fsdp fullyshardeddataparallel", "oom outofmemoryerror"]
    .map((line) => line.split(" "));
  let stemmer, stops, polite, same, data, passages, means, lines, decoded;

  /* Han stand apart from other letters, and of a run of them each pair is a word. */
  const spaced = (text) => text.replace(POLITE_HAN, " ").replace(HAN, " $& ");
  const isHan = (word) => /^[\u3400-\u9fff]/.test(word);
  const pairs = (run) => (run.length < 2 ? [run] : [...run.slice(1)].map((_, at) => run.slice(at, at + 2)));

  /* An identifier is also its parts. */
  const words = (text) => (spaced(text.replace(APOSTROPHE, "")).match(WORD) ?? []).flatMap((spelt) => {
    if (isHan(spelt)) return pairs(spelt);
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

  /* The terms that an unknown one may be: those that begin with it, or are spelt most alike. */
  const spelt = (term) => {
    const all = [...lines.keys()];
    const longer = term.length > 2 ? all.filter((one) => one.startsWith(term)) : [];
    const most = longer.length ? Number(term.length > 5) : term.length < 4 ? 0 : term.length < 6 ? 1 : 2;
    const rated = all.map((one) => [apart(term, one, most), one]);
    const least = Math.min(...rated.map(([letters]) => letters));
    const alike = rated.filter(([letters]) => letters === least && least <= most).map(([, one]) => one);
    return [...new Set([...longer.slice(0, ALIKE), ...alike.slice(0, ALIKE)])];
  };

  /* The terms that a term stands for; of Han, one that stands alone is meant in all pairs. */
  const meant = (term) => {
    if (isHan(term)) return (term[1] ? [term] : [...lines.keys()]).filter((one) => one.includes(term) && lines.has(one));
    const own = lines.has(term) || same.has(term) ? [term] : spelt(term);
    return [...new Set(own.flatMap((one) => [one, ...(same.get(one) ?? [])]))].filter((one) => lines.has(one));
  };

  /* What is asked, as lists of terms of which one is enough; "pin memory" also asks for pin_memory. */
  const asked = (text) => {
    const plain = spaced(text.toLowerCase().replace(APOSTROPHE, "")).match(/[\p{L}\p{N}]+/gu) ?? [];
    const runs = plain.flatMap((word, place) => {
      const next = plain.slice(place, place + JOINED);
      const stop = next.findIndex((each) => stops.has(each) || isHan(each));
      const run = stop < 0 ? next : next.slice(0, stop);
      return run.slice(1).map((_, last) => stemmer.stemWord(run.slice(0, last + 2).join("")));
    });
    const all = [...new Set([...words(text), ...runs.filter((run) => lines.has(run))])];
    const telling = all.filter((term) => !polite.has(term));
    const lists = (telling.length ? telling : all).map(meant).filter((each) => each.length);
    return lists.map((terms) => ({ terms, telling: rarity(terms) }));
  };

  const load = (loaded) => {
    data = loaded;
    stemmer = new Stemmer();
    stops = new Set(data.stops);
    polite = new Set(POLITE.map((word) => stemmer.stemWord(word)));
    same = new Map(SAME.flatMap((line) => {
      const terms = line.map((word) => stemmer.stemWord(word));
      return terms.map((term) => [term, terms]);
    }));
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
     much it is behind the one before, in base 36, and of the passages with one scope only the first. */
  const decode = (line) => line.split(",").slice(1).map((steps, field) => {
    const { scope } = FIELDS[field], places = [];
    let first = 0;
    for (const step of steps ? steps.split(" ") : []) {
      first += parseInt(step, 36);
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

  /* How telling a list of terms is: the rarer, the more. */
  const rarity = (terms) => {
    const all = new Set(terms.flatMap((term) => placesOf(term).flat()));
    return Math.log(1 + passages.length / all.size);
  };

  /* The passages with any of the terms, each with its score by BM25+ and the lists that it says. */
  const matches = (groups) => {
    const hits = new Map();
    for (const group of groups) {
      for (const field of FIELDS.keys()) {
        const times = new Map();
        for (const place of group.terms.flatMap((term) => placesOf(term)[field] ?? [])) {
          times.set(place, (times.get(place) ?? 0) + 1);
        }
        const size = times.size;
        const rare = Math.log(1 + (passages.length - size + 0.5) / (size + 0.5));
        for (const [place, often] of times) {
          const length = passages[place].lengths[field] / means[field];
          const long = AGAIN * (1 - LENGTH + LENGTH * length);
          const hit = hits.get(place) ?? { ...passages[place], score: 0, has: new Set() };
          hit.score += FIELDS[field].boost * rare * (LEAST + often * (AGAIN + 1) / (often + long));
          hit.has.add(group);
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
  const said = (groups, { has }) => groups.reduce((sum, group) =>
    sum + (has.has(group) ? group.telling : 0), 0);

  /* Where the message is explained that shares the longest run of words with what is asked, or else
     the most of its words: pairs of a page and an anchor. */
  const tokens = (text) => (spaced(text.toLowerCase()).match(TOKEN) ?? []).map((one) => (/^\p{N}/u.test(one) ? "#" : one));
  const run = (query, message) => {
    let most = 0, before = [];
    for (const one of query) {
      const row = message.map((other, place) => (one === other ? (before[place - 1] ?? 0) + 1 : 0));
      most = Math.max(most, ...row);
      before = row;
    }
    return most;
  };
  const shared = (query, message) => {
    const left = [...query];
    const both = message.filter((one) => left.includes(one) && left.splice(left.indexOf(one), 1));
    return both.length / message.length;
  };
  const pasted = (text) => {
    const query = tokens(text);
    let best = { rating: 0, places: [] };
    for (const [each, ...places] of data.messages) {
      const message = each.split(" "), length = run(query, message);
      const rating = length + shared(query, message);
      const isLong = length >= PASTED || length > 2 && length === message.length;
      if (isLong && rating > best.rating) best = { rating, places };
    }
    return best.places.flatMap((page, at) => (at % 2 ? [] : [[page, best.places[at + 1]]]));
  };

  /* The best passage of each page, best page first: its lead counts as well, and stands at the top if
     it says enough of what the passage says, with all that is rare. An example is below its page. */
  const ranked = (groups) => {
    const best = new Map(), leads = new Map();
    for (const hit of matches(groups)) {
      hit.rating = hit.score * kind(hit) * said(groups, hit);
      if (!(best.get(hit.page)?.rating >= hit.rating)) best.set(hit.page, hit);
      if (!hit.anchor) leads.set(hit.page, hit);
    }
    for (const [page, hit] of best) hit.rating += leads.get(page)?.rating ?? 0;
    for (const [page, hit] of best) {
      const above = (data.explained[page] ?? []).map((other) => best.get(other)?.rating ?? 0);
      hit.rating = Math.min(hit.rating, ...above.map((rating) => 0.99 * rating));
      const lead = leads.get(page);
      const top = lead && said(groups, lead) >= ENOUGH * said(groups, hit)
        && [...hit.has].every((group) => group.telling < RARE || lead.has.has(group));
      if (top) best.set(page, { ...hit, anchor: "", shown: "" });
    }
    return [...best.values()].sort((one, other) => other.rating - one.rating);
  };

  /* The first of the results is the place of a message that was pasted. */
  const find = (text) => {
    const sorted = ranked(asked(text));
    const at = (page) => sorted.findIndex((hit) => hit.page === page) >>> 0;  // none: last
    const [[page, anchor] = []] = pasted(text).sort(([one], [other]) => at(one) - at(other));
    const first = passages.filter((place) => place.page === page && place.anchor === anchor);
    return [...first, ...sorted.filter((hit) => !first.length || hit.page !== page)].slice(0, RESULTS);
  };

  /* Of Han in a row the longest parts of which each pair is known, and each pair, which may stand
     alone; with a term that tells how rare it is. */
  const marksOfHan = (run) => {
    const known = pairs(run).map((pair) => [meant(pair)[0], pair]);
    const longest = [];
    for (const [at, [term, pair]] of known.entries()) {
      if (term) longest.push(known[at - 1]?.[0] ? longest.pop() + pair[1] : pair);
    }
    return known.filter(([term]) => term).flatMap(([term, pair]) =>
      [[term, longest.find((part) => part.includes(pair))], [term, pair]]);
  };

  /* What the page that is opened marks: the most telling words, as they are spelt on this site. It
     marks them inside of words, too, where two letters would be many a syllable. */
  const marks = (text) => {
    const found = (spaced(text).match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) => {
      if (isHan(word)) return marksOfHan(word);
      const term = words(word)[0];
      return !term ? [] : lines.has(term) ? [[term, word]] : meant(term).map((one) => [one, one]);
    });
    found.sort(([one], [other]) => rarity([other]) - rarity([one]));
    const spelled = [...new Set(found.map(([, word]) => word))].filter((word) => word.length > 2 || isHan(word));
    /* Of the pairs in a row every other one is no word, and as rare as one. */
    return encodeURIComponent(spelled.filter((word, at) => at < (isHan(word) ? 2 * MARKS : MARKS)).join(" "));
  };

  /* What a text is marked by: each term that is asked for, with the list that it stands for. */
  const told = (text) => new Map(asked(text).flatMap((group) => group.terms.map((term) => [term, group])));

  return { RESULTS, load, find, words, marks, told, loaded: () => data };
})();
