// Findings by cause: the cause, and below it what followed of it.
import { tableOf } from "./data.js";
import { copy, h } from "./dom.js";
import { plural, span } from "./format.js";
import { findingHelp } from "./help.js";
import { targetLink } from "./targets.js";

const kFew = 3; // causes that are shown at once
const kStrengths = { exact: "exact", at_least: "at least", estimated: "estimated" };

export function findingList(findings) {
  const blocks = findings?.blocks ?? [];
  const main = blocks.filter((block) => block.severity !== "note");
  const notes = blocks.filter((block) => block.severity === "note");
  const parts = [];
  if (main.length > 0)
    parts.push(
      h(
        "ol",
        { class: "findings" },
        main.slice(0, kFew).map((block) => item(block)),
      ),
    );
  else parts.push(h("p", { text: "No errors and no warnings." }));
  if (main.length > kFew) parts.push(more(plural(main.length - kFew, "more cause"), main.slice(kFew)));
  if (findings?.left_out > 0)
    parts.push(h("p", { class: "soft", text: `${plural(findings.left_out, "more group")} of findings: rocescope analyze -v` }));
  if (notes.length > 0) {
    const number = notes.reduce((sum, block) => sum + block.lines.length, 0);
    parts.push(more(plural(number, "note"), notes));
  }
  return parts;
}

const more = (title, blocks) =>
  h(
    "details",
    { class: "more" },
    h("summary", { text: title }),
    h(
      "ol",
      { class: "findings" },
      blocks.map((block) => item(block)),
    ),
  );

/** The findings of one connection: the rows of their table, by the names of its columns. */
function rowsOf(connection) {
  const table = tableOf("findings");
  const of = table?.columns.findIndex(({ name }) => name === "connection") ?? -1;
  if (of < 0) return [];
  return table.rows
    .filter((row) => row[of] === connection)
    .map((row) => Object.fromEntries(table.columns.map(({ name }, i) => [name, row[i]])));
}

/** The same, as lines of text with what explains them. */
export function findingsOf(connection) {
  return rowsOf(connection)
    .filter(({ severity }) => severity !== "note")
    .map((row) =>
      h(
        "span",
        {},
        h("a", {
          class: "go",
          href: targetLink({ connection, side: row.side, from: row.first_time, to: row.last_time }),
          text: row.what,
        }),
        findingHelp(row.id),
      ),
    );
}

export const findingIds = (connection) => new Set(rowsOf(connection).map(({ id }) => id));

const placeOf = (line) => ({ connection: line.connection, side: line.side, from: line.first, to: line.last });

function item(block) {
  const [cause, ...rest] = block.lines;
  return h(
    "li",
    { "data-finding": cause.id },
    line(cause, block.severity, block.whose),
    evidence(cause),
    rest.length > 0 &&
      h(
        "ul",
        {},
        rest.map((other) => h("li", { "data-finding": other.id }, line(other, other.severity, ""))),
      ),
  );
}

function line(finding, severity, whose) {
  const when = finding.first === null || finding.first === undefined ? "" : span(finding.first, finding.last ?? finding.first);
  return h(
    "div",
    { class: "finding" },
    h("span", { class: `severity ${severity}` }, h("span", { text: severity })),
    h(
      "span",
      { class: "what" },
      h("a", { class: "go", href: targetLink(placeOf(finding)), text: finding.text }),
      findingHelp(finding.id),
      whose && h("span", { class: "where", text: whose }),
    ),
    h("span", { class: "when", text: when }),
  );
}

function evidence(finding) {
  const parts = [kStrengths[finding.strength]];
  if (finding.packets.length > 0)
    parts.push(`packets ${finding.packets.join(", ")}${finding.count > finding.packets.length ? " \u2026" : ""}`);
  return h(
    "p",
    { class: "evidence" },
    parts.filter(Boolean).join("; "),
    finding.filter && ["; ", h("code", { text: finding.filter }), " ", copyButton(finding.filter)],
  );
}

function copyButton(text) {
  const button = h("button", {
    class: "quiet help",
    text: "copy",
    "aria-label": "Copy the display filter",
    onclick: async () => {
      button.textContent = (await copy(text)) ? "copied" : "not allowed";
    },
  });
  return button;
}
