// The messages of a connection, those in view or all.
import { section } from "./data.js";
import { h } from "./dom.js";
import { Table } from "./table.js";

const kHidden = ["side", "psns", "completion_packet"];
// No column of the table of all messages.
const kPsns = { name: "psns", type: "number", help: "how many PSNs it takes" };

function columnOf(name) {
  const known = [kPsns, ...(section("table-messages")?.columns ?? [])].find((column) => column.name === name);
  const { type = "text", help = "", unit = "" } = known ?? {};
  return { name, type, help, unit, heading: "", shown: !kHidden.includes(name) };
}

export function messageTable(group, model, number) {
  const { messages, data } = model;
  const regionOf = (i) => data.regions[messages.region[i]] ?? null;
  const addressOf = (i) => {
    const region = regionOf(i);
    if (!region || messages.offset[i] === null) return null;
    return `0x${(BigInt(region.base) + BigInt(messages.offset[i])).toString(16).padStart(16, "0")}`;
  };
  const cells = {
    number: (i) => messages.number[i] ?? null,
    side: (i) => messages.side[i],
    operation: (i) => messages.nameOf(i),
    outcome: (i) => messages.outcomeOf(i),
    bytes: (i) => messages.bytes[i],
    first_time: (i) => messages.start[i],
    message_time: (i) => messages.time[i],
    attempts: (i) => messages.attempts[i],
    resent: (i) => messages.resent[i] === 1,
    first_psn: (i) => messages.firstPsn[i] % 16777216,
    psns: (i) => messages.psns[i],
    first_packet: (i) => messages.firstFrame[i],
    completion_packet: (i) => messages.doneFrame[i] || null,
    r_key: (i) => regionOf(i)?.r_key ?? null,
    address: addressOf,
  };
  const rows = [];
  for (let i = 0; i < messages.size; ++i) {
    rows.push(Object.values(cells).map((cellOf) => cellOf(i)));
    rows[i].index = i;
  }
  const table = new Table({
    name: "messages",
    help: `Messages of connection ${number}`,
    columns: Object.keys(cells).map(columnOf),
    rows,
    leftOut: data.messages_left_out,
    noun: "message",
    picked: (row) => group.pickedMessage(row.index),
  });
  const box = h("input", { type: "checkbox", onchange: () => apply() });
  box.checked = true;
  const lengthOf = (i) => Math.max(messages.done[i] ?? messages.end[i] ?? 0, 0);
  const apply = () => {
    const inView = (row) =>
      messages.start[row.index] <= group.to && messages.start[row.index] + lengthOf(row.index) >= group.from;
    table.only = box.checked && !group.isWhole ? inView : null;
    table.filter();
  };
  let waiting = 0;
  group.onRange(() => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 120);
  });
  return h(
    "div",
    {},
    h("h2", { text: "Messages" }),
    h("div", { class: "controls" }, h("label", {}, box, "only those in view")),
    table.element,
  );
}
