"""Sends messages until a signal interrupts it; a child process of `test_interrupts.py`.

The arguments are the address of a server and a JSON object: the modules to import, whether hooks are set, and whether outcomes are
logged. Each line of the input is a JSON object with the name of the exception of the signal handler, the delay of a timer in
seconds or null, and the text of the messages. The output is one line for each.
"""

import importlib
import json
import signal
import sys
import traceback

url, config = sys.argv[1], json.loads(sys.argv[2])
for module in config["imports"]:
    importlib.import_module(module)

import cpaas  # noqa: E402

MAX_CALLS = 2000
EXCEPTIONS = {"KeyboardInterrupt": KeyboardInterrupt, "TimeoutError": TimeoutError, "SystemExit": SystemExit}
seen = {"on_request": 0, "on_response": 0, "on_outcome": 0}
kind = KeyboardInterrupt


def hook(name):
    def count(event):
        seen[name] += 1

    return count


def interrupt(number, frame):
    raise kind


def send(client, delay, text):
    """Sends in a function of its own: the end of a loop may be outside of the `try` block that contains it."""
    global calls
    if delay is not None:
        signal.setitimer(signal.ITIMER_REAL, delay)
    while calls < MAX_CALLS:
        client.sms.send(from_="Acme", to="306912345678", text=text)
        calls += 1


def send_until_interrupted(client, delay, text):
    global calls
    calls = 0
    try:
        send(client, delay, text)
    except BaseException as error:
        frames = [frame.f_code.co_name for frame, _ in traceback.walk_tb(error.__traceback__)]
        notes = getattr(error, "__notes__", [])
        return {"error": type(error).__name__, "notes": notes, "calls": calls, "frames": frames}
    return {"error": None, "notes": [], "calls": calls, "frames": []}


if config["logs"]:
    logging = importlib.import_module("logging")
    logging.getLogger("cpaas").setLevel("DEBUG")
    logging.getLogger("cpaas").addHandler(logging.FileHandler("/dev/null"))
signal.signal(signal.SIGINT, interrupt)
signal.signal(signal.SIGALRM, interrupt)
hooks = {name: hook(name) for name in seen} if config["hooks"] else {}
with cpaas.Client(sms_url=url, sms_key="key", max_attempts=1, **hooks) as client:
    client.sms.send(from_="Acme", to="306912345678", text="Hi")
    print("ready", flush=True)
    for line in sys.stdin:
        point = json.loads(line)
        kind = EXCEPTIONS[point["exception"]]
        seen.update(dict.fromkeys(seen, 0))
        result = send_until_interrupted(client, point["delay"], point["text"])
        print(json.dumps({**result, **seen}), flush=True)
