// What a reader does with the report: clicks, keys, mouse, fingers, tables.
import { settle } from "./browser.mjs";
import { check, equal } from "./check.mjs";

/** The range of time of each graph in view. */
const ranges = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("main > section:not([hidden]) .plot[data-from]")].map((plot) => [
      Number(plot.dataset.from),
      Number(plot.dataset.to),
    ]),
  );

/** The one range that all graphs show. */
async function range(page, what) {
  const all = await ranges(page);
  check(all.length >= 4, `${what}: only ${all.length} graphs`);
  check(
    all.every(([from, to]) => from === all[0][0] && to === all[0][1]),
    `${what}: graphs show different times: ${JSON.stringify(all)}`,
  );
  return all[0];
}

const length = ([from, to]) => to - from;

export async function findingToPackets(browser, report) {
  const page = await browser.open(report.html);
  const [finding] = report.json.findings;
  await page.locator(`[data-finding="${finding.id}"] .go`).first().click();
  await settle(page);
  check(
    page.url().includes(`view=connection&connection=${finding.connection}&side=${finding.side}`),
    `the address is ${page.url()}`,
  );
  const [from, to] = await range(page, "after the click");
  const start = report.json.totals.first_time;
  check(
    from <= finding.first_time - start && to >= finding.last_time - start,
    `${from} to ${to} lacks the packets of the finding`,
  );
  const frames = await page.locator("#connection .ladder tbody td:first-child").allTextContents();
  for (const packet of finding.packets)
    check(frames.includes(String(packet)) || frames.some((frame) => Number(frame) < packet), `the ladder lacks frame ${packet}`);
  check(frames.includes(String(finding.packets[0])), `the ladder lacks frame ${finding.packets[0]}`);
  await page.goBack();
  await settle(page);
  check(await page.locator("#overview").isVisible(), "the way back leads to the overview");
  await page.context().close();
}

export async function keyboard(browser, report) {
  const page = await browser.open(report.html, "view=connection");
  const whole = await range(page, "at first");
  await page.locator("#connection .plot").first().focus();
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await settle(page);
  const zoomed = await range(page, "zoomed in");
  check(Math.abs(length(zoomed) * 4 - length(whole)) <= 8, `twice + shows ${zoomed} of ${whole}`);
  await page.keyboard.press("ArrowRight");
  await settle(page);
  const panned = await range(page, "moved");
  check(panned[0] > zoomed[0] && Math.abs(length(panned) - length(zoomed)) <= 2, `the arrow moves ${zoomed} to ${panned}`);
  check(/from=\d+&to=\d+/.test(page.url()), `the range is not in the address: ${page.url()}`);

  const again = await browser.open(report.html, page.url().split("#")[1]);
  const same = await range(again, "from the address");
  check(Math.abs(same[0] - panned[0]) <= 2 && Math.abs(same[1] - panned[1]) <= 2, `the address shows ${same}, not ${panned}`);
  await again.context().close();

  const middle = (panned[0] + panned[1]) / 2;
  await page.keyboard.press("n");
  await settle(page);
  const next = await range(page, "next trouble");
  check((next[0] + next[1]) / 2 !== middle, "n goes to no trouble");
  await page.keyboard.press("0");
  await settle(page);
  equal(await range(page, "all"), whole, "0 shows all");
  await page.context().close();
}

export async function mouse(browser, report) {
  const page = await browser.open(report.html, "view=connection");
  const whole = await range(page, "at first");
  const box = await page.locator("#connection .u-over").first().boundingBox();
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.25, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.4, y, { steps: 4 });
  await page.mouse.move(box.x + box.width * 0.5, y, { steps: 4 });
  await page.mouse.up();
  await settle(page);
  const dragged = await range(page, "dragged");
  check(
    Math.abs(length(dragged) / length(whole) - 0.25) < 0.01,
    `a quarter was marked, and ${length(dragged) / length(whole)} is shown`,
  );

  await page.keyboard.down("Control");
  await page.mouse.wheel(0, 300);
  await page.keyboard.up("Control");
  await settle(page);
  const wider = await range(page, "ctrl wheel");
  check(length(wider) > length(dragged), "ctrl wheel zooms out");

  await page.keyboard.down("Shift");
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.3, y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await settle(page);
  const moved = await range(page, "shift drag");
  check(moved[0] > wider[0] && Math.abs(length(moved) - length(wider)) <= 2, `shift drag moves ${wider} to ${moved}`);
  await page.mouse.dblclick(box.x + box.width * 0.5, y);
  await settle(page);
  equal(await range(page, "double click"), whole, "a double click shows all");
  await page.context().close();
}

