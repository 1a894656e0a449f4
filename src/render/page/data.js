// The data of the report: a JSON document for each section, which is parsed when it is first needed.

const sections = new Map();

/** The section; null where the report has none. */
export function section(name) {
  if (!sections.has(name)) {
    const element = document.getElementById(`data-${name}`);
    sections.set(name, element ? JSON.parse(element.textContent) : null);
  }
  return sections.get(name);
}

/** The names of all sections that begin with `prefix`. */
export const sectionNames = (prefix) =>
  [...document.querySelectorAll(`script[type="application/json"][id^="data-${prefix}"]`)].map((e) => e.id.slice(5));

/** The values of a list of differences. */
export function undelta(differences) {
  const values = new Float64Array(differences.length);
  let sum = 0;
  for (let i = 0; i < differences.length; ++i) values[i] = sum += differences[i];
  return values;
}

/** A series as a list of `buckets` values. */
export function dense(series, buckets) {
  const values = new Float64Array(buckets);
  if (series) values.set(series.values.slice(0, Math.max(0, buckets - series.first)), series.first);
  return values;
}

/** The first index in the sorted `values` that is not below `value`. */
export function lowerBound(values, value) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rows of a table, as lists of the cells of all columns. */
export function tableOf(name) {
  const table = section(`table-${name}`);
  if (!table) return null;
  if (!table.full) {
    const kept = table.columns.filter((column) => !("constant" in column));
    const place = new Map(kept.map((column, i) => [column, i]));
    // Where all columns are constant there are no rows, only their number
    table.full = Array.from({ length: table.row_count ?? table.rows.length }, (_, i) =>
      table.columns.map((column) => ("constant" in column ? column.constant : table.rows[i][place.get(column)])),
    );
  }
  return { ...table, rows: table.full };
}

export const meta = section("meta") ?? {
  title: "",
  files: [],
  start_ns: "0",
  duration: 0,
  left_out: [],
  detailed: [],
  narrowing: [],
};
