// What a field is for, where the schema has no description, and choices that the schema leaves open.

const HELP = {
  from: "The sender: at most 11 letters and digits, or at most 16 digits.",
  to: "The recipient's number with its country code, digits only.",
  text: "What the recipient reads.",
  body: "The text with {code} where the passcode belongs.",
  test: "Checked and answered, but not sent.",
  reference: "Your own mark; reports carry it back.",
  callback: "The address that receives the delivery report.",
  service: "The name of the login or purpose that the passcode is for.",
  trafficAccountId: "The account that the provider gave you for chat messages.",
  destination: "The recipient: a number, or the id of a chat user.",
  sender: "The sender that the phone shows.",
  parseMode: "How * and _ in the message are read.",
  fallback: "What other devices show instead.",
  forceFallback: "Shows the fallback on every device.",
  cardWidth: "SMALL cards are 136 pixels wide, MEDIUM 280.",
  height: "The height of the picture on the card.",
  fileUrl: "A public address of the picture or file.",
  altText: "What a screen reader reads for the picture.",
  postbackData: "What your webhook receives when the user taps.",
  timeoutInSeconds: "How long a channel may take before the next one is tried.",
  ttl: "How long delivery is tried, in seconds.",
  message: "What the recipient reads.",
  caption: "The text below the picture, or on the button.",
};

export const helpOf = (name, node) => node.description ?? HELP[name];

/** The documented values of a field, or undefined. */
export const choicesOf = (node) => node.enum ?? node.examples;
