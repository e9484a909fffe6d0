// A provider over TLS that accepts each request at once, with the key and the certificate of a folder; prints its port.
import { readFileSync } from "node:fs";
import tls from "node:tls";

const folder = process.argv[2];
let ids = 0;
const server = tls.createServer({ key: readFileSync(`${folder}/key.pem`), cert: readFileSync(`${folder}/certificate.pem`) }, (socket) => {
  socket.on("error", () => {});
  socket.on("data", () => {
    const body = JSON.stringify({ id: `t-${++ids}`, responseCode: 0 });
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
