"""openai for Python: after a 503 it repeats the request twice, without an idempotency key."""
import openai
import server

client = openai.OpenAI(base_url=f"http://{server.start(503)}", api_key="key")
try:
    client.chat.completions.create(model="model", messages=[{"role": "user", "content": "Hello"}])
except openai.APIError as error:
    print(len(server.RECEIVED), "requests;", type(error).__name__)
assert len(server.RECEIVED) == 3
