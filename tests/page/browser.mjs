// The browser of the test: one process, which records what its pages ask for and complain of.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join, resolve } from "node:path";

export class Skip extends Error {}

const kNames = ["chromium", "chromium-browser", "google-chrome"];

function findBrowser() {
  for (const folder of process.env.PATH.split(delimiter)) {
    for (const name of kNames) {
      if (existsSync(join(folder, name))) return join(folder, name);
    }
  }
  throw new Skip("no Chromium here (Debian: chromium)");
}

/** `modules`: the folder in which tools/test has npm put what package.json names. */
export async function start(modules) {
  const executablePath = findBrowser();
  let playwright;
  try {
    playwright = createRequire(resolve(modules, "package.json"))("playwright-core");
  } catch {
    throw new Skip(`no playwright-core in ${modules}: tools/test fetches it`);
  }
  const browser = await playwright.chromium.launch({ executablePath, args: ["--no-sandbox"] });
  return new Browser(browser);
}

class Browser {
  constructor(browser) {
    this.browser = browser;
    this.complaints = [];
  }

  /** A page that shows `file`#`fragment`. Whatever it asks for besides that file, and each error, is a complaint. */
  async open(file, fragment = "", { width = 1400, height = 900, ...options } = {}) {
    const context = await this.browser.newContext({
      viewport: { width, height },
      permissions: ["clipboard-read", "clipboard-write"],
      ...options,
    });
    const page = await context.newPage();
    const complain = (what) => this.complaints.push(`${file}#${fragment}: ${what}`);
    page.on("console", (message) =>
      ["error", "warning"].includes(message.type()) ? complain(`console: ${message.text()}`) : null,
    );
    page.on("pageerror", (error) => complain(`error: ${error.stack}`));
    page.on("dialog", (dialog) => {
      complain(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    const own = new URL(`file://${encodeURI(file).replaceAll("#", "%23").replaceAll("?", "%3F")}`).href;
    context.on("request", (request) => {
      const url = request.url().split("#")[0];
      if (url !== own && !url.startsWith("data:,")) complain(`request: ${url}`);
    });
    await page.goto(`${own}#${fragment}`);
    await settle(page);
    return page;
  }

  /** Milliseconds from the start of the navigation until the graphs of the first screen are drawn. */
  async timeToFirstScreen(file) {
    const context = await this.browser.newContext({ viewport: { width: 1400, height: 900 } });
    const page = await context.newPage();
    await page.goto(new URL(`file://${encodeURI(file)}`).href, { waitUntil: "commit" });
    const time = await page.evaluate(
      () =>
        new Promise((done) => {
          const look = () => {
            if (document.querySelector("#overview .plot canvas")) setTimeout(() => done(performance.now()));
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        }),
    );
    await context.close();
    return time;
  }

  close() {
    return this.browser.close();
  }
}

/** Waits until what was asked for is drawn: graphs at the next picture, rows and the address when the hand has rested for 150 ms. */
export async function settle(page) {
  await page.waitForTimeout(170);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Shows another fragment of the page. */
export async function go(page, fragment) {
  await page.evaluate((wanted) => (location.hash = wanted), fragment);
  await settle(page);
}
