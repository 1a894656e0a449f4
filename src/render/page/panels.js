// The graphs below the PSNs, on the same time: bytes in flight, rate, latency of messages, credits, memory.
import uPlot from "uplot";
import { lowerBound, undelta } from "./data.js";
import { bytes, count, duration, key, rate, time } from "./format.js";
import { colour, drawMark, kMarks } from "./marks.js";
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
const untilEnd = (model, t, values) => [[...t, Math.max(model.last, t[t.length - 1] ?? 0)], [...values, values[values.length - 1] ?? null]];

export function inFlightPanel(group, model, side) {
  const steps = model.data.in_flight[side];
  if (!steps || steps.t.length === 0) return null;
  const t = undelta(steps.t);
  return new Panel(group, {
    title: "Bytes in flight", height: 80, ticks: bytes, label: "Bytes sent and not acknowledged over time",
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
    title: "Rate", height: 80, ticks: rate, marks, label: "Rate over time",
    note: `over ${duration(base.width)}`,
    heights: (from, to) => [0, Math.max(...held.map((values) => mostBetween(data[0], values, from, to))) * 1.08 || 1],
    at: (when) => {
      const i = own ? Math.floor((when - own.start) / own.width) : -1;
      const parts = [];
      if (own && own.goodput[i] !== undefined) parts.push(`goodput ${rate((own.goodput[i] * 8e9) / own.width)}`, own.resent[i] > 0 && `sent again ${rate((own.resent[i] * 8e9) / own.width)}`);
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
    title: "Message latency", height: 110, marks, note: "first packet to completion, logarithmic; hollow: some of it was sent again",
    label: `Latency of ${mine.length} messages over time`, whole: true,
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
    title: "Credits", height: 60, marks: ["credits"], ticks: count, label: "Credits that the responder granted over time",
    heights: (from, to) => [-0.5, Math.max(mostBetween(t, steps.credits, from, to) * 1.1, 2)],
    at: (when) => {
      const value = valueAt(t, steps.credits, when);
      return value === null ? null : { text: `${count(value)} credits` };
    },
    series: { data: untilEnd(model, t, steps.credits), options: [{ stroke: () => colour("credits"), width: 1.5, paths: step(), points }] },
  });
}

const kMostRegions = 8;

export function memoryPanel(group, model, side) {
  const { messages } = model;
  const touched = new Map();
  for (let i = 0; i < messages.size; ++i) {
    if (messages.side[i] === side && messages.region[i] >= 0 && messages.offset[i] !== null) touched.set(messages.region[i], (touched.get(messages.region[i]) ?? 0) + 1);
  }
  const shown = [...touched].sort((a, b) => b[1] - a[1]).slice(0, kMostRegions).map(([region]) => region);
  if (shown.length === 0) return null;
  const laneOf = new Map(shown.map((region, lane) => [region, shown.length - 1 - lane]));
  const regions = model.data.regions;
  const length = (region) => Math.max(Number(BigInt(regions[region].end) - BigInt(regions[region].base)), 1);
  const name = (region) => (regions[region].r_key === null ? "no R_Key" : key(regions[region].r_key));
  const rest = touched.size - shown.length;
  const place = (i) => {
    const lane = laneOf.get(messages.region[i]);
    const whole = length(messages.region[i]);
    return [lane + 0.05 + (0.9 * messages.offset[i]) / whole, lane + 0.05 + (0.9 * (messages.offset[i] + messages.bytes[i])) / whole];
  };
  const each = (visit) => {
    for (let i = 0; i < messages.size; ++i) {
      if (messages.side[i] === side && laneOf.has(messages.region[i]) && messages.offset[i] !== null) visit(i);
    }
  };
  const lengthOf = (i) => Math.max(messages.done[i] ?? messages.end[i] ?? 0, 0);
  return new Panel(group, {
    title: "Memory", height: Math.max(60, 12 + shown.length * 34) + 20, axis: true, ticks: (value) => (shown[shown.length - 1 - Math.floor(value)] === undefined ? "" : name(shown[shown.length - 1 - Math.floor(value)])),
    splits: shown.map((_, i) => i + 0.5),
    note: `addresses over time, a lane for each R_Key${rest > 0 ? `; ${rest} more not drawn` : ""}: ${shown.map((region) => `${name(region)} ${regions[region].base} + ${bytes(length(region))}`).slice(0, 3).join(", ")}`,
    label: "Addresses that messages touched over time",
    heights: () => [0, shown.length],
    paint: (context, panel) => {
      context.fillStyle = colour("grid");
      for (let lane = 1; lane < shown.length; ++lane) context.fillRect(panel.left, panel.y(lane), panel.right - panel.left, panel.ratio);
      each((i) => {
        const [from, to] = [messages.start[i], messages.start[i] + lengthOf(i)];
        if (to < group.from || from > group.to) return;
        const [low, high] = place(i);
        context.fillStyle = colour(kMarks[markOfOperation(messages.nameOf(i))].colour);
        const x = panel.x(from);
        context.fillRect(x, panel.y(high), Math.max(panel.x(to) - x, 2 * panel.ratio), Math.max(panel.y(low) - panel.y(high), 1.5 * panel.ratio));
      });
    },
    at: (when, y, panel) => {
      let best = null;
      let least = 8;
      const [perX, perY] = panel.perPixel;
      each((i) => {
        const [low, high] = place(i);
        const dx = Math.max(messages.start[i] - when, when - messages.start[i] - lengthOf(i), 0) / perX;
        const distance = Math.hypot(dx, Math.max(low - y, y - high, 0) / perY);
        if (distance < least) [least, best] = [distance, i];
      });
      if (best === null) return null;
      const address = BigInt(regions[messages.region[best]].base) + BigInt(messages.offset[best]);
      return { text: `${messages.titleOf(best)} at 0x${address.toString(16)}`, pick: () => group.pickedMessage?.(best) };
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
    title: "Rate", height: 160, axis: true, ticks: rate, marks: ["goodput", "resent"], note: `over ${duration(rates.width)}, both directions`,
    heights: (from, to) => [0, mostBetween(x, both, from, to) * 1.08 || 1],
    at: (when) => ({ text: `${time(when)}` }),
    series: { data: [x, both, goodput], options: [area("nak"), area("sent")] },
  });
}
