// Throughput over time of each host pair, each direction a row on one scale, and above them a lane for each kind of mark.
import uPlot from "uplot";
import { dense, lowerBound, undelta } from "./data.js";
import { h } from "./dom.js";
import { count, duration, plural, rate } from "./format.js";
import { colour, drawMark, kMarkOfKind, kMarks } from "./marks.js";
import { Panel } from "./plot.js";
import { goTo } from "./targets.js";

const kLane = 17; // pixels
const kFew = 6; // rows that are shown at first
const kFewSteps = 60; // that are in view at least
const kFewPackets = 4; // in a step on average: less would look like pulses
const kLaneNames = {
  nak: "NAK",
  rnr_nak: "RNR NAK",
  cnp: "CNP",
  retransmission: "sent again",
  gap: "gap",
  out_of_order: "reordered",
  not_captured: "not captured",
  pfc_pause: "PFC pause",
  ce: "CE share",
  icrc_bad: "bad ICRC",
};

export function throughput(group, pairs, marks) {
  if (!pairs) return [];
  const hasRoce = (pair) => pair.directions.some((direction) => direction.roce.packets > 0);
  const ordered = [...pairs.pairs.filter(hasRoce), ...pairs.pairs.filter((pair) => !hasRoce(pair))];
  const rows = ordered
    .flatMap((pair) => [0, 1].map((direction) => rowOf(pairs, pair, direction)).sort((a, b) => b.sum - a.sum))
    .filter((row) => row.most > 0);
  if (rows.length === 0 && pairs.all) rows.push(rowOfAll(pairs));
  const scale = {
    of: rows,
    group,
    shown: Math.max(1, rows.filter((row) => row.pair && hasRoce(row.pair)).length),
    step: stepOf(pairs, rows),
  };
  const place = h("div", { class: "panels" });
  const lanes = marks ? lanesPanel(group, pairs, marks) : null;
  if (lanes) place.append(lanes.element);
  let shown = 0;
  const show = (number) => {
    const added = rows.slice(shown, number);
    for (const row of added) place.append(rowPanel(scale, pairs, row, row === added[added.length - 1]).element);
    shown = Math.max(shown, Math.min(number, rows.length));
  };
  show(Math.min(kFew, scale.shown));
  const rest = rows.length - shown;
  const more =
    rest > 0 &&
    h("button", {
      text: `Show ${plural(rest, "more direction")}`,
      onclick: () => {
        show(rows.length);
        more.remove();
        group.draw();
      },
    });
  return [
    h("h2", {}, "Throughput ", h("small", { text: "all rows on one scale; a click on a mark goes to its connection" })),
    group.controls(),
    place,
    more || "",
  ];
}

function rowOf(pairs, pair, direction) {
  const { series } = pair.directions[direction];
  const name = `${pairs.hosts[pair.hosts[direction]]} \u2192 ${pairs.hosts[pair.hosts[1 - direction]]}${pair.overlay_id ? `, VNI ${pair.overlay_id}` : ""}`;
  return { ...stepsOf(pairs, series), name, pair, sent: pair.directions[direction] };
}
const rowOfAll = (pairs) => ({ ...stepsOf(pairs, pairs.all), name: "all packets", pair: null });

/** How many buckets make a step, for a range of time: so many that there are a few packets in it, and fewer where few steps are in view. */
function stepOf(pairs, rows) {
  const sent = rows.filter((row) => row.sent?.roce.packets > 0);
  const packets = sent.reduce((sum, row) => sum + row.sent.roce.packets, 0);
  const isFull = (size) => {
    const busy = sent.reduce((sum, row) => sum + row.steps(size).both.filter((value) => value > 0).length, 0);
    return packets >= kFewPackets * busy;
  };
  let widest = 1;
  while (pairs.buckets >= 2 * widest * kFewSteps && !isFull(widest)) widest *= 2;
  return (from, to) => {
    let size = widest;
    while (size > 1 && to - from < size * kFewSteps * pairs.width) size /= 2;
    return size;
  };
}

/** The values of a row in steps of some buckets, made when they are first needed. */
function stepsOf(pairs, series) {
  const made = new Map();
  const steps = (size) => {
    if (!made.has(size)) made.set(size, valuesOf(pairs, series, size));
    return made.get(size);
  };
  return { steps, sum: steps(1).sum, most: steps(1).most };
}

