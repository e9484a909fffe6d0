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
    /// The message consists of a word that a regulator or a carrier names, or of a word that means only this in its language. With
    /// [`IntentKind::None`] it means only that the message was not recognized, which does not exclude an opt-out.
    Certain,
    /// The message consists of such a word and of polite ones or a number, of a phrase, or of a word that also has other meanings.
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

/// Words of other languages that mean only that the author wants no messages, and short forms.
const UNSUBSCRIBE: &[&str] = &[
    "unsub",
    "unsuscribe",
    "unsubcribe",
    "unsubsribe",
    "unsubscibe",
    "🛑", // English, with common misspellings
    "desuscribir",
    "desuscribirme",
    "desuscribirse",
    "desuscríbeme",
    "desuscribeme",
    "darme de baja",
    "dar de baja", // Spanish
    "descadastrar",
    "descadastre",
    "descadastro",
    "desinscrever", // Portuguese
    "stopp",        // German, Norwegian, Swedish
    "abmelden",
    "abmeldung",
    "abbestellen", // German
    "désabonner",
    "desabonner",
    "désabonnez",
    "desabonnez",
    "désabonnement",
    "desabonnement",
    "désinscrire",
    "desinscrire",
    "désinscrivez",
    "desinscrivez",
    "désinscription",
    "desinscription", // French
    "disiscrivi",
    "disiscrivimi",
    "disiscrizione", // Italian
    "afmelden",
    "uitschrijven", // Dutch
    "avregistrera",
    "avprenumerera", // Swedish
    "avmeld",
    "afmeld",
    "frameld", // Norwegian, Danish
    "leiratkozás",
    "leiratkozas",
    "leiratkozom",
    "leiratkozni", // Hungarian
    "odhlásit",
    "odhlasit",
    "odhlásiť", // Czech, Slovak
    "dezabonare",
    "dezabonează",
    "dezaboneaza",
    "dezabonați",
    "dezabonati", // Romanian
    "στοπ",       // Greek
    "стоп",       // Russian, Ukrainian, Bulgarian, Serbian
    "отписаться",
    "отписка",
    "отпишите",
    "отпишись",
    "отписать", // Russian
    "відписатися",
    "відписка",  // Ukrainian
    "отписване", // Bulgarian
    "إلغاء الاشتراك",
    "الغاء الاشتراك", // Arabic
    "退订",
    "退訂",
    "t退订",
    "t退訂",
    "退订t",
    "退訂t",
    "取消订阅",
    "取消訂閱", // Chinese
    "配信停止",
    "配信解除", // Japanese
    "수신거부",
    "수신 거부", // Korean
    "hủy đăng ký",
    "huỷ đăng ký",
    "huy dang ky",        // Vietnamese
    "berhenti langganan", // Indonesian, Malay
    "abonelikten çık",    // Turkish
];

