// PSNs over time, as tcptrace draws sequence numbers: what was sent when, what was acknowledged, and what was lost between.
import { lowerBound } from "./data.js";
import { duration, psn } from "./format.js";
import { colour, drawMark, kMarks } from "./marks.js";
import { isAgain } from "./model.js";
import { Panel } from "./plot.js";

const kOnTop = ["ce", "late", "again_other", "again_timeout", "again_rnr", "again_response", "again_implied", "again_nak", "damaged", "cnp", "nak", "rnr"];

export function psnPanel(group, model, side, { height, title, axis = true }) {
  const graph = new PsnGraph(group, model, side);
  return new Panel(group, {
    title,
    height,
    axis,
    marks: graph.legend(),
    label: graph.label(),
    paint: (context, panel) => graph.paint(context, panel),
    heights: (from, to) => graph.heights(from, to),
    ticks: (value) => (value < graph.lowest ? "" : psn(value)),
    whole: true,
    at: (t, y, panel) => graph.at(t, y, panel),
  });
}

class PsnGraph {
  constructor(group, model, side) {
    this.lowest = model.order[side].reduce((low, i) => Math.min(low, model.psn[i]), Infinity);
    Object.assign(this, {
      group,
      model,
      side,
      order: model.order[side],
      times: model.times[side],
      lost: model.lost[side],
      stalls: model.stalls[side],
      steps: model.steps[side],
    });
  }

  counts() {
    const counts = new Map();
    for (const i of this.order) counts.set(this.model.markAt(i), (counts.get(this.model.markAt(i)) ?? 0) + 1);
    for (const { mark } of this.stalls) if (mark === "no_credits") counts.set(mark, (counts.get(mark) ?? 0) + 1);
    if (this.order.some((i) => this.model.classAt(i).ce))
      counts.set("ce", this.order.filter((i) => this.model.classAt(i).ce).length);
    for (const { mark, from, to } of this.lost) counts.set(mark, (counts.get(mark) ?? 0) + to - from + 1);
    return counts;
  }
  legend() {
    const counts = this.counts();
    const names = [
      "sent",
      "read_request",
      "response",
      "lost_before",
      "lost_after",
      "wanted",
      "missing",
      "damaged",
      "nak",
      "rnr",
      "again_nak",
      "again_implied",
      "again_response",
      "again_rnr",
      "again_timeout",
      "again_other",
      "late",
      "no_credits",
      "ce",
      "cnp",
      "copy",
    ].filter((name) => counts.has(name));
    return this.steps ? [...names, "ack"] : names;
  }
  label() {
    const parts = [...this.counts()]
      .filter(([name]) => name !== "ack_packet")
      .map(([name, number]) => `${number} ${kMarks[name].label}`);
    return `PSN over time: ${parts.join(", ")}`;
  }

  range(from, to) {
    return [lowerBound(this.times, from), lowerBound(this.times, to)];
  }

  heights(from, to) {
    const [first, last] = this.range(from, to);
    let [low, high] = [Infinity, -Infinity];
    for (let k = first; k < last; ++k) {
      const i = this.order[k];
      low = Math.min(low, this.model.psn[i]);
      high = Math.max(high, this.model.psn[i] + this.model.covers(i));
    }
    if (this.steps && first === last) {
      const at = this.acknowledgedAt(to);
      if (at !== null) [low, high] = [at, at + 1];
    }
    if (low > high) return [0, 1];
    const margin = Math.max((high - low) * 0.05, 1);
    return [low - margin, high + margin];
  }

  acknowledgedAt(t) {
    const k = lowerBound(this.steps.t, t + 0.5) - 1;
    return k < 0 ? null : this.steps.psn[k];
  }

