"""Makes CALLS calls with one client: clients.py KIND URL CALLS [IN_FLIGHT]. Prints the CPU time of a call in microseconds."""

import asyncio
import sys
import time

KIND, URL, CALLS = sys.argv[1], sys.argv[2], int(sys.argv[3])
IN_FLIGHT = int(sys.argv[4]) if len(sys.argv) > 4 else 1
TEXT = "Your table is ready"  # the same as in tests/benches/call.rs
BODY = {"from": "Acme", "to": "306912345678", "text": TEXT}


def sync(call):
    begun = time.process_time()
    for _ in range(CALLS):
        call()
    print((time.process_time() - begun) / max(CALLS, 1) * 1e6)


async def many(call):
    left = CALLS

    async def worker():
        nonlocal left
        while left > 0:
            left -= 1
            await call()

    begun = time.process_time()
    await asyncio.gather(*(worker() for _ in range(IN_FLIGHT)))
    print((time.process_time() - begun) / max(CALLS, 1) * 1e6)


def cpaas():
    import cpaas

    client = cpaas.Client(sms_url=URL, sms_key="key", accept_repeated_ids=True)
    sync(lambda: client.sms.send(from_="Acme", to="306912345678", text=TEXT))
    client.close()


def cpaas_async():
    import cpaas

    async def main():
        async with cpaas.AsyncClient(sms_url=URL, sms_key="key", accept_repeated_ids=True) as client:
            await many(lambda: client.sms.send(from_="Acme", to="306912345678", text=TEXT))

    asyncio.run(main())


def twilio():
    from twilio.http.http_client import TwilioHttpClient
    from twilio.rest import Client

    class Local(TwilioHttpClient):
        def request(self, method, uri, *arguments, **options):
            return super().request(method, URL + "/sms", *arguments, **options)

    client = Client("AC" + "0" * 32, "token", http_client=Local())
    sync(lambda: client.messages.create(from_="+15005550006", to="+306912345678", body=TEXT))


def requests():
    import requests

    session = requests.Session()
    session.trust_env = False
    sync(lambda: session.post(URL + "/sms", json=BODY, headers={"X-Service-API-Key": "key"}).json()["id"])


def aiohttp_async():
    import aiohttp

    async def main():
        async with aiohttp.ClientSession() as session:

            async def call():
                async with session.post(
                    URL + "/sms", json=BODY, headers={"X-Service-API-Key": "key"}
                ) as response:
                    (await response.json())["id"]

            await many(call)

    asyncio.run(main())


def pyreqwest_async():
    from pyreqwest.client import ClientBuilder

    async def main():
        async with ClientBuilder().build() as client:

            async def call():
                request = client.post(URL + "/sms").header("X-Service-API-Key", "key").body_json(BODY).build()
                (await (await request.send()).json())["id"]

            await many(call)

    asyncio.run(main())


globals()[KIND]()