/** In bits a second. */
function valuesOf(pairs, series, size) {
  const factor = 8e9 / (pairs.width * size);
  const list = (name) => {
    const values = new Float64Array(Math.ceil(pairs.buckets / size));
    dense(series[name], pairs.buckets).forEach((value, i) => (values[Math.floor(i / size)] += value * factor));
    return values;
  };
  const [goodput, resent, tcp, other] = ["goodput", "resent", "tcp", "other"].map(list);
  const both = goodput.map((value, i) => value + resent[i]);
  const peaks = both.map((value, i) => Math.max(value, tcp[i], other[i]));
  const sum = both.reduce((a, b) => a + b, 0);
  return { goodput, resent, tcp, other, both, sum, peaks, most: peaks.reduce((a, b) => Math.max(a, b), 0) };
}

function rowPanel(scale, pairs, row, isLast) {
  const inView = () => scale.step(scale.group.from, scale.group.to);
  // Where nothing was sent there is no line, but the end of what was
  const gaps = (values) => Array.from({ length: values.length + 1 }, (_, i) => values[i] || (values[i - 1] > 0 ? 0 : null));
  const step = uPlot.paths.stepped({ align: 1 });
  const area = (name) => ({
    stroke: () => colour(name),
    fill: () => colour(name),
    width: 1,
    paths: step,
    points: { show: false },
  });
  const line = (name) => ({ stroke: () => colour(name), width: 1.5, paths: step, points: { show: false } });
  const at = (t) => {
    const size = inView();
    const width = pairs.width * size;
    const values = row.steps(size);
    const i = Math.floor((t - pairs.start) / width);
    if (!(i >= 0 && i < values.both.length)) return null;
    const parts = [
      ["goodput", values.goodput],
      ["sent again", values.resent],
      ["TCP", values.tcp],
      ["other", values.other],
    ].filter(([, values]) => values[i] > 0);
    const pick =
      row.pair?.connections.length > 0
        ? () =>
            goTo({
              connection: row.pair.connections[0],
              from: pairs.start + i * width,
              to: pairs.start + (i + 1) * width,
            })
        : null;
    return { text: parts.map(([name, values]) => `${name} ${rate(values[i])}`).join(", ") || "nothing", pick };
  };
  const isFirst = row === scale.of[0];
  const made = new Map();
  const data = () => {
    const size = inView();
    const { both, goodput, other, tcp } = row.steps(size);
    const times = Array.from({ length: both.length + 1 }, (_, i) => pairs.start + i * pairs.width * size);
    if (!made.has(size)) made.set(size, [times, gaps(both), gaps(goodput), gaps(other), gaps(tcp)]);
    return made.get(size);
  };
  const widest = scale.step(-Infinity, Infinity);
  const peak = `peak ${rate(row.steps(widest).most)}`;
  const height = Math.max(56, Math.min(130, Math.round(190 / Math.min(scale.shown, kFew)))) + (isLast ? 20 : 0);
  return new Panel(scale.group, {
    title: row.name,
    height,
    axis: isLast,
    ticks: rate,
    at,
    marks: isFirst
      ? ["goodput", "resent", "tcp", "other"].filter((name) => scale.of.some((each) => each.steps(1)[name].some((value) => value > 0)))
      : [],
    note: `${peak} over ${duration(pairs.width * widest)}${row.sent?.interval > pairs.width ? `; in steps of ${duration(row.sent.interval)}, as far apart as it was counted` : ""}`,
    label: `Throughput ${row.name}, ${peak}`,
    heights: (from, to) => [0, mostInView(scale, pairs, from, to) * 1.05],
    series: {
      data,
      options: [area("nak"), area("sent"), line("other"), line("tcp")],
    },
  });
}

function mostInView({ of: rows, step }, pairs, from, to) {
  const size = step(from, to);
  const [first, last] = [from, to].map((t) => Math.floor((t - pairs.start) / (pairs.width * size)));
  let most = 0;
  for (const row of rows) {
    const { peaks } = row.steps(size);
    for (let i = Math.max(first, 0); i <= Math.min(last, peaks.length - 1); ++i) most = Math.max(most, peaks[i]);
  }
  return most || 1;
}

