// One connection: its graphs on one axis of time, the ladder beside them, its messages below.
import { section, tableOf } from "./data.js";
import { h } from "./dom.js";
import { findingsOf } from "./findings.js";
import { bytes, count, qpn } from "./format.js";
import { Histogram } from "./histogram.js";
import { Ladder } from "./ladder.js";
import { messageTable } from "./message_table.js";
import { connectionModel } from "./model.js";
import { memoryPanel } from "./memory_panel.js";
import { creditsPanel, inFlightPanel, latencyPanel, ratePanel, roughPanel } from "./panels.js";
import { Group } from "./group.js";
import { psnPanel } from "./psn_graph.js";
import { go, setRange, state } from "./state.js";
import { meta } from "./data.js";

let shown = null; // {number, side, group}

export function showConnection(place) {
  const number = state.connection ?? meta.detailed[0] ?? null;
  if (number === null) {
    place.replaceChildren(h("p", { text: "There is no connection in this capture." }));
    return;
  }
  const model = connectionModel(number);
  const side = model ? sideOf(model) : null;
  if (shown?.number !== number || shown.side !== side) {
    shown?.group?.end();
    place.replaceChildren(heading(number), ...(model ? detailed(model, number, side) : rough(number)));
  }
  shown.group?.show(state.from, state.to);
}

/** Whose requests are shown: those that the address names, else where the trouble is. */
function sideOf(model) {
  if (model.requesters.includes(state.side)) return state.side;
  const [a, b] = model.troubles.map((times) => times.length);
  if (a !== b && model.requesters.length === 2) return a > b ? 0 : 1;
  return model.busiest ?? 0;
}

function heading(number) {
  const table = tableOf("connections");
  const at = (name) => table?.columns.findIndex((column) => column.name === name) ?? -1;
  const option = (row) => {
    const name = ["side0_address", "side1_address"].map((column) => row[at(column)] ?? "").join(" \u2194 ");
    return h("option", { value: row[at("number")], text: `${row[at("number")]}  ${name}` });
  };
  const known = (table?.rows ?? []).filter((row) => meta.detailed.includes(row[at("number")]) || row[at("number")] === number);
  const options =
    known.length > 0 ? known.map(option) : meta.detailed.map((other) => h("option", { value: other, text: String(other) }));
  const select = h("select", { onchange: () => go({ view: "connection", connection: Number(select.value) }) }, options);
  select.value = String(number);
  return h(
    "div",
    { class: "controls choose" },
    h("label", {}, "Connection", select),
    meta.connections > meta.detailed.length &&
      h("span", {
        class: "soft",
        text: `${count(meta.detailed.length)} of ${count(meta.connections)} with packets; the others: table of connections`,
      }),
  );
}

function detailed(model, number, side) {
  const { data } = model;
  const group = new Group({ whole: [model.first, model.last], changed: setRange, troubles: model.troubles[side] });
  shown = { number, side, group };
  const panels = [
    psnPanel(group, model, side, { height: 380, title: "PSN", axis: true }),
    inFlightPanel(group, model, side),
    ratePanel(group, model, side),
    latencyPanel(group, model, side),
    creditsPanel(group, model, side),
    memoryPanel(group, model, side),
  ].filter(Boolean);
  const table = messageTable(group, model, number);
  const ladder = new Ladder(group, model);
  group.picked = (point) => {
    state.frame = model.frame[point];
    const half = Math.min(group.to - group.from, (group.whole[1] - group.whole[0]) / 20) / 2;
    const t = model.t[point];
    group.move(t - half, t + half);
    state.frame = model.frame[point];
  };
  group.pickedMessage = (i) => {
    const from = model.messages.start[i];
    const to = from + Math.max(model.messages.done[i] ?? model.messages.end[i] ?? 0, 1000);
    group.move(from - (to - from) * 0.1, to + (to - from) * 0.1);
  };
  return [
    facts(model, number, side, group),
    h(
      "div",
      { class: "workspace" },
      h(
        "div",
        {},
        h(
          "div",
          { class: "panels" },
          panels.map((panel) => panel.element),
        ),
        thinning(data),
      ),
      h("div", { class: "side" }, ladder.element),
    ),
    h("div", { class: "first two" }, new Histogram(group, model, side).element, states(model)),
    table,
  ];
}

