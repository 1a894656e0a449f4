// A graph of a group: axes, what is drawn between them, what is under the mouse.
import uPlot from "uplot";
import { h } from "./dom.js";
import { duration, time } from "./format.js";
import { listen } from "./gestures.js";
import { legend } from "./legend.js";
import { colour, onPrint } from "./marks.js";

const kGutter = 80; // of each panel, left of the graph: so that times stand below each other
const kRight = 20;  // half the text of the last tick

/** How uPlot draws an axis. */
export const kAxis = {
  stroke: () => colour("soft"),
  font: "11px system-ui, sans-serif",
  grid: { stroke: () => colour("grid"), width: 1 },
  ticks: { stroke: () => colour("rule"), width: 1, size: 4 },
};

const kWholeSteps = Array.from({ length: 14 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

const tickTime = (plot, ticks, _axis, _space, step) => {
  // A short range far from 0 is counted from its first tick, of which the whole time is given
  const base = ticks.find((t) => t !== null) ?? 0;
  const isFar = step < 1e5 && Math.abs(base) > step * 1000;
  const isEarly = ticks.every((t) => Math.abs(t) < 1e6); // all in the first millisecond
  return ticks.map((t, i) => {
    if (t === null) return "";
    if (isEarly) return duration(Math.round(t));
    if (isFar && i > 0) return `+${duration(Math.round(t - base))}`;
    return time(t, step);
  });
};

export class Panel {
  /**
   * `paint(context, panel)`: draws between panel.left, top, right, bottom with panel.x(time), panel.y(value).
   * `heights(from, to)`: [lowest, highest] value in view. `ticks(value)`: the text of a value; null: no axis.
   * `whole`: its values are whole numbers. `at(x, y)`: what is there: {text, pick}; null: nothing. `series`: {data, options} of uPlot instead of paint; `data` may
   * be a function that gives those for what is in view.
   */
  constructor(
    group,
    {
      title,
      height,
      marks = [],
      paint = null,
      heights,
      ticks = String,
      at = null,
      label,
      axis = false,
      series = null,
      note = "",
      splits = null,
      whole = false,
    },
  ) {
    this.group = group;
    this.options = { height, paint, heights, ticks, at, axis, series, splits, whole };
    this.readout = h("span", { class: "readout" });
    this.place = h("div", {
      class: "plot",
      tabindex: 0,
      role: "application",
      "aria-roledescription": "graph",
      "aria-label": label ?? title,
    });
    this.head = h(
      "div",
      { class: "head" },
      h("h3", { text: title }),
      marks.length > 0 && legend(marks),
      note && h("small", { text: note }),
      this.readout,
    );
    this.element = h("div", { class: "panel" }, this.head, this.place);
    this.width = 0;
    this.last = null;
    group.panels.push(this);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.place);
    this.print = (width) => (this.plot && this.place.offsetParent !== null ? this.resize(width ?? undefined) : null);
    onPrint.add(this.print);
    listen(this);
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
        {
          ...kAxis,
          size: axis ? 24 : 0,
          gap: 3,
          space: 90,
          incrs: kWholeSteps,
          values: axis ? tickTime : () => [],
          ticks: axis ? kAxis.ticks : { show: false },
        },
        {
          ...kAxis,
          size: kGutter,
          gap: 4,
          space: 24,
          ticks: { ...kAxis.ticks, show: ticks !== null },
          grid: { ...kAxis.grid, show: ticks !== null },
          ...(splits ? { splits: () => splits } : {}),
          ...(whole ? { incrs: kWholeSteps } : {}),
          values: (_plot, values) => values.map((value) => (ticks === null || value === null ? "" : ticks(value))),
        },
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
    this.shown = this.data();
    return new uPlot(options, this.shown, this.place);
  }

  data() {
    const { series } = this.options;
    if (series) return typeof series.data === "function" ? series.data() : series.data;
    return (this.none ??= [
      [this.group.from, this.group.to],
      [0, 0],
    ]);
  }

  draw() {
    if (!this.plot) return;
    const { from, to } = this.group;
    const [low, high] = this.options.heights(from, to);
    const data = this.data();
    if (data !== this.shown) this.plot.setData(data, false);
    this.shown = data;
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
    return [
      (scales.x.max - scales.x.min) / this.plot.over.clientWidth,
      (scales.y.max - scales.y.min) / this.plot.over.clientHeight,
    ];
  }
}
