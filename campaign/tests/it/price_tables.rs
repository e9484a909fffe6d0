//! Price tables of any size and order, and in other encodings.

use std::fmt::Write;
use std::time::{Duration, Instant};

use cpaas_campaign::Prices;
use cpaas_campaign::source::Encoding;

/// A table of prefixes that all begin with the same digits.
fn table(numbers: &[u64]) -> String {
    let mut csv = "prefix,price,currency\n".to_owned();
    for number in numbers {
        writeln!(csv, "30{number:06},0.0{:03},EUR", number % 999).unwrap();
    }
    csv
}

/// The time in which a table is read, and a price is found for each of as many numbers.
fn time(csv: &str, rows: u64) -> Duration {
    let began = Instant::now();
    let prices = Prices::read(csv.as_bytes()).unwrap();
    for number in 0..rows {
        let recipient = format!("30{number:06}0001");
        assert_eq!(prices.find(&recipient).unwrap().prefix.len(), 8, "{recipient}");
    }
    began.elapsed()
}

#[test]
fn a_table_in_any_order_is_read_in_linear_time() {
    const ROWS: u64 = 100_000;
    type Order = fn(u64) -> Vec<u64>;
    let orders: [(&str, Order); 3] = [
        ("ascending", |rows| (0..rows).collect()),
        ("descending", |rows| (0..rows).rev().collect()),
        ("scattered", |rows| (0..rows).map(|number| number * 7_919 % rows).collect()),
    ];
    for (name, order) in orders {
        // The shortest of several times, because other programs use the machine too.
        let shortest = |rows: u64| {
            let csv = table(&order(rows));
            (0..3).map(|_| time(&csv, rows)).min().unwrap()
        };
        let (small, large) = (shortest(ROWS / 10), shortest(ROWS));
        println!("{name}: {ROWS} prefixes in {large:?}, {} in {small:?}", ROWS / 10);
        assert!(large < small * 40, "{name}: {large:?} for ten times the rows of {small:?}");
        assert!(large < Duration::from_secs(4), "{name}: {large:?}");
    }
}

#[test]
fn a_table_has_the_encoding_that_is_named() {
    let csv = "prefix,price,currency\n30,0.05,€\n49,0.08,€\n";
    let windows: Vec<u8> = csv.chars().map(|one| if one == '€' { 0x80 } else { one as u8 }).collect();
    let error = Prices::read(&windows[..]).unwrap_err().to_string();
    assert!(error.starts_with("prices, line 2: the file must be UTF-8; for another encoding"), "{error}");
    let encoding = Some(Encoding::named("windows-1252").unwrap());
    let prices = Prices::read_encoded(&windows[..], encoding).unwrap();
    let price = prices.find("306900000001").unwrap();
    assert_eq!((price.prefix, price.billionths, price.currency), ("30", 50_000_000, "€"));
    let utf16: Vec<u8> =
        "\u{FEFF}".encode_utf16().chain(csv.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(Prices::read(&utf16[..]).unwrap().currency(), Some("€"));
    let workbook = Prices::read(&b"PK\x03\x04..."[..]).unwrap_err().to_string();
    assert!(workbook.starts_with("prices, the file must be text, got a workbook"), "{workbook}");
}