/// Words that are common in the instructions of senders but have other meanings, and sentences that ask to stop.
const LIKELY_STOP: &[&str] = &[
    "remove",
    "stop marketing",
    "stop advertising",
    "stop ads",
    "stop promo",
    "stop promos",
    "stop promotions",
    "no more marketing", // English
    "alto",
    "baja",
    "cancelar",
    "parar",
    "no mas",
    "no más",
    "no quiero más mensajes",
    "no quiero mas mensajes",
    "no quiero mensajes",
    "no más mensajes",
    "no mas mensajes",
    "no quiero recibir más mensajes",
    "no quiero recibir mas mensajes",
    "no me envíen más mensajes",
    "no me envien mas mensajes",
    "no me manden más mensajes",
    "no me manden mas mensajes",
    "stop publicidad", // Spanish
    "sair",
    "pare",
    "não quero mais mensagens",
    "nao quero mais mensagens",
    "não quero receber mais mensagens",
    "nao quero receber mais mensagens",
    "não envie mais mensagens",
    "nao envie mais mensagens", // Portuguese
    "kündigen",
    "keine sms mehr",
    "keine nachrichten mehr",
    "keine weiteren sms",
    "keine weiteren nachrichten",
    "keine werbung",
    "keine werbung mehr",
    "stop werbung",
    "stopp werbung", // German
    "arrêter",
    "arreter",
    "stop pub",
    "stop publicité",
    "stop publicite",
    "ne m envoyez plus de sms",
    "ne m envoyez plus de message",
    "ne m envoyez plus de messages",
    "ne m envoyez plus rien",
    "ne m envoie plus de sms",
    "ne m envoie plus de message",
    "ne m envoie plus de messages",
    "ne m écrivez plus",
    "ne m ecrivez plus",
    "ne me contactez plus", // French
    "basta",
    "annulla",
    "cancella",
    "cancellami",
    "ferma",
    "basta messaggi",
    "basta sms",
    "non voglio più messaggi",
    "non voglio piu messaggi",
    "non inviatemi più messaggi",
    "non inviatemi piu messaggi", // Italian
    "stoppen",
    "geen sms meer",
    "geen berichten meer", // Dutch
    "avsluta",
    "stoppa",
    "sluta",
    "inga fler sms",
    "inga fler meddelanden", // Swedish
    "avslutt",
    "ingen flere sms",
    "ingen flere meldinger",
    "ingen flere beskeder", // Norwegian, Danish
    "lopeta",
    "peruuta",
    "ei enää viestejä",
    "ei enaa viesteja", // Finnish
    "koniec",
    "rezygnuje",
    "rezygnuję",
    "wypisz",
    "wypisz mnie",
    "wypisać",
    "wypisac",
    "nie chcę więcej wiadomości",
    "nie chce wiecej wiadomosci", // Polish
    "zrušit",
    "zrusit",
    "zrušiť",
    "odhlaste mě",
    "odhlaste me", // Czech, Slovak
    "leállítás",
    "leallitas", // Hungarian
    "odjava",
    "odjavi",
    "одјава", // Croatian, Serbian, Bosnian, Slovenian
    "dezactivare",
    "anulare", // Romanian
    "ret",
    "iptal",
    "dur",
    "durdur",
    "sms istemiyorum",
    "mesaj istemiyorum", // Turkish
    "διακοπη",
    "διακοπή",
    "διαγραφη",
    "διαγραφή",
    "ακυρωση",
    "ακύρωση",
    "σταματήστε",
    "σταματηστε",
    "σταμάτα",
    "σταματα",
    "μη μου ξαναστείλετε",
    "μη μου ξαναστειλετε",
    "μην ξαναστείλετε",
    "μην ξαναστειλετε",
    "μη μου στέλνετε",
    "μη μου στελνετε",
    "μη στέλνετε",
    "μη στελνετε",
    "όχι άλλα μηνύματα",
    "οχι αλλα μηνυματα",
    "όχι άλλα sms",
    "οχι αλλα sms", // Greek
    "отмена",
    "стоп смс",
    "стоп реклама",
    "стоп рассылка",
    "не присылайте",
    "больше не присылайте",
    "не присылайте больше",
    "не присылайте смс",
    "больше не присылайте смс",
    "не пишите мне",
    "не пишите мне больше",
    "не надо смс", // Russian
    "скасувати",
    "отказ", // Ukrainian, Bulgarian
    "توقف",
    "إيقاف",
    "ايقاف",
    "أوقف",
    "اوقف",
    "إلغاء",
    "الغاء", // Arabic
    "لغو",
    "لغو11",
    "لغو۱۱", // Persian
    "הסר",
    "הסרה",
    "להסיר",
    "הסירו אותי",
    "ביטול",
    "בטל",
    "עצור", // Hebrew
    "td",
    "停止",
    "取消",
    "请退订",
    "請退訂",
    "别再发",
    "別再發",
    "不要再发",
    "不要再發",
    "不要再发了",
    "不要再發了",
    "别再发了",
    "別再發了", // Chinese
    "配信停止希望",
    "配信停止してください",
    "解除",
    "退会", // Japanese
    "중지",
    "해지", // Korean
    "hủy",
    "huỷ",
    "huy",
    "từ chối",
    "tu choi", // Vietnamese
    "berhenti",
    "batal", // Indonesian, Malay
    "ยกเลิก", // Thai
    "रोकें",
    "बंद करें", // Hindi
];

/// Words that ask for messages. Messaging services document "yes" besides the words of the carriers. Its translations are not
/// documented anywhere, and they answer questions, so they are not among these words.
const LIKELY_START: &[&str] =
    &["yes", "subscribe", "resume", "restart", "opt in", "optin", "alta", "anmelden"];

