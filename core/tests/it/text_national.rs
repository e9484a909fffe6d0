//! National language tables in counts, parts, annotations and prices; transliteration; templates.

use std::collections::BTreeMap;

use cpaas::bindings;
use cpaas::text::{
    self, Encoding, FieldValues, Language, Languages, RangeReason, ReferenceBits, SegmentOptions,
    Transliterate, segments, template_segments, template_segments_of_rows, transliterate,
};
use serde_json::Value;

fn with(codes: &[&str]) -> SegmentOptions {
    SegmentOptions::new().languages(Languages::from_codes(codes).unwrap())
}

fn counted(text: &str, options: &SegmentOptions) -> (&'static str, u32, u32, u32) {
    let found = segments(text, options).unwrap();
    (found.encoding.as_str(), found.count, found.units, found.remaining)
}

/// A part has 140 octets. Its header takes 1 for its length, 3 for each table, and 5 or 6 for the concatenation.
#[test]
fn header_octets_reduce_the_septets_of_a_part() {
    let turkish = with(&["tr"]);
    assert_eq!(counted(&"ş".repeat(155), &turkish), ("gsm7", 1, 155, 0));
    assert_eq!(counted(&"ş".repeat(156), &turkish), ("gsm7", 2, 156, 142));
    assert_eq!(counted(&"ş".repeat(298), &turkish), ("gsm7", 2, 298, 0));
    assert_eq!(counted(&"ş".repeat(299), &turkish), ("gsm7", 3, 299, 148));
    let wide = turkish.reference_bits(ReferenceBits::Sixteen);
    assert_eq!(counted(&"ş".repeat(296), &wide), ("gsm7", 2, 296, 0));
    // Both tables: a letter of the locking and a digit of the single shift table.
    let hindi = with(&["hi"]);
    let text = |length: usize| format!("९{}", "क".repeat(length - 2));
    assert_eq!(counted(&text(152), &hindi), ("gsm7", 1, 152, 0));
    assert_eq!(counted(&text(153), &hindi), ("gsm7", 2, 153, 139));
    assert_eq!(counted(&text(292), &hindi), ("gsm7", 2, 292, 0));
    let wide = hindi.reference_bits(ReferenceBits::Sixteen);
    assert_eq!(counted(&text(290), &wide), ("gsm7", 2, 290, 0));
    assert_eq!(counted(&text(291), &wide), ("gsm7", 3, 291, 144));
}

#[test]
fn only_allowed_languages_are_used() {
    let text = "ışık".repeat(30);
    assert_eq!(counted(&text, &SegmentOptions::new()), ("ucs2", 2, 120, 14));
    assert_eq!(counted(&text, &with(&["es", "hi"])), ("ucs2", 2, 120, 14));
    let found = segments(&text, &with(&["es", "tr"])).unwrap();
    assert_eq!((found.encoding, found.count, found.saved), (Encoding::Gsm7, 1, Some(1)));
    assert_eq!((found.locking_shift, found.single_shift), (Some(Language::Turkish), None));
    let found = segments("plain", &with(&["tr"])).unwrap();
    assert_eq!((found.locking_shift, found.single_shift, found.saved), (None, None, Some(0)));
    let automatic = SegmentOptions::new().languages(Languages::AUTO);
    assert_eq!(segments(&text, &automatic).unwrap().locking_shift, Some(Language::Turkish));
}

/// Spanish has only a single shift table: each of its letters needs two septets.
#[test]
fn spanish_letters_need_an_escape() {
    let found = segments("¿Qué está aquí?", &with(&["es"])).unwrap();
    assert_eq!((found.units, found.single_shift, found.locking_shift), (17, Some(Language::Spanish), None));
}

