// Graphs over one axis of time: a group of panels shows the same range in all of them, and any of them moves it.
import uPlot from "uplot";
import { coalesce, h } from "./dom.js";
import { duration, span, time } from "./format.js";
import { colour, drawMark, drawn, kMarks, onColours, onPrint } from "./marks.js";

const kGutter = 80;  // of each panel, left of the graph: so that times stand below each other
const kRight = 10;
const kNarrowest = 20;  // nanoseconds

const kWholeSteps = Array.from({ length: 14 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

let groups = 0;

/** Names of marks as a legend. */
export function legend(names) {
  return h("span", { class: "legend" }, names.map((name) => h("span", {}, glyph(name), kMarks[name].label)));
}

/** A mark as a small picture, which follows the colours. */
export function glyph(name) {
  const canvas = h("canvas", { "aria-hidden": "true", class: "glyph", width: 28, height: 24 });
  return drawn(canvas, () => {
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, 28, 24);
    drawMark(context, name, 14, 12, 17);
  });
}

/** A range of time that several panels show. */
export class Group {
  /**
   * `whole`: from when to when at most. `changed(from, to)`: is told of each change that a reader makes.
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
    const next = direction > 0 ? this.troubles.find((t) => t > middle + least) : this.troubles.findLast((t) => t < middle - least);
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

const tickTime = (plot, ticks, _axis, _space, step) => {
  // A short range far from 0 is counted from its first tick, of which the whole time is given
  const base = ticks.find((t) => t !== null) ?? 0;
  const isFar = step < 1e5 && Math.abs(base) > step * 1000;
  return ticks.map((t, i) => {
    if (t === null) return "";
    if (isFar && i > 0) return `+${duration(Math.round(t - base))}`;
    return time(t, step);
  });
};

export class Panel {
  /**
   * `paint(context, panel)`: draws between panel.left, top, right, bottom with panel.x(time), panel.y(value).
   * `heights(from, to)`: [lowest, highest] value in view. `ticks(value)`: the text of a value; null: no axis.
   * `whole`: its values are whole numbers. `at(x, y)`: what is there: {text, pick}; null: nothing. `series`: {data, options} of uPlot instead of paint.
   */
  constructor(group, { title, height, marks = [], paint = null, heights, ticks = String, at = null, label, axis = false, series = null, note = "", splits = null, whole = false }) {
    this.group = group;
    this.options = { height, paint, heights, ticks, at, axis, series, splits, whole };
    this.readout = h("span", { class: "readout" });
    this.place = h("div", { class: "plot", tabindex: 0, role: "application", "aria-roledescription": "graph", "aria-label": label ?? title });
    this.head = h("div", { class: "head" }, h("h3", { text: title }), marks.length > 0 && legend(marks), note && h("small", { text: note }), this.readout);
    this.element = h("div", { class: "panel" }, this.head, this.place);
    this.width = 0;
    this.last = null;
    group.panels.push(this);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.place);
    this.print = (width) => (this.plot && this.place.offsetParent !== null ? this.resize(width ?? undefined) : null);
    onPrint.add(this.print);
    this.listen();
  }

  end() {
    this.observer.disconnect();
    onPrint.delete(this.print);
    this.plot?.destroy();
  }

  resize(width = this.place.clientWidth) {
    if (width < 50 || width === this.width) return;
    this.width = width;
    if (this.plot) this.plot.setSize({ width, height: this.options.height });
    else this.plot = this.make(width);
    this.draw();
  }

  make(width) {
    const { height, axis, ticks, series, splits, whole } = this.options;
    const line = { stroke: () => colour("soft"), font: "11px system-ui, sans-serif", grid: { stroke: () => colour("grid"), width: 1 }, ticks: { stroke: () => colour("rule"), width: 1, size: 4 } };
    const options = {
      width,
      height,
      padding: [5, kRight, axis ? 0 : 3, 0],
      legend: { show: false },
      scales: {
        x: { time: false, range: (_plot, from, to) => [from, to] },
        y: { range: (_plot, low, high) => [low, high] },
      },
      axes: [
        { ...line, size: axis ? 24 : 0, gap: 3, space: 90, incrs: kWholeSteps, values: axis ? tickTime : () => [], ticks: axis ? line.ticks : { show: false } },
        { ...line, size: kGutter, gap: 4, space: 24, ticks: { ...line.ticks, show: ticks !== null },
          grid: { ...line.grid, show: ticks !== null },
          ...(splits ? { splits: () => splits } : {}),
          ...(whole ? { incrs: kWholeSteps } : {}),
          values: (_plot, values) => values.map((value) => (ticks === null || value === null ? "" : ticks(value))) },
      ],
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false, dist: 4 },
        sync: { key: this.group.key, scales: ["x", null], setSeries: false },
        bind: {
          mousedown: (_plot, _target, handle) => (event) => (event.shiftKey ? null : handle(event)),
          dblclick: () => () => this.group.move(null),
        },
      },
      series: [{}, ...(series ? series.options : [{ paths: () => null, points: { show: false } }])],
      hooks: {
        setSelect: [(plot) => this.selected(plot)],
        setCursor: [(plot) => this.pointed(plot)],
        draw: [(plot) => this.paint(plot)],
      },
    };
    const data = series ? series.data : [[this.group.from, this.group.to], [0, 0]];
    return new uPlot(options, data, this.place);
  }

  draw() {
    if (!this.plot) return;
    const { from, to } = this.group;
    const [low, high] = this.options.heights(from, to);
    this.plot.batch(() => {
      this.plot.setScale("x", { min: from, max: to });
      this.plot.setScale("y", { min: low, max: high > low ? high : low + 1 });
    });
    this.plot.redraw(false, true);
    // What is in view stands in the document, too: for tools that read it
    this.place.dataset.from = Math.round(from);
    this.place.dataset.to = Math.round(to);
  }

  paint(plot) {
    if (!this.options.paint) return;
    const { left, top, width, height } = plot.bbox;
    const context = plot.ctx;
    Object.assign(this, { left, top, right: left + width, bottom: top + height, ratio: uPlot.pxRatio });
    this.x = (value) => plot.valToPos(value, "x", true);
    this.y = (value) => plot.valToPos(value, "y", true);
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    this.options.paint(context, this);
    context.restore();
  }

  selected(plot) {
    const { left, width } = plot.select;
    if (width < 4) return;
    const [from, to] = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.group.move(from, to);
  }

  pointed(plot) {
    const { left, top } = plot.cursor;
    const isHere = this.place.matches(":hover");
    this.last = null;
    if (left < 0 || !isHere) {
      this.readout.textContent = "";
      return;
    }
    const t = plot.posToVal(left, "x");
    this.last = this.options.at?.(t, plot.posToVal(top, "y"), this) ?? null;
    this.readout.textContent = `${time(t, (this.group.to - this.group.from) / 1000)}${this.last ? `: ${this.last.text}` : ""}`;
    plot.over.style.cursor = this.last?.pick ? "pointer" : "";
  }

  /** How many units of time and of value a pixel has. */
  get perPixel() {
    const scales = this.plot.scales;
    return [(scales.x.max - scales.x.min) / this.plot.over.clientWidth, (scales.y.max - scales.y.min) / this.plot.over.clientHeight];
  }

  listen() {
    const { place, group } = this;
    const timeAt = (clientX) => {
      const box = this.plot.over.getBoundingClientRect();
      return group.from + ((clientX - box.left) / box.width) * (group.to - group.from);
    };
    const share = (pixels) => pixels / this.plot.over.clientWidth;

    place.addEventListener("wheel", (event) => {
      if (event.ctrlKey || event.metaKey) group.zoom(1.0015 ** event.deltaY, timeAt(event.clientX));
      else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) group.pan(share(event.deltaX || event.deltaY));
      else return;
      event.preventDefault();
    }, { passive: false });

    place.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const acts = {
        "+": () => group.zoom(0.5), "=": () => group.zoom(0.5), "-": () => group.zoom(2), "0": () => group.move(null), Home: () => group.move(null),
        ArrowLeft: () => group.pan(-0.2), ArrowRight: () => group.pan(0.2), PageUp: () => group.pan(-0.8), PageDown: () => group.pan(0.8),
        n: () => group.seek(1), p: () => group.seek(-1),
      };
      if (!acts[event.key]) return;
      acts[event.key]();
      event.preventDefault();
    });

    // A finger moves the time, two stretch it; the mouse moves it with shift, and a click without a move picks
    const fingers = new Map();
    let grip = null;
    const hold = () => {
      const xs = [...fingers.values()];
      grip = { from: group.from, to: group.to, xs, times: xs.map(timeAt) };
    };
    place.addEventListener("pointerdown", (event) => {
      this.pressed = [event.clientX, event.clientY];
      if (event.pointerType !== "touch" && !event.shiftKey) return;
      fingers.set(event.pointerId, event.clientX);
      place.setPointerCapture(event.pointerId);
      hold();
    });
    place.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) return;
      fingers.set(event.pointerId, event.clientX);
      const xs = [...fingers.values()];
      const width = this.plot.over.clientWidth;
      if (xs.length === 1) {
        const by = ((grip.xs[0] - xs[0]) / width) * (grip.to - grip.from);
        group.move(grip.from + by, grip.to + by);
      } else if (Math.abs(xs[0] - xs[1]) > 10) {
        const length = ((grip.times[1] - grip.times[0]) / (xs[1] - xs[0])) * width;
        const left = this.plot.over.getBoundingClientRect().left;
        const from = grip.times[0] - ((xs[0] - left) / width) * length;
        group.move(from, from + length);
      }
    });
    const release = (event) => {
      if (!fingers.delete(event.pointerId)) return;
      if (fingers.size > 0) hold();
    };
    place.addEventListener("pointerup", release);
    place.addEventListener("pointercancel", release);
    place.addEventListener("click", (event) => {
      const moved = this.pressed && Math.hypot(event.clientX - this.pressed[0], event.clientY - this.pressed[1]) > 4;
      if (!moved && !event.shiftKey) this.last?.pick?.();
    });
  }
}
