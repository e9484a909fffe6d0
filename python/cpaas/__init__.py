"""One-time passcodes, SMS, number lookup, chat channels and callbacks of one messaging provider.

`Client` and `AsyncClient` call the provider. `Sandbox` simulates the provider on this machine, for tests.
"""

from ._client import Client
from ._cpaas import __version__

_LAZY = {
    "AcceptedIdUnknown": "_errors",
    "AcceptedIdUnknownTimeout": "_errors",
    "AsyncClient": "_async_client",
    "Campaign": "_campaign",
    "CampaignError": "_errors",
    "CampaignPlan": "_campaign_records",
    "CampaignResolution": "_campaign_records",
    "CampaignStatus": "_campaign_records",
    "ClientClosed": "_errors",
    "EncodedPart": "_sms_encoding",
    "Error": "_errors",
    "Event": "_event",
    "Forbidden": "_errors",
    "Invalid": "_errors",
    "InvalidType": "_errors",
    "LimitExists": "_errors",
    "MarkupError": "_text",
    "NotSent": "_errors",
    "NotSentTimeout": "_errors",
    "OutcomeUnknown": "_errors",
    "OutcomeUnknownTimeout": "_errors",
    "Problem": "_report",
    "ProviderCode": "_provider_code",
    "RateLimited": "_errors",
    "Rejected": "_errors",
    "Report": "_report",
    "RequestEvent": "_event",
    "ResponseEvent": "_event",
    "Sandbox": "_sandbox",
    "SendResult": "_send_many",
    "TemplateSegments": "_sms_encoding",
    "TextError": "_text",
    "Transliteration": "_sms_encoding",
    "TransportError": "_errors",
    "Unauthorized": "_errors",
    "UnknownLimit": "_errors",
    "UnknownWorkflow": "_errors",
    "WorkflowExists": "_errors",
    "annotate": "_text",
    "check": "_text",
    "check_number": "_phone_numbers",
    "check_sender": "_phone_numbers",
    "count_segments": "_text",
    "decode": "_sms_encoding",
    "encode": "_sms_encoding",
    "escape_markup": "_text",
    "estimate": "_text",
    "normalize_number": "_phone_numbers",
    "parse_markup": "_text",
    "plan": "_campaign_plan",
    "provider_code": "_provider_code",
    "segments": "_text",
    "template_segments": "_sms_encoding",
    "transliterate": "_sms_encoding",
    "validate": "_text",
}
_MODULES = ("arrow", "callbacks", "models", "types")
# These need packages that may be missing, so `from cpaas import *` leaves them out.
_OPTIONAL_MODULES = ("polars", "spark")

__all__ = [
    "Client",
    "__version__",
    *_LAZY,
    *_MODULES,
]


def __getattr__(name):
    if name in _LAZY:
        value = getattr(_load(_LAZY[name]), name)
    elif name in _MODULES or name in _OPTIONAL_MODULES:
        value = _load(name)
    else:
        raise AttributeError(f"module 'cpaas' has no attribute {name!r}")
    globals()[name] = value
    return value


def _load(name):
    return __import__(f"cpaas.{name}", None, None, ("*",))


def __dir__():
    return sorted({*globals(), *__all__})