/// Words that count only if the message contains nothing else, not even a polite word.
const ALONE: &[&str] = &["yes", "td"];

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

/// Stop words that people also use for an appointment, an order or a job, and short ones that are words of other languages. They ask
/// to stop only if the message contains nothing else, apart from polite words.
const AMBIGUOUS: &[&str] = &[
    "cancel",
    "end",
    "quit",
    "remove",
    "alto",
    "baja",
    "cancelar",
    "sair",
    "pare",
    "annulla",
    "kündigen",
    "ret",
    "iptal",
    "dur",
    "koniec",
    "ακυρωση",
    "ακύρωση",
    "отмена",
    "إلغاء",
    "الغاء",
    "ביטול",
    "取消",
    "解除",
    "退会",
    "td",
    "cancella",
    "ferma",
    "peruuta",
    "wypisz",
    "wypisać",
    "wypisac",
    "zrušit",
    "zrusit",
    "zrušiť",
    "odjava",
    "odjavi",
    "одјава",
    "dezactivare",
    "anulare",
    "скасувати",
    "отказ",
    "لغو",
    "להסיר",
    "בטל",
    "중지",
    "해지",
    "hủy",
    "huỷ",
    "huy",
    "từ chối",
    "tu choi",
    "batal",
    "ยกเลิก",
];

/// Questions about what the author may do, such as "can I cancel?".
const OWN_ACTION: &[&str] = &["can i", "could i"];

/// Polite words, which may surround a stop word in a sentence of its own.
const PLEAS: &[&str] = &[
    "again",
    "already",
    "and",
    "asap",
    "can",
    "could",
    "dear",
    "hello",
    "hey",
    "hi",
    "i",
    "immediately",
    "it",
    "just",
    "kindly",
    "me",
    "no",
    "now",
    "ok",
    "okay",
    "please",
    "pls",
    "plz",
    "said",
    "sir",
    "thank",
    "thanks",
    "this",
    "told",
    "ty",
    "u",
    "would",
    "yeah",
    "yep",
    "yes",
    "you",
    "bitte",
    "danke",
    "mich",
    "por",
    "favor",
    "gracias",
    "merci",
    "moi",
    "svp",
    "veuillez",
    "prego",
    "grazie",
    "obrigado",
    "παρακαλώ",
    "παρακαλω",
    "ευχαριστώ",
    "ευχαριστω",
    "пожалуйста",
    "спасибо",
    "te",
    "rog",
    "vă",
    "va",
    "mulțumesc",
    "multumesc",
    "prosím",
    "prosim",
    "děkuji",
    "proszę",
    "prosze",
    "dziękuję",
    "tack",
    "takk",
    "tak",
    "kiitos",
    "graag",
    "alstublieft",
    "köszönöm",
    "kérem",
    "molim",
    "hvala",
    "lütfen",
    "tolong",
    "בבקשה",
    "תודה",
    "شكرا",
];

/// Further words that say nothing about the intent in a message that otherwise consists of a keyword and of polite words.
const POLITE: &[&str] = &[
    "a",
    "all",
    "any",
    "anymore",
    "at",
    "contacting",
    "contact",
    "d",
    "everything",
    "for",
    "from",
    "further",
    "good",
    "is",
    "let",
    "like",
    "ll",
    "m",
    "message",
    "messages",
    "messaging",
    "more",
    "my",
    "need",
    "number",
    "of",
    "off",
    "once",
    "phone",
    "receiving",
    "right",
    "sending",
    "sms",
    "so",
    "spam",
    "spamming",
    "subscription",
    "text",
    "texting",
    "texts",
    "that",
    "these",
    "those",
    "to",
    "today",
    "us",
    "want",
    "with",
    "your",
];

/// Phrases that ask to stop, wherever they are in a message, unless they are negated.
const STOP_PHRASES: &[&str] = &[
    "to opt out",
    "please opt out",
    "i opt out",
    "to unsubscribe",
    "i unsubscribe",
    "stop texting",
    "stop messaging",
    "stop sending",
    "stop contacting",
    "stop calling",
    "stop spamming",
    "stop the messages",
    "stop the texts",
    "stop these messages",
    "stop these texts",
    "stop your messages",
    "stop your texts",
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
    "revoke consent",
    "revoke my consent",
    "revoke all consent",
    "withdraw consent",
    "withdraw my consent",
    "withdraw all consent",
];

