// A table that sorts, filters, hides columns and is copied as CSV.
import { copy, h, newId } from "./dom.js";
import { compile } from "./filter.js";
import { cell, count, isNumeric } from "./format.js";
import { columnHelp } from "./help.js";

const kBatch = 150; // rows that are made at once; more when the reader scrolls

const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The heading of a column; of those that both sides have, with whose it is. */
function headingOf(column) {
  const words = column.heading || column.name.replace(/^side([01])_/, "side $1 ").replaceAll("_", " ");
  const side = /^side([01])_/.exec(column.name);
  return side && column.heading ? `${side[1] === "0" ? "\u2192" : "\u2190"} ${words}` : words;
}

/** The place of a column in its row: who the two sides are stands together. */
function placeOf(columns, i) {
  return /^side1_(address|qpn)$/.test(columns[i].name)
    ? columns.findIndex(({ name }) => name === "side0_qpn") + (i + 1) / columns.length / 2
    : i;
}

/** Whether a column is worth its place at first. */
function isShown(column) {
  const isEmpty = "constant" in column && [null, 0, false, ""].includes(column.constant);
  if ("shown" in column) return column.shown && !isEmpty;
  return !isEmpty && (column.heading !== "" || /(^|_)(address|qpn)$/.test(column.name));
}

export class Table {
  /**
   * `columns` and `rows` as a table section has them. `picked(row)`: what a click on a row does. `extra`: {heading, make(row)},
   * a picture before the first column. `leftOut`: rows that the report lacks.
   */
  constructor({ name, help = "", columns, rows, leftOut = 0, picked = null, extra = null, noun = "row" }) {
    Object.assign(this, { name, columns, rows, leftOut, picked, extra, noun });
    this.shown = new Set(columns.map((column, i) => (isShown(column) ? i : -1)).filter((i) => i >= 0));
    if (this.shown.size === 0) columns.forEach((_column, i) => this.shown.add(i));
    this.sort = null; // [column, ascending]
    this.only = null; // a test besides the filter
    this.status = h("span", { class: "soft", role: "status" });
    this.input = h("input", {
      type: "search",
      placeholder: "filter: word, bytes>1000, resent=yes",
      size: 32,
      oninput: () => this.filter(),
    });
    this.body = h("tbody");
    this.head = h("thead");
    const caption = newId();
    this.scroller = h(
      "div",
      { class: "scroller", tabindex: 0, role: "region", "aria-labelledby": caption, onscroll: () => this.more() },
      h("table", { class: "grid", "aria-labelledby": caption }, this.head, this.body),
    );
    this.element = h(
      "div",
      { "data-table": name },
      h(
        "div",
        { class: "controls" },
        h("span", { id: caption, class: "soft", text: help || name }),
        h("label", {}, "Filter", this.input),
        this.chooser(),
        h("button", { text: "Copy as CSV", onclick: () => this.copy() }),
        this.status,
      ),
      this.scroller,
    );
    this.filter();
  }

  text(row, i) {
    return cell(row[i], this.columns[i]);
  }

  chooser() {
    const boxes = this.columns.map((column, i) => {
      const box = h("input", {
        type: "checkbox",
        onchange: () => {
          if (box.checked) this.shown.add(i);
          else this.shown.delete(i);
          this.render();
        },
      });
      box.checked = this.shown.has(i);
      return h("label", { title: column.help }, box, column.name);
    });
    return h(
      "details",
      { class: "columns" },
      h("summary", { text: "Columns" }),
      h("div", { tabindex: 0, role: "group", "aria-label": "Columns shown" }, boxes),
    );
  }

  /** Takes other rows. */
  replace(rows) {
    this.rows = rows;
    this.filter();
  }

  filter() {
    try {
      const test = compile(this.input.value, this.columns, (row, i) => this.text(row, i));
      this.visible = this.rows.filter((row) => (!this.only || this.only(row)) && test(row));
      this.error = "";
      this.input.removeAttribute("aria-invalid");
    } catch (error) {
      this.error = error.message;
      this.input.setAttribute("aria-invalid", "true");
    }
    this.order();
    this.render();
  }