/// Compares the choice with the number of parts of every pair of languages.
#[test]
fn auto_chooses_the_fewest_parts_of_all_combinations() {
    let texts = [
        "€".repeat(100),
        format!("{}{}", "€".repeat(80), "ş"),
        format!("{}{}", "ç".repeat(90), "a".repeat(60)),
        "São João, coração, não, ^|~".repeat(12),
        format!("{}{}", "अ".repeat(150), "A".repeat(20)),
        "Gün ışığı: İstanbul, ağaç, şehir, çiçek ".repeat(9),
    ];
    for text in &texts {
        let best = Language::ALL
            .into_iter()
            .flat_map(|one| Language::ALL.into_iter().map(move |other| Languages::NONE.with(one).with(other)))
            .map(|languages| text::count_with(text, languages).unwrap().count)
            .min()
            .unwrap();
        assert_eq!(text::count_with(text, Languages::AUTO).unwrap().count, best.min(text::count(text).count));
    }
    // The Turkish locking shift table has the euro sign in one septet.
    assert_eq!(text::count("€".repeat(100).as_str()).count, 2);
    assert_eq!(
        counted(&"€".repeat(100), &SegmentOptions::new().languages(Languages::AUTO)),
        ("gsm7", 1, 100, 55)
    );
}

/// The count of a text that cannot be sent uses the same tables as that of a shorter text.
#[test]
fn more_than_255_parts_are_counted_with_the_national_tables() {
    let turkish = Languages::NONE.with(Language::Turkish);
    let small = text::count_with(&"ş".repeat(1_000), turkish).unwrap();
    let large = text::count_with(&"ş".repeat(100_000), turkish).unwrap();
    assert_eq!(small.encoding, text::Encoding::Gsm7);
    assert_eq!((large.encoding, large.units), (text::Encoding::Gsm7, small.units * 100));
    let part = (small.units + small.remaining) / small.count;
    assert_eq!(large.count, large.units.div_ceil(part));
    assert_eq!(large.remaining, large.count * part - large.units);
    let error = segments(&"ş".repeat(100_000), &with(&["tr"])).unwrap_err();
    assert_eq!(error, text::SegmentError::TooManyParts { parts: large.count });
}

#[test]
fn unknown_languages_are_an_error_that_lists_the_codes() {
    let error = Languages::from_codes(["tr", "xx"]).unwrap_err().to_string();
    assert!(error.ends_with("tr, es, pt, bn, gu, hi, kn, ml, or, pa, ta, te, ur"), "{error}");
}

