// Numbers and times as text. Times are nanoseconds since the start of the capture.
import { meta } from "./data.js";

const grouped = new Intl.NumberFormat("en-US");
export const count = (number) => (number === null || number === undefined ? "" : grouped.format(number));

function scaled(value, steps) {
  for (const [factor, unit] of steps) {
    if (Math.abs(value) >= factor * 0.9995) return `${digits(value / factor)} ${unit}`;
  }
  const [factor, unit] = steps[steps.length - 1];
  return `${digits(value / factor)} ${unit}`;
}

/** Three digits that count, and never an exponent. */
function digits(value) {
  const size = Math.abs(value);
  if (size >= 99.95 || value === 0) return grouped.format(Math.round(value));
  return value.toFixed(size >= 9.995 ? 1 : 2);
}

const kTimes = [
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "\u00b5s"],
  [1, "ns"],
];
const kBytes = [
  [1e12, "TB"],
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
  [1, "B"],
];
const kRates = [
  [1e12, "Tb/s"],
  [1e9, "Gb/s"],
  [1e6, "Mb/s"],
  [1e3, "kb/s"],
  [1, "b/s"],
];

export const duration = (ns) => (ns === null ? "" : scaled(ns, kTimes));
export const bytes = (number) => (number === null ? "" : Math.abs(number) < 1000 ? `${number} B` : scaled(number, kBytes));
/** Of bits a second. */
export const rate = (bits) => (bits === 0 ? "0" : scaled(bits, kRates));

/** A time, with as many decimals as tell apart what is `step` nanoseconds apart. */
export function time(ns, step = 1e3) {
  if (ns === null || ns === undefined) return "";
  const decimals = Math.max(0, Math.min(9, Math.ceil(9 - Math.log10(Math.max(step, 1)) - 1e-9)));
  // Cut, not rounded: as the text of the report
  const unit = 10 ** (9 - decimals);
  return `${((Math.floor(ns / unit + 1e-6) * unit) / 1e9).toFixed(decimals)} s`;
}

/** From when to when, as exact as it is long. */
export function span(from, to) {
  const step = Math.max((to - from) / 100, 1);
  if (to - from < 1) return time(from);
  return `${time(from, step).slice(0, -2)} to ${time(to, step)}`;
}

/** The date of a time, UTC. */
export function date(ns) {
  const since1970 = BigInt(meta.start_ns) + BigInt(Math.round(ns));
  const text = new Date(Number(since1970 / 1000000n)).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`;
}

const hex = (number, width) => `0x${number.toString(16).padStart(width, "0")}`;
export const qpn = (number) => (number === null || number === undefined ? "" : hex(number, 6));
export const key = (number) => (number === null || number === undefined ? "" : hex(number, 8));
/** As on the wire: 24 bits. */
export const psn = (unwrapped) => String(((Math.floor(unwrapped) % 16777216) + 16777216) % 16777216);

const kByType = {
  number: (value, column) => (column.unit ? count(value) : String(value)), // others are names: of connections, frames
  boolean: (value) => (value ? "yes" : ""),
  time: (value) => time(value, 1),
  duration,
  qpn,
  key,
  psn: (value) => String(value),
  list: (value) => value.join(", "),
};

/** A cell of a table. */
export function cell(value, column) {
  if (value === null || value === undefined) return "";
  if (column.name === "bytes_per_second") return `${bytes(value)}/s`;
  const as = kByType[column.type];
  return as && typeof value !== "string" ? as(value, column) : Array.isArray(value) ? value.join(", ") : String(value);
}
export const isNumeric = (column) => ["number", "time", "duration", "psn"].includes(column.type);

/** `1 packet`, `2 packets` */
export const plural = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;
