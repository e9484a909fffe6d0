// The help text of fields whose schema has no description, and the documented values of a field.

const HELP = {
  from: "The sender: at most 11 letters and digits, or at most 16 digits.",
  to: "The recipient's number with its country code, digits only.",
  text: "The text that the recipient reads.",
  body: "The text; {code} is replaced by the passcode.",
  test: "The provider checks the message, but does not send it.",
  reference: "Your own id of the message; delivery reports contain it.",
  callback: "The address that receives the delivery report.",
  service: "The name of the login or purpose that the passcode is for.",
  trafficAccountId: "The account that the provider gave you for chat messages.",
  destination: "The recipient: a number, or the id of a chat user.",
  sender: "The sender that the phone shows.",
  parseMode: "The syntax of formatting in the message.",
  fallback: "The text on devices that cannot show the message.",
  forceFallback: "Shows the fallback on every device.",
  cardWidth: "SMALL cards are 136 pixels wide, MEDIUM 280.",
  height: "The height of the picture on the card.",
  fileUrl: "A public address of the picture or file.",
  altText: "The description of the picture for screen readers.",
  postbackData: "The data that your webhook receives when the user taps.",
  timeoutInSeconds: "The time after which the next channel is tried, in seconds.",
  ttl: "The time during which the provider tries to deliver, in seconds.",
  message: "The text that the recipient reads.",
  caption: "The text below the picture, or on the button.",
};

export const helpOf = (name, node) => node.description ?? HELP[name];

/** The documented values of a field, or undefined. */
export const choicesOf = (node) => node.enum ?? node.examples;
