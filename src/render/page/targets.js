// Where a click on a finding, mark, row or cell goes: to a connection and a time.
import { dense, meta } from "./data.js";
import { h } from "./dom.js";
import { colour, drawn } from "./marks.js";
import { go, link } from "./state.js";

const detailed = new Set(meta.detailed);
export const isDetailed = (connection) => detailed.has(connection);

/** The state that shows a connection around a time; without the packets of it, its row in the table. */
export function target({ connection, side = null, from = null, to = null }) {
  if (connection === null || connection === undefined || connection === 0) return { view: "overview", ...around(from, to) };
  if (!isDetailed(connection)) return { view: "connection", connection };
  return { view: "connection", connection, side, ...around(from, to) };
}

function around(from, to) {
  if (from === null || from === undefined) return {};
  const end = to ?? from;
  // What took no time is shown with some before and after it
  const margin = Math.max((end - from) * 0.08, meta.duration / 200, 1000);
  return { from: from - margin, to: end + margin };
}

export const targetLink = (what) => link(target(what));
export const goTo = (what) => go(target(what));

/** Goodput and what was sent again over the time of the capture, as a word-sized picture. */
export function sparkline(rates, series) {
  const canvas = h("canvas", { width: 160, height: 28, class: "spark", role: "img", "aria-label": "rate over the capture" });
  if (!series) return canvas;
  const [goodput, resent] = [dense(series.goodput, rates.buckets), dense(series.resent, rates.buckets)];
  const most = goodput.reduce((high, value, i) => Math.max(high, value + resent[i]), 1);
  return drawn(canvas, () => {
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, 160, 28);
    const width = 160 / rates.buckets;
    goodput.forEach((value, i) => {
      const [a, b] = [(value / most) * 27, (resent[i] / most) * 27];
      context.fillStyle = colour("sent");
      context.fillRect(i * width, 28 - a, Math.max(width - 0.5, 1), a);
      context.fillStyle = colour("nak");
      context.fillRect(i * width, 28 - a - b, Math.max(width - 0.5, 1), b);
    });
  });
}
