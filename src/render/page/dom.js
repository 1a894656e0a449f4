// Elements. Whatever comes from a capture becomes text, never markup: nothing here or elsewhere in the page parses HTML.

/** An element with properties ("class", "text", "on..." listeners, else attributes; null and false: none) and children. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const byId = (id) => document.getElementById(id);

let numbers = 0;
/** An id that nothing else has. */
export const newId = () => `e${++numbers}`;

/** Runs `draw` once before the next picture, however often it was asked for. */
export function coalesce(draw) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  };
}

/** Opens a box over the page that closes with Escape or a click beside it. */
export function popup(title, ...children) {
  const id = newId();
  const opener = document.activeElement;
  const box = h("dialog", { class: "popup", "aria-labelledby": id }, h("h2", { id, text: title }), ...children);
  box.append(h("p", {}, h("button", { text: "Close", onclick: () => box.close() })));
  box.addEventListener("click", (event) => {
    if (event.target === box) box.close();
  });
  box.addEventListener("close", () => {
    box.remove();
    opener?.focus?.({ preventScroll: true });
  });
  document.body.append(box);
  box.showModal();
}

/** Puts text on the clipboard; where the browser denies that to a local file, by the older way. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h("textarea", { "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
