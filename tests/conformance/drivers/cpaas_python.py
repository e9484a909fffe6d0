"""cpaas for Python: sms.send. Recommended: the defaults. Retries off: `max_attempts=1`."""
import cpaas
import driver

OPTIONS = {} if driver.RETRIES else {"max_attempts": 1}


def call(url):
    with cpaas.Client(sms_url=url, sms_key="key", timeout=driver.TIMEOUT, **OPTIONS) as client:
        return client.sms.send(from_="Acme", to=driver.TO, text=driver.TEXT).id


def report(error):
    if not isinstance(error, cpaas.Error):
        return None
    # A rejection with a status of 5xx may have been processed.
    return {"yes": "accepted", "maybe": "unknown"}.get(error.processed) or error.outcome.replace("_", " ")


driver.run(call, report)
