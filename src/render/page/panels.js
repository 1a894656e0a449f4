// The graphs below the PSNs, on the same time: bytes in flight, rate, latency of messages, credits, memory.
import uPlot from "uplot";
import { lowerBound, undelta } from "./data.js";
import { bytes, count, duration, rate, time } from "./format.js";
import { colour, drawMark } from "./marks.js";
import { markOfOperation } from "./model.js";
import { Panel } from "./plot.js";

const points = { show: false };
const step = () => uPlot.paths.stepped({ align: 1 });

/** The largest of `values` that hold from times `t` on, between two times; 0 where there is none. */
function mostBetween(t, values, from, to) {
  let most = 0;
  for (let k = Math.max(lowerBound(t, from) - 1, 0); k < t.length && t[k] <= to; ++k) most = Math.max(most, values[k] ?? 0);
  return most;
}

const valueAt = (t, values, when) => values[lowerBound(t, when + 0.5) - 1] ?? null;

/** Steps that hold until the end of the connection. */
const untilEnd = (model, t, values) => [
  [...t, Math.max(model.last, t[t.length - 1] ?? 0)],
  [...values, values[values.length - 1] ?? null],
];

export function inFlightPanel(group, model, side) {
  const steps = model.data.in_flight[side];
  if (!steps || steps.t.length === 0) return null;
  const t = undelta(steps.t);
  return new Panel(group, {
    title: "Bytes in flight",
    height: 80,
    ticks: bytes,
    label: "Bytes sent and not acknowledged over time",
    heights: (from, to) => [0, mostBetween(t, steps.bytes, from, to) * 1.08 || 1],
    at: (when) => {
      const value = valueAt(t, steps.bytes, when);
      return value === null ? null : { text: `${bytes(value)} in ${count(valueAt(t, steps.packets, when))} packets` };
    },
    series: {
      data: untilEnd(model, t, steps.bytes),
      options: [{ stroke: () => colour("sent"), width: 1, fill: () => colour("message"), paths: step(), points }],
    },
  });
}

export function ratePanel(group, model, side) {
  const rates = model.data.rate;
  const own = rates[side];
  const other = rates[1 - side]?.goodput.some((value) => value > 0) ? rates[1 - side] : null;
  const base = own ?? other;
  if (!base) return null;
  const bits = (series, name) => (series ? series[name].map((value) => (value * 8e9) / series.width) : null);
  const x = (series) => Array.from({ length: series.wire.length + 1 }, (_, i) => series.start + i * series.width);
  const closed = (values) => [...values, 0];
  const tables = [];
  const options = [];
  const area = (name) => ({ stroke: () => colour(name), fill: () => colour(name), width: 1, paths: step(), points });
  const marks = [];
  if (own) {
    const [goodput, resent] = [bits(own, "goodput"), bits(own, "resent")];
    if (resent.some((value) => value > 0)) {
      tables.push([x(own), closed(goodput.map((value, i) => value + resent[i]))]);
      options.push(area("nak"));
      marks.push("resent");
    }
    if (goodput.some((value) => value > 0)) {
      tables.push([x(own), closed(goodput)]);
      options.push(area("sent"));
      marks.unshift("goodput");
    }
  }
  if (other) {
    tables.push([x(other), closed(bits(other, "goodput"))]);
    options.push({ stroke: () => colour("soft"), width: 1.5, paths: step(), points });
    marks.push("responder");
  }
  if (tables.length === 0) return null;
  const data = uPlot.join(tables.map((table) => [table[0], table[1]]));
  const held = data.slice(1).map((values) => hold(values));
  return new Panel(group, {
    title: "Rate",
    height: 80,
    ticks: rate,
    marks,
    label: "Rate over time",
    note: `over ${duration(base.width)}`,
    heights: (from, to) => [0, Math.max(...held.map((values) => mostBetween(data[0], values, from, to))) * 1.08 || 1],
    at: (when) => {
      const i = own ? Math.floor((when - own.start) / own.width) : -1;
      const parts = [];
      if (own && own.goodput[i] !== undefined)
        parts.push(
          `goodput ${rate((own.goodput[i] * 8e9) / own.width)}`,
          own.resent[i] > 0 && `sent again ${rate((own.resent[i] * 8e9) / own.width)}`,
        );
      const k = other ? Math.floor((when - other.start) / other.width) : -1;
      if (other?.goodput[k] > 0) parts.push(`the other side ${rate((other.goodput[k] * 8e9) / other.width)}`);
      return parts.length > 0 ? { text: parts.filter(Boolean).join(", ") } : null;
    },
    series: { data: [data[0], ...held], options },
  });
}

