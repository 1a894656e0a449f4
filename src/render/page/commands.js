// What connections carry and their commands: the sections of the text report, the sums first, and what is outstanding over time.
import uPlot from "uplot";
import { meta, section, tableOf } from "./data.js";
import { h } from "./dom.js";
import { duration, plural } from "./format.js";
import { Group } from "./group.js";
import { colour } from "./marks.js";
import { Panel } from "./plot.js";
import { setRange, state } from "./state.js";
import { makeTable } from "./tables.js";
import { goTo } from "./targets.js";

const kFew = 6; // graphs that are shown at first
const kSections = [
  ["command_totals", "Commands by operation and size"],
  ["command_failures", "Commands that did not succeed, by status"],
  ["slowest_commands", "The slowest commands"],
];
let group = null;

const rowsOf = (name) => (section(`table-${name}`) ? tableOf(name).rows : []);
export const hasCommands = () => (meta.tables?.carried?.[0] ?? rowsOf("carried").length) > 0;

export function showCommands(place) {
  if (!group) make(place);
  group.show(state.from, state.to);
}

function make(place) {
  group = new Group({ whole: [0, Math.max(meta.duration, 1)], changed: setRange });
  if (!hasCommands()) {
    place.append(h("p", { text: "No connection is known to carry a protocol above RoCE." }));
    return;
  }
  const tables = (sections) =>
    sections
      .filter(([name]) => rowsOf(name).length > 0)
      .flatMap(([name, heading]) => [h("h2", { text: heading }), makeTable(name).element]);
  place.append(...tables(kSections), ...graphs(), ...tables([["carried", "What connections carry"]]));
}

/** Of each connection what was outstanding over time, those with the most first. */
function graphs() {
  const all = [...seriesOf()].sort((a, b) => b.highest - a.highest || a.connection - b.connection);
  if (all.length === 0) return [];
  const place = h("div", { class: "panels" });
  let shown = 0;
  const show = (number) => {
    const added = all.slice(shown, number);
    for (const series of added) place.append(panel(series, series === added[added.length - 1]).element);
    shown = Math.min(number, all.length);
  };
  show(kFew);
  const rest = all.length - shown;
  const more =
    rest > 0 &&
    h("button", {
      text: `Show ${plural(rest, "more connection")}`,
      onclick: () => {
        show(all.length);
        more.remove();
        group.draw();
      },
    });
  return [
    h("h2", {}, "Outstanding commands ", h("small", { text: "the most at once in each length of time, and how many on average" })),
    group.controls(),
    place,
    more || "",
  ];
}

/** The rows of the table as a series each connection. */
function seriesOf() {
  const table = section("table-outstanding") ? tableOf("outstanding") : null;
  const series = new Map();
  if (!table) return series.values();
  const at = (name) => table.columns.findIndex((column) => column.name === name);
  const [connection, protocol, start, interval, most, time] = [
    "connection",
    "protocol",
    "start",
    "interval",
    "most",
    "command_time",
  ].map(at);
  for (const row of table.rows) {
    if (!series.has(row[connection])) {
      series.set(row[connection], {
        connection: row[connection],
        protocol: row[protocol],
        start: row[start],
        width: row[interval],
        most: [],
        mean: [],
        highest: 0,
      });
    }
    const its = series.get(row[connection]);
    its.most.push(row[most]);
    its.mean.push(row[time] / row[interval]);
    its.highest = Math.max(its.highest, row[most]);
  }
  return series.values();
}

function panel(series, isLast) {
  const step = uPlot.paths.stepped({ align: 1 });
  const times = Array.from({ length: series.most.length + 1 }, (_, i) => series.start + i * series.width);
  const ended = (values) => [...values, values[values.length - 1]];
  const at = (t) => {
    const i = Math.floor((t - series.start) / series.width);
    if (!(i >= 0 && i < series.most.length)) return null;
    const from = series.start + i * series.width;
    return {
      text: `${plural(series.most[i], "command")} at most, ${series.mean[i].toFixed(2)} on average`,
      pick: () => goTo({ connection: series.connection, from, to: from + series.width }),
    };
  };
  const title = `Connection ${series.connection}, ${series.protocol}`;
  const peak = `${plural(series.highest, "command")} at most`;
  return new Panel(group, {
    title,
    height: 76 + (isLast ? 20 : 0),
    axis: isLast,
    whole: true,
    at,
    note: `${peak}, in steps of ${duration(series.width)}`,
    label: `Outstanding commands of connection ${series.connection}, ${peak}`,
    heights: () => [0, Math.max(series.highest, 1) * 1.05],
    series: {
      data: [times, ended(series.most), ended(series.mean)],
      options: [
        { stroke: () => colour("sent"), fill: () => colour("sent"), width: 1, paths: step, points: { show: false } },
        { stroke: () => colour("ink"), width: 1, paths: step, points: { show: false } },
      ],
    },
  });
}
