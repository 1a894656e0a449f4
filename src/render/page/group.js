// A range of time that several graphs show: any of them moves all.
import uPlot from "uplot";
import { coalesce, h } from "./dom.js";
import { duration, span } from "./format.js";
import { onColours } from "./marks.js";

const kNarrowest = 20; // nanoseconds

let groups = 0;

/** A range of time that several panels show. */
export class Group {
  /**
   * `whole`: from when to when at most. `changed(from, to)` is called after each change that a reader makes.
   * `troubles`: times, sorted, that n and p go to.
   */
  constructor({ whole, changed = () => {}, troubles = [] }) {
    this.key = `group${++groups}`;
    uPlot.sync(this.key);
    this.panels = [];
    this.changed = changed;
    this.troubles = troubles;
    this.listeners = [];
    const margin = Math.max((whole[1] - whole[0]) * 0.015, kNarrowest);
    this.whole = [whole[0] - margin, whole[1] + margin];
    this.bounds = whole;
    [this.from, this.to] = this.whole;
    this.draw = coalesce(() => this.drawNow());
    this.ends = [onColours(() => this.draw())];
  }

  /** Forgets the panels, which are shown no more. */
  end() {
    for (const end of this.ends) end();
    for (const panel of this.panels) panel.end();
    this.panels = [];
    this.listeners = [];
  }

  get isWhole() {
    return this.from <= this.whole[0] && this.to >= this.whole[1];
  }

  /** Shows from `from` to `to`; nothing: all. */
  show(from, to) {
    if (from === null || from === undefined) [from, to] = this.whole;
    const length = Math.min(Math.max(to - from, kNarrowest), this.whole[1] - this.whole[0]);
    const middle = (from + to) / 2;
    const start = Math.min(Math.max(middle - length / 2, this.whole[0]), this.whole[1] - length);
    this.from = start;
    this.to = start + length;
    this.draw();
  }

  /** The same, asked for by the reader. */
  move(from, to) {
    this.show(from, to);
    if (this.isWhole) this.changed(null, null);
    else this.changed(this.from, this.to);
  }
  zoom(factor, around = (this.from + this.to) / 2) {
    this.move(around - (around - this.from) * factor, around + (this.to - around) * factor);
  }
  pan(share) {
    const by = (this.to - this.from) * share;
    this.move(this.from + by, this.to + by);
  }
  /** To the next trouble, or the one before. */
  seek(direction) {
    const middle = (this.from + this.to) / 2;
    const least = (this.to - this.from) / 1000;
    const next =
      direction > 0 ? this.troubles.find((t) => t > middle + least) : this.troubles.findLast((t) => t < middle - least);
    if (next === undefined) return;
    const half = Math.min(this.to - this.from, (this.whole[1] - this.whole[0]) / 10) / 2;
    this.move(next - half, next + half);
  }

  onRange(listener) {
    this.listeners.push(listener);
  }

  drawNow() {
    for (const panel of this.panels) panel.draw();
    for (const listener of this.listeners) listener(this.from, this.to);
  }

  /** A line that says what is in view, with buttons for those who have no keyboard. */
  controls() {
    const output = h("output", { "aria-live": "off" });
    this.onRange((from, to) => {
      const [first, last] = [Math.max(from, this.bounds[0]), Math.min(to, this.bounds[1])];
      output.textContent = `${span(first, last)} (${duration(Math.round(last - first))})`;
    });
    const button = (text, label, act) => h("button", { text, "aria-label": label, title: label, onclick: act });
    return h(
      "div",
      { class: "where-am-i" },
      h("span", {}, "In view: ", output),
      h(
        "span",
        { class: "controls" },
        button("\u2212", "Zoom out", () => this.zoom(2)),
        button("+", "Zoom in", () => this.zoom(0.5)),
        button("\u2190", "Earlier", () => this.pan(-0.25)),
        button("\u2192", "Later", () => this.pan(0.25)),
        button("All", "All of the time", () => this.move(null)),
        this.troubles.length > 0 && button("\u2039 trouble", "Previous trouble", () => this.seek(-1)),
        this.troubles.length > 0 && button("trouble \u203a", "Next trouble", () => this.seek(1)),
      ),
    );
  }
}
