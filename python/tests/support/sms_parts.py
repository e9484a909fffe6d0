"""The number of parts of an SMS, counted from the specification and not by the library."""

GSM = set(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
GSM_EXTENSION = set("^{}\\[~]|€\f")


def parts(text):
    """The number of SMS parts, where no character is split."""
    if set(text) <= GSM | GSM_EXTENSION:
        sizes, single, each = [2 if c in GSM_EXTENSION else 1 for c in text], 160, 153
    else:
        sizes, single, each = [2 if ord(c) > 0xFFFF else 1 for c in text], 70, 67
    if sum(sizes) <= single:
        return 1
    count, left = 1, each
    for size in sizes:
        if size > left:
            count, left = count + 1, each
        left -= size
    return count