#[test]
fn annotations_use_national_tables() {
    let parsed = |text: &str, options: Option<&str>| -> Value {
        serde_json::from_str(&bindings::annotate_json_with(text, options).unwrap()).unwrap()
    };
    let found = parsed("ş€", Some(r#"{"languages":["tr"]}"#));
    assert_eq!(found["characters"][0]["septets"], 1);
    assert_eq!(found["characters"][1]["septets"], 1);
    assert_eq!(found["causes"].as_array().unwrap().len(), 0);
    assert_eq!(found["languages"]["lockingShift"], "tr");
    let found = parsed("ş😀", Some(r#"{"languages":["tr"]}"#));
    assert_eq!(found["causes"][0]["character"], "😀");
    assert_eq!(found["causes"].as_array().unwrap().len(), 1);
    // Without the option, the report contains the parts that the tables would save.
    let found = parsed(&"ş".repeat(100), None);
    assert_eq!((&found["languages"]["count"], &found["languages"]["saved"]), (&1.into(), &1.into()));
    assert_eq!(found["characters"][0]["forcesUcs2"], true);
    assert_eq!(parsed("ş", None).get("languages"), None);
    assert_eq!(parsed(&"я".repeat(100), None).get("languages"), None);
}

#[test]
fn estimates_use_national_tables_and_transliteration() {
    let estimate = |options: Option<&str>| -> Value {
        let text = format!("ż{}", "ş".repeat(100));
        serde_json::from_str(&bindings::estimate_json_with(&text, "0.05", options).unwrap()).unwrap()
    };
    assert_eq!(estimate(None)["total"], "0.10");
    assert_eq!(estimate(Some(r#"{"transliterate":"auto"}"#))["total"], "0.05");
    assert_eq!(estimate(Some(r#"{"transliterate":true}"#))["replacements"].as_array().unwrap().len(), 101);
    let text = "ş".repeat(100);
    let price = "0.05".parse().unwrap();
    let found = text::estimate_with(&text, price, &with(&["tr"])).unwrap();
    assert_eq!(found.total.to_string(), "0.05");
    let language = |found: &Value| (found["lockingShift"].clone(), found["singleShift"].clone());
    assert_eq!(language(&estimate(None)), (Value::Null, Value::Null));
    assert_eq!((found.locking_shift, found.single_shift), (Some(text::Language::Turkish), None));
    let to = bindings::estimate_to_json(
        "ğğğ ş",
        "prefix,price,currency\n30,0.05,EUR",
        "306900000001",
        Some(r#"{"languages":["tr"]}"#),
    );
    let to: Value = serde_json::from_str(&to.unwrap()).unwrap();
    assert_eq!(language(&to), ("tr".into(), Value::Null));
}

#[test]
fn transliterate_replaces_characters_of_each_source() {
    for (from, to) in [
        ("plain {€}", "plain {€}"),
        ("“a” – b…", "\"a\" - b..."),
        ("Zażółć gęślą jaźń", "Zazolc gesla jazn"),
        ("ąćęłńóśźż ŠŽČ", "acelnoszz SZC"),
        ("äöüàéñ", "äöüàéñ"),
        ("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ", "ABΓΔEZHΘIKΛMNΞOΠPΣTYΦXΨΩ"),
        ("Καλημέρα", "KAΛHMEPA"),
        ("ﬁn № 5 ™", "fin No 5 TM"),
        ("\u{200b}a\u{a0}b", "a b"),
        ("e\u{301}c\u{301}", "éc"),
        ("ﬃ", "ffi"),
    ] {
        assert_eq!(transliterate(from).text, to, "{from}");
    }
    let found = transliterate("я ż 😀");
    assert_eq!((found.text.as_str(), found.kept), ("я z 😀", vec!['я', '😀']));
    let replacement = &found.replacements[0];
    assert_eq!((replacement.start, replacement.end, replacement.start16, replacement.end16), (3, 5, 2, 3));
    assert_eq!((replacement.from.as_str(), replacement.to.as_str()), ("ż", "z"));
    // A combining mark after a letter that stays also stays.
    assert_eq!(transliterate("и\u{306}").text, "и\u{306}");
}

/// The table is written by a command of its own (`codegen/unicode`), which a change of `text::replacement` needs as well.
#[test]
fn a_replacement_of_a_typographic_character_is_that_of_the_library() {
    let mut compared = 0;
    for character in '\u{1}'..=char::MAX {
        if let Some(expected) = text::replacement(character) {
            assert_eq!(
                transliterate(&character.to_string()).text,
                expected,
                "{:x}: codegen/unicode/run",
                character as u32
            );
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

/// Applying the reported replacements to the original text gives the new text.
#[test]
fn every_replacement_is_reported_and_in_the_alphabet() {
    let mut replaced = 0;
    for character in '\0'..=char::MAX {
        let text = format!("a {character} b");
        let found = transliterate(&text);
        let mut rebuilt = String::new();
        let mut at = 0;
        for one in &found.replacements {
            assert_eq!(text.get(one.start..one.end), Some(one.from.as_str()));
            assert!(one.to.chars().all(|to| text::septets(to).is_some()), "{:x}", character as u32);
            rebuilt += text.get(at..one.start).unwrap();
            rebuilt += &one.to;
            at = one.end;
        }
        rebuilt += text.get(at..).unwrap();
        assert_eq!(rebuilt, found.text);
        if text::septets(character).is_some() {
            assert_eq!(found.text, text);
        }
        assert_eq!(
            found.kept.contains(&character),
            found.replacements.is_empty() && text::septets(character).is_none()
        );
        replaced += found.replacements.len();
    }
    assert!(replaced > 2_500, "{replaced}");
}

#[test]
fn auto_transliterates_only_if_it_saves_a_part() {
    let options = SegmentOptions::new();
    let short = "ż";
    let long = format!("ż{}", "a".repeat(80));
    assert!(Transliterate::Auto.apply(short, &options).is_none());
    assert!(Transliterate::Always.apply(short, &options).is_some());
    assert!(Transliterate::Auto.apply(&long, &options).is_some());
    assert!(Transliterate::Auto.apply(&format!("я{long}"), &options).is_none());
    // The national tables already save the part.
    let turkish = "ş".repeat(80);
    assert!(Transliterate::Auto.apply(&turkish, &with(&["tr"])).is_none());
    assert!(Transliterate::Auto.apply(&turkish, &options).is_some());
}

fn fields(rows: &[(&str, FieldValues)]) -> BTreeMap<String, FieldValues> {
    rows.iter().map(|(name, values)| ((*name).to_owned(), values.clone())).collect()
}

fn samples(values: &[&str]) -> FieldValues {
    FieldValues::Samples(values.iter().map(|value| (*value).to_owned()).collect())
}

#[test]
fn templates_have_a_range_of_parts_with_a_reason() {
    let template = format!("{}{{{{ name }}}}", "a".repeat(150));
    let options = SegmentOptions::new();
    let range = |values| template_segments(&template, &fields(&[("name", values)]), &options).unwrap();
    let found = range(FieldValues::Lengths(1, 10));
    assert_eq!((found.shortest.count, found.longest.count, found.reason), (1, 1, RangeReason::Same));
    assert_eq!((found.shortest.units, found.longest.units), (151, 160));
    let found = range(FieldValues::Lengths(0, 11));
    assert_eq!((found.shortest.count, found.longest.count, found.reason), (1, 2, RangeReason::Length));
    let found = range(samples(&["Eva", "Яна"]));
    assert_eq!((found.shortest.count, found.longest.count, found.reason), (1, 3, RangeReason::Encoding));
    assert_eq!(found.fields, ["name"]);
    // A short value that forces UCS-2 needs more parts than a longer one that does not.
    let found = range(samples(&["Я", "Maximilian"]));
    assert_eq!((found.shortest.count, found.longest.count), (1, 3));
}

#[test]
fn rows_give_the_shortest_and_the_longest_text() {
    let row = |name: &str| BTreeMap::from([("name".to_owned(), name.to_owned())]);
    let rows = [row("Al"), row(&"b".repeat(200)), row("Eva")];
    let found = template_segments_of_rows("Hi {{name}}!", &rows, &SegmentOptions::new()).unwrap();
    assert_eq!((found.shortest.count, found.longest.count, found.rows), (1, 2, Some([0, 1])));
    let missing = template_segments_of_rows("Hi {{other}}!", &rows, &SegmentOptions::new()).unwrap_err();
    assert_eq!((missing.code(), missing.to_string().starts_with("byte 3: ")), ("text.template", true));
}

#[test]
fn invalid_templates_and_values_are_errors() {
    let measure = |template: &str| template_segments(template, &BTreeMap::new(), &SegmentOptions::new());
    assert_eq!(measure("no field").unwrap().shortest.units, 8);
    for template in ["{{", "a {{name", "{{}}", "{{ }}", "{{a{{b}}", "{{name}}"] {
        assert_eq!(measure(template).unwrap_err().code(), "text.template", "{template}");
    }
    let values =
        |json: &str| bindings::template_segments_json("{{a}}", json, None).map_err(|error| error.code());
    assert!(values(r#"{"fields":{"a":[1,5]}}"#).is_ok());
    assert!(values(r#"{"fields":{"a":["x"]}}"#).is_ok());
    assert!(values(r#"{"fields":{"a":7}}"#).is_ok());
    assert!(values(r#"{"rows":[{"a":"x"}]}"#).is_ok());
    for json in [
        "",
        "[]",
        "{}",
        r#"{"fields":{"a":[5,1]}}"#,
        r#"{"fields":{"a":[]}}"#,
        r#"{"rows":[]}"#,
        r#"{"rows":[{"a":1}]}"#,
        r#"{"x":1}"#,
    ] {
        assert_eq!(values(json).unwrap_err(), "text.template", "{json}");
    }
}
