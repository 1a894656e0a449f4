// What the marks of a graph mean.
import { h } from "./dom.js";
import { drawMark, drawn, kMarks } from "./marks.js";

/** Names of marks as a legend. */
export function legend(names) {
  return h(
    "span",
    { class: "legend" },
    names.map((name) => h("span", {}, glyph(name), kMarks[name].label)),
  );
}

/** A mark as a small picture, which follows the colours. */
export function glyph(name) {
  const canvas = h("canvas", { "aria-hidden": "true", class: "glyph", width: 28, height: 24 });
  return drawn(canvas, () => {
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, 28, 24);
    drawMark(context, name, 14, 12, 17);
  });
}
