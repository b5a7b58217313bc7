/* The order of search results: pages before examples, examples before the generated tables and the
   glossary, which hold every word of the site. The other numbers are Sphinx's. */
var Scorer = {
  score: ([page, , , , score]) => {
    if (/^(evidence\/|(glossary|symptoms)$)/.test(page)) return score / 20;
    return page.startsWith("gallery/") ? score / 4 : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