export async function fingers(browser, report) {
  const page = await browser.open(report.html, "view=connection", { hasTouch: true });
  const whole = await range(page, "at first");
  const box = await page.locator("#connection .u-over").first().boundingBox();
  const y = box.y + box.height / 2;
  const client = await page.context().newCDPSession(page);
  const touch = (type, ...xs) =>
    client.send("Input.dispatchTouchEvent", { type, touchPoints: xs.map((x, id) => ({ x: box.x + box.width * x, y, id })) });
  await touch("touchStart", 0.4, 0.6);
  await touch("touchMove", 0.35, 0.65);
  await touch("touchMove", 0.3, 0.7);
  await touch("touchEnd");
  await settle(page);
  const stretched = await range(page, "stretched");
  check(
    Math.abs(length(stretched) / length(whole) - 0.5) < 0.02,
    `two fingers stretch to ${length(stretched) / length(whole)} of it`,
  );
  await touch("touchStart", 0.6);
  await touch("touchMove", 0.5);
  await touch("touchMove", 0.4);
  await touch("touchEnd");
  await settle(page);
  const moved = await range(page, "one finger");
  check(moved[0] > stretched[0] && Math.abs(length(moved) - length(stretched)) <= 2, `a finger moves ${stretched} to ${moved}`);
  await page.context().close();
}

export async function tables(browser, report) {
  const page = await browser.open(report.html, "view=connection");
  const table = page.locator("#connection [data-table=messages]");
  const column = async (name) => {
    const names = await table.locator("th[data-name]").evaluateAll((heads) => heads.map((head) => head.dataset.name));
    return table.locator(`tbody td:nth-child(${names.indexOf(name) + 1})`).allTextContents();
  };
  await table.locator("th[data-name=first_psn] button").first().click();
  const sorted = (await column("first_psn")).map(Number);
  equal(
    sorted,
    [...sorted].sort((a, b) => b - a),
    "sorted by first_psn, the largest first",
  );
  await table.locator("th[data-name=first_psn] button").first().click();
  equal((await column("first_psn")).map(Number), [...sorted].reverse(), "sorted the other way");
  equal(await table.locator("th[data-name=first_psn]").getAttribute("aria-sort"), "ascending", "aria-sort");

  await table.locator("input[type=search]").fill("resent=yes attempts>=2");
  const attempts = (await column("attempts")).map(Number);
  check(
    attempts.length > 0 && attempts.length < sorted.length && attempts.every((number) => number >= 2),
    `filtered: attempts ${attempts}`,
  );
  check(
    (await column("resent")).every((text) => text === "yes"),
    "filtered: resent",
  );
  await table.locator("input[type=search]").fill("nonsense>1");
  check((await table.locator("[role=status]").textContent()).includes("nonsense"), "a filter with an unknown column says so");
  await table.locator("input[type=search]").fill("");

  await table.locator("details.columns summary").click();
  await table.locator("details.columns label", { hasText: /^bytes$/ }).click();
  equal(await table.locator("th[data-name=bytes]").count(), 0, "columns bytes, once hidden");
  await table.locator("details.columns summary").click();
  await table.getByRole("button", { name: "Copy as CSV" }).click();
  await settle(page);
  const csv = (await page.evaluate(() => navigator.clipboard.readText())).trim().split("\n");
  equal(csv.length, sorted.length + 1, "lines of the CSV");
  check(csv[0].startsWith("number,") && !csv[0].includes("bytes"), `the CSV begins with ${csv[0]}`);

  await table.locator("th[data-name=attempts] button.help").click();
  check((await page.locator("dialog").textContent()).includes("how often its first packet was sent"), "help on a column");
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached", timeout: 5000 });
  await page.locator("main a[href='#'], nav a").first().click();
  await settle(page);
  await page.locator("[data-finding=packet_loss_before] button.help").first().click();
  check((await page.locator("dialog").textContent()).includes("What to do"), "help on a finding");
  await page.context().close();
}

/** A click on a mark of the overview leads to its connection and time. */
export async function marks(browser, report) {
  const page = await browser.open(report.html);
  const lanes = page.locator('#overview .plot[aria-label^="Marks"]');
  const box = await lanes.locator(".u-over").boundingBox();
  const view = await lanes.evaluate((plot) => [Number(plot.dataset.from), Number(plot.dataset.to)]);
  const nak = report.json.findings.find(({ id }) => id === "nak_sequence");
  const t = nak.first_time - report.json.totals.first_time;
  await page.mouse.move(box.x + ((t - view[0]) / length(view)) * box.width, box.y + 8);
  await page.mouse.down();
  await page.mouse.up();
  await settle(page);
  const [from, to] = await range(page, "after the click on a mark");
  check(page.url().includes("connection=1") && from <= t && t <= to, `the NAK at ${t} leads to ${page.url()}`);
  await page.context().close();
}
