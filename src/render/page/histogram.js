// How long messages took: a histogram of those in view, by operation, with the percentiles of all.
import uPlot from "uplot";
import { coalesce, h } from "./dom.js";
import { count, duration } from "./format.js";
import { colour, kMarks, onColours } from "./marks.js";
import { markOfOperation } from "./model.js";
import { kAxis } from "./plot.js";
import { legend } from "./legend.js";

const kBins = 10; // to a power of ten
const kPercentiles = [
  ["min", "min"],
  ["p50", "p50"],
  ["p90", "p90"],
  ["p99", "p99"],
  ["p99_9", "p99.9"],
  ["max", "max"],
];

export class Histogram {
  constructor(group, model, side) {
    Object.assign(this, { group, model, side });
    const { messages } = model;
    this.mine = [];
    for (let i = 0; i < messages.size; ++i) {
      if (messages.side[i] === side && messages.time[i] > 0) this.mine.push(i);
    }
    this.marks = [...new Set(this.mine.map((i) => markOfOperation(messages.nameOf(i))))];
    this.status = h("small", { class: "soft" });
    this.place = h("div", { class: "plot", role: "img", "aria-label": "Histogram of message latency" });
    this.element = h(
      "div",
      {},
      h("h2", {}, "Message latency ", this.status),
      this.mine.length > 0
        ? [h("div", { class: "controls" }, legend(this.marks)), this.place]
        : h("p", { class: "soft", text: "No message of this side completed here." }),
      this.times(),
    );
    if (this.mine.length === 0) return;
    const draw = coalesce(() => this.draw());
    group.onRange(draw);
    group.ends.push(onColours(draw));
    new ResizeObserver(draw).observe(this.place);
  }

  /** The exact percentiles of all times of this side. */
  times() {
    const times = this.model.data.times?.[this.side] ?? [];
    if (times.length === 0) return null;
    return h(
      "div",
      { class: "scroller", tabindex: 0, role: "region", "aria-label": "Percentiles of times" },
      h(
        "table",
        { class: "grid" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col", text: "time" }),
            h("th", { scope: "col", class: "number", text: "count" }),
            kPercentiles.map(([, name]) => h("th", { scope: "col", class: "number", text: name })),
          ),
        ),
        h(
          "tbody",
          {},
          times.map((row) =>
            h(
              "tr",
              { "data-time": row.kind },
              h("td", { text: row.kind }),
              h("td", { class: "number", text: count(row.count) }),
              kPercentiles.map(([name]) => h("td", { class: "number", text: duration(row[name] ?? null) })),
            ),
          ),
        ),
      ),
    );
  }

  draw() {
    const width = this.place.clientWidth;
    if (width < 50) return;
    const { messages } = this.model;
    const inView = this.mine.filter((i) => messages.start[i] >= this.group.from && messages.start[i] <= this.group.to);
    const leftOut = this.model.data.messages_left_out;
    const others = leftOut > 0 ? `; ${count(leftOut)} more are only in the percentiles` : "";
    this.status.textContent = `${count(inView.length)} of ${count(this.mine.length)} in view${others}`;
    const all = this.mine.map((i) => Math.log10(messages.time[i]));
    const low = Math.floor(Math.min(...minMax(all)) * kBins) / kBins;
    const bins = Math.max(Math.ceil((minMax(all)[1] - low) * kBins + 1e-9), 1) + 1;
    const x = Array.from({ length: bins }, (_, i) => low + i / kBins);
    const stacks = this.marks.map(() => new Array(bins).fill(0));
    for (const i of inView) {
      const bin = Math.min(Math.floor((Math.log10(messages.time[i]) - low) * kBins + 1e-9), bins - 1);
      // Later operations stand on top of those before
      for (let k = 0; k <= this.marks.indexOf(markOfOperation(messages.nameOf(i))); ++k) ++stacks[k][bin];
    }
    const data = [x, ...stacks];
    if (this.plot && this.plot.bars === bins) {
      this.plot.setSize({ width, height: 150 });
      this.plot.setData(data);
      return;
    }
    this.plot?.destroy();
    this.plot = new uPlot(this.options(width, x), data, this.place);
    this.plot.bars = bins;
  }

  options(width, x) {
    const bars = uPlot.paths.bars({ size: [0.9], align: 1 });
    return {
      width,
      height: 150,
      legend: { show: false },
      cursor: { show: false },
      padding: [6, 24, 0, 0],
      scales: {
        x: { time: false, range: () => [x[0] - 0.05, x[x.length - 1] + 1.05 / kBins] },
        y: { range: (_plot, _low, high) => [0, Math.max(high, 1) * 1.05] },
      },
      axes: [
        {
          ...kAxis,
          size: 24,
          splits: (_plot, _axis, low, high) => roundTimes(low, high),
          values: (_plot, values) => values.map((value) => duration(Math.round(10 ** value))),
        },
        {
          ...kAxis,
          size: 48,
          space: 24,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 2e4, 5e4, 1e5, 1e6],
          values: (_plot, values) => values.map(count),
        },
      ],
      series: [
        {},
        ...this.marks.map((mark) => ({
          stroke: () => colour(kMarks[mark].colour),
          fill: () => colour(kMarks[mark].colour),
          width: 0,
          paths: bars,
          points: { show: false },
        })),
      ],
    };
  }
}

/** Logarithms of 1, 2 and 5 of each power of ten, or of fewer where these are many. */
function roundTimes(low, high) {
  const steps = high - low > 3 ? [1] : high - low > 1.5 ? [1, 3] : [1, 2, 5];
  const found = [];
  for (let power = Math.floor(low); power <= high; ++power) found.push(...steps.map((step) => power + Math.log10(step)));
  return found.filter((value) => value >= low && value <= high);
}

function minMax(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}
