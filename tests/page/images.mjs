// The pictures of README.md.
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { check } from "./check.mjs";
import { settle } from "./browser.mjs";

const kImages = [
  ["report.png", "impaired_out-loss_heavy", "", { width: 1200, height: 820 }],
  [
    "psn.png",
    "impaired_out-loss_heavy",
    "view=connection&connection=1&side=0&from=3480500000&to=3493000000",
    { width: 1200, height: 760 },
  ],
  [
    "dark.png",
    "impaired_in-loss_heavy",
    "view=connection&connection=1&side=0",
    { width: 1200, height: 760, colorScheme: "dark" },
  ],
];

export async function takeImages(browser, reports, folder) {
  mkdirSync(folder, { recursive: true });
  for (const [file, name, fragment, options] of kImages) {
    const page = await browser.open(reports.find((report) => report.name === name).html, fragment, options);
    await settle(page);
    const path = join(folder, file);
    await page.screenshot({ path });
    const size = statSync(path).size;
    check(size < 200000, `${file} has ${size} bytes`);
    await page.context().close();
  }
}
