//! The text suggested for `fallback` (D4: "text shown when the device cannot render the message").

use cpaas::channel::{
    BusinessChat, Card, CardMedia, Carousel, ContentInfo, Image, Reply, RichText, Suggestion,
};

fn reply(text: &str) -> Suggestion {
    Suggestion::new().reply(Reply::new(text))
}

fn fallback_of(chat: BusinessChat) -> Option<String> {
    chat.suggested_fallback()
}

#[test]
fn the_fallback_of_a_text_is_the_text_and_its_replies() {
    assert_eq!(fallback_of(BusinessChat::new().text(RichText::new("Come in?"))).as_deref(), Some("Come in?"));
    let chat = BusinessChat::new().text(RichText::new("Come in?")).suggestions([reply("Yes"), reply("No")]);
    assert_eq!(fallback_of(chat).as_deref(), Some("Come in?\n- Yes\n- No"));
}

#[test]
fn the_fallback_of_an_image_is_its_alternative_text() {
    let image = Image::new("https://a.b/c.png");
    assert_eq!(fallback_of(BusinessChat::new().image(image.clone())), None);
    assert_eq!(
        fallback_of(BusinessChat::new().image(image.alt_text("A red shoe"))).as_deref(),
        Some("A red shoe")
    );
}

#[test]
fn the_fallback_of_a_card_is_its_title_description_and_replies() {
    let card = Card::new().title("Red shoe").description("Light and fast").suggestions([reply("Buy")]);
    let chat = BusinessChat::new().standalone_card(card).suggestions([reply("More")]);
    assert_eq!(fallback_of(chat).as_deref(), Some("Red shoe: Light and fast\n- Buy\n- More"));
}

#[test]
fn the_fallback_of_a_card_without_text_is_the_alternative_text() {
    let info = ContentInfo::new("https://a.b/c.png").alt_text("A red shoe");
    let card = Card::new().media(CardMedia::new().content_info(info));
    assert_eq!(fallback_of(BusinessChat::new().standalone_card(card)).as_deref(), Some("A red shoe"));
}

#[test]
fn the_fallback_of_a_carousel_contains_its_cards_in_order() {
    let cards = [Card::new().title("Red"), Card::new(), Card::new().description("The blue one")];
    let chat = BusinessChat::new().carousel_card(Carousel::new(cards));
    assert_eq!(fallback_of(chat).as_deref(), Some("Red\nThe blue one"));
}

#[test]
fn a_message_without_text_has_no_fallback() {
    assert_eq!(fallback_of(BusinessChat::new()), None);
    assert_eq!(fallback_of(BusinessChat::new().text(RichText::new("  "))), None);
    assert_eq!(fallback_of(BusinessChat::new().suggestions([Suggestion::new(), reply("")])), None);
}

/// A suggested fallback is at most 3072 characters long; validation warns about a longer one.
#[test]
fn a_long_fallback_is_truncated() {
    let of_length =
        |length| fallback_of(BusinessChat::new().text(RichText::new("ä".repeat(length)))).unwrap();
    assert_eq!(of_length(3072).chars().count(), 3072);
    assert_eq!(of_length(3073), "ä".repeat(3072));
}