/// The phrases that may mean a list other than the one of the recipients of messages.
const REMOVAL: &[&str] = &["take me off", "remove me"];

/// What a person can be removed from apart from the recipients of messages.
const OTHER_THINGS: &[&str] = &[
    "waiting",
    "waitlist",
    "wait",
    "standby",
    "guest",
    "guestlist",
    "appointment",
    "booking",
    "reservation",
    "schedule",
    "shift",
    "rota",
    "roster",
    "class",
    "course",
    "team",
    "meeting",
    "event",
    "order",
    "account",
    "hold",
];

/// Words that negate what follows; `t` belongs to "don't". Words of inability, such as "can't", do not negate a wish.
const NEGATIONS: &[&str] = &["not", "never", "dont", "didnt", "doesnt", "wouldnt", "shouldnt", "havent"];
const NEGATED_BY_T: &[&str] = &["don", "didn", "doesn", "wouldn", "shouldn", "haven"];

/// Words between a negation and the verb that it negates, as in "I don't want you to stop".
const LINKS: &[&str] = &[
    "actually", "ask", "asked", "asking", "be", "d", "dare", "ever", "get", "go", "have", "i", "intend",
    "just", "let", "mean", "meant", "need", "plan", "please", "pls", "plz", "really", "say", "said",
    "saying", "tell", "telling", "them", "think", "to", "told", "try", "trying", "u", "us", "want", "wanted",
    "we", "wish", "yet", "you",
];

/// What a person may not want, as in "I don't want any more texts".
const MESSAGES: &[&str] =
    &["text", "texts", "texted", "texting", "message", "messages", "messaged", "sms", "contact", "contacted"];

/// Words between "I don't want" and the messages.
const DETERMINERS: &[&str] = &[
    "a",
    "any",
    "anymore",
    "be",
    "from",
    "further",
    "get",
    "getting",
    "have",
    "me",
    "more",
    "of",
    "receive",
    "receiving",
    "send",
    "sending",
    "these",
    "this",
    "those",
    "to",
    "u",
    "you",
    "your",
];

/// Words of thanks, as in "thanks for your help".
const THANKS: &[&str] = &["thank", "thanks", "thx", "ty", "gracias", "obrigado"];

/// What an inbound message asks for. Case, punctuation, emoji, white space and `RE:` before the text do not matter.
///
/// `certain` are the words of the regulation and of carriers, and words that mean only this in their language; `likely` are phrases
/// such as "please stop texting me", a first or last sentence that consists of a stop word, such as "Stop. Wrong number", a stop word
/// before a number, such as "STOP 12345", and words that also have other meanings. A negated phrase, such as "don't unsubscribe me",
/// does not ask to stop. A person may ask in words that this function does not know: it returns `none` for them, always with
/// `certain`, so let somebody read the messages that remain. Messages again are certain for START and UNSTOP only: "yes" is `likely`,
/// because it may also answer a question.
///
/// ```
/// use cpaas::text::{Certainty, IntentKind, intent};
///
/// assert_eq!(intent(" Stop! ").kind, IntentKind::Stop);
/// let polite = intent("please stop texting me");
/// assert_eq!((polite.kind, polite.certainty), (IntentKind::Stop, Certainty::Likely));
/// assert_eq!(intent("Please don't unsubscribe me").kind, IntentKind::None);
/// assert_eq!(intent("The bus stop is closed").kind, IntentKind::None);
/// ```
#[must_use]
pub fn intent(text: &str) -> Intent {
    let text = without_reply_prefixes(text);
    let words = words(text);
    let joined = words.join(" ");
    let keywords = [
        (IntentKind::Stop, STOP_KEYWORDS),
        (IntentKind::Help, Keywords { regulated: HELP, certain: &[], likely: LIKELY_HELP }),
        (IntentKind::Start, Keywords { regulated: START, certain: &[], likely: LIKELY_START }),
    ];
    for (kind, keywords) in keywords {
        if let Some(certainty) = keywords.certainty(&joined) {
            return Intent { kind, certainty };
        }
    }
    let sentences: Vec<Vec<String>> = sentences(text).into_iter().map(self::words).collect();
    let likely = |kind| Intent { kind, certainty: Certainty::Likely };
    if has_stop_phrase(&words) || sentences.iter().any(|sentence| has_stop_phrase(sentence)) {
        return likely(IntentKind::Stop);
    }
    for (kind, keywords) in keywords {
        if is_polite_request(&words, keywords) {
            return likely(kind);
        }
    }
    let paragraph = self::words(first_paragraph(text)).join(" ");
    let ends = [sentences.first(), sentences.last()];
    if STOP_KEYWORDS.certainty(&paragraph).is_some()
        || before_number(&words).is_some_and(is_stop_sentence)
        || ends.into_iter().flatten().any(|sentence| is_stop_sentence(sentence))
    {
        return likely(IntentKind::Stop);
    }
    Intent { kind: IntentKind::None, certainty: Certainty::Certain }
}

