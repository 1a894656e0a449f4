// The messages of a connection, those in view or all.
import { h } from "./dom.js";
import { Table } from "./table.js";

const kColumns = [
  ["number", "number", "over the capture"],
  ["side", "number", "0 or 1: who requested it"],
  ["operation", "text", "SEND, RDMA WRITE, RDMA READ ..."],
  ["outcome", "text", "completed, refused, outstanding, unacknowledged (UC), lost (UC)"],
  ["bytes", "number", "of a READ those that it asks for", "bytes"],
  ["first_time", "time", "of its first packet"],
  ["message_time", "duration", "from its first packet to its completion, all attempts included"],
  ["attempts", "number", "how often its first packet was sent, of a READ the request for all of it"],
  ["resent", "boolean", "some of it was sent more than once"],
  ["first_psn", "psn", "of its first packet"],
  ["psns", "number", "how many PSNs it takes"],
  ["first_packet", "number", "the number of its first packet"],
  ["completion_packet", "number", "of the ACK, NAK or last response"],
  ["r_key", "key", "R_Key"],
  ["address", "id", "virtual address"],
];

export function messageTable(group, model, number) {
  const { messages, data } = model;
  const rows = [];
  for (let i = 0; i < messages.size; ++i) {
    const region = messages.region[i] >= 0 ? data.regions[messages.region[i]] : null;
    const address =
      region && messages.offset[i] !== null
        ? `0x${(BigInt(region.base) + BigInt(messages.offset[i])).toString(16).padStart(16, "0")}`
        : null;
    rows.push([
      messages.number[i] ?? null,
      messages.side[i],
      messages.nameOf(i),
      messages.outcomeOf(i),
      messages.bytes[i],
      messages.start[i],
      messages.time[i],
      messages.attempts[i],
      messages.resent[i] === 1,
      messages.firstPsn[i] % 16777216,
      messages.psns[i],
      messages.firstFrame[i],
      messages.doneFrame[i] || null,
      region?.r_key ?? null,
      address,
    ]);
    rows[i].index = i;
  }
  const columns = kColumns.map(([name, type, help, unit = ""]) => ({
    name,
    type,
    help,
    unit,
    heading: "",
    shown: !["side", "psns", "completion_packet"].includes(name),
  }));
  const table = new Table({
    name: "messages",
    help: `Messages of connection ${number}`,
    columns,
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
