// How each thing looks that a graph shows: one colour and one shape a meaning, for graphs and their legends.

let palette = new Map();

/** The colour of that name in style.css. */
export function colour(name) {
  if (!palette.has(name)) {
    const value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    palette.set(name, value || "#000");
  }
  return palette.get(name);
}

const listeners = new Set();

/** Calls `redraw` whenever the colours change: dark, light, paper. Returns what ends that. */
export function onColours(redraw) {
  listeners.add(redraw);
  return () => listeners.delete(redraw);
}

/** Has `canvas` drawn now, and again when the colours change while it is part of the page. */
export function drawn(canvas, draw) {
  canvas.redraw = draw;
  canvas.classList.add("drawn");
  draw();
  return canvas;
}

export function refreshColours() {
  palette = new Map();
  for (const redraw of listeners) redraw();
  for (const canvas of document.querySelectorAll("canvas.drawn")) canvas.redraw();
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refreshColours);

// Paper is white whatever the screen is, and graphs are as wide as it
const kPaperWidth = 690;
export const onPrint = new Set(); // functions called with the width of graphs on paper; null: back to the screen
addEventListener("beforeprint", () => {
  document.documentElement.classList.add("paper");
  refreshColours();
  for (const resize of onPrint) resize(kPaperWidth);
});
addEventListener("afterprint", () => {
  document.documentElement.classList.remove("paper");
  refreshColours();
  for (const resize of onPrint) resize(null);
});

export const kMarks = {
  sent: { label: "sent", colour: "sent", shape: "bar" },
  read_request: { label: "READ, ATOMIC request", colour: "sent", shape: "bracket" },
  response: { label: "READ response", colour: "response", shape: "bar" },
  ack: { label: "acknowledged", colour: "ack", shape: "line" },
  ack_packet: { label: "ACK", colour: "ack", shape: "tick" },
  again: { label: "sent again", colour: "nak", shape: "bar" },
  again_nak: { label: "sent again after a NAK", colour: "nak", shape: "bar" },
  again_implied: { label: "sent again, implied NAK", colour: "nak", shape: "bar" },
  again_response: { label: "READ response sent again", colour: "nak", shape: "bar" },
  again_rnr: { label: "sent again after an RNR NAK", colour: "rnr", shape: "hollow" },
  again_timeout: { label: "sent again after a timeout", colour: "timeout", shape: "capped" },
  again_other: { label: "sent again, cause unknown", colour: "nak", shape: "broken" },
  nak: { label: "NAK", colour: "nak", shape: "diamond" },
  rnr: { label: "RNR NAK", colour: "rnr", shape: "diamond" },
  lost_before: { label: "lost before the capture point", colour: "lost", shape: "cross" },
  lost_after: { label: "seen, then lost", colour: "lost", shape: "ringed" },
  wanted: { label: "seen, then asked for again", colour: "soft", shape: "ringed" },
  missing: { label: "not seen here", colour: "lost", shape: "cross" },
  damaged: { label: "damaged (ICRC)", colour: "lost", shape: "boxed" },
  late: { label: "out of order", colour: "late", shape: "triangle" },
  drop: { label: "not captured", colour: "other", shape: "cross" },
  cnp: { label: "CNP", colour: "ecn", shape: "diamond" },
  ce: { label: "CE mark", colour: "ecn", shape: "dot" },
  pause: { label: "PFC pause", colour: "pause", shape: "bar" },
  copy: { label: "copy, stale", colour: "soft", shape: "tick" },
  in_flight: { label: "bytes in flight", colour: "sent", shape: "line" },
  credits: { label: "credits granted", colour: "credits", shape: "line" },
  no_credits: { label: "out of credits", colour: "credits", shape: "dashes" },
  goodput: { label: "RoCE goodput", colour: "sent", shape: "area" },
  responder: { label: "sent by the other side", colour: "soft", shape: "line" },
  resent: { label: "RoCE sent again", colour: "nak", shape: "area" },
  tcp: { label: "TCP", colour: "tcp", shape: "area" },
  other: { label: "other", colour: "other", shape: "area" },
  op_send: { label: "SEND", colour: "sent", shape: "circle" },
  op_write: { label: "WRITE", colour: "sent", shape: "square" },
  op_read: { label: "READ", colour: "response", shape: "triangle" },
  op_atomic: { label: "ATOMIC", colour: "response", shape: "diamond" },
  op_other: { label: "other", colour: "soft", shape: "dot" },
};

