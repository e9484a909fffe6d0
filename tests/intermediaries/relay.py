"""`relay.py PORT TARGET`: forwards each connection to the port TARGET of loopback. When the process is killed, all its connections close."""
import asyncio
import sys

PORT, TARGET = map(int, sys.argv[1:])


async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.transport.abort()


async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        to_read, to_write = await asyncio.open_connection("127.0.0.1", TARGET)
    except OSError:
        writer.transport.abort()
        return
    await asyncio.gather(copy(reader, to_write), copy(to_read, writer))
    to_write.close()
    writer.close()


async def main() -> None:
    server = await asyncio.start_server(forward, "127.0.0.1", PORT)
    await server.serve_forever()


asyncio.run(main())
