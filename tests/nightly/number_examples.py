"""Prints the example of each type of number of each region, `[region, type, number, region of the number]`, from the metadata of
libphonenumber in PyPI's `phonenumbers`. Run by public_data."""
import json

import phonenumbers
from phonenumbers import PhoneNumberType as Type

NAMES = {
    Type.FIXED_LINE: "fixed_line", Type.MOBILE: "mobile", Type.TOLL_FREE: "toll_free", Type.PREMIUM_RATE: "premium_rate",
    Type.SHARED_COST: "shared_cost", Type.VOIP: "voip", Type.PERSONAL_NUMBER: "personal", Type.PAGER: "pager",
    Type.UAN: "universal_access", Type.VOICEMAIL: "voicemail",
}


def examples():
    for region in sorted(phonenumbers.SUPPORTED_REGIONS):
        for kind, name in NAMES.items():
            number = phonenumbers.example_number_for_type(region, kind)
            if number is not None:
                text = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
                yield region, name, text, phonenumbers.region_code_for_number(number)


print(json.dumps(list(examples())))
