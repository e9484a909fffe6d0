"""Compares `cpaas.arrow.check_numbers` with `phonenumbers` in 20 notations. Run by phonenumbers_oracle.

    phonenumbers_oracle.py COUNT [SEED]

Prints the differences by cause and notation. Exits with 1 after a difference without a cause.
"""

import collections
import multiprocessing
import random
import re
import sys

import phonenumbers
import pyarrow as pa
from phonenumbers import NumberParseException, PhoneNumberFormat, PhoneNumberType, ValidationResult

from cpaas import arrow

COUNT = int(sys.argv[1])
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
SHOWN = 5

TYPES = {
    PhoneNumberType.FIXED_LINE: "fixed_line",
    PhoneNumberType.MOBILE: "mobile",
    PhoneNumberType.FIXED_LINE_OR_MOBILE: "fixed_line_or_mobile",
    PhoneNumberType.TOLL_FREE: "toll_free",
    PhoneNumberType.PREMIUM_RATE: "premium_rate",
    PhoneNumberType.SHARED_COST: "shared_cost",
    PhoneNumberType.VOIP: "voip",
    PhoneNumberType.PERSONAL_NUMBER: "personal",
    PhoneNumberType.PAGER: "pager",
    PhoneNumberType.UAN: "universal_access",
    PhoneNumberType.VOICEMAIL: "voicemail",
    PhoneNumberType.UNKNOWN: "unknown",
}


def formatted(number, style):
    return phonenumbers.format_number(number, style)


def e164(number):
    return formatted(number, PhoneNumberFormat.E164)


def international(number):
    return formatted(number, PhoneNumberFormat.INTERNATIONAL)


def in_digits(text, zero):
    return re.sub("[0-9]", lambda digit: chr(ord(zero) + int(digit[0])), text)


def with_trunk_zero(number):
    code, _, rest = international(number).partition(" ")
    return f"{code} (0){rest}"


def in_brackets(number):
    code, _, rest = international(number).partition(" ")
    area, _, rest = rest.partition(" ")
    return f"{code} ({area}) {rest}" if rest else f"({code}) {area}"


def from_abroad(number, rng):
    """A number as it is dialed in another region, and that region."""
    region = rng.choice(sorted(phonenumbers.SUPPORTED_REGIONS))
    return phonenumbers.format_out_of_country_calling_number(number, region), region


# Each notation returns a text, or a text and a region.
NOTATIONS = {
    "plus and digits": lambda n, r, rng: e164(n),
    "digits": lambda n, r, rng: e164(n)[1:],
    "00 and digits": lambda n, r, rng: "00" + e164(n)[1:],
    "international": lambda n, r, rng: international(n),
    "00, with spaces": lambda n, r, rng: "00 " + international(n)[1:],
    "tel: link": lambda n, r, rng: formatted(n, PhoneNumberFormat.RFC3966),
    "full stops": lambda n, r, rng: re.sub("[ -]", ".", international(n)),
    "slashes": lambda n, r, rng: re.sub("[ -]", "/", international(n)),
    "(0) after the code": lambda n, r, rng: with_trunk_zero(n),
    "brackets": lambda n, r, rng: in_brackets(n),
    "full-width": lambda n, r, rng: in_digits(international(n), "０").replace("+", "＋"),
    "Arabic digits": lambda n, r, rng: in_digits(international(n), "٠"),
    "spaces of typography": lambda n, r, rng: international(n).replace(
        " ", rng.choice("\u00a0\u202f\u2009\u3000")
    ),
    "marks of direction": lambda n, r, rng: f"\u202a{international(n)}\u202c",
    "dashes": lambda n, r, rng: re.sub("[ -]", rng.choice("\u2010\u2011\u2013\u2212"), international(n)),
    "white space around": lambda n, r, rng: f" \t{international(n)}\r\n",
    "national, with its region": lambda n, r, rng: (formatted(n, PhoneNumberFormat.NATIONAL), r),
    "national digits, with its region": lambda n, r, rng: (
        re.sub("[^0-9]", "", formatted(n, PhoneNumberFormat.NATIONAL)),
        r,
    ),
    "dialed in another region": lambda n, r, rng: from_abroad(n, rng),
    "decimal, extension or letters": lambda n, r, rng: rng.choice(
        [e164(n)[1:] + ".0", international(n) + " ext. 12", e164(n) + ";ext=12", e164(n)[:-4] + "CALL"]
    ),
}


