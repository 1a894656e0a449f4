// Compares figures that the page shows with those of `analyze --json`.
import { check, equal } from "./check.mjs";
import { go } from "./browser.mjs";

const kNoted = new Set(["first_time", "last_time"]);

/** The value of a column of a table: `side0_requests_rnr_naks` of {sides: [{requests: {rnr_naks}}]}; undefined: not there. */
function valueOf(row, name) {
  const side = /^side([01])_(.*)$/.exec(name);
  if (side) return row.sides?.[side[1]] === undefined ? undefined : valueOf(row.sides[side[1]], side[2]);
  if (name in row) return row[name];
  for (const key of Object.keys(row)) {
    if (name.startsWith(`${key}_`) && row[key] !== null && typeof row[key] === "object") {
      const found = valueOf(row[key], name.slice(key.length + 1));
      if (found !== undefined) return found;
    }
  }
  // What a side requested stands without the name of its object
  return row.requests === undefined ? undefined : valueOf(row.requests, name);
}

/** All cells of the table in view: {names, rows of texts}. All columns are switched on first. */
export async function readTable(page) {
  return page.evaluate(() => {
    const place = document.querySelector("#tables");
    for (const box of place.querySelectorAll("details.columns input")) if (!box.checked) box.click();
    const names = [...place.querySelectorAll("th[data-name]")].map((head) => head.dataset.name);
    const skipped = place.querySelectorAll("thead th").length - names.length;
    const rows = [...place.querySelectorAll("tbody tr")].map((row) =>
      [...row.cells].slice(skipped).map((cell) => cell.textContent),
    );
    return { names, rows };
  });
}

const numberIn = (text) => (/^-?[\d,]+$/.test(text) ? Number(text.replaceAll(",", "")) : null);

/** Each whole number of a table of the page, with that of the same row of the JSON document. */
async function compareTable(page, name, rows, findRow) {
  const table = await readTable(page);
  let compared = 0;
  for (const cells of table.rows) {
    const row = findRow(rows, Object.fromEntries(table.names.map((column, i) => [column, cells[i]])));
    if (!row) {
      check(false, `${name}: a row that analyze --json lacks: ${cells.slice(0, 6).join(", ")}`);
      continue;
    }
    table.names.forEach((column, i) => {
      const expected = valueOf(row, column);
      const got = numberIn(cells[i]);
      if (typeof expected !== "number" || got === null || kNoted.has(column.split("_").slice(-2).join("_"))) return;
      ++compared;
      check(got === expected, `${name} ${column}: ${cells[i]} where analyze --json has ${expected}`);
    });
  }
  return { compared, rows: table.rows.length };
}

export async function compareFigures(page, report) {
  const { json } = report;
  await compareFindings(page, json);

  await compareCommands(page, json);

  if (json.connections.length === 0) return;
  await go(page, "view=tables&table=connections");
  const same = (rows, cells) => rows.find((row) => row.number === numberIn(cells.number));
  const { compared, rows } = await compareTable(page, "connections", json.connections, same);
  equal(rows, json.connections.length, "rows of the table of connections");
  check(compared >= 20 * json.connections.length, `only ${compared} figures of connections compared`);

  for (const connection of json.connections.slice(0, 3)) await compareConnection(page, connection);
}

const kCommandTables = [
  ["command_totals", "Commands by operation and size"],
  ["command_failures", "Commands that did not succeed, by status"],
  ["slowest_commands", "The slowest commands"],
  ["outstanding", "Outstanding commands"],
  ["carried", "What connections carry"],
];

/** The sections of commands, in their order, each with all rows and those texts that name them. */
async function compareCommands(page, json) {
  const carried = json.carried ?? [];
  equal(await page.locator("#views [data-view=commands]").isVisible(), carried.length > 0, "the view of commands is there");
  if (carried.length === 0) return;
  await go(page, "view=commands");
  const rows = { ...json, outstanding: carried.filter((each) => each.outstanding) };
  const expected = kCommandTables.filter(([key]) => rows[key].length > 0);
  const headings = await page.locator("#commands h2").evaluateAll((all) => all.map((each) => each.firstChild.textContent.trim()));
  equal(headings, expected.map(([, heading]) => heading), "headings of commands");
  for (const [key] of expected.filter(([key]) => key !== "outstanding")) {
    const shown = page.locator(`#commands [data-table=${key}] tbody tr`);
    equal(await shown.count(), rows[key].length, `rows of ${key}`);
    const texts = await shown.evaluateAll((all) => all.map((row) => row.textContent));
    rows[key].forEach((row, i) => {
      for (const member of ["operation", "status_name", "known_by", "confidence"]) {
        check(!row[member] || texts[i].includes(row[member]), `${key}: ${row[member]} in: ${texts[i]}`);
      }
    });
  }
  const graphs = await page.locator("#commands .panel h3").allTextContents();
  const most = Math.min(6, rows.outstanding.length);
  equal(graphs.length, most, "graphs of outstanding commands");
}

async function compareFindings(page, json) {
  const shown = await page.evaluate(() =>
    [...document.querySelectorAll("#overview [data-finding]")].map((item) => [
      item.dataset.finding,
      item.querySelector(":scope > .finding .go").textContent,
    ]),
  );
  equal(
    [...new Set(shown.map(([id]) => id))].sort(),
    [...new Set(json.findings.map((finding) => finding.id))].sort(),
    "findings",
  );
  for (const finding of json.findings.filter(({ id }) => json.findings.filter((other) => other.id === id).length === 1)) {
    check(
      shown.some(([id, text]) => id === finding.id && text === finding.what),
      `${finding.id} does not say: ${finding.what}`,
    );
  }
  const text = await page.locator("#overview .facts").first().textContent();
  check(text.includes(`${json.totals.packets.toLocaleString("en-US")} packet`), `the packets of the capture in: ${text}`);
}

/** Percentiles of times, as text with three digits, and messages. */
async function compareConnection(page, connection) {
  for (const [side, of] of connection.sides.entries()) {
    if (!(of.requests?.messages > 0)) continue;
    await go(page, `view=connection&connection=${connection.number}&side=${side}`);
    const shown = await page.evaluate(() =>
      Object.fromEntries(
        [...document.querySelectorAll("#connection [data-time]")].map((row) => [
          row.dataset.time,
          [...row.cells].slice(1).map((cell) => cell.textContent),
        ]),
      ),
    );
    for (const [kind, times] of Object.entries(of.times ?? {})) {
      equal(shown[kind]?.[0]?.replaceAll(",", ""), String(times.count), `count of ${kind}`);
      for (const [i, name] of ["min", "p50", "p90", "p99", "p99_9", "max"].entries()) {
        const got = nanoseconds(shown[kind]?.[i + 1] ?? "");
        check(
          Math.abs(got - times[name]) <= times[name] * 0.006 + 0.5,
          `${kind} ${name}: ${shown[kind]?.[i + 1]} where analyze --json has ${times[name]} ns`,
        );
      }
    }
    const messages = await page.locator("#connection [data-table=messages] [role=status]").textContent();
    const all = connection.sides.reduce((sum, each) => sum + (each.requests?.messages ?? 0), 0);
    equal(messages.split(" ")[0].replaceAll(",", ""), String(all), "messages");
  }
}

const kUnits = { ns: 1, "\u00b5s": 1e3, ms: 1e6, s: 1e9 };
function nanoseconds(text) {
  const [number, unit] = text.split(" ");
  return Number(number.replaceAll(",", "")) * kUnits[unit];
}
