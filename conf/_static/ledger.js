/* Filters of the ledger and of recorded tables. Without JavaScript a table is simply whole. */
document.querySelectorAll("table.filtered").forEach((table) => {
  const rows = [...table.tBodies[0].rows];
  const groups = rows.filter((row) => row.classList.contains("group"));
  const claims = rows.filter((row) => !row.classList.contains("group"));
  const facet = (row, name) =>
    [...row.classList].find((c) => c.startsWith(name + "-"))?.slice(name.length + 1) ?? "";

  const form = document.createElement("form");
  form.className = "ledger-filters";
  form.setAttribute("role", "search");
  form.setAttribute("aria-label", `Filter the rows: ${table.tHead.textContent.trim().split(/\s*\n/)[0]}`);
  const field = (label, control) => {
    const wrapper = document.createElement("label");
    wrapper.append(label + " ", control);
    form.append(wrapper);
    control.addEventListener("input", apply);
    return control;
  };
  const find = document.createElement("input");
  find.type = "search";
  const controls = { find: field("Find", find) };
  for (const name of ["chapter", "verdict", "scope", "builder"]) {
    const values = [...new Set(claims.map((row) => facet(row, name)))].sort();
    if (!values.some(Boolean)) continue;
    const select = document.createElement("select");
    for (const value of ["", ...values]) select.append(new Option(value || "all", value));
    controls[name] = field(name[0].toUpperCase() + name.slice(1), select);
  }
  const count = document.createElement("output");
  form.append(count);
  form.addEventListener("submit", (event) => event.preventDefault());

  function apply() {
    const words = find.value.toLowerCase();
    let shown = 0;
    for (const row of claims) {
      const fits =
        row.textContent.toLowerCase().includes(words) &&
        Object.entries(controls).every(
          ([name, control]) => name === "find" || !control.value || facet(row, name) === control.value,
        );
      row.hidden = !fits;
      shown += fits;
    }
    for (const group of groups) {
      let next = group.nextElementSibling;
      let any = false;
      for (; next && !next.classList.contains("group"); next = next.nextElementSibling) any ||= !next.hidden;
      group.hidden = !any;
    }
    count.textContent = shown === claims.length ? "" : `${shown} of ${claims.length}`;
  }

  table.closest(".table-wrapper").before(form);
});