def examples():
    """A number of each region and type, with its region."""
    for region in sorted(phonenumbers.SUPPORTED_REGIONS):
        for kind in TYPES:
            number = phonenumbers.example_number_for_type(region, kind)
            if number is not None:
                yield number, region
    for code in sorted(phonenumbers.COUNTRY_CODES_FOR_NON_GEO_REGIONS):
        number = phonenumbers.example_number_for_non_geo_entity(code)
        if number is not None:
            yield number, None


def varied(number, rng):
    """The number with other digits at its end, and sometimes with a digit more or less."""
    digits = phonenumbers.national_significant_number(number)
    change = rng.randint(0, min(len(digits), rng.choice([0, 3, 6, 6, 9])))
    digits = digits[: len(digits) - change] + "".join(rng.choice("0123456789") for _ in range(change))
    roll = rng.random()
    if roll < 0.02:
        digits += rng.choice("0123456789")
    elif roll < 0.04:
        digits = digits[:-1]
    if len(digits) < 2:
        return number
    found = phonenumbers.PhoneNumber(country_code=number.country_code, national_number=int(digits))
    zeros = len(digits) - len(digits.lstrip("0"))
    if zeros:
        found.italian_leading_zero = True
        found.number_of_leading_zeros = zeros
    return found


def rows(count, rng):
    """Rows of notation, text and region."""
    known, names = [*examples()], [*NOTATIONS]
    for row in range(count):
        number, region = rng.choice(known)
        name = names[row % len(names)]
        written = NOTATIONS[name](varied(number, rng), region, rng)
        text, region = written if isinstance(written, tuple) else (written, None)
        yield name, text, region


def read_as(text):
    """The text with a plus sign if it has none: `phonenumbers` reads numbers without one only as those of a region. This is the
    form of the provider, and `00`."""
    text = re.sub("[\u202a-\u202e\u200e\u200f]", "", text).strip()
    if text.startswith("00"):
        return "+" + text[2:].lstrip()
    return "+" + text if re.fullmatch("[1-9][0-9]{6,14}", text) else text


NOT_A_NUMBER = (None, False, False, None, "unknown")
COUNTRY_CODES = sorted(map(str, phonenumbers.COUNTRY_CODE_TO_REGION_CODE))


def theirs(text, region):
    """The form, the validity, the possibility, the region and the type of a number, and whether it can be dialed only locally."""
    try:
        number = phonenumbers.parse(text if region else read_as(text), region)
    except NumberParseException:
        return NOT_A_NUMBER, False
    found = (
        e164(number)[1:],
        phonenumbers.is_valid_number(number),
        phonenumbers.is_possible_number(number),
        phonenumbers.region_code_for_number(number),
        TYPES[phonenumbers.number_type(number)],
    )
    return found, phonenumbers.is_possible_number_with_reason(
        number
    ) == ValidationResult.IS_POSSIBLE_LOCAL_ONLY


def expected(text, region):
    """What this library returns, but for the rules about texts: no region "001", and nothing that can be dialed only locally."""
    (form, valid, possible, their_region, kind), is_local = theirs(text, region)
    valid, possible = valid and not is_local, possible and not is_local
    return form, valid, possible, None if their_region == "001" else their_region, kind


def without_extension(text):
    return re.sub("( ext\\. |;ext=).*", "", text)


def digits_of(text):
    return re.sub("[^0-9]", "", "".join(str(int(c)) if c.isdecimal() else c for c in text))


def cause(row, ours):
    """Why a row differs: which other text, or which rule of docs/python.md, has the result; None if there is no known cause."""
    _, text, region = row
    usual, spaced = expected(text, region), re.sub("[\u2009\u202f]", " ", text)
    changes = [
        (text.replace("(0)", ""), "(0) after the country code"),
        (spaced, "thin spaces"),
        (spaced.replace("(0)", ""), "thin spaces"),
    ]
    changes = [(changed, rule) for changed, rule in changes if changed != text]
    for changed, rule in changes:
        if ours == expected(changed, region) != usual:
            return rule
    why = cause_of_text(text, region, ours)
    return why or next((rule for changed, rule in changes if cause_of_text(changed, region, ours)), None)


