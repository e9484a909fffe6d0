"""cpaas for Python: sms.send. Recommended: the defaults. Retries off: `max_attempts=1`."""
import cpaas
import driver

OPTIONS = {} if driver.RETRIES else {"max_attempts": 1}


def call(url):
    with cpaas.Client(sms_url=url, sms_key="key", timeout=driver.TIMEOUT, **OPTIONS) as client:
        return client.sms.send(from_="Acme", to=driver.TO, text=driver.TEXT).id


def report(error):
    if isinstance(error, cpaas.AcceptedIdUnknown):
        return "accepted"
    return error.outcome.replace("_", " ") if isinstance(error, cpaas.Error) else None


driver.run(call, report)
