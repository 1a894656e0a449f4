// Who sends to whom: a matrix of hosts, coloured by bytes or by trouble.
import { h } from "./dom.js";
import { bytes, count, plural } from "./format.js";
import { goTo } from "./targets.js";

const kMost = 40; // hosts; more do not fit, and the pairs with trouble come first

export function matrix(pairs) {
  if (!pairs || pairs.pairs.length === 0) return null;
  const isTransfer = (pair) => pair.directions.some(({ roce, tcp }) => roce.packets + (tcp?.packets ?? 0) > 0);
  const shown = pairs.pairs.some(isTransfer) ? pairs.pairs.filter(isTransfer) : pairs.pairs;
  const all = [...new Set(shown.flatMap((pair) => pair.hosts))];
  const hosts = all.slice(0, kMost);
  const cells = cellsOf(shown);
  const place = h("div");
  let by = cells.some((cell) => cell.trouble > 0) ? "trouble" : "bytes";
  const buttons = ["bytes", "trouble"].map((name) => h("button", { text: name, "data-by": name, onclick: () => draw(name) }));
  function draw(name) {
    by = name;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.by === by));
    place.replaceChildren(tableOf(pairs.hosts, hosts, cells, by));
  }
  draw(by);
  const left = all.length - hosts.length;
  return h(
    "div",
    {},
    h("h2", {}, "Hosts ", h("small", { text: "row sends to column; trouble: packets sent again, refused or not ready, CNPs, waits for credits" })),
    h("div", { class: "controls" }, h("span", { class: "soft", text: "Coloured by" }), buttons),
    h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": "Matrix of hosts" }, place),
    left > 0 &&
      h("p", {
        class: "soft",
        text: `${plural(left, "host")} with less trouble and fewer bytes left out here; see the table of hosts`,
      }),
  );
}

/** One for each direction in which something was sent. */
function cellsOf(pairs) {
  return pairs.flatMap((pair) =>
    [0, 1].map((direction) => {
      const sent = pair.directions[direction];
      return {
        from: pair.hosts[direction],
        to: pair.hosts[1 - direction],
        bytes: sent.roce.wire_bytes + (sent.tcp?.wire_bytes ?? 0) + (sent.other?.wire_bytes ?? 0),
        trouble: pair.trouble,
        pair,
      };
    }),
  );
}

function tableOf(names, hosts, cells, by) {
  const found = new Map();
  for (const cell of cells) {
    const key = `${cell.from},${cell.to}`;
    const sum = found.get(key);
    if (sum) sum[by] += cell[by];
    else found.set(key, { ...cell });
  }
  const most = Math.max(1, ...[...found.values()].map((cell) => cell[by]));
  const ink = by === "trouble" ? "--nak" : "--sent";
  const cellOf = (from, to) => {
    if (from === to) return h("td", { class: "self" });
    const cell = found.get(`${from},${to}`);
    if (!cell || cell.bytes === 0) return h("td");
    const text = by === "bytes" ? bytes(cell.bytes) : count(cell.trouble);
    const what = `${names[from]} to ${names[to]}: ${bytes(cell.bytes)}, trouble ${count(cell.trouble)} (packets of the pair)`;
    const button = h("button", {
      text,
      title: what,
      "aria-label": what,
      onclick: () => {
        const [connection] = cell.pair.connections;
        if (connection !== undefined) goTo({ connection });
      },
    });
    // At most so dark that text on it has the contrast of AA
    const share = cell[by] === 0 ? 0 : 6 + 34 * Math.sqrt(cell[by] / most);
    button.style.backgroundColor = `color-mix(in srgb, var(${ink}) ${share.toFixed(0)}%, var(--paper))`;
    return h("td", {}, button);
  };
  return h(
    "table",
    { class: "matrix", "aria-label": `Hosts by ${by}` },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td", { class: "self" }),
        hosts.map((host) => h("th", { scope: "col", text: names[host] })),
      ),
    ),
    h(
      "tbody",
      {},
      hosts.map((from) =>
        h(
          "tr",
          {},
          h("th", { scope: "row", text: names[from] }),
          hosts.map((to) => cellOf(from, to)),
        ),
      ),
    ),
  );
}
