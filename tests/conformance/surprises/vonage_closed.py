"""vonage for Python: a server that closes each connection after the request receives one SMS ten times. `max_retries=0` changes nothing."""
import server
from vonage import Auth, HttpClientOptions, Vonage
from vonage_sms import SmsMessage

host = server.start()
client = Vonage(Auth(api_key="key", api_secret="secret"), HttpClientOptions(rest_host=host, max_retries=0))
server.without_tls(client.http_client._session)
try:
    client.sms.send(SmsMessage(to="306912345678", from_="Acme", text="Hello"))
except Exception as error:
    print(len(server.RECEIVED), "requests;", type(error).__name__)
assert len(server.RECEIVED) == 10
