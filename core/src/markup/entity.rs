//! Entities: what a stretch of the text is, and where it lies.

use crate::digits::Digits as _;
use core::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};

/// What an entity does to its stretch of the text.
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
    /// Hidden until tapped.
    Spoiler,
    /// Fixed-width text inside a line.
    Code,
    /// A fixed-width block.
    Pre,
    /// A fixed-width block in a programming language.
    PreCode {
        /// The language as written.
        language: String,
    },
    /// A link behind a label.
    TextUrl {
        /// The address, completed and in canonical case.
        url: String,
    },
    /// A mention of a user by number.
    MentionName {
        /// The user, 1 to 2^40 - 1.
        user_id: i64,
    },
    /// A custom emoji.
    CustomEmoji {
        /// The identifier, never zero; a string in JSON, since it may exceed 2^53.
        emoji_id: i64,
    },
    /// A moment that the reader's client formats.
    FormattedDate {
        /// Seconds since 1970, above zero.
        unix: i32,
        /// Bits: 1 relative, 2 short time, 4 long time, 8 short date, 16 long date, 32 weekday.
        date_flags: u8,
    },
    /// A quotation.
    BlockQuote,
    /// A quotation that is collapsed at first.
    ExpandableBlockQuote,
}

impl EntityKind {
    /// The name in JSON and in the reference's errors.
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

    /// The rank among entities of one range: lower comes first.
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

    /// Code and both kinds of preformatted block.
    pub(super) const fn is_code(&self) -> bool {
        self.priority() >= 10 && self.priority() <= 20
    }

    /// Both kinds of quotation.
    pub(super) const fn is_quote(&self) -> bool {
        self.priority() == 0
    }
}

impl fmt::Debug for EntityKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A stretch of a parsed text. In JSON: `type`, `offset`, `length` and, by kind, `language`, `url`, `user_id`,
/// `emoji_id` (a string), `unix` and `date_flags`. `Debug` leaves those out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entity {
    /// What it is.
    pub kind: EntityKind,
    /// The first UTF-16 unit in the parsed text.
    pub offset: u32,
    /// UTF-16 units, at least one.
    pub length: u32,
    /// The bytes of the markup it came from.
    pub(super) source: (usize, usize),
}

impl Entity {
    /// The first UTF-16 unit behind it.
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
            EntityKind::CustomEmoji { emoji_id } => map.serialize_entry("emoji_id", &emoji_id.digits())?,
            EntityKind::FormattedDate { unix, date_flags } => {
                map.serialize_entry("unix", unix)?;
                map.serialize_entry("date_flags", date_flags)?;
            }
            _ => {}
        }
        map.end()
    }
}

/// An entity while its place is worked out, as one number in the order in which entities are handed out: by offset, the
/// longer first, then by rank. What it is stands where it was parsed, at the index in the lowest bits.
#[derive(Clone, Copy)]
pub(super) struct Piece(u64);

/// Bits of an index. A text has at most 2^17 units, and no unit more than fourteen pieces.
const INDEX: u32 = 21;
const RANK: u32 = INDEX + 7;
const LENGTH: u32 = RANK + 18;

impl Piece {
    /// The stretch of the entity at `index` that begins and ends there.
    const fn new(offset: u32, end: u32, rank: u8, index: usize) -> Self {
        let length = !(end - offset) & 0x3_FFFF;
        Self((offset as u64) << LENGTH | (length as u64) << RANK | (rank as u64) << INDEX | index as u64)
    }

    /// One for each entity, sorted.
    pub(super) fn all(entities: &[Entity]) -> Vec<Self> {
        let mut keys = Vec::with_capacity(entities.len());
        for entity in entities {
            keys.push(Self::new(entity.offset, entity.end(), entity.kind.priority(), keys.len()).0);
        }
        sorted(keys).into_iter().map(Self).collect()
    }

    /// The same entity from there to there.
    pub(super) const fn moved(self, offset: u32, end: u32) -> Self {
        Self::new(offset, end, self.rank(), self.index())
    }

    pub(super) const fn offset(self) -> u32 {
        (self.0 >> LENGTH) as u32
    }

    /// The first UTF-16 unit behind it.
    pub(super) const fn end(self) -> u32 {
        self.offset() + ((!self.0 >> RANK) as u32 & 0x3_FFFF)
    }

    /// Its index among the parsed entities.
    pub(super) const fn index(self) -> usize {
        (self.0 & ((1 << INDEX) - 1)) as usize
    }

    pub(super) const fn rank(self) -> u8 {
        (self.0 >> INDEX) as u8 & 0x7F
    }

    /// Bold to spoiler: may be cut in pieces; all else stays whole.
    pub(super) const fn is_style(self) -> bool {
        self.rank() >= 90 && self.rank() < 99
    }

    /// Code and dates: no style inside survives.
    pub(super) const fn is_plain(self) -> bool {
        self.rank() >= 10 && self.rank() <= 30
    }

    /// Both kinds of quotation.
    pub(super) const fn is_quote(self) -> bool {
        self.rank() == 0
    }
}

/// Brings whole entities into the order in which they are handed out.
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

fn is_sorted(keys: &[u64]) -> bool {
    let mut last = 0;
    keys.iter().all(|&key| core::mem::replace(&mut last, key) <= key)
}

/// Sorts by merging runs of doubling length. The library's sort is faster on large inputs, but four kilobytes larger in
/// the browser module.
pub(super) fn sorted(mut keys: Vec<u64>) -> Vec<u64> {
    let mut width = 1;
    while !is_sorted(&keys) {
        let mut merged = Vec::with_capacity(keys.len());
        for pair in keys.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at_checked(width).unwrap_or((pair, &[]));
            while let (Some((&one, rest)), Some((&other, others))) = (left.split_first(), right.split_first())
            {
                if one <= other {
                    merged.push(one);
                    left = rest;
                } else {
                    merged.push(other);
                    right = others;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        keys = merged;
        width *= 2;
    }
    keys
}
