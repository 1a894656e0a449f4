// A connection as its graphs need it: the columns of its section as arrays, points by requester, what was lost and who stalled.
import { lowerBound, section, undelta } from "./data.js";
import { findingIds } from "./findings.js";
import { bytes, qpn } from "./format.js";

const kShortestCreditStall = 1e6; // ns, as the finding has it

const models = new Map();

/** The model of a connection; null: the report has no packets of it. */
export function connectionModel(number) {
  if (!models.has(number)) {
    const data = section(`connection-${number}`);
    models.set(number, data ? new Model(data) : null);
  }
  return models.get(number);
}

const kMarkOfAck = { ack: "ack_packet", atomic_response: "response", nak: "nak", rnr_nak: "rnr", cnp: "cnp", other: "copy" };
const kMarkOfCause = {
  nak: "again_nak",
  implied_nak: "again_implied",
  rnr: "again_rnr",
  timeout: "again_timeout",
  ack_lost: "again_timeout",
};

/** What a class of points looks like. */
function markOf(what) {
  if (what.damaged) return "damaged";
  if (what.verdict === "retransmission") return kMarkOfCause[what.cause] ?? "again_other";
  if (what.verdict === "read_response_retransmission") return "again_response";
  if (what.verdict === "out_of_order") return "late";
  if (["capture_duplicate", "stale"].includes(what.verdict)) return "copy";
  if (kMarkOfAck[what.what]) return kMarkOfAck[what.what];
  if (what.what === "read_response") return "response";
  return ["read_request", "atomic"].includes(what.what) ? "read_request" : "sent";
}

export const isAgain = (mark) => mark.startsWith("again");
const kTroubles = new Set(["nak", "rnr", "damaged", "late"]);
const isTrouble = (mark) => isAgain(mark) || kTroubles.has(mark);

class Model {
  constructor(data) {
    this.data = data;
    const { points } = data;
    this.t = undelta(points.t);
    this.psn = undelta(points.psn);
    this.frame = undelta(points.frame);
    this.class = points.class;
    this.classes = data.classes.map((what) => ({
      ...what,
      mark: markOf(what),
      requester: what.requester ?? (what.what === "cnp" ? 1 - what.sender : null),
    }));
    this.notes = new Map(data.notes);
    this.spans = new Map(data.spans);
    this.first = data.first;
    this.last = Math.max(data.last, data.first + 1);
    this.order = [0, 1].map((requester) => this.inOrder(requester));
    this.requesters = [0, 1].filter((side) => this.order[side].some((i) => this.isRequest(i)));
    this.busiest = [...this.requesters].sort((a, b) => this.order[b].length - this.order[a].length)[0] ?? null;
    this.times = this.order.map((order) => Float64Array.from(order, (i) => this.t[i]));
    this.byFrame = new Map(this.frame.length <= 200000 ? Array.from(this.frame, (frame, i) => [frame, i]) : []);
    this.troubles = [0, 1].map((side) =>
      this.order[side].filter((i) => isTrouble(this.markAt(i)) || this.notes.get(i)?.missing).map((i) => this.t[i]),
    );
    this.lost = [0, 1].map((side) => this.losses(side));
    this.stalls = [0, 1].map((side) => [...this.stallsOf(side), ...this.creditStalls(side)]);
    // Nothing acknowledges UC
    this.steps = data.acknowledged.map((steps) =>
      steps && data.transport !== "UC" ? { t: undelta(steps.t), psn: undelta(steps.psn) } : null,
    );
    this.messages = messagesOf(data);
  }

  /** Points of a requester's sequence, by time. */
  inOrder(requester) {
    const found = [];
    for (let i = 0; i < this.t.length; ++i) {
      if (this.classes[this.class[i]].requester === requester) found.push(i);
    }
    return found.sort((a, b) => this.t[a] - this.t[b] || a - b);
  }

  classAt(i) {
    return this.classes[this.class[i]];
  }
  markAt(i) {
    return this.classAt(i).mark;
  }
  isRequest(i) {
    const { sender, requester } = this.classAt(i);
    return sender === requester;
  }
  /** How many PSNs the point covers. */
  covers(i) {
    return this.spans.get(i) ?? 1;
  }

  nameOf(side) {
    const { address, qpn: number } = this.data.sides[side];
    return number === null ? address : `${address} ${qpn(number)}`;
  }

