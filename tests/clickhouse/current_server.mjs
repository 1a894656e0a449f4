// The HTTP interface of ClickHouse around a current engine, the library of the npm package chdb: current_server.mjs MODULES DATA
// Prints its port. The engine is the real one; this passes statements on.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import zlib from "node:zlib";
import { createRequire } from "node:module";

const [modules, data] = process.argv.slice(2);
const { Session } = createRequire(path.join(path.resolve(modules), "package.json"))("chdb");
const session = new Session(data);
const body_file = `${data}.body`;
const OF_HTTP = ["query", "wait_end_of_query", "database"];

function run(parameters, body) {
  for (const [name, value] of parameters) {
    if (!OF_HTTP.includes(name)) session.query(`SET ${name} = ${value}`);
  }
  if (parameters.has("database")) session.query(`USE ${parameters.get("database")}`);
  const insert = parameters.get("query");
  if (!insert) return session.query(body.toString(), "TabSeparated");
  fs.writeFileSync(body_file, body);
  return session.query(insert.replace(/ FORMAT RowBinary$/, ` FROM INFILE '${body_file}' FORMAT RowBinary`), "TabSeparated");
}

const server = http.createServer((request, response) => {
  const pieces = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", () => {
    try {
      const whole = Buffer.concat(pieces);
      const body = request.headers["content-encoding"] === "gzip" ? zlib.gunzipSync(whole) : whole;
      response.end(run(new URL(request.url, "http://x").searchParams, body));
    } catch (error) {
      response.statusCode = 500;
      response.end(`${error.message}\n`);
    }
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