def cause_of_text(text, region, ours):
    found, is_local = theirs(text, region)
    usual = expected(text, region)
    if ours == usual != found:
        return "local only" if is_local else "no region"
    if ours == NOT_A_NUMBER:
        return refused(text, region, found, is_local)
    if ours[1:] == usual[1:] and ours[0] == digits_of(read_as(text)):
        return "a national prefix after the country code"
    digits = re.sub("[^0-9]", "", text)
    if not (found[1] or ours[1]) and ours[0] == without_trunk_zero(found[0]) and is_check_of_form(ours):
        return "a trunk prefix after the country code, if the number is not assigned"
    # With their country code, digits lose a trunk prefix.
    forms = [digits, digits.removeprefix("00")]
    forms += [form for digits in forms for form in trunk_removed(digits)]
    if region and ours[0] in forms and is_check_of_form(ours):
        if text.startswith("00") and (ours[1] > usual[1] or not may_be_dialed(text, region)):
            return "digits after 00, if those of the region are impossible or only these are assigned"
        if ours[1] > usual[1] or (ours[4] == "mobile" and "mobile" not in usual[4]):
            return "digits with their country code, if only these are assigned or mobile"
        if ours[2] and not may_be_dialed(text, region):
            return "digits with their country code, if those of the region are impossible"
    return None


def is_check_of_form(ours):
    return ours[1:] == expected(ours[0], None)[1:]


def without_trunk_zero(form):
    """A number in the form that is sent without the zero after its country code, or None."""
    code = next((code for code in COUNTRY_CODES if form and form.startswith(code + "0")), None)
    return None if code is None else code + form.removeprefix(code)[1:]


def trunk_removed(digits):
    """Digits with their country code, without the prefix with which the number is dialed inside its country."""
    found = [without_trunk_zero(digits)]
    if re.fullmatch("11[2-9][0-9]{9}", digits):
        found.append(digits[1:])
    return [form for form in found if form]


def may_be_dialed(text, region):
    """Whether a number of a region is assigned, or has the length of a fixed-line or mobile number."""
    try:
        number = phonenumbers.parse(text, region)
    except NumberParseException:
        return False
    possible = [
        phonenumbers.is_possible_number_for_type_with_reason(number, kind) == ValidationResult.IS_POSSIBLE
        for kind in (PhoneNumberType.FIXED_LINE, PhoneNumberType.MOBILE)
    ]
    is_known = phonenumbers.is_valid_number(number) or (any(possible) and not number.italian_leading_zero)
    return is_known and expected(text, region)[2]


def refused(text, region, found, is_local):
    """Why a text is not a number here."""
    if region and is_local:
        return "local only"
    if without_extension(text) != text:
        return "an extension"
    if re.search("[A-Z]", text):
        return "letters"
    if re.search("[0-9][.]0$", text):
        return "a decimal number"
    if "~" in text:
        return "a tilde"
    if len(digits_of(text)) < 7 or (found[0] is not None and len(found[0]) < 7):
        return "fewer than seven digits"
    if found[0] is not None and len(found[0]) > 15:
        return "more than fifteen digits"
    if region and not may_be_dialed(text, region):
        return "neither assigned nor the length of a fixed-line or mobile number in the region"
    return None


def main():
    rng = random.Random(SEED)
    made = [*rows(COUNT, rng)]
    column = pa.array([text for _, text, _ in made])
    regions = pa.array([region for *_, region in made])
    checks = arrow.check_numbers(column, region=regions, normalized=True).to_pylist()
    with multiprocessing.Pool() as pool:
        oracle = pool.starmap(theirs, [row[1:] for row in made], chunksize=1000)
    differences = collections.defaultdict(collections.Counter)
    shown = collections.defaultdict(list)
    for row, check, (found, _) in zip(made, checks, oracle, strict=True):
        ours = tuple(check[name] for name in ("normalized", "valid", "possible", "region", "type"))
        if ours == found:
            continue
        why = cause(row, ours) or "WITHOUT A CAUSE"
        differences[why][row[0]] += 1
        if len(shown[why, row[0]]) < SHOWN:
            shown[why, row[0]].append(f"{row[1]!r} {row[2] or ''}: ours {ours}, phonenumbers {found}")
    total = sum(counts.total() for counts in differences.values())
    print(
        f"{len(made):,} numbers in {len(NOTATIONS)} notations, {total:,} differ from phonenumbers {phonenumbers.__version__}"
    )
    for why, counts in sorted(differences.items()):
        print(f"{counts.total():>9,} {why}")
        for name, count in counts.most_common():
            print(f"{count:>15,} {name}")
            if "-v" in sys.argv or why == "WITHOUT A CAUSE":
                print("\n".join(f"                {line}" for line in shown[why, name]))
    sys.exit(1 if "WITHOUT A CAUSE" in differences else 0)


if __name__ == "__main__":
    main()
