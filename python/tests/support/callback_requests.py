"""Keys of the tests of callbacks, the URL of a report, and calls of WSGI and ASGI applications."""

import asyncio
import io

from cpaas import callbacks

KEYS = callbacks.Keyring([("k1", b"delivery secret one, 32 bytes or more")])
INBOUND = callbacks.Keyring([("i1", "inbound secret one, 32 bytes or more!")])


def report(receiver, status="delivered", **more):
    url = receiver.url("sms_report", "booking-7")
    query = "".join(f"&{name}={value}" for name, value in more.items())
    return f"{url}&msgid=m-1&status={status}&reference=booking-7{query}".removeprefix("https://shop.example")


def call_wsgi(app, method, url, body=b"", kind="application/json"):
    path, _, query = url.partition("?")
    said = []
    environ = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "CONTENT_TYPE": kind,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
    }
    assert b"".join(app(environ, lambda status, headers: said.append(status))) == b""
    return said[0]


def call_asgi(app, method, url, body=b""):
    path, _, query = url.partition("?")
    said = []

    async def main():
        chunks = iter([{"body": body[:3], "more_body": True}, {"body": body[3:], "more_body": False}])

        async def receive():
            return {"type": "http.request", **next(chunks)}

        async def send(message):
            said.append(message)

        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": query.encode(),
            "headers": [],
        }
        await app(scope, receive, send)

    asyncio.run(main())
    assert said[1]["body"] == b""
    return said[0]["status"]
