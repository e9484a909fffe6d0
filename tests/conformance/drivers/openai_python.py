"""openai for Python: chat.completions.create, which counts as a message. Recommended: the defaults, two retries."""
import driver
import openai


def call(url):
    client = openai.OpenAI(base_url=url, api_key="key", timeout=driver.TIMEOUT, max_retries=2 if driver.RETRIES else 0)
    messages = [{"role": "user", "content": driver.TEXT}]
    return client.chat.completions.create(model="model", messages=messages).id


def report(error):
    return driver.by_status(error.status_code) if isinstance(error, openai.APIStatusError) else None


driver.run(call, report)
