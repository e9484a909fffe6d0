"""vonage for Python: sms.send. Recommended: the defaults. Retries off: `max_retries=0`, and `pool_maxsize=1`, because the client repeats a
request as often as it has connections."""
import driver
from vonage import Auth, HttpClientOptions, Vonage
from vonage_http_client.errors import HttpRequestError
from vonage_sms import SmsMessage
from vonage_sms.errors import SmsError

OPTIONS = {} if driver.RETRIES else {"max_retries": 0, "pool_maxsize": 1}


def call(url):
    host = url.removeprefix("http://")
    options = HttpClientOptions(api_host=host, rest_host=host, timeout=driver.TIMEOUT, **OPTIONS)
    client = Vonage(Auth(api_key="key", api_secret="secret"), options)
    driver.without_tls(client.http_client._session)
    return client.sms.send(SmsMessage(to=driver.TO, from_="Acme", text=driver.TEXT)).messages[0].message_id


def report(error):
    if isinstance(error, SmsError):
        return "rejected"
    return driver.by_status(error.response.status_code) if isinstance(error, HttpRequestError) else None


driver.run(call, report)
