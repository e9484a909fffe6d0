//! What the author of an inbound message wants: to stop, to start again, or help.

use serde::Serialize;

/// What an inbound message asks for, see [`intent`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct Intent {
    /// What it asks for.
    pub kind: IntentKind,
    /// How sure that is.
    pub certainty: Certainty,
}

/// What an inbound message asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum IntentKind {
    /// No further messages.
    Stop,
    /// Messages again.
    Start,
    /// Help.
    Help,
    /// Something else.
    None,
}

/// How sure an intent is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Certainty {
    /// The message consists of a word that a regulator or a carrier names, or it has no such intent at all.
    Certain,
    /// The message consists of such a word and of polite ones, of a phrase, or of a word in another language.
    Likely,
}

/// The seven words of 47 CFR 64.1200(a)(10), in force since 2025-04-11, and those of carriers in the USA and Canada.
const STOP: &[&str] = &[
    "stop",
    "quit",
    "end",
    "revoke",
    "opt out",
    "cancel",
    "unsubscribe", // the regulation
    "stopall",
    "stop all",
    "optout",
    "arret",
    "arrêt",
    "arrete",
    "arrête",
    "arrett", // carriers
];
const START: &[&str] = &["start", "unstop"];
const HELP: &[&str] = &["help", "info", "aide"];

/// Words that are common in the instructions of senders in other languages, and short forms.
const LIKELY_STOP: &[&str] = &[
    "unsub",
    "remove",
    "🛑", // English
    "alto",
    "baja",
    "cancelar",
    "parar",
    "no mas",
    "no más", // Spanish
    "sair",
    "pare",
    "descadastrar", // Portuguese
    "stopp",
    "abmelden",
    "abbestellen",
    "kündigen", // German
    "arrêter",
    "arreter",
    "désabonner",
    "desabonner",
    "désinscrire", // French
    "basta",
    "annulla",
    "disiscrivi", // Italian
    "afmelden",
    "stoppen", // Dutch
    "avsluta",
    "avslutt",
    "afmeld",
    "frameld", // Swedish, Norwegian, Danish
    "koniec",
    "rezygnuje",
    "rezygnuję", // Polish
    "ret",
    "iptal",
    "dur", // Turkish
    "στοπ",
    "διαγραφη",
    "διαγραφή",
    "ακυρωση",
    "ακύρωση", // Greek
    "стоп",
    "отписаться",
    "отмена", // Russian
    "توقف",
    "إلغاء",
    "الغاء",
    "הסר",
    "עצור", // Arabic, Hebrew
    "停止",
    "退订",
    "退訂",
    "取消",
    "解除",
    "수신거부",
    "रोकें", // Chinese, Japanese, Korean, Hindi
];
const LIKELY_START: &[&str] = &[
    "yes",
    "subscribe",
    "resume",
    "restart",
    "opt in",
    "optin",
    "si",
    "sí",
    "oui",
    "ja",
    "sim",
    "alta",
    "anmelden",
    "ναι",
    "да",
    "نعم",
];
const LIKELY_HELP: &[&str] = &[
    "ayuda",
    "ajuda",
    "hilfe",
    "aiuto",
    "hulp",
    "hjälp",
    "hjelp",
    "hjælp",
    "pomoc",
    "yardim",
    "yardım",
    "βοηθεια",
    "βοήθεια",
    "помощь",
    "مساعدة",
    "帮助",
];

/// Words that say nothing about the intent beside one that does.
const POLITE: &[&str] = &[
    "a",
    "all",
    "already",
    "and",
    "any",
    "anymore",
    "asap",
    "at",
    "can",
    "contacting",
    "contact",
    "could",
    "d",
    "dear",
    "everything",
    "for",
    "from",
    "further",
    "good",
    "hello",
    "hey",
    "hi",
    "i",
    "immediately",
    "is",
    "it",
    "just",
    "kindly",
    "let",
    "like",
    "ll",
    "m",
    "me",
    "message",
    "messages",
    "messaging",
    "more",
    "my",
    "need",
    "no",
    "now",
    "number",
    "of",
    "off",
    "ok",
    "okay",
    "once",
    "phone",
    "please",
    "pls",
    "plz",
    "receiving",
    "right",
    "sending",
    "sir",
    "sms",
    "so",
    "spam",
    "spamming",
    "subscription",
    "text",
    "texting",
    "texts",
    "thank",
    "thanks",
    "that",
    "these",
    "this",
    "those",
    "to",
    "today",
    "ty",
    "u",
    "us",
    "want",
    "with",
    "would",
    "you",
    "your",
    "bitte",
    "danke",
    "por",
    "favor",
    "gracias",
    "merci",
    "svp",
    "prego",
    "grazie",
    "obrigado",
    "παρακαλώ",
    "παρακαλω",
    "ευχαριστώ",
    "пожалуйста",
    "спасибо",
];