function lanesPanel(group, pairs, marks) {
  const lanes = marks.kinds
    .filter((kind) => marks.series[kind] || (kind === "pfc_pause" && marks.pauses?.length > 0))
    .map((kind) => ({
      kind,
      mark: kMarkOfKind[kind] ?? "other",
      counts: dense(marks.series[kind], pairs.buckets),
      share: kind === "ce" && marks.roce_packets ? shares(marks, pairs.buckets) : null,
    }));
  if (lanes.length === 0) return null;
  const events = {
    t: undelta(marks.events.t),
    frame: undelta(marks.events.frame),
    ...pick(marks.events, ["kind", "connection", "side"]),
  };
  const laneOf = marks.kinds.map((kind) => lanes.findIndex((lane) => lane.kind === kind));
  // Without a series there are the pauses of the report
  const total = (lane) =>
    marks.series[lane.kind] ? lane.counts.reduce((a, b) => a + b, 0) : marks.pauses.reduce((sum, pause) => sum + pause.pauses, 0);
  const label = `Marks: ${lanes.map((lane) => `${count(total(lane))} ${kLaneNames[lane.kind] ?? lane.kind}`).join(", ")}`;
  const centre = (i) => lanes.length - 1 - i;

  const paint = (context, panel) => {
    const width = panel.x(pairs.width) - panel.x(0);
    const height = Math.abs(panel.y(1) - panel.y(0)) - 2 * panel.ratio;
    const [first, last] = [
      Math.floor((group.from - pairs.start) / pairs.width),
      Math.ceil((group.to - pairs.start) / pairs.width),
    ];
    const inView = [lowerBound(events.t, group.from), lowerBound(events.t, group.to)];
    const single = marks.left_out === 0 && inView[1] - inView[0] < 300;
    lanes.forEach((lane, i) => {
      const most = lane.share ? 1 : lane.counts.reduce((a, b) => Math.max(a, b), 1);
      context.fillStyle = colour(kMarks[lane.mark].colour);
      if (lane.kind === "pfc_pause" ? marks.pauses?.length > 0 && marks.pauses_left_out === 0 : single && !lane.share) return;
      for (let k = Math.max(first, 0); k < Math.min(last, pairs.buckets); ++k) {
        if (lane.counts[k] === 0) continue;
        const part = lane.share ? 0.15 + 0.85 * lane.share[k] : 0.35 + 0.65 * Math.sqrt(lane.counts[k] / most);
        const x = panel.x(pairs.start + k * pairs.width);
        const bar = Math.max(width - panel.ratio, 1.5 * panel.ratio);
        context.fillRect(x, panel.y(centre(i)) + height / 2 - height * part, bar, height * part);
      }
    });
    for (const pause of marks.pauses ?? []) {
      const lane = lanes.findIndex((other) => other.kind === "pfc_pause");
      const [from, to] = [panel.x(pause.t), panel.x(pause.until ?? pause.t)];
      context.fillStyle = colour("pause");
      context.fillRect(from, panel.y(centre(lane)) - height / 2, Math.max(to - from, 2 * panel.ratio), height);
    }
    if (!single) return;
    for (let k = inView[0]; k < inView[1]; ++k) {
      const lane = laneOf[events.kind[k]];
      if (lane < 0 || lanes[lane].share) continue;
      drawMark(context, lanes[lane].mark, panel.x(events.t[k]), panel.y(centre(lane)), 11 * panel.ratio, height * 0.9);
    }
  };

  const at = (t, y, panel) => {
    const lane = lanes[lanes.length - 1 - Math.round(y)];
    if (!lane) return null;
    const reach = panel.perPixel[0] * 7;
    let best = -1;
    for (let k = lowerBound(events.t, t - reach); k < events.t.length && events.t[k] <= t + reach; ++k) {
      if (marks.kinds[events.kind[k]] === lane.kind && (best < 0 || Math.abs(events.t[k] - t) < Math.abs(events.t[best] - t)))
        best = k;
    }
    const i = Math.floor((t - pairs.start) / pairs.width);
    const name = kMarks[lane.mark].label;
    if (best < 0) {
      if (!(lane.counts[i] > 0)) return null;
      return {
        text: lane.share ? `CE ${(100 * lane.share[i]).toFixed(0)} % of RoCE packets` : `${count(lane.counts[i])} x ${name}`,
        pick: null,
      };
    }
    const connection = events.connection[best];
    return {
      text: `${name}, frame ${events.frame[best]}${connection ? `, connection ${connection}` : ""}`,
      // The one who requested is the side that the mark is about: a NAK comes from the other
      pick: connection ? () => goTo({ connection, from: events.t[best], to: events.t[best] }) : null,
    };
  };

  return new Panel(group, {
    title: "Marks",
    height: lanes.length * kLane + 9,
    paint,
    at,
    label,
    heights: () => [-0.5, lanes.length - 0.5],
    splits: lanes.map((_, i) => i),
    ticks: (value) => {
      const lane = lanes[lanes.length - 1 - value];
      return lane ? (kLaneNames[lane.kind] ?? lane.kind) : "";
    },
    note: lanes.map((lane) => `${count(total(lane))} ${kLaneNames[lane.kind] ?? lane.kind}`.replace("CE share", "CE")).join(", "),
  });
}

/** Of all RoCE packets of a bucket, how many were marked CE. */
function shares(marks, buckets) {
  const all = dense(marks.roce_packets, buckets);
  return dense(marks.series.ce, buckets).map((number, i) => (all[i] > 0 ? number / all[i] : 0));
}

const pick = (object, names) => Object.fromEntries(names.map((name) => [name, object[name]]));
