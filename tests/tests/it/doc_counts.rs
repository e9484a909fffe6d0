//! Hand-written pages do not say how many operations, codes or rules there are, because these lists in the code grow.

use std::path::Path;

const NUMBERS: &[&str] = &[
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
];
/// Nouns that are lists in the code.
const LISTED: &[&str] = &["operations", "codes", "rules", "faults", "defaults", "schemes", "vectors"];

fn counts(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let bare = |word: &str| word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric()).to_lowercase();
    let is_number = |word: &str| word.chars().all(|digit| digit.is_ascii_digit()) && word.len() > 1;
    words
        .windows(2)
        .filter(|pair| LISTED.contains(&bare(pair[1]).as_str()))
        .filter(|pair| {
            let number = pair[0].trim_start_matches(['(', '*', '`']).to_lowercase();
            NUMBERS.contains(&number.as_str()) || is_number(&number)
        })
        .map(|pair| pair.join(" "))
        .collect()
}

#[test]
fn pages_contain_no_hand_written_counts() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    for entry in std::fs::read_dir(docs).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.extension().is_some_and(|kind| kind == "md") && name != "problems.md" {
            let found = counts(&std::fs::read_to_string(&path).unwrap());
            assert!(
                found.is_empty(),
                "{name}: {found:?}: remove the count, because the list in the code grows"
            );
        }
    }
}

#[test]
fn a_count_is_found() {
    assert_eq!(
        counts("the thirty operations and (156 rules), two operations"),
        ["thirty operations", "(156 rules),"]
    );
}
