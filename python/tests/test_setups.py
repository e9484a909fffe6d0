"""Wrong set-ups of receivers, handlers and sandboxes are errors where they are made, not at the first event."""

import pytest
from support.bad_input import keyring, receiver

import cpaas
from cpaas import callbacks


class HandlerWithMethod:
    def handle(self):
        pass


def ignored(received, *, retries=3):
    pass


def two(received, connection):
    pass


@pytest.mark.parametrize("adapter", [callbacks.asgi, callbacks.wsgi])
def test_a_class_in_the_place_of_an_object_is_refused(adapter):
    with pytest.raises(
        cpaas.InvalidType, match="duplicates must be an object, got the class Duplicates; call it"
    ):
        adapter(receiver(), ignored, duplicates=callbacks.Duplicates)
    with pytest.raises(
        cpaas.InvalidType, match="receiver must be an object, got the class Receiver; call it"
    ):
        adapter(callbacks.Receiver, ignored)


@pytest.mark.parametrize("adapter", [callbacks.asgi, callbacks.wsgi])
@pytest.mark.parametrize("handler", [lambda: None, two, HandlerWithMethod().handle])
def test_a_handler_that_one_callback_cannot_call_is_refused(adapter, handler):
    with pytest.raises(
        cpaas.InvalidType, match="handler must be a function that can be called with one argument"
    ):
        adapter(receiver(), handler)


@pytest.mark.parametrize("adapter", [callbacks.asgi, callbacks.wsgi])
@pytest.mark.parametrize("handler", [ignored, print, [].append, lambda *received: None, {}.get])
def test_a_handler_that_one_callback_can_call_is_accepted(adapter, handler):
    adapter(receiver(), handler, duplicates=callbacks.Duplicates())


def test_a_receiver_without_keys_is_refused():
    with pytest.raises(
        cpaas.Invalid, match="a receiver needs a Keyring: delivery_keys, inbound_keys or both"
    ):
        callbacks.Receiver(audience="a", public_url="https://a.example")


def test_a_url_without_its_keys_names_the_settings():
    one = callbacks.Receiver(audience="a", public_url="https://a.example", delivery_keys=keyring())
    with pytest.raises(cpaas.Invalid, match="`inbound_keys`"):
        one.url("inbound_sms")
