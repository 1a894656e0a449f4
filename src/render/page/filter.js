// The filter of a table: words that a cell has, and comparisons with a column, all of which hold.

const kTerm = /(?:([\w.]+)\s*(<=|>=|!=|=|<|>|~)\s*)?(?:"([^"]*)"|(\S+))/g;

/** A test for rows. Throws Error where it names a column that is not there. `text(row, i)`: the cell as it is shown. */
export function compile(filter, columns, text) {
  const tests = [];
  for (const [, name, operator, quoted, bare] of filter.matchAll(kTerm)) {
    const wanted = quoted ?? bare;
    if (!operator) tests.push(anywhere(wanted, columns, text));
    else tests.push(comparison(name, operator, wanted, columns, text));
  }
  return (row) => tests.every((test) => test(row));
}

function anywhere(word, columns, text) {
  const lower = word.toLowerCase();
  return (row) => columns.some((_column, i) => text(row, i).toLowerCase().includes(lower));
}

const kUnits = { ns: 1, us: 1e3, "\u00b5s": 1e3, ms: 1e6, s: 1e9, k: 1e3, m: 1e6, g: 1e9, kb: 1e3, mb: 1e6, gb: 1e9, b: 1 };

/** `5ms` of a duration are nanoseconds, `4kB` are bytes. */
function numberOf(words) {
  const parts = /^(-?(?:0x[\da-f]+|[\d.,]+(?:e[+-]?\d+)?))\s*([a-z\u00b5]*)$/i.exec(words);
  if (!parts) return NaN;
  return Number(parts[1].replaceAll(",", "")) * (parts[2] ? (kUnits[parts[2].toLowerCase()] ?? NaN) : 1);
}

function comparison(name, operator, wanted, columns, text) {
  const lower = name.toLowerCase();
  const named = (column) => column.name.toLowerCase() === lower || (column.heading || "").toLowerCase() === lower;
  let at = columns.findIndex(named);
  if (at < 0) at = columns.findIndex((column) => column.name.toLowerCase().endsWith(`_${lower}`));
  if (at < 0) throw new Error(`no column ${name}`);
  const number = numberOf(wanted);
  const words = wanted.toLowerCase();
  return (row) => {
    const value = row[at];
    if (value === null || value === undefined) return operator === "!=";
    const shown = text(row, at).toLowerCase();
    const isNumber = typeof value === "number" && !Number.isNaN(number);
    switch (operator) {
      case "~":
        return shown.includes(words);
      case "=":
        return isNumber ? value === number || shown === words : shown === words;
      case "!=":
        return isNumber ? value !== number && shown !== words : shown !== words;
      case "<":
        return isNumber && value < number;
      case ">":
        return isNumber && value > number;
      case "<=":
        return isNumber && value <= number;
      default:
        return isNumber && value >= number;
    }
  };
}
