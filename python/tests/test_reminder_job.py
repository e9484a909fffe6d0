"""A job of reminders as a new user writes it: the rows of a file go to the client as they are, without a line that checks or changes a
number. Each row has a number in some notation, or something that is not a mobile number; what must be accepted is known from how the
row was written, without this library, and the ledger of the sandbox has what was sent.
"""

import csv
import io
import os
from collections import Counter

import pytest

import cpaas

REMINDERS = int(os.environ.get("CPAAS_REMINDERS", "20000"))

# How people write the Greek mobile number 69d ddd dddd, and the British one 07400 dddddd; `n` has 6 digits.
GREEK = [
    "+30691{n}0",
    "+30 691 {a}{b} 0",
    "0030691{n}0",
    "00 30 691-{a}{b}-0",
    "30691{n}0",
    "691{n}0",
    "691 {a} {b}0",
    "691-{a}-{b}0",
    "(691) {a}.{b}0",
    "tel:+30-691-{n}0",
    "+30\u00a0691\u00a0{n}0",
    "\u202a+30691{n}0\u202c",
    "\uff0b\uff13\uff10 691 {n}0",
    " 691{n}0\t",
]
BRITISH = ["+44 7400 {n}", "0044 7400{n}", "+44 (0)7400 {n}", "+44 07400 {n}", "447400{n}"]
# No mobile number, and no number at all.
OTHERS = [
    "210 1{n}",
    "+30 210 1{n}",
    "+44 20 7946 0{c}",
    "",
    "unknown",
    "691{n}",
    "+30 691 {n}",
    "30691{n}0.0",
    "6.91E+09",
    "+30 691 {n}0 (Maria)",
    "691{n}0, 691{n}1",
    "+999 691 {n}0",
    "n/a",
]


def patients():
    """The rows of a file, and the number that each must reach, or None."""
    notations = [*((text, "30691{n}0") for text in GREEK), *((text, "447400{n}") for text in BRITISH)]
    notations += [(text, None) for text in OTHERS]
    rows = []
    for index in range(REMINDERS):
        text, reached = notations[index % len(notations)]
        n = f"{index * 7 % 1_000_000:06}"
        digits = {"n": n, "a": n[:3], "b": n[3:], "c": n[:3]}
        rows.append((text.format(**digits), reached and reached.format(**digits)))
    return rows


@pytest.fixture(scope="module")
def job():
    rows = patients()
    file = io.StringIO()
    csv.writer(file).writerows([["patient", "phone"], *((n, text) for n, (text, _) in enumerate(rows))])
    reached = sorted(number for _, number in rows if number)
    assert len(set(reached)) == len(reached) > REMINDERS / 2
    return file.getvalue(), reached


def sent(sandbox):
    """The numbers that the sandbox accepted, each as often as it did."""
    return sorted(entry["to"] for entry in sandbox.ledger())


def test_every_number_of_the_file_gets_its_reminder_once(job):
    text, reached = job
    with cpaas.Sandbox() as sandbox:
        with sandbox.client(normalize="GR", allow_types=["mobile"]) as client:
            results = client.sms.send_many(
                (
                    {
                        "from": "Clinic",
                        "to": row["phone"],
                        "text": f"Dear patient {row['patient']}: tomorrow at 9",
                    }
                    for row in csv.DictReader(io.StringIO(text))
                ),
                concurrency=64,
            )
        outcomes = Counter(result.outcome for result in results)
        assert outcomes == {"accepted": len(reached), "invalid": REMINDERS - len(reached)}
        assert sent(sandbox) == reached


def test_a_loop_with_the_errors_of_the_client_sends_the_same(job):
    text, _ = job
    rows = list(csv.DictReader(io.StringIO(text)))[: 10 * (len(GREEK) + len(BRITISH) + len(OTHERS))]
    reached = sorted(number for _, number in patients()[: len(rows)] if number)
    failed = []
    with cpaas.Sandbox() as sandbox:
        with sandbox.client(normalize="GR", allow_types=["mobile"]) as client:
            for row in rows:
                try:
                    client.sms.send(from_="Clinic", to=row["phone"], text="Tomorrow at 9")
                except cpaas.Invalid as error:
                    failed.append(error)
        assert sent(sandbox) == reached
    assert len(failed) == len(rows) - len(reached)
    for error in failed:
        assert {problem.pointer for problem in error.problems} == {"/to"}, error.problems


def test_a_campaign_sends_the_same(job, tmp_path):
    text, reached = job
    with cpaas.Sandbox() as sandbox:
        with sandbox.client(allow_types=["mobile"]) as client:
            template = {
                "from": "Clinic",
                "to": "{{ phone | normalize_number('GR') }}",
                "text": "Tomorrow at 9",
            }
            rows = csv.DictReader(io.StringIO(text))
            campaign = cpaas.Campaign.create(str(tmp_path / "reminders.db"), "sms.send", rows, template)
            status = campaign.run(client)
            assert campaign.run(client).accepted == len(reached)  # the job runs again
        # Some of the numbers that are not mobile are in several rows.
        assert status.accepted + status.invalid + status.duplicate == REMINDERS
        assert sent(sandbox) == reached
