// How the report looks: dark, on paper, narrow and wide; what is drawn; what a checker of accessibility says.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { go, settle } from "./browser.mjs";
import { check, equal } from "./check.mjs";

const kViews = ["", "view=connection", "view=commands", "view=tables", "view=about"];

export async function accessible(browser, report, modules) {
  const axe = readFileSync(createRequire(resolve(modules, "package.json")).resolve("axe-core/axe.min.js"), "utf8");
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.open(report.html, "", { colorScheme });
    await page.evaluate(axe);
    for (const view of kViews) {
      await go(page, view);
      // Dark differs in its colours alone
      const violations = await page.evaluate(
        async (rules) =>
          (await globalThis.axe.run(rules)).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`),
        colorScheme === "dark" ? { runOnly: ["color-contrast"] } : {},
      );
      equal(violations, [], `${colorScheme} #${view}: what axe-core says`);
    }
    await page.context().close();
  }
}

export async function widths(browser, report) {
  for (const width of [400, 2500]) {
    const page = await browser.open(report.html, "", { width });
    for (const view of kViews) {
      await go(page, view);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      check(wide <= width, `#${view} is ${wide} pixels wide where the window has ${width}`);
      const graphs = await page.evaluate(() =>
        [...document.querySelectorAll("main > section:not([hidden]) .plot canvas")].map((canvas) => canvas.clientWidth),
      );
      check(
        graphs.every((each) => each > width * 0.3 && each <= width),
        `#${view} at ${width}: graphs are ${graphs} wide`,
      );
    }
    await page.context().close();
  }
}

/** How many pixels of a graph, the first of a view that `which` selects, have a colour of style.css. */
const pixels = (page, name, which = "") =>
  page.evaluate(([colour, which]) => {
    const wanted = getComputedStyle(document.documentElement).getPropertyValue(`--${colour}`).trim();
    const [r, g, b] = [1, 3, 5].map((i) => parseInt(wanted.slice(i, i + 2), 16));
    const canvas = document.querySelector(`main > section:not([hidden]) .plot${which} canvas`);
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    let found = 0;
    for (let i = 0; i < data.length; i += 4)
      if (data[i] === r && data[i + 1] === g && data[i + 2] === b && data[i + 3] === 255) ++found;
    return found;
  }, [name, which]);

export async function darkAndLight(browser, report) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.open(report.html, "view=connection", { colorScheme });
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const isDark = Math.max(...background.match(/\d+/g).slice(0, 3).map(Number)) < 60;
    equal(isDark, colorScheme === "dark", `${colorScheme}: background ${background}`);
    for (const name of ["sent", "ack", "nak", "timeout"])
      check((await pixels(page, name)) > 10, `${colorScheme}: the graph of PSNs shows nothing in the colour of ${name}`);
    equal(await pixels(page, "rnr"), 0, `${colorScheme}: pixels in the colour of RNR NAKs, of which there are none`);
    const other = colorScheme === "dark" ? "light" : "dark";
    await page.emulateMedia({ colorScheme: other });
    await settle(page);
    check((await pixels(page, "nak")) > 10, `from ${colorScheme} to ${other}: the graph keeps the old colours`);
    await page.context().close();
  }
}

export async function paper(browser, report) {
  const page = await browser.open(report.html, "view=connection", { colorScheme: "dark" });
  await go(page, "");
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  check(pages >= 1 && pages <= 3, `${pages} pages of paper`);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)", "paper is");
  for (const [what, visible] of [
    [".verdict", true],
    [".findings", true],
    ["nav#views", false],
    ["#keys", false],
    ["#connection", false],
  ]) {
    equal(await page.locator(what).first().isVisible(), visible, `${what} on paper is visible`);
  }
  await page.context().close();
}

/** Of a capture with three waits for credits, three CNPs, and a pause. */
export async function congestion(page, report) {
  await go(page, "");
  const label = await page.locator('#overview .plot[aria-label^="Marks"]').getAttribute("aria-label");
  const { ecn } = report.json.congestion;
  equal(label, `Marks: 3 CNP, 3 PFC pause, ${ecn.data.ce} CE share`, "lanes of marks");
  for (const name of ["ecn", "pause"])
    check((await pixels(page, name, '[aria-label^="Marks"]')) > 10, `the lanes show nothing in the colour of ${name}`);
  // Packets 100 to 250 us apart make a rate, in steps of some of them; in a short range each packet shows
  const peak = await page.locator('#overview .plot[aria-label^="Throughput 10.0.0.1"]').first().getAttribute("aria-label");
  const rate = Number(/peak ([\d.]+) Mb/.exec(peak)?.[1]);
  check(rate >= 80 && rate < 100, `1000 bytes each 100 us are 80 Mb/s, and the page says ${peak}`);
  const stalled = report.json.findings.find(({ id }) => id === "credit_stall").connection;
  await go(page, `view=connection&connection=${stalled}`);
  check((await pixels(page, "credits")) > 10, "the graph of PSNs shows no wait for credits");
  const psns = await page.locator('#connection .plot[aria-label^="PSN"]').getAttribute("aria-label");
  check(psns.includes("3 out of credits"), `three waits for credits in: ${psns}`);
  equal(await page.locator('#connection .plot[aria-label^="Credits"]').count(), 1, "graphs of credits");
  await go(page, `view=connection&connection=${3 - stalled}`);
  check((await pixels(page, "ecn")) > 10, "the graph of PSNs shows no CNP");
}
