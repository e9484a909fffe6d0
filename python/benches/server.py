"""Answers every request with the same small JSON; prints its address."""

import asyncio

BODY = b'{"id":"m-1","sid":"SM1","timestamp":"2024-01-01T00:00:00.000Z","responseCode":0,"to":"306912345678","textLength":47}'
ANSWER = b"HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (
    len(BODY),
    BODY,
)


class Server(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
        self.held = b""

    def data_received(self, data):
        self.held += data
        while (end := self.held.find(b"\r\n\r\n")) >= 0:
            head = self.held[:end].lower()
            at = head.find(b"content-length:")
            length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
            if len(self.held) < end + 4 + length:
                return
            self.held = self.held[end + 4 + length :]
            self.transport.write(ANSWER)


async def main():
    server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


asyncio.run(main())
