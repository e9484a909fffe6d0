// A worker with a provider that sends a second response 50 ms after the first one, without a request; posts its address.
import { createServer } from "node:net";
import { parentPort } from "node:worker_threads";

const response = (id) => {
  const body = JSON.stringify({ id, responseCode: 0 });
  return `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
};
const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", () => {
    socket.write(response("first"));
    setTimeout(() => socket.write(response("unasked")), 50);
  });
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(`http://127.0.0.1:${server.address().port}`));
