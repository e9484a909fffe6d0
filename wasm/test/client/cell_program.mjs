// A server on Deno or Bun that makes the call of the cell in the body; prints its address.
import { createServer } from "node:http";
import { callCell } from "./cell_call.mjs";

const server = createServer((request, response) => {
  let text = "";
  request.setEncoding("utf8");
  request.on("data", (data) => (text += data));
  request.on("end", async () => response.end(JSON.stringify(await callCell(JSON.parse(text)))));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
