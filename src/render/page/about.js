// What made this report, what it leaves out, and the licence of what it contains.
import { meta } from "./data.js";
import { h } from "./dom.js";
import { date, duration } from "./format.js";

/* global LICENCE_OF_UPLOT -- bundle.mjs sets it */
const licence = LICENCE_OF_UPLOT;

export function showAbout(place) {
  if (place.childElementCount > 0) return;
  const facts = [
    ["Made by", meta.program],
    ["Captures", meta.files.join(", ")],
    ["First packet", `${date(0)} (${meta.start_ns} ns since 1970)`],
    ["Duration", duration(meta.duration)],
    ...(meta.narrowing.length > 0 ? [["Narrowed by", meta.narrowing.join(" ")]] : []),
  ];
  place.append(
    h("h2", { text: "This report" }),
    h(
      "dl",
      { class: "pairs" },
      facts.flatMap(([name, text]) => [h("dt", { text: name }), h("dd", { text })]),
    ),
    h("p", {
      text: "The file holds all that it shows, and loads nothing. Its data are JSON in script elements, one a section: meta, summary, findings, tables, connections.",
    }),
    h("h2", { text: "What is left out" }),
    meta.left_out.length > 0
      ? h(
          "ul",
          {},
          meta.left_out.map((text) => h("li", { text })),
        )
      : h("p", { text: "Nothing: every packet of RoCE is in the graphs, every message in the tables." }),
    h("h2", { text: `${licence.name} ${licence.version} draws the axes and curves` }),
    h("p", { class: "licence", text: licence.text }),
  );
}
