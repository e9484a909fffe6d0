"""One-time passcodes, SMS, number lookup, chat channels and callbacks of one messaging provider.

`Client` and `AsyncClient` call the provider. `Sandbox` simulates the provider on this machine, for tests.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._cpaas import __version__ as __version__

if TYPE_CHECKING:
    from . import arrow as arrow
    from . import callbacks as callbacks
    from . import codes as codes
    from . import models as models
    from . import types as types
    from ._async_client import AsyncClient as AsyncClient
    from ._bulk.send_many import SendResult as SendResult
    from ._campaign.campaign import Campaign as Campaign
    from ._campaign.records import CampaignBackup as CampaignBackup
    from ._campaign.records import CampaignPlan as CampaignPlan
    from ._campaign.records import CampaignResolution as CampaignResolution
    from ._campaign.records import CampaignRestore as CampaignRestore
    from ._campaign.records import CampaignStatus as CampaignStatus
    from ._campaign.records import CampaignTestMessage as CampaignTestMessage
    from ._campaign.records import JournalProblem as JournalProblem
    from ._campaign.records import JournalVerification as JournalVerification
    from ._campaign.records import PlanShare as PlanShare
    from ._campaign.records import ProblemGroup as ProblemGroup
    from ._campaign.records import RowProblem as RowProblem
    from ._campaign.records import SuppressionSummary as SuppressionSummary
    from ._client import Client as Client
    from ._cpaas import SegmentCounts as SegmentCounts
    from ._errors import AcceptedIdUnknown as AcceptedIdUnknown
    from ._errors import AcceptedIdUnknownTimeout as AcceptedIdUnknownTimeout
    from ._errors import CampaignError as CampaignError
    from ._errors import ClientClosed as ClientClosed
    from ._errors import Error as Error
    from ._errors import Forbidden as Forbidden
    from ._errors import Invalid as Invalid
    from ._errors import InvalidType as InvalidType
    from ._errors import LimitExists as LimitExists
    from ._errors import NotSent as NotSent
    from ._errors import NotSentTimeout as NotSentTimeout
    from ._errors import OutcomeUnknown as OutcomeUnknown
    from ._errors import OutcomeUnknownTimeout as OutcomeUnknownTimeout
    from ._errors import Problem as Problem
    from ._errors import ProviderCode as ProviderCode
    from ._errors import RateLimited as RateLimited
    from ._errors import Rejected as Rejected
    from ._errors import Report as Report
    from ._errors import TransportError as TransportError
    from ._errors import Unauthorized as Unauthorized
    from ._errors import UnknownLimit as UnknownLimit
    from ._errors import UnknownWorkflow as UnknownWorkflow
    from ._errors import WorkflowExists as WorkflowExists
    from ._errors import provider_code as provider_code
    from ._events import Event as Event
    from ._events import RequestEvent as RequestEvent
    from ._events import ResponseEvent as ResponseEvent
    from ._generated.campaign_settings import plan as plan
    from ._guard import Guard as Guard
    from ._sandbox.inbox import InboxMessage as InboxMessage
    from ._sandbox.sandbox import AsyncSandbox as AsyncSandbox
    from ._sandbox.sandbox import Sandbox as Sandbox
    from ._suppression import SuppressionList as SuppressionList
    from ._suppression import SuppressionStore as SuppressionStore
    from ._text.autofill import AutofillCheck as AutofillCheck
    from ._text.autofill import app_hash as app_hash
    from ._text.autofill import autofill_body as autofill_body
    from ._text.autofill import check_autofill as check_autofill
    from ._text.encoding import EncodedPart as EncodedPart
    from ._text.encoding import TemplateSegments as TemplateSegments
    from ._text.encoding import Transliteration as Transliteration
    from ._text.encoding import decode as decode
    from ._text.encoding import encode as encode
    from ._text.encoding import template_segments as template_segments
    from ._text.encoding import transliterate as transliterate
    from ._text.markup import Markup as Markup
    from ._text.markup import MarkupEntity as MarkupEntity
    from ._text.markup import MarkupError as MarkupError
    from ._text.markup import SentMarkup as SentMarkup
    from ._text.markup import escape_markup as escape_markup
    from ._text.markup import parse_markup as parse_markup
    from ._text.phone_numbers import NumberCheck as NumberCheck
    from ._text.phone_numbers import SenderCheck as SenderCheck
    from ._text.phone_numbers import check_number as check_number
    from ._text.phone_numbers import check_sender as check_sender
    from ._text.phone_numbers import normalize_number as normalize_number
    from ._text.segments import Estimate as Estimate
    from ._text.segments import Part as Part
    from ._text.segments import SegmentCount as SegmentCount
    from ._text.segments import Segments as Segments
    from ._text.segments import TextError as TextError
    from ._text.segments import annotate as annotate
    from ._text.segments import count_segments as count_segments
    from ._text.segments import estimate as estimate
    from ._text.segments import segments as segments
    from ._validation import check as check
    from ._validation import validate as validate

# The modules of the public names. A module is loaded at the first use of one of its names, because asyncio, campaigns and the
# sandbox cost more than the import of a client.
_NAMES = {
    "AcceptedIdUnknown": "_errors",
    "AcceptedIdUnknownTimeout": "_errors",
    "AsyncClient": "_async_client",
    "AsyncSandbox": "_sandbox.sandbox",
    "AutofillCheck": "_text.autofill",
    "Campaign": "_campaign.campaign",
    "CampaignBackup": "_campaign.records",
    "CampaignError": "_errors",
    "CampaignPlan": "_campaign.records",
    "CampaignResolution": "_campaign.records",
    "CampaignRestore": "_campaign.records",
    "CampaignStatus": "_campaign.records",
    "CampaignTestMessage": "_campaign.records",
    "Client": "_client",
    "ClientClosed": "_errors",
    "EncodedPart": "_text.encoding",
    "Error": "_errors",
    "Estimate": "_text.segments",
    "Event": "_events",
    "Forbidden": "_errors",
    "Guard": "_guard",
    "InboxMessage": "_sandbox.inbox",
    "Invalid": "_errors",
    "InvalidType": "_errors",
    "JournalProblem": "_campaign.records",
    "JournalVerification": "_campaign.records",
    "LimitExists": "_errors",
    "Markup": "_text.markup",
    "MarkupEntity": "_text.markup",
    "MarkupError": "_text.markup",
    "NotSent": "_errors",
    "NotSentTimeout": "_errors",
    "NumberCheck": "_text.phone_numbers",
    "OutcomeUnknown": "_errors",
    "OutcomeUnknownTimeout": "_errors",
    "Part": "_text.segments",
    "PlanShare": "_campaign.records",
    "Problem": "_errors",
    "ProblemGroup": "_campaign.records",
    "ProviderCode": "_errors",
    "RateLimited": "_errors",
    "Rejected": "_errors",
    "Report": "_errors",
    "RequestEvent": "_events",
    "ResponseEvent": "_events",
    "RowProblem": "_campaign.records",
    "Sandbox": "_sandbox.sandbox",
    "SegmentCount": "_text.segments",
    "SegmentCounts": "_cpaas",
    "Segments": "_text.segments",
    "SendResult": "_bulk.send_many",
    "SenderCheck": "_text.phone_numbers",
    "SentMarkup": "_text.markup",
    "SuppressionList": "_suppression",
    "SuppressionStore": "_suppression",
    "SuppressionSummary": "_campaign.records",
    "TemplateSegments": "_text.encoding",
    "TextError": "_text.segments",
    "Transliteration": "_text.encoding",
    "TransportError": "_errors",
    "Unauthorized": "_errors",
    "UnknownLimit": "_errors",
    "UnknownWorkflow": "_errors",
    "WorkflowExists": "_errors",
    "annotate": "_text.segments",
    "app_hash": "_text.autofill",
    "autofill_body": "_text.autofill",
    "check": "_validation",
    "check_autofill": "_text.autofill",
    "check_number": "_text.phone_numbers",
    "check_sender": "_text.phone_numbers",
    "count_segments": "_text.segments",
    "decode": "_text.encoding",
    "encode": "_text.encoding",
    "escape_markup": "_text.markup",
    "estimate": "_text.segments",
    "normalize_number": "_text.phone_numbers",
    "parse_markup": "_text.markup",
    "plan": "_generated.campaign_settings",
    "provider_code": "_errors",
    "segments": "_text.segments",
    "template_segments": "_text.encoding",
    "transliterate": "_text.encoding",
    "validate": "_validation",
}
_MODULES = ("arrow", "callbacks", "codes", "models", "types")
# These need packages that may be missing, so `from cpaas import *` leaves them out.
_OPTIONAL_MODULES = ("pandas", "polars", "spark")

__all__ = [
    "AcceptedIdUnknown",
    "AcceptedIdUnknownTimeout",
    "AsyncClient",
    "AsyncSandbox",
    "AutofillCheck",
    "Campaign",
    "CampaignBackup",
    "CampaignError",
    "CampaignPlan",
    "CampaignResolution",
    "CampaignRestore",
    "CampaignStatus",
    "CampaignTestMessage",
    "Client",
    "ClientClosed",
    "EncodedPart",
    "Error",
    "Estimate",
    "Event",
    "Forbidden",
    "Guard",
    "InboxMessage",
    "Invalid",
    "InvalidType",
    "JournalProblem",
    "JournalVerification",
    "LimitExists",
    "Markup",
    "MarkupEntity",
    "MarkupError",
    "NotSent",
    "NotSentTimeout",
    "NumberCheck",
    "OutcomeUnknown",
    "OutcomeUnknownTimeout",
    "Part",
    "PlanShare",
    "Problem",
    "ProblemGroup",
    "ProviderCode",
    "RateLimited",
    "Rejected",
    "Report",
    "RequestEvent",
    "ResponseEvent",
    "RowProblem",
    "Sandbox",
    "SegmentCount",
    "SegmentCounts",
    "Segments",
    "SendResult",
    "SenderCheck",
    "SentMarkup",
    "SuppressionList",
    "SuppressionStore",
    "SuppressionSummary",
    "TemplateSegments",
    "TextError",
    "Transliteration",
    "TransportError",
    "Unauthorized",
    "UnknownLimit",
    "UnknownWorkflow",
    "WorkflowExists",
    "__version__",
    "annotate",
    "app_hash",
    "arrow",
    "autofill_body",
    "callbacks",
    "check",
    "check_autofill",
    "check_number",
    "check_sender",
    "codes",
    "count_segments",
    "decode",
    "encode",
    "escape_markup",
    "estimate",
    "models",
    "normalize_number",
    "parse_markup",
    "plan",
    "provider_code",
    "segments",
    "template_segments",
    "transliterate",
    "types",
    "validate",
]


# Type checkers report misspelled names only if they do not see this function.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in _NAMES:
            value = getattr(importlib.import_module(f"cpaas.{_NAMES[name]}"), name)
        elif name in _MODULES or name in _OPTIONAL_MODULES:
            value = importlib.import_module(f"cpaas.{name}")
        else:
            raise AttributeError(f"module 'cpaas' has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