  paint(context, panel) {
    this.paintMessages(context, panel);
    this.paintAcknowledged(context, panel);
    this.paintStalls(context, panel);
    const [first, last] = this.range(this.group.from, this.group.to);
    const pixel = Math.abs(panel.y(1) - panel.y(0));
    const size = (last - first > 3000 ? 6 : last - first > 600 ? 8 : 10) * panel.ratio;
    const later = new Map(kOnTop.map((name) => [name, []]));
    for (let k = first; k < last; ++k) {
      const i = this.order[k];
      const mark = this.model.markAt(i);
      if (later.has(mark)) later.get(mark).push(i);
      else this.paintPoint(context, panel, i, mark, size, pixel);
      if (this.model.classAt(i).ce) later.get("ce").push(i);
    }
    for (const [mark, points] of later) {
      for (const i of points) this.paintPoint(context, panel, i, mark, size, pixel);
    }
    this.paintReasons(context, panel, later.get("nak"));
    for (const { t, from, to, mark } of this.lost) {
      if (t < this.group.from || t > this.group.to) continue;
      const middle = panel.y((from + to + 1) / 2);
      if (to > from) {
        context.fillStyle = colour(kMarks[mark].colour);
        context.fillRect(panel.x(t) - panel.ratio / 2, panel.y(to + 1), panel.ratio, panel.y(from) - panel.y(to + 1));
      }
      drawMark(context, mark, panel.x(t), middle, Math.max(size, 9 * panel.ratio));
    }
  }

  paintPoint(context, panel, i, mark, size, pixel) {
    const covers = this.model.covers(i);
    const y = panel.y(this.model.psn[i] + covers / 2);
    const isSmall = ["nak", "rnr", "cnp", "ack_packet", "late", "ce", "copy"].includes(mark);
    const height = Math.max(pixel * covers, 3 * panel.ratio);
    drawMark(
      context,
      mark,
      panel.x(this.model.t[i]),
      y,
      isSmall ? size * (mark === "nak" || mark === "rnr" ? 1.1 : 0.9) : Math.min(size, 9 * panel.ratio),
      isSmall ? undefined : height,
    );
  }

