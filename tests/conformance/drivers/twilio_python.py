"""twilio for Python: messages.create. Recommended: `max_retries`, which repeats a request whose connection failed."""
import driver
from twilio.base.exceptions import TwilioRestException
from twilio.http.http_client import TwilioHttpClient
from twilio.rest import Client


def call(url):
    http = TwilioHttpClient(timeout=driver.TIMEOUT, max_retries=3 if driver.RETRIES else None)
    driver.without_tls(http.session)
    client = Client("AC" + "0" * 32, "token", http_client=http)
    client.api.base_url = url.replace("http://", "https://")
    return client.messages.create(to=f"+{driver.TO}", from_="+15005550006", body=driver.TEXT).sid


def report(error):
    return driver.by_status(error.status) if isinstance(error, TwilioRestException) else None


driver.run(call, report)
