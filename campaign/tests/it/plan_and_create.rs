//! A plan and the campaign that is created with the same settings agree in everything.

use cpaas_campaign::blocking;
use cpaas_campaign::campaign::status;
use cpaas_campaign::source::IteratorSource;
use cpaas_campaign::{Columns, Description, Prices, plan, plan_created};
use serde_json::{Value, json};

use crate::support::{Scratch, exported};

const SETTINGS: u64 = 2_000;

/// Pseudorandom choices; the same in every run.
struct Choices(u64);

impl Choices {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % count as u64).unwrap()
    }

    fn one<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())].clone()
    }

    /// A value, or null three times out of four.
    fn rarely(&mut self, values: &[Value]) -> Value {
        if self.below(4) == 0 { self.one(values) } else { Value::Null }
    }
}

const RECIPIENTS: [&str; 12] = [
    "306900000001",
    "+306900000001",
    "0030 690 000 0001",
    "306900000002",
    "tel:+306900000002",
    "4915123456789",
    "12015550123",
    "690 000 0001",
    "06900000001",
    "3.069E+11",
    "ann",
    "",
];
const PRICES: [&str; 4] = [
    "prefix,price,currency\n30,0.05,EUR\n3069,0.0375,EUR\n49,0.08,EUR\n1,0.01,EUR\n",
    "prefix,price,currency\n49,0.08,EUR\n",
    "prefix,price,currency\n3069,0.05,EUR\n",
    "prefix,price,currency\n30,0.05,EUR\n49,0.08,CHF\n1,0.01,USD\n",
];

fn rows(choices: &mut Choices) -> Vec<Columns> {
    let count = choices.below(9);
    let row = |choices: &mut Choices| {
        let name = choices.one(&["Ann", "Ελένη", "x".repeat(200).as_str()].map(str::to_owned));
        let zone = choices.one(&["Europe/Athens", "", "Nowhere/City"]);
        let row = json!({"phone": choices.one(&RECIPIENTS), "name": name, "zone": zone});
        row.as_object().unwrap().clone()
    };
    (0..count).map(|_| row(choices)).collect()
}

fn description(choices: &mut Choices) -> Value {
    let suppressed: Vec<&str> = (0..choices.below(3)).map(|_| choices.one(&RECIPIENTS[..9])).collect();
    let prices = if choices.below(2) == 0 { Value::Null } else { json!(choices.one(&PRICES)) };
    let template = choices.one(&[
        json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi {{ name }}"}),
        json!({"from": "Acme", "to": "{{ row['phone'] }}", "text": "Hi"}),
        json!({"from": "Acme", "to": "{{ phone }}", "text": "{{ missing }}"}),
    ]);
    json!({
        "operation": "sms.send",
        "template": template,
        "suppress": suppressed,
        "lenient": choices.below(3) > 0,
        "prices": prices,
        "max_parts": choices.rarely(&[json!(1), json!(2)]),
        "duplicates": choices.rarely(&[json!("send"), json!("skip")]),
        "time_zone_column": choices.rarely(&[json!("zone")]),
        "normalize": choices.rarely(&[json!("international"), json!("Atlantis")]),
        "rate": choices.rarely(&[json!(2.0), json!(0.0)]),
        "window": choices.rarely(&[json!("09:00-20:00")]),
        "time_zone": choices.rarely(&[json!("Europe/Athens"), json!("Nowhere/City")]),
        "max_spend": choices.rarely(&[json!("0.1"), json!("100")]),
        "keep": choices.one(&[json!([]), json!([]), json!(["zone"]), json!(["zone", "phone"]), json!(["vip"])]),
        "start_at": choices.rarely(&[json!("2099-01-01T09:00"), json!("2020-01-01T00:00:00Z")]),
    })
}

#[test]
fn a_plan_equals_the_campaign_that_is_created() {
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    let mut choices = Choices(0x9E37_79B9_7F4A_7C15);
    let (mut created, mut refused, mut planned_rows) = (0, 0, 0);
    for number in 0..SETTINGS {
        let (description, rows) = (description(&mut choices), rows(&mut choices));
        let compiled =
            || serde_json::from_value::<Description>(description.clone()).unwrap().compile().unwrap();
        let (messages, settings) = compiled();
        let mut source = IteratorSource(rows.clone().into_iter());
        let planned = plan(&mut source, &messages, &settings);
        let (messages, settings) = compiled();
        let name = format!("campaign {number}");
        let mut source = IteratorSource(rows.into_iter());
        let result = blocking::create(&mut journal, &name, &mut source, &messages, settings, None);
        let planned = match (planned, result) {
            (Ok(planned), Ok(_)) => planned,
            (Err(planned), Err(created)) => {
                assert_eq!(planned.to_string(), created.to_string(), "{description}");
                refused += 1;
                continue;
            }
            (planned, result) => panic!("{:?} {:?} {description}", planned.map(|_| ()), result.map(|_| ())),
        };
        created += 1;
        planned_rows += planned.rows;
        let found = status(&mut journal, &name).unwrap();
        let count = |count: u64| i64::try_from(count).unwrap();
        assert_eq!(
            (found.rows, found.pending, found.invalid, found.duplicate, found.suppressed, found.parts),
            (
                count(planned.rows),
                count(planned.valid),
                count(planned.invalid),
                count(planned.duplicate),
                count(planned.suppressed),
                count(planned.total.parts)
            ),
            "{description}"
        );
        assert_eq!(found.suppression, planned.suppression, "{description}");
        let invalid = exported(&mut journal, &name).into_iter().filter(|row| row.outcome == "invalid");
        let invalid: Vec<u64> = invalid.map(|row| row.row).collect();
        let mut problems: Vec<u64> = planned.problems.iter().map(|problem| problem.row).collect();
        problems.dedup();
        assert_eq!(invalid, problems, "{description}");
        let prices = description["prices"].as_str().map(|csv| Prices::read(csv.as_bytes()).unwrap());
        let stored = plan_created(&mut journal, &name, prices.as_ref(), None).unwrap();
        assert_eq!(
            (stored.total, stored.by_encoding, stored.by_prefix, stored.currency, stored.duration),
            (planned.total, planned.by_encoding, planned.by_prefix, planned.currency, planned.duration),
            "{description}"
        );
        let requests = |samples: &[cpaas_campaign::Sample]| json!(samples);
        assert_eq!(requests(&stored.samples), requests(&planned.samples), "{description}");
    }
    println!("{created} campaigns with {planned_rows} rows, {refused} refused alike");
    assert!(created > 300 && refused > 300);
}