  /** Says beside a NAK why it refused, unless it asks for a PSN, which most do. */
  paintReasons(context, panel, naks) {
    const reasons = naks
      .map((i) => [i, this.model.notes.get(i)?.nak])
      .filter(([, reason]) => reason && !reason.includes("sequence"));
    context.font = `${11 * panel.ratio}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    context.fillStyle = colour("nak");
    for (const [i, reason] of reasons.slice(0, 20)) {
      const x = panel.x(this.model.t[i]);
      const isRight = x > panel.left + context.measureText(reason).width + 12 * panel.ratio;
      context.textAlign = isRight ? "right" : "left";
      paintText(context, panel, reason, x + (isRight ? -8 : 8) * panel.ratio, panel.y(this.model.psn[i] + 0.5));
    }
  }

  /** A box from the first packet of a message to its completion, as high as its PSNs. */
  paintMessages(context, panel) {
    const { messages } = this.model;
    context.fillStyle = colour("message");
    const bottom = panel.bottom;
    for (let i = 0; i < messages.size; ++i) {
      if (messages.side[i] !== this.side) continue;
      const from = messages.start[i];
      const to = from + Math.max(messages.done[i] ?? messages.end[i] ?? 0, 0);
      if (to < this.group.from || from > this.group.to) continue;
      const x = panel.x(Math.max(from, this.group.from));
      const top = panel.y(messages.firstPsn[i] + messages.psns[i]);
      const low = panel.y(messages.firstPsn[i]);
      if (low < panel.top || top > bottom) continue;
      const gap = low - top > 5 * panel.ratio ? panel.ratio : 0;
      context.fillRect(x, top + gap, Math.max(panel.x(Math.min(to, this.group.to)) - x, 1), Math.max(low - top - 2 * gap, 1));
    }
  }

  paintAcknowledged(context, panel) {
    if (!this.steps || this.steps.t.length === 0) return;
    const { t, psn: values } = this.steps;
    const first = Math.max(lowerBound(t, this.group.from) - 1, 0);
    const last = Math.min(lowerBound(t, this.group.to) + 1, t.length);
    context.strokeStyle = colour("ack");
    context.lineWidth = 1.5 * panel.ratio;
    context.beginPath();
    for (let k = first; k < last; ++k) {
      const [x, y] = [panel.x(t[k]), panel.y(values[k] + 1)];
      if (k === first) context.moveTo(x, y);
      else {
        context.lineTo(x, panel.y(values[k - 1] + 1));
        context.lineTo(x, y);
      }
    }
    if (last === t.length) context.lineTo(Math.min(panel.x(this.model.last), panel.right), panel.y(values[last - 1] + 1));
    context.stroke();
  }

  /** How long nothing was sent before a recovery, where that is long enough to be read. */
  paintStalls(context, panel) {
    context.font = `${11 * panel.ratio}px system-ui, sans-serif`;
    context.textBaseline = "bottom";
    context.textAlign = "center";
    for (const { from, to, psn: at, mark } of this.stalls) {
      if (to < this.group.from || from > this.group.to) continue;
      const [left, right] = [panel.x(from), panel.x(to)];
      const text = duration(Math.round(to - from));
      if (right - left < context.measureText(text).width + 6 * panel.ratio) continue;
      const y = panel.y(at + 0.5);
      context.strokeStyle = context.fillStyle = colour(kMarks[mark].colour);
      context.lineWidth = (mark === "no_credits" ? 2 : 1) * panel.ratio;
      context.setLineDash([3 * panel.ratio, 2 * panel.ratio]);
      context.beginPath();
      context.moveTo(left, y);
      context.lineTo(right, y);
      context.stroke();
      context.setLineDash([]);
      context.fillStyle = colour("ink");
      const middle = Math.min(Math.max((left + right) / 2, panel.left + 30 * panel.ratio), panel.right - 30 * panel.ratio);
      paintText(context, panel, text, middle, y - 2 * panel.ratio);
    }
  }

  at(t, y, panel) {
    const [perX, perY] = panel.perPixel;
    const reach = 9;
    let best = null;
    let least = reach;
    const near = (dx, dy, found) => {
      const distance = Math.hypot(dx / perX, dy / perY);
      if (distance < least) [least, best] = [distance, found];
    };
    for (let k = lowerBound(this.times, t - reach * perX); k < this.times.length && this.times[k] <= t + reach * perX; ++k) {
      const i = this.order[k];
      const inside = Math.max(this.model.psn[i] - y, y - this.model.psn[i] - this.model.covers(i), 0);
      near(this.model.t[i] - t, inside, { point: i });
    }
    for (const loss of this.lost) near(loss.t - t, Math.max(loss.from - y, y - loss.to - 1, 0), { loss });
    if (!best) return null;
    if (best.loss)
      return {
        text: `${kMarks[best.loss.mark].label}: PSN ${range(best.loss.from, best.loss.to)}, ${best.loss.why}`,
        pick: null,
      };
    return { text: this.describe(best.point), pick: () => this.group.picked?.(best.point) };
  }

  describe(i) {
    const what = this.model.classAt(i);
    const note = this.model.notes.get(i) ?? {};
    const mark = this.model.markAt(i);
    const parts = [
      `frame ${this.model.frame[i]}`,
      `${what.operation || what.what} PSN ${range(this.model.psn[i], this.model.psn[i] + this.model.covers(i) - 1)}`,
    ];
    if (note.nak) parts.push(`NAK ${note.nak}`);
    if (note.rnr_timer) parts.push(`RNR timer ${duration(note.rnr_timer)}`);
    if (isAgain(mark) || ["late", "damaged", "copy"].includes(mark)) parts.push(kMarks[mark].label);
    if (note.related) parts.push(`of frame ${note.related}`);
    if (what.ce) parts.push("CE");
    return parts.join(", ");
  }
}

/** Text that can be read over lines. */
function paintText(context, panel, text, x, y) {
  context.strokeStyle = colour("paper");
  context.lineWidth = 3 * panel.ratio;
  context.lineJoin = "round";
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}

const range = (from, to) => (to > from ? `${psn(from)}-${psn(to)}` : psn(from));