  order() {
    if (!this.sort) return;
    const [at, ascending] = this.sort;
    const sign = ascending ? 1 : -1;
    this.visible.sort((a, b) => {
      const [x, y] = [a[at], b[at]];
      if (x === y) return 0;
      if (x === null || x === undefined) return 1;
      if (y === null || y === undefined) return -1;
      return (
        sign *
        (typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true }))
      );
    });
  }

  sortBy(i) {
    // Of numbers the largest first: that is where the trouble is
    const first = !isNumeric(this.columns[i]) || this.columns[i].type === "time";
    if (this.sort?.[0] !== i) this.sort = [i, first];
    else if (this.sort[1] === first) this.sort = [i, !first];
    else this.sort = null;
    this.filter();
    this.head.querySelector(`[data-column="${i}"] button`)?.focus();
  }

  render() {
    const at = [...this.shown].sort((a, b) => placeOf(this.columns, a) - placeOf(this.columns, b));
    this.at = at;
    const heads = at.map((i) => {
      const column = this.columns[i];
      const state = this.sort?.[0] === i ? (this.sort[1] ? "ascending" : "descending") : null;
      const arrow = state ? (this.sort[1] ? " \u25b4" : " \u25be") : "";
      return h(
        "th",
        {
          scope: "col",
          class: isNumeric(column) ? "number" : null,
          "aria-sort": state,
          "data-column": i,
          "data-name": column.name,
        },
        h("button", { text: headingOf(column) + arrow, title: column.help, onclick: () => this.sortBy(i) }),
        columnHelp(column),
      );
    });
    this.head.replaceChildren(h("tr", {}, this.extra && h("th", { scope: "col", text: this.extra.heading }), heads));
    this.body.replaceChildren();
    this.made = 0;
    this.scroller.scrollTop = 0;
    this.more(true);
    const total = this.rows.length;
    const parts = [
      this.visible.length === total
        ? `${count(total)} ${this.noun}${total === 1 ? "" : "s"}`
        : `${count(this.visible.length)} of ${count(total)} ${this.noun}s`,
    ];
    if (this.leftOut > 0) parts.push(`${count(this.leftOut)} more are not in this report`);
    this.status.textContent = this.error || parts.join("; ");
  }

  more(first = false) {
    const { scrollTop, clientHeight, scrollHeight } = this.scroller;
    if (!first && scrollTop + clientHeight < scrollHeight - 400) return;
    const rows = this.visible.slice(this.made, this.made + kBatch);
    this.made += rows.length;
    this.body.append(...rows.map((row) => this.row(row)));
  }

  row(row) {
    const cells = this.at.map((i, place) => {
      const text = this.text(row, i);
      const column = this.columns[i];
      const content =
        place === 0 && this.picked
          ? h("a", { href: "#", text: text || "\u2013", onclick: (event) => event.preventDefault() })
          : text;
      return h("td", { class: isNumeric(column) ? "number" : null, title: text.length > 30 ? text : null }, content);
    });
    const element = h(
      "tr",
      { class: this.picked ? "link" : null, onclick: this.picked ? () => this.picked(row) : null },
      this.extra && h("td", {}, this.extra.make(row)),
      cells,
    );
    return element;
  }

  csv() {
    const line = (cells) => cells.map(quoted).join(",");
    const raw = (value) => (value === null || value === undefined ? "" : Array.isArray(value) ? value.join(" ") : String(value));
    return (
      [line(this.at.map((i) => this.columns[i].name)), ...this.visible.map((row) => line(this.at.map((i) => raw(row[i]))))].join(
        "\n",
      ) + "\n"
    );
  }

  async copy() {
    const done = await copy(this.csv());
    this.status.textContent = done ? `copied ${count(this.visible.length)} ${this.noun}s` : "the browser does not allow copying";
  }
}
