// What a column or a finding means: the texts of the manual and of `rocescope explain`.
import { section } from "./data.js";
import { h, popup } from "./dom.js";

const plain = (text) => text.replace(/[ \t]*\n[ \t]*(?!\n)/g, " ").trim();

/** A button that explains a finding. */
export function findingHelp(id) {
  const explained = section("explain")?.[id];
  if (!explained) return null;
  const chapters = [
    ["What it means", "meaning"],
    ["How sure it is", "sureness"],
    ["Why it matters", "why"],
    ["What to do", "what_to_do"],
  ];
  const open = () =>
    popup(
      `${id}: ${explained.title}`,
      chapters
        .filter(([, name]) => explained[name])
        .map(([title, name]) => [h("h3", { text: title }), h("p", { text: plain(explained[name]) })]),
    );
  return h("button", {
    class: "quiet help",
    text: "?",
    "aria-label": `Explain ${id}`,
    title: "What it means and what to do",
    onclick: open,
  });
}

const kTypes = {
  time: "seconds since the first packet",
  duration: "a length of time",
  psn: "a packet sequence number, 24 bits",
  qpn: "a queue pair number, 24 bits",
  key: "32 bits",
  id: "64 bits",
  address: "an address",
  mac: "a MAC address",
  boolean: "yes or nothing",
};

export function columnHelp(column) {
  const open = () =>
    popup(
      column.name,
      h("p", { text: `${column.help}.` }),
      (column.unit || kTypes[column.type]) && h("p", { class: "soft", text: `Unit: ${column.unit || kTypes[column.type]}` }),
    );
  return h("button", { class: "help", text: "?", "aria-label": `Help on ${column.name}`, title: column.help, onclick: open });
}
