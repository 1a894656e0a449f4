// What is shown: the view, its connection and the range of time. All of it stands in the fragment, so that a link shows the same.

const kTexts = ["view", "table"];
const kNumbers = ["connection", "side", "from", "to", "frame"];
const kUsual = { view: "overview", table: null, connection: null, side: null, from: null, to: null, frame: null };

function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  const state = { ...kUsual };
  for (const name of kTexts) state[name] = given.get(name) ?? kUsual[name];
  for (const name of kNumbers) {
    const number = given.has(name) ? Number(given.get(name)) : NaN;
    if (Number.isFinite(number)) state[name] = Math.round(number);
  }
  if (!(state.from < state.to)) state.from = state.to = null;
  return state;
}

export const state = read();
const listeners = [];
export const onState = (listener) => listeners.push(listener);

/** The fragment of a state. */
export function link(changes) {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...kUsual, ...changes })) {
    if (value !== null && value !== kUsual[name]) given.set(name, typeof value === "number" ? Math.round(value) : value);
  }
  return `#${given}`;
}

function tell(before) {
  for (const listener of listeners) listener(before);
}

/** Goes to another view, connection or time. The way back is in the browser's history. */
export function go(changes) {
  const before = { ...state };
  Object.assign(state, kUsual, changes);
  history.pushState(null, "", link(state));
  tell(before);
}

let waiting = 0;
/** Another range of the same view. Browsers allow few changes of the address a second: it follows when the hand rests. */
export function setRange(from, to) {
  state.from = from;
  state.to = to;
  state.frame = null;
  clearTimeout(waiting);
  waiting = setTimeout(() => history.replaceState(null, "", link(state)), 150);
}

addEventListener("popstate", () => {
  clearTimeout(waiting);
  const before = { ...state };
  Object.assign(state, read());
  tell(before);
});
