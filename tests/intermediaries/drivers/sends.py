"""Sends from Python; `../README.md` describes what a driver reads and writes."""
import sys
import threading
import time

import cpaas

lines = iter(sys.stdin.read().splitlines())
lock = threading.Lock()
PAUSE = float(sys.argv[2])


def report(error: cpaas.Error) -> str:
    # A rejection with a status of 5xx may have been processed.
    return {"yes": "accepted", "maybe": "unknown"}.get(error.processed) or error.outcome.replace("_", " ")


def work(client: cpaas.Client) -> None:
    while True:
        with lock:
            line = next(lines, None)
        if line is None:
            return
        to, reference = line.split("\t")
        send = client.sms.send_bulk if "," in to else client.sms.send
        try:
            send(from_="Acme", to=to, text="Hello", reference=reference, extra_headers={"X-Reference": reference})
            told, attempts, detail = "accepted", "", ""  # a result does not contain the attempts
        except cpaas.Error as error:
            told, attempts, detail = report(error), error.attempts, str(error)
        with lock:
            print(reference, told, attempts, " ".join(detail.split()), sep="\t")
        if told != "accepted":
            time.sleep(PAUSE)


with cpaas.Client() as client:
    workers = [threading.Thread(target=work, args=[client]) for _ in range(int(sys.argv[1]))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
