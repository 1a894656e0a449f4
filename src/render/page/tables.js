// All tables of the report, one at a time.
import { meta, section, sectionNames, tableOf } from "./data.js";
import { h } from "./dom.js";
import { count } from "./format.js";
import { link, state } from "./state.js";
import { Table } from "./table.js";
import { goTo, sparkline } from "./targets.js";

// The others are in the order of the document, in which messages are last.
const kFirst = ["connections", "messages"];
const made = new Map();

/** How many rows a table has, in the report and left out of it. */
function sizeOf(name) {
  const known = meta.tables?.[name]; // without parsing all of it
  if (known) return known[0] + known[1];
  const table = section(`table-${name}`);
  return (table.row_count ?? table.rows.length) + table.left_out;
}

function names() {
  const all = sectionNames("table-")
    .map((name) => name.slice(6))
    .filter((name) => sizeOf(name) > 0);
  return [...kFirst.filter((name) => all.includes(name)), ...all.filter((name) => !kFirst.includes(name))];
}

export function makeTable(name) {
  const table = tableOf(name);
  const at = (column) => table.columns.findIndex((other) => other.name === column);
  const number = at(name === "connections" ? "number" : "connection");
  const first = at("first_time");
  const last = Math.max(at("completion_time"), at("last_time"));
  const side = at("side");
  const picked =
    number < 0
      ? null
      : (row) =>
          goTo({
            connection: row[number],
            side: side < 0 ? null : row[side],
            from: name === "connections" || first < 0 ? null : row[first],
            to: name === "connections" || last < 0 ? null : (row[last] ?? row[first]),
          });
  const rates = name === "connections" ? section("rates") : null;
  const extra = rates && { heading: "rate", make: (row) => sparkline(rates, rates.connections[row[number]]) };
  return new Table({ name, help: table.help, columns: table.columns, rows: table.rows, leftOut: table.left_out, picked, extra });
}

export function showTables(place) {
  const all = names();
  if (all.length === 0) {
    place.replaceChildren(h("p", { text: "This report has no tables." }));
    return;
  }
  const shown = all.includes(state.table) ? state.table : all[0];
  if (!made.has(shown)) made.set(shown, makeTable(shown));
  const tabs = all.map((name) => {
    return h(
      "a",
      { href: link({ view: "tables", table: name }), "aria-current": name === shown ? "page" : null },
      `${name} `,
      h("small", { class: "soft", text: count(sizeOf(name)) }),
    );
  });
  place.replaceChildren(
    h("nav", { class: "tabs", "aria-label": "Tables" }, tabs),
    h("h2", { text: shown }),
    made.get(shown).element,
  );
}
