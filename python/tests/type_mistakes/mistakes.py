"""Typical mistakes: `check.py` tests that mypy and pyright report each of these lines, and nothing else."""

# As docs/python.md ("A forgotten await") recommends.
# mypy: enable-error-code="truthy-bool"
# pyright: reportUnnecessaryComparison=true

import cpaas

client = cpaas.Client(sms_ulr="https://sms.example")  # error: unknown setting
client = cpaas.Client(timeout="3")  # error: a string instead of a number
client.with_options(tmeout=3)  # error: unknown setting
client.timeout = 3  # error: a setting is not an attribute
cpaas.Sandbox().client(tmeout=3)  # error: unknown setting
client.sms.send(from_="Acme", to="306912345678")  # error: `text` is missing
client.sms.send(from_="Acme", to=306912345678, text="Hi")  # error: a number instead of a string
client.sms.send("Acme", "306912345678", "Hi")  # error: positional arguments
client.sms.send(from_="Acme", to="306912345678", text="Hi", validate="no")  # error: not a documented value
client.sms.sned(from_="Acme", to="306912345678", text="Hi")  # error: unknown method
sent = client.sms.send(from_="Acme", to="306912345678", text="Hi")
sent.identifier  # error: unknown member
sent.id = "x"  # error: read-only
client.messages.send(destination="306912345678", business_chat={"carousel": {}})  # error: unknown member
client.messages.send(destination="306912345678", messenger_b={"type": 3})  # error: not a string
cpaas.segments("a", split="word")  # error: not a documented value
cpaas.count_segments([1])  # error: a number instead of a string
cpaas.count_segments(["a"])[0].cuont  # error: unknown member
cpaas.parse_markup("a", "Md")  # error: unknown mode
cpaas.validate("sms.send", 3)  # error: not a request
cpaas.Sandbox().fault("bogus")  # error: unknown fault
cpaas.Sandbox(sed=7)  # error: unknown switch
cpaas.Sandbox(clock="virtuel")  # error: unknown mode of the clock
client.with_options(region="paris")  # error: unknown region
client.otp.limits.ensure(name="n", description="d")  # error: `buckets` is missing
client.send_once("sms.send", "k", from_="Acme", to="306912345678", text="Hi")  # error: swapped
cpaas.Campaign("x.db", "x").rows(outcome="unkown")  # error: unknown outcome
cpaas.plan("sms.send", 5, {})  # error: no rows
cpaas.Sandbox().wait_for(too="306912345678")  # error: unknown filter


async def passcode(asynchronous: cpaas.AsyncClient) -> None:
    asynchronous.sms.send(from_="Acme", to="306912345678", text="Hi").id  # error: not awaited
    asynchronous.sms.send(from_="Acme", to="306912345678", text="Hi")  # error: not awaited
    verify = asynchronous.otp.verify
    if verify(service="login", request_id="OTP1", code="1"):  # error: not awaited, always true
        client.close()
