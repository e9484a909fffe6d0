//! Names of columns, members and campaigns do not change a log or a terminal.

use cpaas::printable::{MAX_MESSAGE, printable};
use cpaas_campaign::source::{CsvOptions, CsvSource, IteratorSource};

use cpaas_campaign::journal::Settings;
use cpaas_campaign::{Error, Messages, Template, TemplateBuilder, plan};
use serde_json::{Value, json};

#[track_caller]
fn assert_printable(text: &str) {
    assert_eq!(printable(text, MAX_MESSAGE + 500), text);
}

#[test]
fn errors_about_names_are_printable() {
    let long = "x".repeat(10_000);
    for name in ["\n\u{1b}[31m\u{2028}\u{202e}", &long, &format!("a\u{9b}{long}\u{2066}")] {
        let member = json!({name: "{{ a }}"});
        let unknown = Template::new(json!({"text": format!("{{{{ a{long} }}}}"), name: "{{ b }}"})).unwrap();
        let csv = format!("{name},{name}\n1,2\n").replacen('\n', " ", name.matches('\n').count() * 2);
        let errors: Vec<Option<Error>> = vec![
            TemplateBuilder::default().set(&format!("{name}..b"), "x").err(),
            TemplateBuilder::default().set("a", "x").unwrap().set(&format!("a.{name}"), "x").err(),
            Template::new(json!({name: "{{ (( }}"})).err(),
            unknown.check_names(&["b".to_owned(), name.to_owned()]).err(),
            Template::new(member.clone()).unwrap().check_names(&[name.to_owned()]).err(),
            CsvSource::new(csv.as_bytes(), CsvOptions::default()).err(),
            Some(Error::Source(format!("`{name}`"))),
            Some(Error::Setting(format!("`{name}`"))),
        ];
        for (index, error) in errors.into_iter().enumerate() {
            assert_printable(&error.unwrap_or_else(|| panic!("{index}")).to_string());
        }
        let problem = unknown.render(&json!({"b": "1"}).as_object().unwrap().clone()).unwrap_err();
        assert_printable(&problem.message);
        let request =
            json!({"from": "Acme", "to": "306912345678", "text": "{{ missing }}", name: {name: "{{ b }}"}});
        let rows: Vec<_> = [json!({"b": "1"}), json!({"b": "1", name: Value::Null})]
            .into_iter()
            .map(|row| row.as_object().unwrap().clone())
            .collect();
        let messages = Messages::new("sms.send", Template::new(request).unwrap());
        let plan = plan(&mut IteratorSource(rows.into_iter()), &messages, &Settings::default()).unwrap();
        assert!(!plan.problems.is_empty());
        for problem in plan.problems.iter().chain(&plan.warnings) {
            assert_printable(&problem.to_string());
        }
    }
}
