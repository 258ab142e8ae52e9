// Finds the sections that contain all typed words; matches in headings come first.
(function () {
  "use strict";
  const root = document.currentScript.dataset.root;
  const field = document.getElementById("search");
  const found = document.getElementById("found");
  const most = 12;

  const entries = window.searchIndex.map(function (entry) {
    return { address: entry[0], page: entry[1], heading: entry[2], text: entry[3],
      low: [entry[2].toLowerCase(), entry[1].toLowerCase(), entry[3].toLowerCase()] };
  });

  function worth(entry, words) {
    let sum = 0;
    for (const word of words) {
      const best = [8, 4, 1].find(function (points, i) { return entry.low[i].includes(word); });
      if (!best) return 0;
      sum += best;
    }
    return sum;
  }

  function around(entry, word) {
    const at = Math.max(0, entry.low[2].indexOf(word) - 40);
    return (at ? "… " : "") + entry.text.substr(at, 120);
  }

  function line(entry, words) {
    const item = document.createElement("li");
    const link = item.appendChild(document.createElement("a"));
    link.href = root + entry.address;
    link.textContent = entry.page === entry.heading ? entry.page : entry.page + " · " + entry.heading;
    link.appendChild(document.createElement("small")).textContent = around(entry, words[0]);
    return item;
  }

  function search() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    found.replaceChildren();
    found.hidden = words.length === 0;
    if (words.length === 0) return;
    const hits = entries.map(function (entry) { return [worth(entry, words), entry]; })
      .filter(function (hit) { return hit[0] > 0; })
      .sort(function (a, b) { return b[0] - a[0]; });
    for (const hit of hits.slice(0, most)) found.appendChild(line(hit[1], words));
    if (hits.length === 0) {
      const none = found.appendChild(document.createElement("li"));
      none.className = "none";
      none.textContent = "No page has all of these words.";
    }
  }

  field.addEventListener("input", search);
  field.form.addEventListener("submit", function (event) {
    event.preventDefault();
    const first = found.querySelector("a");
    if (first) location.href = first.href;
  });
  field.addEventListener("keydown", function (event) {
    if (event.key === "Escape") { field.value = ""; search(); }
    if (event.key === "ArrowDown" && found.querySelector("a")) { event.preventDefault(); found.querySelector("a").focus(); }
  });
  found.addEventListener("keydown", function (event) {
    if (event.key === "Escape") { field.value = ""; search(); field.focus(); }
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && document.activeElement !== field) { event.preventDefault(); field.focus(); }
  });
  const asked = new URLSearchParams(location.search).get("q");
  if (asked) { field.value = asked; search(); }
  if (matchMedia("(max-width: 48rem)").matches) document.querySelector("nav details").open = false;
})();
