// The ladder of the time in view: who sent what to whom, with equal packets folded, as `rocescope flow` prints it.
import { lowerBound } from "./data.js";
import { coalesce, h } from "./dom.js";
import { count, duration, time } from "./format.js";
import { colourName } from "./marks.js";
import { state } from "./state.js";

const kMost = 250; // events that are shown at once

/** The colour of an arrow: that of its first packet in the graph of PSNs. */
function toneOf(event, model) {
  const point = model.byFrame.get(event.frame);
  if (point !== undefined) return colourName(model.markAt(point));
  // No point: of the handshake, or one of many packets of which not all are drawn
  const title = typeof event.label === "string" ? event.label : (event.label?.title ?? "");
  if (/\bACK\b/.test(title)) return "ack";
  if (title.startsWith("CM ") || event.label?.trouble) return "setup";
  return title.includes("Response") ? "response" : "sent";
}

export class Ladder {
  constructor(group, model) {
    Object.assign(this, { group, model });
    this.events = model.data.ladder?.events ?? [];
    this.leftOut = model.data.ladder?.left_out ?? 0;
    this.times = this.events.map((event) => event.t);
    this.names = [0, 1].map((side) => model.nameOf(side));
    this.status = h("p", { class: "soft", role: "status" });
    this.body = h("tbody");
    this.head = h(
      "tr",
      {},
      h("th", { scope: "col", class: "number", text: "frame" }),
      h("th", { scope: "col", class: "number", text: "after" }),
      h(
        "th",
        { scope: "col" },
        h("span", { class: "ends" }, h("span", { text: this.names[0] }), h("span", { text: this.names[1] })),
      ),
    );
    this.scroller = h(
      "div",
      { class: "ladder", tabindex: 0, role: "region", "aria-label": "Ladder" },
      h("table", {}, h("thead", {}, this.head), this.body),
    );
    this.element = h("div", {}, h("h2", {}, "Ladder ", h("small", { text: "of the time in view" })), this.scroller, this.status);
    // The rows follow when the hand rests: they are many
    const draw = coalesce(() => this.draw());
    let waiting = 0;
    group.onRange(() => {
      clearTimeout(waiting);
      waiting = setTimeout(draw, 80);
    });
    draw();
  }

  draw() {
    if (this.element.hidden || !this.element.isConnected) return;
    let first = lowerBound(this.times, this.group.from);
    // A run that began before may last into what is in view
    while (first > 0 && (this.events[first - 1].last_t ?? this.events[first - 1].t) >= this.group.from) --first;
    const last = lowerBound(this.times, this.group.to);
    const shown = this.events.slice(first, Math.min(last, first + kMost));
    this.body.replaceChildren(...shown.map((event) => this.row(event)));
    const parts = [];
    if (last - first > kMost) parts.push(`the first ${kMost} of ${count(last - first)} events in view: zoom in for the others`);
    if (last <= first) parts.push("nothing was sent in this time");
    if (this.leftOut > 0) parts.push(`${count(this.leftOut)} events are not in this report`);
    this.status.textContent = parts.join("; ");
    this.body.querySelector("[aria-selected]")?.scrollIntoView({ block: "nearest" });
  }

  row(event) {
    const label = typeof event.label === "string" ? { title: event.label } : event.label;
    const { title = "", details = [], notes = [], trouble = false } = label ?? {};
    const isHere = state.frame !== null && event.frame <= state.frame && state.frame <= (event.last_frame ?? event.frame);
    const words = h("b", {}, title, details.length > 0 && h("span", { text: ` ${details.join(", ")}` }));
    const line = [h("i", { class: "stub" }), words, h("i", { class: "rest" })];
    const arrow = event.sender === 0 ? [...line, "\u25b8"] : ["\u25c2", ...line];
    const row = h(
      "tr",
      {
        "aria-selected": isHere ? "true" : null,
        class: trouble ? "trouble" : null,
        title: time(event.t, 1),
        onclick: () => this.center(event),
      },
      h(
        "td",
        { class: "number" },
        h("a", {
          href: "#",
          text: String(event.frame),
          "aria-label": `Frame ${event.frame}: ${title}`,
          onclick: (click) => click.preventDefault(),
        }),
      ),
      h("td", { class: "number", text: event.silence === undefined ? "" : duration(event.silence) }),
      h(
        "td",
        { class: "between" },
        h("div", { class: `arrow ${toneOf(event, this.model)}` }, arrow),
        notes.map((note) => h("div", { class: "note", text: typeof note === "string" ? note : note.text })),
      ),
    );
    return row;
  }

  /** Shows the event in the middle, no closer than before. */
  center(event) {
    const half = (this.group.to - this.group.from) / 2;
    const middle = (event.t + (event.last_t ?? event.t)) / 2;
    state.frame = event.frame;
    if (!this.group.isWhole) this.group.move(middle - half, middle + half);
    else {
      const length = Math.max(((event.last_t ?? event.t) - event.t) * 4, (this.group.to - this.group.from) / 20);
      this.group.move(middle - length / 2, middle + length / 2);
    }
    state.frame = event.frame;
  }
}
