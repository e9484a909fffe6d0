// twilio for Node with `autoRetry`: a 429 of a proxy that had forwarded the request sends one message four times.
import { createServer } from "node:http";
import { createRequire } from "node:module";

let received = 0;
const server = createServer((_, response) => response.writeHead(429).end(String((received += 1)))).listen(0, "127.0.0.1");
await new Promise((ready) => server.on("listening", ready));
const client = createRequire(`${process.env.PEERS}/`)("twilio")(`AC${"0".repeat(32)}`, "token", { autoRetry: true });
client.api.baseUrl = `http://127.0.0.1:${server.address().port}`;
await client.messages.create({ to: "+306912345678", from: "+15005550006", body: "Hello" }).catch((error) => console.log(received, "requests;", error.status));
process.exit(received === 4 ? 0 : 1);
