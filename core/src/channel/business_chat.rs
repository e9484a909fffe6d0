//! The models of `business_chat` (D4).

use crate::model::{model, open_enum};
use crate::problem::codes;
use crate::rules::unknown_members::CodeOverrides;

mod card_rules;
mod media_rules;
mod message_rules;
mod suggested_fallback;
mod suggestion_rules;

/// The member that is valid only in the text object.
const RICH_TEXT: &str = "containsRichText";
/// The code for that member in any other object.
const MISPLACED_RICH_TEXT: CodeOverrides = &[(RICH_TEXT, Some(&codes::BUSINESS_CHAT_RICH_TEXT_MISPLACED))];

open_enum! {
    /// The height of a card's media (D4).
    pub enum MediaHeight {
        /// 112 DP.
        Short = "SHORT",
        /// 168 DP.
        Medium = "MEDIUM",
        /// 264 DP; not with small cards.
        Tall = "TALL",
    }
}

open_enum! {
    /// The width of a carousel's cards (D4).
    pub enum CardWidth {
        /// 136 DP; no tall media.
        Small = "SMALL",
        /// 280 DP.
        Medium = "MEDIUM",
    }
}

open_enum! {
    /// The type of the sender (D4).
    pub enum RepresentativeType {
        /// A program.
        Bot = "BOT",
        /// A person.
        Human = "HUMAN",
    }
}

model! {
    /// The `business_chat` object (D4).
    pub struct BusinessChat {
        optional {
            /// A text.
            text: RichText = "text",
            /// An image.
            image: Image = "image",
            /// At most 13 suggestions, shown below the message.
            suggestions: Vec<Suggestion> = "suggestions" where MaxItems(message_rules::SUGGESTIONS_MAX),
            /// One card.
            standalone_card: Card = "standaloneCard",
            /// A carousel of 2 to 10 cards.
            carousel_card: Carousel = "carouselCard",
            /// The text for devices that cannot render the message; `\n` and `\r\n` break lines.
            fallback: String = "fallback",
            /// Shows the fallback instead of the content, for testing.
            force_fallback: bool = "forceFallback",
            /// The sender.
            representative: Representative = "representative",
        }
    }
}

model! {
    /// The text of a business chat message (D4).
    pub struct RichText {
        required {
            /// The text.
            message: String = "message" where NotEmpty,
        }
        optional {
            /// Allows basic Markdown: bold, italic and links.
            contains_rich_text: bool = "containsRichText",
        }
    }
}

model! {
    /// An image (D4).
    pub struct Image {
        required {
            /// The URL of the image.
            file_url: String = "fileUrl" where Url,
        }
        optional {
            /// The URL of its thumbnail.
            thumbnail_url: String = "thumbnailUrl",
            /// Fetches the image again.
            force_refresh: bool = "forceRefresh",
            /// The alternative text for screen readers.
            alt_text: String = "altText",
        }
    }
}

model! {
    /// A suggestion (D4). The fields of suggested actions are undocumented, and are sent as they are.
    pub struct Suggestion {
        optional {
            /// A suggested reply.
            reply: Reply = "reply",
        }
    }
}

model! {
    /// A suggested reply (D4).
    pub struct Reply {
        required {
            /// The text of the chip: at most 25 characters (code points).
            text: String = "text" where MaxLength(suggestion_rules::TEXT_MAX),
        }
        optional {
            /// The data that the webhook receives when the suggestion is tapped.
            postback_data: String = "postbackData",
        }
    }
}

model! {
    /// A rich card (D4): at least media or a title.
    pub struct Card {
        optional {
            /// The title.
            title: String = "title",
            /// The text below the title.
            description: String = "description",
            /// An image or a video.
            media: CardMedia = "media",
            /// At most 4 suggestions.
            suggestions: Vec<Suggestion> = "suggestions" where MaxItems(card_rules::SUGGESTIONS_MAX),
        }
    }
}

model! {
    /// A carousel (D4).
    pub struct Carousel {
        required {
            /// 2 to 10 cards.
            card_contents: Vec<Card> = "cardContents" where MinItems(card_rules::CARDS_MIN) & MaxItems(card_rules::CARDS_MAX),
        }
        optional {
            /// The width of its cards: SMALL is 136 DP, MEDIUM is 280 DP.
            card_width: CardWidth = "cardWidth" where Shown & Closed,
        }
    }
}

model! {
    /// The media of a card (D4).
    pub struct CardMedia {
        optional {
            /// The height of the media.
            height: MediaHeight = "height" where Shown & Closed,
            /// The file.
            content_info: ContentInfo = "contentInfo",
        }
    }
}

model! {
    /// The file of a card's media (D4).
    pub struct ContentInfo {
        required {
            /// The URL of the file.
            file_url: String = "fileUrl" where Url,
        }
        optional {
            /// The URL of its thumbnail.
            thumbnail_url: String = "thumbnailUrl",
            /// The alternative text for screen readers.
            alt_text: String = "altText",
        }
    }
}

model! {
    /// The sender in a business chat (D4).
    pub struct Representative {
        optional {
            /// The URL of the avatar.
            avatar_image: String = "avatarImage" where Url,
            /// The displayed name.
            display_name: String = "displayName",
            /// Whether the sender is a program or a person.
            representative_type: RepresentativeType = "representativeType" where Closed,
        }
    }
}
