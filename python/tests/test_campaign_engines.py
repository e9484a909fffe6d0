"""Runs the blocks of docs/campaigns.md for Kubernetes, Celery and Spark, without a cluster. tests/nightly/campaign_engines installs
the packages that they need."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from campaign_cases import STATES, TEMPLATE, people, phone, sent

import cpaas

PAGE = Path(__file__).parents[2] / "docs" / "campaigns.md"


def block(part):
    """The block of the page that contains this text."""
    blocks = re.findall(r"```(?:text|yaml)\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (found,) = (text for text in blocks if part in text)
    return found


@pytest.fixture
def journal(tmp_path):
    """A new journal: a database on the server that `CAMPAIGN_TEST_POSTGRES` names, or a file."""
    server = os.environ.get("CAMPAIGN_TEST_POSTGRES")
    if server is None:
        return str(tmp_path / "campaigns.db")
    name = f"engines_{os.getpid()}_{time.monotonic_ns()}"
    subprocess.run(["psql", f"{server}/postgres", "-qc", f"CREATE DATABASE {name}"], check=True)
    return f"{server}/{name}"


@pytest.fixture
def environment(sandbox, monkeypatch):
    """The configuration of the client, in the environment of this process and of those that it starts."""
    for name, value in sandbox.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


def wait_until(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


class Job:
    """Runs the pods of a Kubernetes job as processes: parallelism, completions, backoffLimit and podFailurePolicy."""

    def __init__(self, manifest, secrets):
        self.spec = manifest["spec"]
        template = self.spec["template"]["spec"]
        assert template["restartPolicy"] == "Never", "podFailurePolicy requires it"
        (container,) = template["containers"]
        assert container["envFrom"] == [{"secretRef": {"name": "campaigns"}}]
        self.environment = {**os.environ, **secrets}
        # Kubernetes expands $(NAME) in a command.
        self.command = [
            re.sub(r"\$\((\w+)\)", lambda name: self.environment[name[1]], word)
            for word in container["command"]
        ]
        self.grace = template["terminationGracePeriodSeconds"]
        (rule,) = self.spec["podFailurePolicy"]["rules"]
        assert (rule["action"], rule["onExitCodes"]["operator"]) == ("FailJob", "In")
        self.fatal = rule["onExitCodes"]["values"]
        self.pods = [self.start() for _ in range(self.spec["parallelism"])]
        self.codes = []

    def start(self):
        return subprocess.Popen(self.command, env=self.environment, stderr=subprocess.DEVNULL)

    def step(self):
        """One step of the job controller: replaces pods that failed. Returns `Complete`, `Failed`, or None while the job runs."""
        ended = [pod for pod in self.pods if pod.poll() is not None]
        for pod in ended:
            self.pods.remove(pod)
            self.codes.append(pod.returncode)
        if set(self.codes) & set(self.fatal) or self.failures() > self.spec["backoffLimit"]:
            self.terminate()
            return "Failed"
        missing = self.spec["completions"] - self.codes.count(0)
        if missing == 0:
            return "Complete"
        while len(self.pods) < min(missing, self.spec["parallelism"]):
            self.pods.append(self.start())
        return None

    def failures(self):
        return len(self.codes) - self.codes.count(0)

    def terminate(self):
        for pod in self.pods:
            pod.terminate()
        for pod in self.pods:
            pod.wait(self.grace)

    def wait(self):
        wait_until(lambda: self.step() is not None)
        return self.step()


@pytest.fixture
def job(journal, environment):
    yaml = pytest.importorskip("yaml")
    job = None

    def run(rows):
        nonlocal job
        cpaas.Campaign.create(journal, "sms.send", people(rows), TEMPLATE, name="autumn", rate=400)
        job = Job(yaml.safe_load(block("kind: Job")), {"JOURNAL": journal})
        return job, cpaas.Campaign.open(journal, "autumn")

    yield run
    for pod in job.pods:
        pod.kill()


def test_the_kubernetes_job_completes_although_a_pod_is_evicted(job, sandbox):
    running, campaign = job(4000)
    wait_until(lambda: campaign.status().accepted > 500)
    running.pods[0].send_signal(signal.SIGTERM)  # an eviction: the rows in flight finish
    assert running.wait() == "Complete"
    assert Counter(running.codes) == {143: 1, 0: 4}
    status = campaign.status()
    assert (status.state, status.accepted) == ("done", 4000)
    assert sent(sandbox) == {phone(number): 1 for number in range(4000)}


def test_the_kubernetes_job_fails_with_code_8_when_a_lost_node_leaves_rows_unknown(job, sandbox):
    running, campaign = job(4000)
    killed = 0
    while not campaign.status().unknown:  # a kill while no row is in flight leaves none unknown
        attempts = campaign.status().attempts
        while campaign.status().attempts == attempts:
            time.sleep(0.02)
        running.pods[0].kill()
        running.pods[0].wait()
        killed += 1
        assert running.step() is None, "a pod that was killed is replaced"
    assert running.wait() == "Failed"
    assert 8 in running.codes
    status = campaign.status()
    assert sum(getattr(status, state) for state in STATES) == 4000
    assert (status.state, status.pending, status.in_flight) == ("done", 0, 0)
    assert 0 < status.unknown <= killed * (64 + 32)
    counts = sent(sandbox)
    assert max(counts.values()) == 1
    assert status.accepted <= len(counts) <= 4000


def test_a_redelivered_celery_task_sends_no_row_twice(journal, environment, sandbox):
    celery = pytest.importorskip("celery")
    from celery.contrib.testing.worker import start_worker

    app = celery.Celery("campaigns", broker="memory://", backend="cache+memory://")
    names = {"app": app, "cpaas": cpaas, "JOURNAL": journal}
    exec(block("@app.task"), names)
    campaign = cpaas.Campaign.create(journal, "sms.send", people(2000), TEMPLATE, name="autumn")
    with start_worker(app, pool="threads", concurrency=3, perform_ping_check=False):
        # Three deliveries of the same task, because a broker delivers at least once.
        results = [names["work"].apply_async(("autumn",), task_id="the-same") for _ in range(3)]
        for result in results:
            result.get(timeout=120, disable_sync_subtasks=False)
    status = campaign.status()
    assert (status.state, status.accepted, status.unknown) == ("done", 2000, 0)
    assert sent(sandbox) == {phone(number): 1 for number in range(2000)}


def test_celery_workers_that_fork_share_a_campaign(journal, environment, sandbox, tmp_path):
    """Celery's default pool: the journal is opened in a child process."""
    pytest.importorskip("celery")
    folder = tmp_path / "broker"
    folder.mkdir()
    source = f"""
import celery, cpaas
JOURNAL = {journal!r}
app = celery.Celery("campaigns", broker="filesystem://")
app.conf.broker_transport_options = {{"data_folder_in": {str(folder)!r}, "data_folder_out": {str(folder)!r}}}
{block("@app.task")}
"""
    (tmp_path / "tasks.py").write_text(source)
    campaign = cpaas.Campaign.create(journal, "sms.send", people(2000), TEMPLATE, name="autumn")
    command = [sys.executable, "-m", "celery", "-A", "tasks"]
    worker = subprocess.Popen([*command, "worker", "--concurrency", "2", "--loglevel", "error"], cwd=tmp_path)
    try:
        for _ in range(3):
            call = [*command, "call", "tasks.work", "--args", json.dumps(["autumn"])]
            subprocess.run(call, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
        wait_until(lambda: campaign.status().state == "done")
    finally:
        worker.terminate()
        worker.wait(60)
    assert campaign.status().accepted == 2000
    assert sent(sandbox) == {phone(number): 1 for number in range(2000)}


def test_spark_creates_a_campaign_and_runs_its_workers(journal, environment, sandbox):
    pytest.importorskip("pyspark")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = SparkSession.builder.master("local[4]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        frame = spark.createDataFrame(people(3000)).repartition(7)
        names = {"spark": spark, "frame": frame, "template": TEMPLATE, "cpaas": cpaas}
        exec(block("spark.sparkContext"), {**names, "JOURNAL": journal, "NAME": "autumn"})
    finally:
        spark.stop()
    status = cpaas.Campaign.open(journal, "autumn").status()
    assert (status.state, status.accepted, status.unknown) == ("done", 3000, 0)
    assert sent(sandbox) == {phone(number): 1 for number in range(3000)}
