// Sample requests, and the names of the operations that send messages.
/** The traffic accounts of the samples. */
const account = "0f8fad5b-d9cb-469f-a165-70867728950e";
const second = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const to = "306912345678";
const shoe = (name, file) => ({
  title: name,
  description: "Soft leather, made to last. Free returns within 30 days.",
  media: { height: "MEDIUM", contentInfo: { fileUrl: `https://shop.example/${file}` } },
  suggestions: [{ reply: { text: "Order", postbackData: `order-${file}` } }],
});
const carousel = {
  carouselCard: { cardWidth: "MEDIUM", cardContents: [shoe("Red shoe", "red.jpg"), shoe("Blue shoe", "blue.jpg"), shoe("Green boot", "boot.jpg")] },
  suggestions: [{ reply: { text: "See all", postbackData: "all" } }, { reply: { text: "Not now", postbackData: "later" } }],
  fallback: "New shoes are in: https://shop.example/new",
};
const markup = "*Your order is on its way*\n\nParcel `4711` arrives __today__ between 14:00 and 16:00\\.\n>Leave it with a neighbour?\n[Track it](https://shop.example/track)";

/** Operation → name of the sample → request. */
export const SAMPLES = {
  "sms.send": {
    "A booking": { from: "Acme", to, text: "Your table is ready. See you at 19:30!", reference: "booking-7" },
    "A text that costs twice": { from: "Acme", to, text: "Your table is ready – we’ll hold it for 15 minutes. Running late? Just reply to this message and we’ll keep it for you. See you soon!" },
  },
  "sms.send_bulk": { "A sale": { from: "Acme", to: `${to},306912345679`, text: "20% off all shoes until Sunday." } },
  "messages.send": {
    "Business chat: carousel": { trafficAccountId: account, destination: to, business_chat: carousel },
    "Business chat: card": { trafficAccountId: account, destination: to, business_chat: { standaloneCard: { ...shoe("Red shoe", "red.jpg") }, fallback: "Red shoe: https://shop.example/red" } },
    "Messenger C: markup": { trafficAccountId: account, destination: "4711", messenger_c: { text: { message: markup, parseMode: "MarkdownV2" } } },
    "Messenger B: button": { trafficAccountId: account, destination: to, messenger_b: { type: "promotional", text: "The new shoes are in.", button: { caption: "Look", action: "https://shop.example/new" } } },
    "Messenger A": { trafficAccountId: account, destination: to, messenger_a: { type: "regular", regular: { type: "text", text: "Your table is ready." } } },
    SMS: { trafficAccountId: account, destination: to, sms: { sender: "Acme", text: "Your table is ready." } },
  },
  "messages.send_failover": {
    "Business chat, then SMS": {
      trafficAccountId: account,
      destination: to,
      business_chat: { text: { message: "Your table is ready." }, fallback: "Your table is ready." },
      sms: { sender: "Acme", text: "Your table is ready." },
      failover: { type: "Timeout", timeoutFailover: { timeoutInSeconds: 60, status: "Delivered", trafficAccounts: [account, second] } },
    },
  },
  "messages.send_bulk": { "Two recipients": { trafficAccountId: account, destinations: [to, "306912345679"], sms: { sender: "Acme", text: "The shop is closed today." } } },
  "otp.send": { "A code": { service: "login", from: "Acme", to, body: "Your code is {code}" } },
};

/** A copy of a sample with the traffic account of a sandbox. */
export const withAccount = (sample, own) => JSON.parse(JSON.stringify(sample).replaceAll(account, own ?? account).replaceAll(second, own ?? second));

/** Display names of the operations that send messages. */
export const LABELS = {
  "sms.send": "SMS",
  "sms.send_bulk": "SMS to many",
  "messages.send": "Message on one channel",
  "messages.send_failover": "Message, channel after channel",
  "messages.send_bulk": "Message to many",
  "otp.send": "One-time passcode",
};

export const COMPOSED = Object.keys(SAMPLES);