/// [`intent`] as JSON: `{"kind", "certainty"}`.
#[must_use]
pub fn intent_json(text: &str) -> String {
    crate::value::to_json(&intent(text))
}

/// The words that state an intent, by what they prove.
#[derive(Clone, Copy)]
struct Keywords {
    /// Those of the regulation and of carriers.
    regulated: &'static [&'static str],
    /// Further ones without another meaning.
    certain: &'static [&'static str],
    /// Those with other meanings.
    likely: &'static [&'static str],
}

const STOP_KEYWORDS: Keywords = Keywords { regulated: STOP, certain: UNSUBSCRIBE, likely: LIKELY_STOP };

impl Keywords {
    /// How sure the intent of a message that consists of one of the words is; `None` for any other message.
    fn certainty(&self, message: &str) -> Option<Certainty> {
        if self.regulated.contains(&message) || self.certain.contains(&message) {
            Some(Certainty::Certain)
        } else {
            self.likely.contains(&message).then_some(Certainty::Likely)
        }
    }

    fn all(self) -> impl Iterator<Item = &'static str> {
        [self.regulated, self.certain, self.likely].into_iter().flatten().copied()
    }
}

/// The text without `RE:` at its beginning, which some devices and mail gateways add to a reply.
fn without_reply_prefixes(text: &str) -> &str {
    let mut text = text;
    loop {
        let rest = text.trim_start();
        let is_reply = rest.get(..2).is_some_and(|prefix| prefix.eq_ignore_ascii_case("re"));
        let after = rest.get(2..).filter(|_| is_reply).and_then(|rest| rest.strip_prefix([':', '：']));
        let Some(after) = after else { return text };
        text = after;
    }
}

/// The words before a number at the end, such as the number of the sender in "STOP 12345"; `None` without a number.
fn before_number(words: &[String]) -> Option<&[String]> {
    let is_number = |word: &String| word.chars().all(char::is_numeric);
    let length = words.len() - words.iter().rev().take_while(|word| is_number(word)).count();
    words.get(..length).filter(|before| before.len() < words.len())
}

/// The words of a text in lower case, without punctuation, emoji and combining marks. Letters that stand alone become one word.
fn words(text: &str) -> Vec<String> {
    let is_mark =
        |c: &char| matches!(c, '\u{300}'..='\u{36F}' | '\u{FE0E}' | '\u{FE0F}' | '\u{200B}'..='\u{200F}');
    let letters: String = text
        .chars()
        .filter(|c| !is_mark(c))
        .map(half_width)
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

/// The ASCII character of a full-width one, as in Unicode's compatibility decomposition.
fn half_width(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        _ => c,
    }
}

/// The sentences of a text, and the parts of sentences between commas and dashes.
fn sentences(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    let mut from = 0;
    while let Some((at, mark)) =
        rest.get(from..).unwrap_or_default().char_indices().find(|(_, c)| is_mark(*c))
    {
        let (start, end) = (from + at, from + at + mark.len_utf8());
        let (before, after) = (rest.get(..start).unwrap_or_default(), rest.get(end..).unwrap_or_default());
        if is_end(before, mark, after) {
            parts.push(before);
            rest = after;
            from = 0;
        } else {
            from = end;
        }
    }
    parts.push(rest);
    parts.retain(|part| part.chars().any(char::is_alphanumeric));
    parts
}