function facts(model, number, side, group) {
  const { data } = model;
  const name = (i) => model.nameOf(i);
  const toggles = model.requesters.map((i) =>
    h("button", {
      "aria-pressed": String(i === side),
      text: `${name(i)} \u2192 ${name(1 - i)}`,
      onclick: () => go({ ...state, side: i, frame: null }),
    }),
  );
  const facts = [
    data.transport,
    data.path_mtu && `MTU ${data.path_mtu}`,
    data.paired_by && `paired by ${data.paired_by}`,
    data.overlay_id ? `VNI ${data.overlay_id}` : "",
    ...data.sides.map((each, i) => `${name(i)} sent ${count(each.packets)} packets, ${bytes(each.bytes)}`),
  ];
  const found = findingsOf(number);
  return h(
    "div",
    {},
    h("h2", {}, `Connection ${number}: ${name(0)} \u2194 ${name(1)}`),
    h("p", { class: "facts", text: facts.filter(Boolean).join("; ") }),
    found.length > 0 &&
      h(
        "ul",
        { class: "plain" },
        found.map((each) => h("li", {}, each)),
      ),
    h("div", { class: "controls" }, h("span", { class: "soft", text: "Requests of" }), toggles, group.controls()),
  );
}

function thinning(data) {
  const { thinned } = data;
  const parts = [];
  if (thinned?.columns)
    parts.push(
      `Thinned: ${count(thinned.points)} of ${count(thinned.packets)} packets are drawn, the lowest and highest PSN of each kind in each of ${count(thinned.columns)} columns, and every anomaly.`,
    );
  if (data.points_left_out > 0) parts.push(`${count(data.points_left_out)} anomalies are left out as well.`);
  return parts.length > 0 ? h("p", { class: "soft", text: parts.join(" ") }) : null;
}

/** What state each queue pair was in, as the packets show it. */
function states(model) {
  const lists = (model.data.states ?? []).map((states, side) =>
    states?.length > 0
      ? [
          h("dt", { text: model.nameOf(side) }),
          h("dd", {
            text: states
              .map(
                (each) =>
                  `${each.state}${each.observed ? "" : " (concluded)"} ${each.t === null || each.t === undefined ? "" : (each.t / 1e9).toFixed(6)} s`,
              )
              .join(", "),
          }),
        ]
      : [],
  );
  const regions = model.data.regions.map((region) =>
    h(
      "tr",
      {},
      h("td", { text: model.nameOf(region.side) }),
      h("td", { text: region.r_key === null ? "" : `0x${region.r_key.toString(16).padStart(8, "0")}` }),
      h("td", { class: "mono", text: `${region.base} \u2013 ${region.end}` }),
      h("td", { class: "number", text: bytes(Number(BigInt(region.end) - BigInt(region.base))) }),
      h("td", { class: "number", text: count(region.messages) }),
    ),
  );
  return h(
    "div",
    {},
    lists.some((list) => list.length > 0) && [
      h("h2", {}, "States ", h("small", { text: "as the packets show them" })),
      h("dl", { class: "pairs" }, lists.flat()),
    ],
    regions.length > 0 && [
      h("h2", { text: "Memory that was touched" }),
      h(
        "div",
        { class: "scroller", tabindex: 0, role: "region", "aria-label": "Memory that was touched" },
        h(
          "table",
          { class: "grid" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              ["memory of", "R_Key", "addresses", "size", "messages"].map((name, i) =>
                h("th", { scope: "col", class: i > 2 ? "number" : null, text: name }),
              ),
            ),
          ),
          h("tbody", {}, regions),
        ),
      ),
    ],
  );
}

/** What is known of a connection whose packets are not in the report. */
function rough(number) {
  const rates = section("rates");
  const series = rates?.connections[number];
  const table = tableOf("connections");
  const row = table?.rows.find((each) => each[table.columns.findIndex((column) => column.name === "number")] === number);
  const parts = [
    h("h2", { text: `Connection ${number}` }),
    h("p", {
      class: "soft",
      text:
        meta.detailed.length === 0
          ? "The packets of this connection are not in this report, since the capture could not be read twice. Save it to a file first."
          : `The packets of this connection are not in this report: it keeps those with the most trouble. For this one: rocescope analyze --html NEW --connection ${number}`,
    }),
  ];
  shown = { number, side: null, group: null };
  if (series) {
    shown.group = new Group({ whole: [rates.start, rates.start + rates.buckets * rates.width], changed: setRange });
    parts.push(shown.group.controls(), roughPanel(shown.group, rates, series).element);
  }
  if (row) {
    const facts = table.columns
      .map((column, i) => [column, row[i]])
      .filter(([, value]) => value !== null && value !== 0 && value !== "" && value !== false);
    parts.push(
      h(
        "dl",
        { class: "pairs" },
        facts.flatMap(([column, value]) => [
          h("dt", { text: column.name, title: column.help }),
          h("dd", { text: column.type === "qpn" ? qpn(value) : String(value) }),
        ]),
      ),
    );
  }
  return parts;
}