/** Fills what join() left open: a step holds until the next. */
function hold(values) {
  let last = null;
  return values.map((value) => (last = value ?? last));
}

export function latencyPanel(group, model, side) {
  const { messages } = model;
  const mine = [];
  for (let i = 0; i < messages.size; ++i) {
    if (messages.side[i] === side && messages.time[i] !== null && messages.time[i] > 0) mine.push(i);
  }
  if (mine.length === 0) return null;
  const t = Float64Array.from(mine, (i) => messages.start[i]);
  const log = (i) => Math.log10(messages.time[i]);
  const marks = [...new Set(mine.map((i) => markOfOperation(messages.nameOf(i))))];
  return new Panel(group, {
    title: "Message latency",
    height: 110,
    marks,
    note: "first packet to completion, logarithmic; hollow: some of it was sent again",
    label: `Latency of ${mine.length} messages over time`,
    whole: true,
    ticks: (value) => (Number.isInteger(value) ? duration(10 ** value) : ""),
    heights: (from, to) => {
      let [low, high] = [Infinity, -Infinity];
      for (let k = lowerBound(t, from); k < t.length && t[k] <= to; ++k) {
        low = Math.min(low, log(mine[k]));
        high = Math.max(high, log(mine[k]));
      }
      return low > high ? [3, 6] : [Math.floor(low - 0.05), Math.ceil(high + 0.05)];
    },
    paint: (context, panel) => {
      const [first, last] = [lowerBound(t, group.from), lowerBound(t, group.to)];
      const size = (last - first > 2000 ? 5 : 9) * panel.ratio;
      for (let k = first; k < last; ++k) {
        const [x, y] = [panel.x(t[k]), panel.y(log(mine[k]))];
        drawMark(context, markOfOperation(messages.nameOf(mine[k])), x, y, size);
        if (messages.resent[mine[k]] && size > 6) {
          context.fillStyle = colour("paper");
          context.beginPath();
          context.arc(x, y, size / 7, 0, 2 * Math.PI);
          context.fill();
        }
      }
    },
    at: (when, y, panel) => {
      const [perX, perY] = panel.perPixel;
      let best = null;
      let least = 9;
      for (let k = lowerBound(t, when - 9 * perX); k < t.length && t[k] <= when + 9 * perX; ++k) {
        const distance = Math.hypot((t[k] - when) / perX, (log(mine[k]) - y) / perY);
        if (distance < least) [least, best] = [distance, mine[k]];
      }
      if (best === null) return null;
      return { text: `${messages.titleOf(best)}, ${duration(messages.time[best])}`, pick: () => group.pickedMessage?.(best) };
    },
  });
}

export function creditsPanel(group, model, side) {
  const steps = model.data.credits[side];
  if (!steps || steps.t.length === 0 || steps.credits.every((value) => value === null)) return null;
  const t = undelta(steps.t);
  return new Panel(group, {
    title: "Credits",
    height: 60,
    marks: ["credits"],
    ticks: count,
    label: "Credits that the responder granted over time",
    heights: (from, to) => [-0.5, Math.max(mostBetween(t, steps.credits, from, to) * 1.1, 2)],
    at: (when) => {
      const value = valueAt(t, steps.credits, when);
      return value === null ? null : { text: `${count(value)} credits` };
    },
    series: {
      data: untilEnd(model, t, steps.credits),
      options: [{ stroke: () => colour("credits"), width: 1.5, paths: step(), points }],
    },
  });
}

/** The rate of a connection of which the report has no packets. */
export function roughPanel(group, rates, series) {
  const list = (name) => {
    const values = new Array(rates.buckets).fill(0);
    series[name]?.values.forEach((value, i) => (values[series[name].first + i] = (value * 8e9) / rates.width));
    return [...values, 0];
  };
  const x = Array.from({ length: rates.buckets + 1 }, (_, i) => rates.start + i * rates.width);
  const [goodput, resent] = [list("goodput"), list("resent")];
  const both = goodput.map((value, i) => value + resent[i]);
  const area = (name) => ({ stroke: () => colour(name), fill: () => colour(name), width: 1, paths: step(), points });
  return new Panel(group, {
    title: "Rate",
    height: 160,
    axis: true,
    ticks: rate,
    marks: ["goodput", "resent"],
    note: `over ${duration(rates.width)}, both directions`,
    heights: (from, to) => [0, mostBetween(x, both, from, to) * 1.08 || 1],
    at: (when) => ({ text: `${time(when)}` }),
    series: { data: [x, both, goodput], options: [area("nak"), area("sent")] },
  });
}
