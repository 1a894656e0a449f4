// Makes page.html of index.html: with its style and its script inside, and a policy that lets it run these two and nothing else.
// node bundle.mjs NODE_MODULES OUTPUT
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [modules, output] = process.argv.slice(2).map((path) => resolve(path));
const { buildSync } = createRequire(join(modules, "package.json"))("esbuild");

const uplot = join(modules, "uplot");
const licence = {
  name: "uPlot",
  version: JSON.parse(readFileSync(join(uplot, "package.json"), "utf8")).version,
  text: readFileSync(join(uplot, "LICENSE"), "utf8"),
};

function bundle(entry) {
  const { outputFiles } = buildSync({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["es2022", "chrome114", "firefox125", "safari17"],
    legalComments: "inline",
    nodePaths: [modules],
    define: { LICENCE_OF_UPLOT: JSON.stringify(licence) },
  });
  return outputFiles[0].text.trim();
}

const hash = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

const style = bundle("style.css");
const script = bundle("main.js");
const parts = {
  POLICY: `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`,
  STYLE: style,
  SCRIPT: script,
};
const page = readFileSync(join(here, "index.html"), "utf8").replace(/<!--(POLICY|STYLE|SCRIPT)-->/g, (_, name) => parts[name]);
if (page.split("<!--ROCESCOPE-DATA-->").length !== 2) throw new Error("index.html needs one place for the data");
writeFileSync(output, page);