/** What style.css calls the colour of a mark. */
export const colourName = (mark) => kMarks[mark].colour;

/** Of the table of marks of a capture. */
export const kMarkOfKind = {
  nak: "nak",
  rnr_nak: "rnr",
  cnp: "cnp",
  retransmission: "again",
  gap: "missing",
  out_of_order: "late",
  not_captured: "drop",
  pfc_pause: "pause",
  ce: "ce",
  icrc_bad: "damaged",
};

const polygon = (context, points) => {
  context.beginPath();
  points.forEach(([x, y], i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.closePath();
};

/** Draws around (x, y) what is `size` pixels large; bars and ticks `height` pixels high. */
export function drawMark(context, name, x, y, size, height = size) {
  const mark = kMarks[name];
  const ink = colour(mark.colour);
  const r = size / 2;
  context.fillStyle = context.strokeStyle = ink;
  context.lineWidth = Math.max(1, size / 6);
  switch (mark.shape) {
    case "bar":
      return context.fillRect(x - size / 6, y - height / 2, size / 3, height);
    case "tick":
      return context.fillRect(x - size / 12, y - size / 4, Math.max(1, size / 6), size / 2);
    case "hollow":
      return context.strokeRect(x - size / 5, y - height / 2, size / 2.5, height);
    case "capped":
      context.fillRect(x - size / 9, y - height / 2, size / 4.5, height);
      context.fillRect(x - size / 3, y - height / 2, size / 1.5, Math.max(1, size / 9));
      return context.fillRect(x - size / 3, y + height / 2 - Math.max(1, size / 9), size / 1.5, Math.max(1, size / 9));
    case "broken":
      context.fillRect(x - size / 6, y - height / 2, size / 3, height * 0.35);
      return context.fillRect(x - size / 6, y + height * 0.15, size / 3, height * 0.35);
    case "bracket":
      context.beginPath();
      context.moveTo(x + size / 4, y - height / 2);
      context.lineTo(x - size / 8, y - height / 2);
      context.lineTo(x - size / 8, y + height / 2);
      context.lineTo(x + size / 4, y + height / 2);
      return context.stroke();
    case "line":
      return context.fillRect(x - r, y - Math.max(1, size / 8), size, Math.max(1.5, size / 6));
    case "dashes":
      for (const part of [-1, 0.1]) context.fillRect(x + part * r, y - Math.max(1, size / 10), r * 0.9, Math.max(2, size / 5));
      return undefined;
    case "area":
      return context.fillRect(x - r, y - r * 0.8, size, size * 0.8);
    case "diamond":
      polygon(context, [
        [x, y - r],
        [x + r * 0.8, y],
        [x, y + r],
        [x - r * 0.8, y],
      ]);
      return context.fill();
    case "triangle":
      polygon(context, [
        [x - r * 0.85, y + r * 0.7],
        [x + r * 0.85, y + r * 0.7],
        [x, y - r * 0.8],
      ]);
      return context.fill();
    case "dot":
      context.beginPath();
      context.arc(x, y, size / 4, 0, 2 * Math.PI);
      return context.fill();
    case "circle":
      context.beginPath();
      context.arc(x, y, r * 0.7, 0, 2 * Math.PI);
      return context.fill();
    case "square":
      return context.fillRect(x - r * 0.6, y - r * 0.6, size * 0.6, size * 0.6);
    case "ringed":
      context.beginPath();
      context.arc(x, y, r, 0, 2 * Math.PI);
      context.stroke();
      return cross(context, x, y, r * 0.55);
    case "boxed":
      context.strokeRect(x - r * 0.9, y - r * 0.9, size * 0.9, size * 0.9);
      return cross(context, x, y, r * 0.55);
    default:
      return cross(context, x, y, r * 0.75);
  }
}

function cross(context, x, y, r) {
  context.beginPath();
  context.moveTo(x - r, y - r);
  context.lineTo(x + r, y + r);
  context.moveTo(x - r, y + r);
  context.lineTo(x + r, y - r);
  context.stroke();
}
