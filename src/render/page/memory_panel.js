// Memory over time: which addresses messages touched, a lane for each region.
import { bytes, key } from "./format.js";
import { colour, kMarks } from "./marks.js";
import { markOfOperation } from "./model.js";
import { Panel } from "./plot.js";

const kMostRegions = 8;

export function memoryPanel(group, model, side) {
  const { messages } = model;
  const touched = new Map();
  for (let i = 0; i < messages.size; ++i) {
    if (messages.side[i] === side && messages.region[i] >= 0 && messages.offset[i] !== null)
      touched.set(messages.region[i], (touched.get(messages.region[i]) ?? 0) + 1);
  }
  const shown = [...touched]
    .sort((a, b) => b[1] - a[1])
    .slice(0, kMostRegions)
    .map(([region]) => region);
  if (shown.length === 0) return null;
  const laneOf = new Map(shown.map((region, lane) => [region, shown.length - 1 - lane]));
  const regions = model.data.regions;
  const length = (region) => Math.max(Number(BigInt(regions[region].end) - BigInt(regions[region].base)), 1);
  const name = (region) => (regions[region].r_key === null ? "no R_Key" : key(regions[region].r_key));
  const rest = touched.size - shown.length;
  const place = (i) => {
    const lane = laneOf.get(messages.region[i]);
    const whole = length(messages.region[i]);
    return [
      lane + 0.05 + (0.9 * messages.offset[i]) / whole,
      lane + 0.05 + (0.9 * (messages.offset[i] + messages.bytes[i])) / whole,
    ];
  };
  const each = (visit) => {
    for (let i = 0; i < messages.size; ++i) {
      if (messages.side[i] === side && laneOf.has(messages.region[i]) && messages.offset[i] !== null) visit(i);
    }
  };
  const lengthOf = (i) => Math.max(messages.done[i] ?? messages.end[i] ?? 0, 0);
  return new Panel(group, {
    title: "Memory",
    height: Math.max(60, 12 + shown.length * 34) + 20,
    axis: true,
    ticks: (value) =>
      shown[shown.length - 1 - Math.floor(value)] === undefined ? "" : name(shown[shown.length - 1 - Math.floor(value)]),
    splits: shown.map((_, i) => i + 0.5),
    note: `addresses over time, a lane for each R_Key${rest > 0 ? `; ${rest} more not drawn` : ""}: ${shown
      .map((region) => `${name(region)} ${regions[region].base} + ${bytes(length(region))}`)
      .slice(0, 3)
      .join(", ")}`,
    label: "Addresses that messages touched over time",
    heights: () => [0, shown.length],
    paint: (context, panel) => {
      context.fillStyle = colour("grid");
      for (let lane = 1; lane < shown.length; ++lane)
        context.fillRect(panel.left, panel.y(lane), panel.right - panel.left, panel.ratio);
      each((i) => {
        const [from, to] = [messages.start[i], messages.start[i] + lengthOf(i)];
        if (to < group.from || from > group.to) return;
        const [low, high] = place(i);
        context.fillStyle = colour(kMarks[markOfOperation(messages.nameOf(i))].colour);
        const x = panel.x(from);
        context.fillRect(
          x,
          panel.y(high),
          Math.max(panel.x(to) - x, 2 * panel.ratio),
          Math.max(panel.y(low) - panel.y(high), 1.5 * panel.ratio),
        );
      });
    },
    at: (when, y, panel) => {
      let best = null;
      let least = 8;
      const [perX, perY] = panel.perPixel;
      each((i) => {
        const [low, high] = place(i);
        const dx = Math.max(messages.start[i] - when, when - messages.start[i] - lengthOf(i), 0) / perX;
        const distance = Math.hypot(dx, Math.max(low - y, y - high, 0) / perY);
        if (distance < least) [least, best] = [distance, i];
      });
      if (best === null) return null;
      const address = BigInt(regions[messages.region[best]].base) + BigInt(messages.offset[best]);
      return { text: `${messages.titleOf(best)} at 0x${address.toString(16)}`, pick: () => group.pickedMessage?.(best) };
    },
  });
}
