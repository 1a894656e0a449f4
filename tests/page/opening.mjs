// How long a page takes from the start of its navigation until its first screen is drawn: opening.mjs MODULES PAGE...
import { statSync } from "node:fs";
import { start } from "./browser.mjs";

const [modules, ...files] = process.argv.slice(2);
const browser = await start(modules);
for (const file of files) {
  const times = [];
  for (let run = 0; run < 5; ++run) times.push(await browser.timeToFirstScreen(file));
  times.sort((a, b) => a - b);
  console.log(`${file}: ${statSync(file).size} bytes, ${times[2].toFixed(0)} ms (${times[0].toFixed(0)} to ${times[4].toFixed(0)})`);
}
await browser.close();