  /**
   * What was lost, where it shows: {t, from, to, mark, why}: PSNs from..to at a time. A packet alone cannot tell what was lost from what
   * was overtaken: lost is what a finding calls so, from all packets.
   */
  losses(side) {
    const found = [];
    const claims = findingIds(this.data.number);
    const isLostBefore = claims.has("packet_loss_before") || claims.has("packet_loss_between");
    const isLostAfter = claims.has("packet_loss_after") || claims.has("packet_loss_between");
    const before = new Set(); // PSNs whose first copy was lost before the capture point, as a later packet proved
    const late = new Set(); // PSNs that came after all
    for (const i of this.order[side]) {
      if (this.isRequest(i) && this.classAt(i).lost === "before") before.add(this.psn[i]);
      if (this.markAt(i) === "late") late.add(this.psn[i]);
    }
    for (const i of this.order[side]) {
      const note = this.notes.get(i);
      const what = this.classAt(i);
      if (note?.missing && ["gap", "read_response_gap"].includes(what.verdict)) {
        const [from, to] = [this.psn[i] - note.missing, this.psn[i] - 1];
        const isResponse = what.verdict === "read_response_gap";
        for (const [first, last] of runsWithout(from, to, late)) {
          const proved = isResponse
            ? claims.has("read_response_loss_before")
            : isLostBefore && (before.has(first) || before.has(last));
          found.push({
            t: this.t[i],
            from: first,
            to: last,
            mark: proved ? "lost_before" : "missing",
            why: `not seen before frame ${this.frame[i]}`,
          });
        }
      }
      if (what.verdict !== "retransmission") continue;
      const original = what.lost === "after" && note?.related ? this.byFrame.get(note.related) : undefined;
      if (original !== undefined) found.push(this.lostAfter(original, i, isLostAfter));
      // Of the responses that never came the READ asks for the first: where others came behind it, there is a gap
      const isKnown = found.some(({ from, to }) => from <= this.psn[i] && this.psn[i] <= to);
      if (what.lost_response === "before" && !isKnown) {
        const mark = claims.has("read_response_loss_before") ? "lost_before" : "missing";
        found.push({ t: this.t[i], from: this.psn[i], to: this.psn[i], mark, why: `asked for again in frame ${this.frame[i]}` });
      }
      const response = what.lost_response === "after" ? this.responseBefore(i) : undefined;
      if (response !== undefined) found.push(this.lostAfter(response, i, claims.has("read_response_loss_after")));
    }
    return found;
  }

  /** A packet that was seen, and that point `again` asks for or repeats. */
  lostAfter(point, again, isProved) {
    return {
      t: this.t[point],
      from: this.psn[point],
      to: this.psn[point],
      mark: isProved ? "lost_after" : "wanted",
      why: `frame ${this.frame[point]}, ${isProved ? "lost behind the capture point" : "asked for again"}: frame ${this.frame[again]}`,
    };
  }

  /** The last READ response with the PSN of a READ before that. */
  responseBefore(read) {
    const order = this.order[this.classAt(read).requester];
    for (let k = order.indexOf(read) - 1; k >= 0; --k) {
      if (this.psn[order[k]] === this.psn[read] && this.classAt(order[k]).what === "read_response") return order[k];
    }
    return undefined;
  }

  /** Times in which the requester had no credits, where a finding says that this held it up: it sent as soon as it had some. */
  creditStalls(side) {
    const credits = this.data.credits[side];
    const acknowledged = this.data.acknowledged[side];
    if (!credits || !acknowledged || !findingIds(this.data.number).has("credit_stall")) return [];
    const t = undelta(credits.t);
    const steps = { t: undelta(acknowledged.t), psn: undelta(acknowledged.psn) };
    const requests = this.order[side].filter((i) => this.isRequest(i)).map((i) => this.t[i]);
    return credits.credits.flatMap((number, i) => {
      if (number !== 0 || i + 1 === t.length) return [];
      const [from, to] = [t[i], t[i + 1]];
      const next = requests[lowerBound(requests, to)];
      const at = lowerBound(steps.t, from + 0.5) - 1;
      const isStall = to - from >= kShortestCreditStall && next - to <= (to - from) / 8;
      return isStall && at >= 0 ? [{ from, to, psn: steps.psn[at] + 1, mark: "no_credits" }] : [];
    });
  }

  /** Silence before a recovery: {from, to, psn, mark}. */
  stallsOf(side) {
    const found = [];
    let last = null;
    for (const i of this.order[side]) {
      const mark = this.markAt(i);
      if (this.isRequest(i)) {
        const begins = isAgain(mark) && last !== null && this.t[i] > this.t[last];
        if (begins) found.push({ from: this.t[last], to: this.t[i], psn: this.psn[i], mark });
      }
      last = i;
    }
    return found;
  }
}

/** The parts of from..to that have no number of `holes`. */
function runsWithout(from, to, holes) {
  const inside = [...holes].filter((hole) => hole >= from && hole <= to).sort((a, b) => a - b);
  const runs = [];
  let first = from;
  for (const hole of [...inside, to + 1]) {
    if (hole > first) runs.push([first, hole - 1]);
    first = hole + 1;
  }
  return runs;
}

function messagesOf(data) {
  const { messages } = data;
  const start = undelta(messages.start);
  const firstFrame = undelta(messages.first_frame);
  return {
    size: start.length,
    start,
    number: messages.number,
    firstPsn: undelta(messages.first_psn),
    firstFrame,
    side: messages.side,
    operation: messages.operation,
    outcome: messages.outcome,
    bytes: messages.bytes,
    end: messages.end,
    done: messages.done,
    time: messages.time,
    psns: messages.psns,
    attempts: messages.attempts,
    resent: messages.resent,
    doneFrame: messages.done_frame,
    region: messages.region,
    offset: messages.offset,
    nameOf: (i) => data.operations[messages.operation[i]],
    titleOf: (i) =>
      `${messages.number[i] === null ? "message" : `message ${messages.number[i]}`}, frame ${firstFrame[i]}: ${data.operations[messages.operation[i]]} ${bytes(messages.bytes[i])}`,
    outcomeOf: (i) => data.outcomes[messages.outcome[i]],
  };
}

/** The mark of an operation. */
export function markOfOperation(name) {
  if (name.includes("READ")) return "op_read";
  if (name.includes("SEND")) return "op_send";
  if (name.includes("ATOMIC") || name.includes("Swap") || name.includes("Add")) return "op_atomic";
  return name.includes("WRITE") ? "op_write" : "op_other";
}
