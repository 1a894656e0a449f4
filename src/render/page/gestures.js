// Wheel, keys, fingers and clicks of a graph. uPlot itself does the marking of a range with the mouse.

/** Has `panel` move the time of its group, and pick what is clicked. */
export function listen(panel) {
  const { place, group } = panel;
  const timeAt = (clientX) => {
    const box = panel.plot.over.getBoundingClientRect();
    return group.from + ((clientX - box.left) / box.width) * (group.to - group.from);
  };
  const share = (pixels) => pixels / panel.plot.over.clientWidth;

  place.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || event.metaKey) group.zoom(1.0015 ** event.deltaY, timeAt(event.clientX));
      else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) group.pan(share(event.deltaX || event.deltaY));
      else return;
      event.preventDefault();
    },
    { passive: false },
  );

  place.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = {
      "+": () => group.zoom(0.5),
      "=": () => group.zoom(0.5),
      "-": () => group.zoom(2),
      0: () => group.move(null),
      Home: () => group.move(null),
      ArrowLeft: () => group.pan(-0.2),
      ArrowRight: () => group.pan(0.2),
      PageUp: () => group.pan(-0.8),
      PageDown: () => group.pan(0.8),
      n: () => group.seek(1),
      p: () => group.seek(-1),
    };
    if (!acts[event.key]) return;
    acts[event.key]();
    event.preventDefault();
  });

  // A finger moves the time, two stretch it; the mouse moves it with shift, and a click without a move picks
  const fingers = new Map();
  let grip = null;
  const hold = () => {
    const xs = [...fingers.values()];
    grip = { from: group.from, to: group.to, xs, times: xs.map(timeAt) };
  };
  place.addEventListener("pointerdown", (event) => {
    panel.pressed = [event.clientX, event.clientY];
    if (event.pointerType !== "touch" && !event.shiftKey) return;
    fingers.set(event.pointerId, event.clientX);
    place.setPointerCapture(event.pointerId);
    hold();
  });
  place.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, event.clientX);
    const xs = [...fingers.values()];
    const width = panel.plot.over.clientWidth;
    if (xs.length === 1) {
      const by = ((grip.xs[0] - xs[0]) / width) * (grip.to - grip.from);
      group.move(grip.from + by, grip.to + by);
    } else if (Math.abs(xs[0] - xs[1]) > 10) {
      const length = ((grip.times[1] - grip.times[0]) / (xs[1] - xs[0])) * width;
      const left = panel.plot.over.getBoundingClientRect().left;
      const from = grip.times[0] - ((xs[0] - left) / width) * length;
      group.move(from, from + length);
    }
  });
  const release = (event) => {
    if (!fingers.delete(event.pointerId)) return;
    if (fingers.size > 0) hold();
  };
  place.addEventListener("pointerup", release);
  place.addEventListener("pointercancel", release);
  place.addEventListener("click", (event) => {
    const moved = panel.pressed && Math.hypot(event.clientX - panel.pressed[0], event.clientY - panel.pressed[1]) > 4;
    if (!moved && !event.shiftKey) panel.last?.pick?.();
  });
}
