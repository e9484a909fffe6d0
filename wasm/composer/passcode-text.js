// The text of a one-time passcode as it is sent: the provider replaces `{code}` by a random six-digit code (docs/specification.md).

const TOKEN = "{code}";
/** The digits that the page shows and counts. */
const DIGITS = "123456";

/** The SMS text of an operation as it is sent. */
export const sentText = (operation, text) => (operation === "otp.send" ? text.replaceAll(TOKEN, DIGITS) : text);

/** The ranges of the digits in the sent text, each with its start and end. */
export function codeRanges(operation, text) {
  if (operation !== "otp.send") return [];
  let at = 0;
  return text.split(TOKEN).slice(0, -1).map((before) => {
    const start = at + before.length;
    at = start + DIGITS.length;
    return { start, end: at };
  });
}
