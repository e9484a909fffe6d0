//! Corpora: texts of about 200 characters, composed of random words of one list; the same in every run.

const TEXTS: usize = 1_000;
const CHARACTERS: usize = 200;

const ENGLISH: &[&str] = &[
    "your", "table", "is", "ready", "please", "come", "before", "eight", "or", "call", "us", "again",
    "order", "1042", "was", "shipped,", "track", "it", "today.", "Thank", "you!", "Code:", "583920",
    "expires", "in", "10", "minutes",
];
const MARKED: &[&str] = &[
    "your", "table", "is", "ready", "~", "[A]", "{1}", "12€", "or", "call", "us", "C:\\new", "a|b", "order",
    "^up", "[ok]", "track", "it", "99€", "please", "come", "before",
];
const ACCENTED: &[&str] = &[
    "você",
    "está",
    "não",
    "coração",
    "próxima",
    "às",
    "código",
    "válido",
    "até",
    "amanhã",
    "réservé",
    "août",
    "été",
    "für",
    "größe",
    "naïve",
    "šifra",
    "příští",
    "zażółć",
    "mañana",
    "información",
];
const GERMAN: &[&str] = &[
    "für",
    "größe",
    "schöne",
    "Grüße",
    "aus",
    "Köln",
    "über",
    "straße",
    "bestellung",
    "ist",
    "unterwegs",
    "ihr",
    "code",
    "läuft",
    "gültig",
    "è",
    "così",
    "più",
    "à",
    "señor",
    "Ñandú",
];
const GREEK: &[&str] = &[
    "γειά",
    "σου",
    "κόσμε",
    "το",
    "τραπέζι",
    "είναι",
    "έτοιμο",
    "κωδικός",
    "λήγει",
    "σε",
    "λεπτά",
    "παρακαλώ",
    "ελάτε",
    "πριν",
    "από",
    "τις",
    "οκτώ",
    "σήμερα",
];
const CYRILLIC: &[&str] = &[
    "привет",
    "мир",
    "ваш",
    "код",
    "действует",
    "десять",
    "минут",
    "заказ",
    "отправлен",
    "сегодня",
    "пожалуйста",
    "приходите",
    "до",
    "восьми",
    "столик",
    "готов",
];
const EMOJI: &[&str] = &[
    "party", "🎉", "tonight", "😀", "bring", "🍕🍕", "and", "👋", "friends", "❤️", "see", "you", "🚀", "at",
    "eight", "😂😂", "👍", "don't", "be", "late", "🙏",
];
const EMOJI_ONLY: &[&str] = &["🎉", "😀", "🍕", "👋", "🚀", "😂", "👍", "🙏"];

pub(super) fn all() -> Vec<(&'static str, Vec<String>)> {
    vec![
        ("ascii", corpus(ENGLISH, " ")),
        ("extension", corpus(MARKED, " ")),
        ("latin", corpus(ACCENTED, " ")),
        ("latin gsm", corpus(GERMAN, " ")),
        ("greek", corpus(GREEK, " ")),
        ("cyrillic", corpus(CYRILLIC, " ")),
        ("emoji", corpus(EMOJI, " ")),
        ("emoji only", corpus(EMOJI_ONLY, "")),
    ]
}

fn corpus(words: &[&str], space: &str) -> Vec<String> {
    let mut random = 0x2545_F491_4F6C_DD1Du64;
    (0..TEXTS).map(|_| text(words, space, &mut random)).collect()
}

fn text(words: &[&str], space: &str, random: &mut u64) -> String {
    let length = CHARACTERS - 20 + next_random(random) % 41;
    let mut text = String::new();
    let mut characters = 0;
    while characters < length {
        let word = words[next_random(random) % words.len()];
        text.push_str(word);
        text.push_str(space);
        characters += word.chars().count() + space.len();
    }
    text
}

/// A pseudorandom number (xorshift).
fn next_random(random: &mut u64) -> usize {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    (*random >> 33) as usize
}
