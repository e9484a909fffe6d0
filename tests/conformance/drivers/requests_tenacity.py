"""requests with tenacity. Recommended: three attempts with exponential backoff after a lost connection, a timeout, a 429 and a 5xx."""
import driver
import requests
import tenacity


def send(url):
    request = {"from": "Acme", "to": driver.TO, "text": driver.TEXT}
    response = requests.post(f"{url}/sms", json=request, timeout=driver.TIMEOUT)
    response.raise_for_status()
    return response.json()["id"]


def is_temporary(error):
    if isinstance(error, requests.HTTPError):
        return error.response.status_code == 429 or error.response.status_code >= 500
    return isinstance(error, (requests.ConnectionError, requests.Timeout))


retry = tenacity.retry(
    retry=tenacity.retry_if_exception(is_temporary),
    stop=tenacity.stop_after_attempt(3),
    wait=tenacity.wait_exponential(multiplier=0.1),
    reraise=True,
)
call = retry(send) if driver.RETRIES else send


def report(error):
    return driver.by_status(error.response.status_code) if isinstance(error, requests.HTTPError) else None


driver.run(call, report)
