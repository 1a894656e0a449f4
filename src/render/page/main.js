// Starts the page: shows the view that the fragment of the address names.
import { showAbout } from "./about.js";
import { hasCommands, showCommands } from "./commands.js";
import { showConnection } from "./connection.js";
import { meta } from "./data.js";
import { byId } from "./dom.js";
import { showOverview } from "./overview.js";
import { onState, state } from "./state.js";
import { showTables } from "./tables.js";

const kViews = { overview: showOverview, connection: showConnection, commands: showCommands, tables: showTables, about: showAbout };

function show(before) {
  const view = kViews[state.view] ? state.view : "overview";
  for (const name of Object.keys(kViews)) byId(name).hidden = name !== view;
  for (const link of byId("views").children) {
    if (link.dataset.view === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  byId("keys").hidden = view === "tables" || view === "about";
  kViews[view](byId(view));
  if (before && before.view !== state.view) scrollTo(0, 0);
}

// What is folded is on paper, too
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("#overview details.more")) details.open = true;
});

document.title = meta.title ? `${meta.title} - rocescope` : "rocescope";
byId("files").textContent = meta.files.map((path) => path.split("/").pop()).join(", ");
byId("main").previousElementSibling.previousElementSibling.addEventListener("click", (event) => {
  event.preventDefault(); // the fragment is the state
  byId("main").focus();
});
byId("views").querySelector("[data-view=commands]").hidden = !hasCommands();
onState(show);
show(null);
