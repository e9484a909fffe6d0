"""stripe for Python: the creation of a payment intent, which counts as a message. Recommended: `max_network_retries=2`, the default; each
call has an idempotency key."""
import driver
import stripe


def call(url):
    client = stripe.StripeClient(
        "sk_test_key",
        base_addresses={"api": url},
        http_client=stripe.RequestsClient(timeout=driver.TIMEOUT),
        max_network_retries=2 if driver.RETRIES else 0,
    )
    return client.v1.payment_intents.create({"amount": 100, "currency": "eur"}).id


def report(error):
    if type(error) is stripe.APIError:  # documented as a problem of the server
        return "unknown"
    status = getattr(error, "http_status", None)
    return driver.by_status(status) if status else None


driver.run(call, report)
