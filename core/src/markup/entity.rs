//! Entities: ranges of the text with a style or a function.

use core::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::util::sorted;

/// The kind of an entity.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntityKind {
    /// Bold.
    Bold,
    /// Italic.
    Italic,
    /// Underlined.
    Underline,
    /// Struck through.
    Strikethrough,
    /// Hidden until the reader taps it.
    Spoiler,
    /// Monospace text in a line.
    Code,
    /// A monospace block.
    Pre,
    /// A monospace block in a programming language.
    PreCode {
        /// The language, as written in the markup.
        language: String,
    },
    /// A link with a label.
    TextUrl {
        /// The URL, with a scheme and with the host in lower case.
        url: String,
    },
    /// A mention of a user by id.
    MentionName {
        /// The user id, 1 to 2^40 - 1.
        user_id: i64,
    },
    /// A custom emoji.
    CustomEmoji {
        /// The identifier, not 0; a string in JSON, because it may exceed 2^53.
        emoji_id: i64,
    },
    /// A time that the client of the reader formats.
    FormattedDate {
        /// Unix seconds, greater than 0.
        unix: i32,
        /// Bits: 1 relative, 2 short time, 4 long time, 8 short date, 16 long date, 32 weekday.
        date_flags: u8,
    },
    /// A quotation.
    BlockQuote,
    /// A quotation that is initially collapsed.
    ExpandableBlockQuote,
}

impl EntityKind {
    /// The name in JSON and in the errors of the reference implementation.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Bold => "Bold",
            Self::Italic => "Italic",
            Self::Underline => "Underline",
            Self::Strikethrough => "Strikethrough",
            Self::Spoiler => "Spoiler",
            Self::Code => "Code",
            Self::Pre => "Pre",
            Self::PreCode { .. } => "PreCode",
            Self::TextUrl { .. } => "TextUrl",
            Self::MentionName { .. } => "MentionName",
            Self::CustomEmoji { .. } => "CustomEmoji",
            Self::FormattedDate { .. } => "FormattedDate",
            Self::BlockQuote => "BlockQuote",
            Self::ExpandableBlockQuote => "ExpandableBlockQuote",
        }
    }

    /// The rank among entities with the same range; lower comes first.
    pub(super) const fn priority(&self) -> u8 {
        match self {
            Self::BlockQuote | Self::ExpandableBlockQuote => 0,
            Self::PreCode { .. } => 10,
            Self::Pre => 11,
            Self::Code => 20,
            Self::FormattedDate { .. } => 30,
            Self::TextUrl { .. } | Self::MentionName { .. } => 49,
            Self::Bold => 90,
            Self::Italic => 91,
            Self::Underline => 92,
            Self::Strikethrough => 93,
            Self::Spoiler => 94,
            Self::CustomEmoji { .. } => 99,
        }
    }

    /// Whether it is code or one of the preformatted blocks.
    pub(super) const fn is_code(&self) -> bool {
        self.priority() >= 10 && self.priority() <= 20
    }

    /// Whether it is one of the quotations.
    pub(super) const fn is_quote(&self) -> bool {
        self.priority() == 0
    }
}

impl fmt::Debug for EntityKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A range of a parsed text with a style or a function. In JSON: `type`, `offset`, `length` and, by kind, `language`, `url`, `user_id`,
/// `emoji_id` (a string), `unix` and `date_flags`. `Debug` omits the members that depend on the kind.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entity {
    /// The kind.
    pub kind: EntityKind,
    /// The offset of the first UTF-16 unit in the parsed text.
    pub offset: u32,
    /// The length in UTF-16 units, at least 1.
    pub length: u32,
    /// The range of its markup in the input, in bytes.
    pub(super) source: (usize, usize),
}

impl Entity {
    /// The offset of the first UTF-16 unit after it.
    pub const fn end(&self) -> u32 {
        self.offset.saturating_add(self.length)
    }
}

impl Serialize for Entity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.kind.name())?;
        map.serialize_entry("offset", &self.offset)?;
        map.serialize_entry("length", &self.length)?;
        match &self.kind {
            EntityKind::PreCode { language } => map.serialize_entry("language", language)?,
            EntityKind::TextUrl { url } => map.serialize_entry("url", url)?,
            EntityKind::MentionName { user_id } => map.serialize_entry("user_id", user_id)?,
            EntityKind::CustomEmoji { emoji_id } => map.serialize_entry("emoji_id", &emoji_id.to_string())?,
            EntityKind::FormattedDate { unix, date_flags } => {
                map.serialize_entry("unix", unix)?;
                map.serialize_entry("date_flags", date_flags)?;
            }
            _ => {}
        }
        map.end()
    }
}

/// A part of an entity while nesting is resolved, as one number that sorts in the order of the result: by offset, then longer
/// first, then by rank. The lowest bits are the index of the parsed entity.
#[derive(Clone, Copy)]
pub(super) struct Piece(u64);

/// Bits of an index: a text has at most 2^17 UTF-16 units with at most fourteen pieces each, which is less than 2^21.
const INDEX: u32 = 21;
const RANK: u32 = INDEX + 7;
const LENGTH: u32 = RANK + 18;

impl Piece {
    /// The part from `offset` to `end` of the entity at `index`.
    const fn new(offset: u32, end: u32, rank: u8, index: usize) -> Self {
        let length = !(end - offset) & 0x3_FFFF;
        Self((offset as u64) << LENGTH | (length as u64) << RANK | (rank as u64) << INDEX | index as u64)
    }

    /// All entities as pieces, sorted.
    pub(super) fn all(entities: &[Entity]) -> Vec<Self> {
        let mut keys = Vec::with_capacity(entities.len());
        for entity in entities {
            keys.push(Self::new(entity.offset, entity.end(), entity.kind.priority(), keys.len()).0);
        }
        sorted(keys).into_iter().map(Self).collect()
    }

    /// Another part of the same entity.
    pub(super) const fn moved(self, offset: u32, end: u32) -> Self {
        Self::new(offset, end, self.rank(), self.index())
    }

    pub(super) const fn offset(self) -> u32 {
        (self.0 >> LENGTH) as u32
    }

    /// The offset of the first UTF-16 unit after it.
    pub(super) const fn end(self) -> u32 {
        self.offset() + ((!self.0 >> RANK) as u32 & 0x3_FFFF)
    }

    /// The index of the parsed entity.
    pub(super) const fn index(self) -> usize {
        (self.0 & ((1 << INDEX) - 1)) as usize
    }

    pub(super) const fn rank(self) -> u8 {
        (self.0 >> INDEX) as u8 & 0x7F
    }

    /// Whether it is a style from bold to spoiler, which may be divided; other entities are not.
    pub(super) const fn is_style(self) -> bool {
        self.rank() >= 90 && self.rank() < 99
    }

    /// Whether it is code or a date, which contain no styles.
    pub(super) const fn is_plain(self) -> bool {
        self.rank() >= 10 && self.rank() <= 30
    }

    /// Whether it is one of the quotations.
    pub(super) const fn is_quote(self) -> bool {
        self.rank() == 0
    }
}

/// Sorts entities into the order of the result.
pub(super) fn arrange(entities: &mut Vec<Entity>) {
    let mut arranged = Vec::with_capacity(entities.len());
    for piece in Piece::all(entities) {
        if let Some(entity) = entities.get_mut(piece.index()) {
            let kind = core::mem::replace(&mut entity.kind, EntityKind::Bold);
            arranged.push(Entity { kind, ..*entity });
        }
    }
    *entities = arranged;
}
