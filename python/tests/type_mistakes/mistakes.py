"""Typical mistakes: `check.py` tests that mypy and pyright report each of them, and nothing else."""

import cpaas

client = cpaas.Client(sms_ulr="https://sms.example")  # wrong: a setting that there is not
client = cpaas.Client(timeout="3")  # wrong: a text for a number
client.with_options(tmeout=3)  # wrong: the same in an option
cpaas.Sandbox().client(tmeout=3)  # wrong: and in the client of a sandbox
client.sms.send(from_="Acme", to="306912345678")  # wrong: no text
client.sms.send(from_="Acme", to=306912345678, text="Hi")  # wrong: a number for a text
client.sms.send("Acme", "306912345678", "Hi")  # wrong: no keywords
client.sms.send(from_="Acme", to="306912345678", text="Hi", validate="no")  # wrong: not one of three words
client.sms.sned(from_="Acme", to="306912345678", text="Hi")  # wrong: no such method
sent = client.sms.send(from_="Acme", to="306912345678", text="Hi")
sent.identifier  # wrong: no such member
sent.id = "x"  # wrong: read-only
client.messages.send(destination="306912345678", business_chat={"carousel": {}})  # wrong: no such member
client.messages.send(destination="306912345678", messenger_b={"type": 3})  # wrong: a number for a text
cpaas.segments("a", split="word")  # wrong: not one of two words
cpaas.count_segments([1])  # wrong: no texts
cpaas.count_segments(["a"])[0].cuont  # wrong: no such member
cpaas.parse_markup("a", "Md")  # wrong: no such mode
cpaas.validate("sms.send", 3)  # wrong: no request
cpaas.Sandbox().fault("bogus")  # wrong: no such fault
cpaas.Sandbox().wait_for(too="306912345678")  # wrong: no such filter


async def passcode(asynchronous: cpaas.AsyncClient) -> None:
    asynchronous.sms.send(from_="Acme", to="306912345678", text="Hi").id  # wrong: not awaited