/// A character that may end a sentence or a part of it.
const fn is_mark(c: char) -> bool {
    matches!(
        c,
        '.' | ',' | '!' | '?' | ';' | '…' | '-' | '–' | '—' | '。' | '、' | '！' | '？' | '，' | '\n' | '\r'
    )
}

/// Whether a mark ends a part of a text: not a point in a name of a domain, a comma in a number, or a hyphen in a word.
fn is_end(before: &str, mark: char, after: &str) -> bool {
    match mark {
        '.' | ',' => !after.starts_with(|c: char| c.is_alphanumeric() && !c.is_uppercase()),
        '-' | '–' => before.ends_with(char::is_whitespace) && after.starts_with(char::is_whitespace),
        _ => true,
    }
}

/// The text before the first empty line or the line `--`, which introduce a signature.
fn first_paragraph(text: &str) -> &str {
    let text = text.trim_start();
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if matches!(line.trim(), "" | "--") {
            break;
        }
        end += line.len();
    }
    text.get(..end).unwrap_or_default()
}

/// Whether the words consist of keywords and of polite words, and ask for what the keywords mean. "No" before a keyword negates it, as
/// in Spanish, unless it is a word of the regulation or of carriers.
fn is_polite_request(words: &[String], keywords: Keywords) -> bool {
    let Some(found) = keywords_among(words, keywords, |word| PLEAS.contains(&word) || POLITE.contains(&word))
    else {
        return false;
    };
    let is_after_no =
        |at: &usize| at.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|word| word == "no");
    let is_negated = |(at, keyword): &(usize, &str)| !keywords.regulated.contains(keyword) && is_after_no(at);
    if found.iter().any(is_negated) || found.iter().all(|(_, keyword)| ALONE.contains(keyword)) {
        return false;
    }
    if is_thanks_for(words.get(..found.first().map_or(0, |(at, _)| *at)).unwrap_or_default()) {
        return false;
    }
    let is_ambiguous = found.iter().all(|(_, keyword)| AMBIGUOUS.contains(keyword));
    !is_ambiguous || !OWN_ACTION.iter().any(|phrase| phrase_positions(words, phrase).next().is_some())
}

/// "Thanks for", "gracias por".
fn is_thanks_for(words: &[String]) -> bool {
    let thanks = words.iter().position(|word| THANKS.contains(&word.as_str()));
    thanks.is_some_and(|at| words.iter().skip(at).any(|word| word == "for" || word == "por"))
}

/// Whether a sentence consists of a stop word that has no other usual meaning, and of pleas.
fn is_stop_sentence(words: &[String]) -> bool {
    let found = keywords_among(words, STOP_KEYWORDS, |word| PLEAS.contains(&word));
    found.is_some_and(|found| found.iter().any(|(_, keyword)| !AMBIGUOUS.contains(keyword)))
        && is_polite_request(words, STOP_KEYWORDS)
}

/// The keywords among the words with the index of their first word; `None` if there is none, or a further word is not `allowed`.
fn keywords_among(
    words: &[String],
    keywords: Keywords,
    allowed: impl Fn(&str) -> bool,
) -> Option<Vec<(usize, &'static str)>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let matching = keywords.all().filter(|keyword| is_phrase_at(words, at, keyword));
        if let Some(keyword) = matching.max_by_key(|keyword| keyword.len()) {
            found.push((at, keyword));
            at += keyword.split(' ').count();
        } else if allowed(word) {
            at += 1;
        } else {
            return None;
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Whether words contain a phrase that asks to stop, and that is not negated and not about something else.
fn has_stop_phrase(words: &[String]) -> bool {
    let asks = |phrase: &&str| {
        phrase_positions(words, phrase).any(|at| {
            let is_of_another_list = REMOVAL.contains(phrase) && is_about_another_thing(words, at);
            !is_negated(words, at) && !is_of_another_list
        })
    };
    STOP_PHRASES.iter().any(asks) || wants_no_messages(words)
}

/// "I don't want …" before messages, or "don't ever …" before a verb of sending.
fn wants_no_messages(words: &[String]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let is_ever = word == "ever" && is_negation_before(words, at, at);
        let next = words.get(at + 1).map(String::as_str);
        if is_ever && matches!(next, Some("text" | "message" | "contact" | "send")) {
            return true;
        }
        let is_wish =
            matches!(word.as_str(), "want" | "wish" | "wanted") && is_negation_before(words, at, at);
        let mut rest = words.iter().skip(at + 1).skip_while(|word| DETERMINERS.contains(&word.as_str()));
        is_wish && rest.next().is_some_and(|word| MESSAGES.contains(&word.as_str()))
    })
}

