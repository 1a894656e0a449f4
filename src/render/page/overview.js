// The first screen: the verdict, findings by cause, the worst connection, throughput of host pairs with marks, hosts.
import { psnPanel } from "./psn_graph.js";
import { meta, section, tableOf } from "./data.js";
import { h } from "./dom.js";
import { findingList } from "./findings.js";
import { date } from "./format.js";
import { matrix } from "./matrix.js";
import { connectionModel } from "./model.js";
import { Group } from "./group.js";
import { setRange, state } from "./state.js";
import { makeTable } from "./tables.js";
import { targetLink } from "./targets.js";
import { throughput } from "./throughput.js";

let group = null;

export function showOverview(place) {
  if (!group) make(place);
  group.show(state.from, state.to);
}

function make(place) {
  const summary = section("summary") ?? { verdict: null, headline: meta.title, facts: [] };
  const marks = section("marks");
  group = new Group({ whole: [0, Math.max(meta.duration, 1)], changed: setRange, troubles: troubleTimes(marks) });
  const facts = captureFacts(summary, marks);
  // Few findings leave room beside the graph
  const isQuiet = (section("findings")?.blocks ?? []).filter((block) => block.severity !== "note").length < 2;
  const preview = worstConnection(isQuiet ? 250 : 400);
  place.append(
    verdict(summary),
    h("p", {
      class: "facts",
      text: `${summary.headline}. First packet ${meta.start_time ? meta.start_time.replace(/\.\d+/, "") : date(0)}.${meta.narrowing.length > 0 ? ` Narrowed by ${meta.narrowing.join(" ")}.` : ""}`,
    }),
    h(
      "div",
      { class: preview ? "first two" : "first" },
      h("div", {}, h("h2", { text: "Findings" }), findingList(section("findings"))),
      preview,
      isQuiet && facts,
    ),
    ...throughput(group, section("pairs"), marks),
    h("div", { class: isQuiet ? "first" : "first two" }, !isQuiet && facts, matrix(section("pairs"))),
    ...connections(),
  );
}

function verdict(summary) {
  const { severity, text, whose, more } = summary.verdict ?? { severity: "good", text: "Nothing to report", more: "" };
  return h(
    "p",
    { class: "verdict" },
    h("span", { text }),
    whose && h("span", { class: "soft", text: `, ${whose}` }),
    more && h("span", { class: "soft", text: ` \u2013 ${more}` }),
    h("span", { class: `severity ${severity}` }, " ", severity !== "good" && h("span", { text: severity })),
  );
}

function troubleTimes(marks) {
  if (!marks) return [];
  const quiet = new Set(["ce", "pfc_pause"]);
  const times = [];
  let t = 0;
  marks.events.t.forEach((step, i) => {
    t += step;
    if (!quiet.has(marks.kinds[marks.events.kind[i]])) times.push(t);
  });
  return times.sort((a, b) => a - b);
}

/** The connection of the first finding, or the first of all, as its PSN graph. */
function worstConnection(height) {
  const lines = (section("findings")?.blocks ?? []).filter((block) => block.severity !== "note").flatMap((block) => block.lines);
  const line = lines.find((other) => other.connection !== null && meta.detailed.includes(other.connection));
  const number = line?.connection ?? meta.detailed[0];
  if (number === undefined) return null;
  const model = connectionModel(number);
  const requester = line?.side ?? model.busiest;
  if (requester === null || !model.requesters.includes(requester)) return null;
  const own = new Group({ whole: [model.first, model.last] });
  const panel = psnPanel(own, model, requester, {
    height,
    title: `Connection ${number}, requests of ${model.nameOf(requester)}`,
  });
  own.show(null);
  return h(
    "div",
    { class: "where" },
    h(
      "h2",
      {},
      line ? "Where " : "The first connection ",
      h("small", {}, h("a", { href: targetLink({ connection: number, side: requester }), text: `all of connection ${number}` })),
    ),
    panel.element,
  );
}

function captureFacts(summary, marks) {
  const facts = summary.facts.flatMap(([name, text]) => [h("dt", { text: name }), h("dd", { text })]);
  const drops = (marks?.drops ?? []).map((drop) =>
    h("li", { text: `${drop.interface} of ${drop.capture} dropped ${drop.dropped} packets while it captured` }),
  );
  return h(
    "div",
    {},
    facts.length + drops.length > 0 && h("h2", { text: "Capture" }),
    h("dl", { class: "pairs" }, facts),
    drops.length > 0 && h("ul", {}, drops),
    meta.left_out.length > 0 && [
      h("h2", { text: "Not in this report" }),
      h(
        "ul",
        {},
        meta.left_out.map((text) => h("li", { text })),
      ),
    ],
  );
}

function connections() {
  if (!tableOf("connections")?.rows.length) return [];
  return [h("h2", {}, "Connections ", h("small", { text: "most trouble first" })), makeTable("connections").element];
}
