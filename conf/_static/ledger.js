/* Filters of the ledgers and of recorded tables, kept in the address. Without JavaScript a table is
   simply whole. What a row is filtered by stands in it. */
const filter = (table, place, sources) => {
  const headers = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
  const passes = table.matches(".ledger") ? headers.slice(5) : [];
  /* The ledger has a body for each page, under that of its chapter. */
  const rows = [];
  let chapter = null;
  for (const body of table.tBodies) {
    const [first, ...others] = body.rows;
    if (first.matches(".chapter")) chapter = body;
    else if (first.matches(".group")) rows.push(...others.map((row) => ({ row, body, chapter, group: first })));
    else rows.push(...[first, ...others].map((row) => ({ row, body })));
  }
  const told = (row, selector, otherwise) => row.querySelector(selector)?.textContent ?? otherwise;

  /* By the name of each filter, what a row has of it. */
  const facets = {
    Chapter: ({ chapter }) => [chapter?.textContent.trim()],
    Verdict: ({ row }) => [told(row, ".verdict")?.slice(2)],
    Notes: ({ row }) => [told(row, ".contradicts", "")],
    Machine: ({ row }) => {
      const others = passes.filter((_, place) => row.cells[place + 5].textContent.trim());
      const own = told(row, ".builder", told(table.tHead, ".builder", "")); /* or the usual one */
      const also = others.map((gpu) => say("also another {gpu}").replace("{gpu}", gpu));
      return [...(own ? [own] : []), ...(others.length ? also : [say("one machine only")])];
    },
    Scope: ({ row }) => [told(row, ".scope", say("any"))],
  };
  /* What a filter is called: addresses keep its name. */
  const called = {
    Find: say("Find"), Chapter: say("Chapter"), Verdict: say("Verdict"), Notes: say("Notes"),
    Machine: say("Machine"), Scope: say("Scope"), Margin: say("Margin"),
  };
  /* A margin is a number: how many times the nearest bound stands off. */
  const bounds = {
    [say("at most 1.25×")]: [0, 1.25], [say("at most 1.5×")]: [0, 1.5],
    [say("at most 2×")]: [0, 2], [say("more than 2×")]: [2.001, Infinity],
  };
  const margin = ({ row }) => parseFloat(row.cells[4].textContent.replace(">", ""));

  const form = document.createElement("form");
  form.className = "ledger-filters";
  form.setAttribute("role", "search");
  form.setAttribute("aria-label", say("Filter the rows: ") + headers[0] + (place ? ` ${place + 1}` : ""));
  const controls = {};
  const field = (name, control) => {
    const label = document.createElement("label");
    label.append(`${called[name]} `, control);
    form.append(label);
    controls[name] = control;
  };
  const choice = (name, values) => {
    const select = document.createElement("select");
    for (const value of ["", ...values]) select.append(new Option(value || say("all"), value));
    field(name, select);
  };
  const find = document.createElement("input");
  find.type = "search";
  field("Find", find);
  if (table.matches(".ledger")) {
    for (const [name, of] of Object.entries(facets)) {
      for (const each of rows) each[name] = of(each);
      const values = [...new Set(rows.flatMap((each) => each[name]))];
      /* What all rows have is no choice, but says which machines there are. */
      if (values.length > 1 || name === "Machine") choice(name, values.filter(Boolean));
    }
    for (const each of rows) each.margin = margin(each);
    if (rows.some((each) => each.margin)) choice("Margin", Object.keys(bounds));
  }
  const count = document.createElement("output");
  const counted = (shown, text) =>
    text.replace("{shown}", shown).replace("{count}", rows.length);
  count.textContent = counted(rows.length, say("{count} rows"));
  form.append(count);

  const fits = (each, words) =>
    words.every((word) => each.text.includes(word)) &&
    Object.entries(controls).every(([name, { value }]) => {
      if (!value || name === "Find") return true;
      if (name !== "Margin") return each[name].includes(value);
      const [low, high] = bounds[value];
      return each.margin >= low && each.margin <= high;
    });

  const text = ({ row, group }) => `${row.textContent} ${group?.textContent ?? ""}`.toLowerCase();
  const show = (box, shown) => {
    if (box && box.hidden === shown) box.hidden = !shown;
  };
  const apply = () => {
    const words = find.value.toLowerCase().split(/\s+/);
    const kept = new Map();
    let shown = 0;
    for (const each of rows) {
      each.text ??= text(each);
      const fit = fits(each, words);
      show(each.row, fit);
      if (fit) for (const box of [each.chapter, each.body]) kept.set(box, (kept.get(box) ?? 0) + 1);
      shown += fit;
    }
    for (const { chapter, body } of rows) for (const box of [chapter, body]) show(box, kept.has(box));
    /* What is not yet laid out is about as high as its rows that are shown. */
    for (const [body, count] of kept) if (table.matches(".long")) body?.style.setProperty("--rows", count);
    const all = shown === rows.length;
    count.textContent = counted(shown, all ? say("{count} rows") : say("{shown} of {count}"));
    if (!shown && find.value) count.append(" ", elsewhere(find.value));
  };

  /* Browsers refuse an address for each letter of somebody who types fast. */
  const first = (name) => name === "Find" ? [...table.className.matchAll(/\bfind-(\S+)/g)].map(([, word]) => word).join(" ") : "";
  const key = (name) => name.toLowerCase() + (place ? place + 1 : "");
  let later = 0;
  const keep = () => {
    if (location.protocol === "file:") return; /* nor do they change that of a file */
    const address = new URL(location);
    for (const [name, { value }] of Object.entries(controls)) {
      address.searchParams.delete(key(name)); /* in one order, whichever was chosen first */
      if (value !== first(name)) address.searchParams.set(key(name), value);
    }
    history.replaceState(null, "", address);
  };

  /* A ledger names its claims. Whoever types finds their sentences, too: in the Markdown twin. */
  const whole = async () => {
    const twins = await Promise.all(sources.map((source) => read(source.replace(/\.html$/, ".md"))));
    const lines = twins.join("\n").split("\n");
    const sentences = new Map(lines.map((line) => [line.match(/\.md#([\w-]+)\)/)?.[1], line]));
    for (const each of rows) {
      const sentence = sentences.get(each.row.querySelector("a")?.hash.slice(1));
      if (sentence) each.text = `${text(each)} ${sentence.split("](")[0].toLowerCase()}`;
    }
    apply();
  };
  let asked = !table.matches(".ledger");

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", (event) => {
    apply();
    clearTimeout(later);
    later = setTimeout(keep, 300);
  });
  const ask = () => {
    if (!asked) whole().catch(() => {}); /* opened from the disk, what is shown is found */
    asked = true;
  };
  find.addEventListener("focus", ask);

  const kept = new URLSearchParams(location.search);
  for (const [name, control] of Object.entries(controls)) control.value = kept.get(key(name)) ?? first(name);
  table.closest(".table-wrapper").before(form);
  if (Object.values(controls).some(({ value }) => value)) apply();
  if (find.value) ask();
};

/* A whole message is in no row word for word; the search of the site knows which words matter. */
const elsewhere = (text) => {
  const link = document.createElement("a");
  link.href = `${document.documentElement.dataset.content_root}search.html?q=${encodeURIComponent(text)}`;
  link.textContent = say("Search the site");
  return link;
};

const read = async (address) => (await fetch(address)).text();

/* Above the ledgers of the chapters: all of them in one table, for those who ask. */
const offer = (list) => {
  const button = document.createElement("button");
  button.className = "ledger-all";
  button.textContent = say("Filter the claims of all chapters");
  const join = async () => {
    const sources = [...list.tBodies[0].querySelectorAll("th a")].map((link) => link.href);
    const tables = (await Promise.all(sources.map(read))).map((text, place) => {
      const found = new DOMParser().parseFromString(text, "text/html").querySelector("table.ledger");
      for (const link of found.querySelectorAll("a"))
        link.href = new URL(link.getAttribute("href"), sources[place]);
      return found;
    });
    const [table, ...others] = tables;
    for (const other of others) table.append(...other.tBodies);
    button.replaceWith(table.closest(".table-wrapper"));
    filter(table, 0, sources);
  };
  list.closest(".table-wrapper").after(button);
  button.addEventListener("click", () => {
    button.disabled = true;
    join()
      .then(() => document.querySelector(".ledger-filters input").focus())
      .catch(() => (button.disabled = false));
  });
  /* An address that somebody kept or sent; where a page is missing, the button stays. */
  if (location.search) join().catch(() => {});
};

document.querySelectorAll("table.filtered").forEach((table, place) => {
  if (!table.matches(".chapters")) filter(table, place, [location.origin + location.pathname]);
  /* Pages that are opened from the disk may not read each other. */
  else if (location.protocol !== "file:") offer(table);
});
