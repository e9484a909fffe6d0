"""`relay.py PORT TARGET [close]`: forwards each connection to the port TARGET of loopback. When the process is killed, all its connections close.

With `close`, it also closes one connection in four within 10 ms after a response, as a server does whose time limit of idle connections has
passed: the next request may be on its way then.
"""
import asyncio
import random
import sys

PORT, TARGET = map(int, sys.argv[1:3])
CLOSES = sys.argv[3:] == ["close"]


async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.transport.abort()


async def copy_response(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """As `copy`, and closes the connection to the proxy at some time after a response."""
    loop = asyncio.get_running_loop()
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
            if random.random() < 0.25:
                loop.call_later(random.uniform(0, 0.01), writer.close)
        writer.write_eof()
    except OSError:
        writer.transport.abort()


async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        to_read, to_write = await asyncio.open_connection("127.0.0.1", TARGET)
    except OSError:
        writer.transport.abort()
        return
    await asyncio.gather(copy(reader, to_write), (copy_response if CLOSES else copy)(to_read, writer))
    to_write.close()
    writer.close()


async def main() -> None:
    server = await asyncio.start_server(forward, "127.0.0.1", PORT)
    await server.serve_forever()


asyncio.run(main())