/// Phrases that ask to stop, wherever they stand in a message.
const STOP_PHRASES: &[&str] = &[
    "to opt out",
    "please opt out",
    "stop texting",
    "stop messaging",
    "stop sending",
    "stop contacting",
    "stop calling",
    "stop spamming",
    "stop the messages",
    "stop the texts",
    "quit texting",
    "quit messaging",
    "unsubscribe me",
    "opt me out",
    "take me off",
    "remove me",
    "remove my number",
    "delete my number",
    "do not text",
    "don t text",
    "dont text",
    "do not message",
    "don t message",
    "dont message",
    "do not contact",
    "don t contact",
    "dont contact",
    "do not send",
    "don t send",
    "dont send",
    "no more texts",
    "no more messages",
    "no more sms",
    "leave me alone",
    "lose my number",
    "revoke my consent",
    "withdraw my consent",
];

/// Phrases that ask for the contrary.
const KEEP: &[&str] = &[
    "don t stop",
    "dont stop",
    "do not stop",
    "never stop",
    "not stop",
    "don t cancel",
    "do not cancel",
    "dont cancel",
];

/// What an inbound message asks for. Case, punctuation, emoji and white space do not matter.
///
/// `certain` are the words of the regulation and of carriers; `likely` are phrases such as "please stop texting me" and words in
/// other languages. A person may ask in words that this function does not know: it returns `none` for them, so let somebody read
/// the messages that remain.
///
/// ```
/// use cpaas::text::{Certainty, IntentKind, intent};
///
/// assert_eq!(intent(" Stop! ").kind, IntentKind::Stop);
/// let polite = intent("please stop texting me");
/// assert_eq!((polite.kind, polite.certainty), (IntentKind::Stop, Certainty::Likely));
/// assert_eq!(intent("The bus stop is closed").kind, IntentKind::None);
/// ```
#[must_use]
pub fn intent(text: &str) -> Intent {
    let words = words(text);
    let joined = words.join(" ");
    let keywords = [
        (IntentKind::Stop, STOP, LIKELY_STOP),
        (IntentKind::Help, HELP, LIKELY_HELP),
        (IntentKind::Start, START, LIKELY_START),
    ];
    for (kind, certain, likely) in keywords {
        if certain.contains(&joined.as_str()) {
            return Intent { kind, certainty: Certainty::Certain };
        }
        if likely.contains(&joined.as_str()) {
            return Intent { kind, certainty: Certainty::Likely };
        }
    }
    if !KEEP.iter().any(|phrase| has_phrase(&joined, phrase)) {
        if STOP_PHRASES.iter().any(|phrase| has_phrase(&joined, phrase)) {
            return Intent { kind: IntentKind::Stop, certainty: Certainty::Likely };
        }
        for (kind, certain, likely) in keywords {
            if is_polite(&words, certain) || is_polite(&words, likely) {
                return Intent { kind, certainty: Certainty::Likely };
            }
        }
    }
    Intent { kind: IntentKind::None, certainty: Certainty::Certain }
}

/// [`intent`] as JSON: `{"kind", "certainty"}`.
#[must_use]
pub fn intent_json(text: &str) -> String {
    crate::value::to_json(&intent(text))
}

/// The words of a text in lower case, without punctuation, emoji and combining marks. Letters that stand alone become one word.
fn words(text: &str) -> Vec<String> {
    let is_mark =
        |c: &char| matches!(c, '\u{300}'..='\u{36F}' | '\u{FE0E}' | '\u{FE0F}' | '\u{200B}'..='\u{200F}');
    let letters: String = text
        .chars()
        .filter(|c| !is_mark(c))
        .flat_map(char::to_lowercase)
        .filter(|c| !is_mark(c))
        .map(|c| if c.is_alphanumeric() || is_indic_sign(c) { c } else { ' ' })
        .collect();
    let words: Vec<&str> = letters.split_whitespace().collect();
    if words.is_empty() && text.contains('🛑') {
        return vec!["🛑".to_owned()];
    }
    if words.len() > 2 && words.iter().all(|word| word.chars().count() == 1) {
        return vec![words.concat()];
    }
    words.into_iter().map(str::to_owned).collect()
}

/// A vowel sign or another mark of an Indic script, which is part of a word.
const fn is_indic_sign(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{DFF}')
}

/// Whether the words contain one of the keywords, and otherwise only polite words.
fn is_polite(words: &[String], keywords: &[&str]) -> bool {
    let is_keyword = |word: &&String| keywords.contains(&word.as_str());
    let asked = words.iter().filter(is_keyword).count();
    asked > 0 && words.iter().all(|word| keywords.contains(&word.as_str()) || POLITE.contains(&word.as_str()))
}

/// Whether a text of words contains a phrase as whole words.
fn has_phrase(joined: &str, phrase: &str) -> bool {
    joined.match_indices(phrase).any(|(at, _)| {
        let (before, after) =
            (joined.get(..at).unwrap_or_default(), joined.get(at + phrase.len()..).unwrap_or_default());
        (before.is_empty() || before.ends_with(' ')) && (after.is_empty() || after.starts_with(' '))
    })
}