/// Whether "waiting list" or another thing follows a request to be removed.
fn is_about_another_thing(words: &[String], at: usize) -> bool {
    words.iter().skip(at).take(8).any(|word| OTHER_THINGS.contains(&word.as_str()))
}

/// Whether a phrase at an index is negated: by a negation before it, or as in "don't unsubscribe me or remove me", by one before
/// another phrase and "or".
fn is_negated(words: &[String], at: usize) -> bool {
    let or = at
        .checked_sub(1)
        .filter(|before| words.get(*before).is_some_and(|word| word == "or" || word == "nor"));
    let Some(or) = or else { return is_negated_directly(words, at) };
    STOP_PHRASES.iter().any(|phrase| {
        let start = or.checked_sub(phrase.split(' ').count());
        start.is_some_and(|start| is_phrase_at(words, start, phrase) && is_negated_directly(words, start))
    })
}

/// Whether a negation precedes the verb at an index, directly or with words such as "want you to" between them.
fn is_negated_directly(words: &[String], verb: usize) -> bool {
    let word_at = |index: usize| words.get(index).map(String::as_str);
    let mut at = verb;
    while let Some(before) = at.checked_sub(1) {
        // "I should not have to ask you to stop" asks for it.
        if let (Some("have"), Some("to"), Some("ask" | "tell" | "say")) =
            (word_at(before), word_at(at), word_at(at + 1))
        {
            return false;
        }
        let is_link = |word| LINKS.contains(&word) || word == "like" && word_at(at) == Some("to");
        if !word_at(before).is_some_and(is_link) {
            break;
        }
        at = before;
    }
    match at.checked_sub(1).and_then(word_at) {
        Some("no") => word_at(at) == Some("need"),
        _ => is_negation_before(words, at, verb),
    }
}

/// Words before a negation of the verb itself. Any other word is its subject: "they never stop", "you did not remove me" and "why do
/// you not stop" ask to stop, so they do not negate.
const BEFORE_NEGATION: &[&str] = &[
    "and", "but", "hey", "hi", "i", "no", "oh", "ok", "okay", "please", "pls", "plz", "so", "we", "well",
    "yes",
];

/// Whether a negation ends before the word at an index.
fn is_negation_before(words: &[String], at: usize, verb: usize) -> bool {
    let word_at = |back: usize| at.checked_sub(back).and_then(|index| words.get(index)).map(String::as_str);
    let length = match (word_at(2), word_at(1)) {
        (Some("can" | "could"), Some("not")) => return false,
        (Some("do" | "did" | "does" | "would" | "should" | "have"), Some("not")) => 2,
        (Some(word), Some("t")) if NEGATED_BY_T.contains(&word) => 2,
        (_, Some(word)) if NEGATIONS.contains(&word) => 1,
        _ => return false,
    };
    let is_adverb = matches!(word_at(length + 1), Some("just" | "really" | "still"));
    let subject = word_at(length + 1 + usize::from(is_adverb));
    let negated = word_at(length).unwrap_or_default();
    let is_advice = ["should", "would"].iter().any(|verb| negated.starts_with(verb));
    if at == verb && !is_advice {
        subject.is_none_or(|word| BEFORE_NEGATION.contains(&word))
    } else {
        subject != Some("why")
    }
}

/// The indices of the words at which a phrase begins.
fn phrase_positions<'a>(words: &'a [String], phrase: &'a str) -> impl Iterator<Item = usize> + 'a {
    (0..words.len()).filter(move |at| is_phrase_at(words, *at, phrase))
}

/// Whether the words at an index are those of a phrase.
fn is_phrase_at(words: &[String], at: usize, phrase: &str) -> bool {
    // Most phrases differ in the first word, and this comparison is faster than splitting them.
    let begins = words.get(at).is_some_and(|word| phrase.starts_with(word.as_str()));
    let mut rest = words.iter().skip(at);
    begins && phrase.split(' ').all(|word| rest.next().is_some_and(|one| one == word))
}
