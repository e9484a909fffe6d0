"""twilio for Python: the 200 of another server, with some other JSON, counts as an accepted message, whose id is None."""
import server
from twilio.http.http_client import TwilioHttpClient
from twilio.rest import Client

http = TwilioHttpClient()
server.without_tls(http.session)
client = Client("AC" + "0" * 32, "token", http_client=http)
client.api.base_url = "https://" + server.start(200, '{"hello":"world"}')
message = client.messages.create(to="+306912345678", from_="+15005550006", body="Hello")
print("accepted, with the id", message.sid)
assert message.sid is None
