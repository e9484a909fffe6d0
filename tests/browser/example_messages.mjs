// Example messages of every channel, for the tests and the screenshots.
const PICTURE = "https://acme.example/pictures/lemon-tart.jpg";

export const reply = (text, postbackData) => ({ reply: { text, postbackData } });

export const card = (title, description, height, ...suggestions) => ({
  title,
  description,
  media: { height, contentInfo: { fileUrl: PICTURE, altText: `Picture of ${title.toLowerCase()}` } },
  suggestions,
});

export const carousel = (cardWidth, ...cardContents) => ({ carouselCard: { cardWidth, cardContents } });

/** A failover from messenger_b to SMS. */
export const failover = (box, destination, timeoutInSeconds = 90) => {
  const account = box.config.traffic_account_id;
  return {
    trafficAccountId: account, destination, messenger_b: { type: "promotional", text: "New shoes" }, sms: { text: "New shoes by SMS", sender: "Acme" },
    failover: { type: "Timeout", timeoutFailover: { timeoutInSeconds, status: "Delivered", trafficAccounts: [account, account] } },
  };
};

export async function sendExamples(sandbox) {
  await sandbox.sms("306900000077", `Dear guest, the kitchen closes at 23:00 today. ${"Please order in time, our late menu has soups, salads and sweets. ".repeat(4)}Your Acme team`);
  await sandbox.sms("999422000100", "Your parcel is at the door.");
  await sandbox.otp("306900000055", { channel: "call", voice: "female", language: "en-GB", body: "Hello. Your code is {code}. Once more: {code}." });
  await sandbox.otp("306900000055");
  await sandbox.message("306900000044", {
    messenger_b: { type: "transactional", text: "Your bill of November is ready.", mediaUrl: "https://acme.example/bills/november.png", button: { caption: "Open the bill", action: "https://acme.example/bills" } },
  });
  await sandbox.message("306900000044", { messenger_a: { type: "regular", regular: { type: "text", text: "Thank you for your order of today: https://acme.example/orders/81" } } });
  await sandbox.message("480012", { messenger_c: { document: { url: "https://acme.example/menu.pdf", caption: "The _new_ menu", parseMode: "Markdown" } } });
  await sandbox.message("480012", { messenger_c: { location: { latitude: 37.9755, longitude: 23.7348 } } });
  await sandbox.message("480012", {
    messenger_c: { silent: true, text: { parseMode: "MarkdownV2", message: "*Table 4* is ready\\.\nAsk for _Nia_, code `T4`, ||the cake is a surprise||\n>Doors open at ~18:00~ 18:30\n[Our menu](https://acme.example/menu)" } },
  });
  await sandbox.message("306900000033", {
    business_chat: {
      text: { message: "Good evening! We have **three** tarts *fresh* from the oven: [see all](https://acme.example/tarts).", containsRichText: true },
      representative: { displayName: "Acme Bakery", representativeType: "BOT" },
    },
  });
  await sandbox.message("306900000033", {
    business_chat: carousel(
      "SMALL",
      card("Lemon tart", "With mint", "SHORT", reply("Order lemon", "lemon")),
      card("Plum tart", "Still warm", "SHORT", reply("Order plum", "plum")),
      card("Apple tart", "The classic", "SHORT", reply("Order apple", "apple")),
    ),
  });
  await sandbox.message("306900000033", {
    business_chat: { standaloneCard: card("Table for two tonight?", "A corner table is free at 20:30, by the window.", "MEDIUM", reply("Yes, please", "book:20:30"), reply("Another day", "later")) },
  });
}
