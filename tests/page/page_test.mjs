// The report of `analyze --html` in a real browser: page_test.mjs PROGRAM MODULES PYTHON [--images FOLDER]
// Ends with 77 and says why where it cannot run. With --images it makes the pictures of README.md, too.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { go, Skip, start } from "./browser.mjs";
import { at, equal, finish } from "./check.mjs";
import { compareFigures } from "./figures.mjs";
import { takeImages } from "./images.mjs";
import * as looks from "./looks.mjs";
import * as use from "./use.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const captures = join(here, "../../captures");
const kCaptures = [
  "impaired_out-loss_heavy",
  "impaired_in-loss_heavy",
  "fault-rnr",
  "fault-wrong-rkey",
  "fault-slow-receiver",
  "ecn-heavy",
  "impaired_out-reorder_heavy",
  "rdmagen-cm-mixed",
  "pingpong-ud",
  "several",
  "nvme_errors",
  "smb_errors",
];

const [program, modules, python, ...more] = process.argv.slice(2);

/** The report of a capture, and the same as JSON. */
function makeReport(folder, capture, name) {
  const html = join(folder, `${name}.html`);
  const made = spawnSync(program, ["analyze", "--html", html, capture], { encoding: "utf8" });
  if (made.status !== 0 && /--html/.test(made.stderr)) throw new Skip(made.stderr.trim());
  if (made.status !== 0) throw new Error(`${capture}: ${made.stderr}`);
  const json = JSON.parse(execFileSync(program, ["analyze", "--json", capture], { encoding: "utf8", maxBuffer: 1 << 28 }));
  return { name, html, json };
}

async function run(folder) {
  const browser = await start(modules);
  try {
    const reports = kCaptures.map((name) => makeReport(folder, join(captures, `${name}.pcapng`), name));
    const [loss] = reports;
    for (const report of reports) {
      at(report.name);
      const page = await browser.open(report.html);
      await compareFigures(page, report);
      await page.context().close();
    }
    for (const [name, test] of Object.entries(use)) {
      at(name);
      await test(browser, loss);
    }
    for (const test of [looks.accessible, looks.widths, looks.darkAndLight, looks.paper]) {
      at(test.name);
      await test(browser, loss, modules);
    }
    at("congested");
    await congested(browser, folder);
    at("hostile");
    await hostile(browser, folder);
    at("requests and complaints");
    equal(browser.complaints, [], "what pages asked for or complained of");
    console.log(`${loss.name}: first screen after ${(await browser.timeToFirstScreen(loss.html)).toFixed(0)} ms`);
    if (more[0] === "--images") await takeImages(browser, reports, more[1]);
  } finally {
    await browser.close();
  }
}

/** What is drawn of credits, CNPs, CE marks and pauses, which no kept capture has. */
async function congested(browser, folder) {
  const capture = join(folder, "congested.pcap");
  execFileSync(python, [join(here, "congested.py"), capture]);
  const report = makeReport(folder, capture, "congested");
  const page = await browser.open(report.html);
  await compareFigures(page, report);
  await looks.congestion(page, report);
  await page.context().close();
}

/** Texts of a capture are text in the page, whatever they say. */
async function hostile(browser, folder) {
  const capture = join(folder, "<img src=x onerror=alert(1)>.pcapng");
  execFileSync(python, [join(here, "hostile.py"), join(captures, "ucmatose.pcapng"), capture]);
  const report = makeReport(folder, capture, "hostile");
  const page = await browser.open(report.html);
  for (const fragment of [
    "",
    "view=connection",
    "view=tables&table=captures",
    "view=tables&table=cm",
    "view=tables&table=handshakes",
    "view=about",
  ]) {
    await go(page, fragment);
    const found = await page.evaluate(() => ({
      images: document.images.length,
      scripts: document.querySelectorAll("script:not([type])").length,
      handlers: document.querySelectorAll("[onerror], [onload], [onclick]").length,
      title: document.title,
      named: document.body.innerText.includes("<img src=x onerror=alert(1)>.pcapng"),
    }));
    equal(
      found,
      { images: 0, scripts: 1, handlers: 0, title: "<img src=x onerror=alert(1)>.pcapng - rocescope", named: true },
      `at #${fragment}`,
    );
  }
  await page.context().close();
}

const folder = mkdtempSync(join(tmpdir(), "rocescope-page-"));
try {
  await run(folder);
  process.exitCode = finish();
} catch (error) {
  if (!(error instanceof Skip)) throw error;
  console.log(`skipped: ${error.message}`);
  process.exitCode = 77;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
