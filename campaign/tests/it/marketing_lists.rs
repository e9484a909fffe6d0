//! Lists of marketing departments: what would be sent twice, to the wrong number or to somebody who has opted out.

use cpaas_campaign::blocking;
use cpaas_campaign::campaign;
use cpaas_campaign::journal::Settings;
use cpaas_campaign::source::IteratorSource;
use cpaas_campaign::{Messages, Plan, Result, Suppression, Template, plan};
use serde_json::json;

use crate::support::Scratch;

fn single() -> Messages {
    let template = json!({"from": "Acme", "to": "{{ phones }}", "text": "Hi"});
    Messages::new("sms.send", Template::new(template).unwrap())
}

fn rows(phones: &[&str]) -> IteratorSource<impl Iterator<Item = cpaas_campaign::Columns>> {
    let rows: Vec<_> = phones.iter().map(|one| json!({"phones": one}).as_object().unwrap().clone()).collect();
    IteratorSource(rows.into_iter())
}

fn planned(messages: &Messages, phones: &[&str], normalize: Option<&str>) -> Result<Plan> {
    let mut settings = Settings::default();
    settings.normalize = normalize.map(str::to_owned);
    plan(&mut rows(phones), messages, &settings)
}

#[test]
fn an_empty_suppression_list_is_an_error_unless_lenient() {
    let none: [&str; 0] = [];
    for list in [Suppression::Listed(Vec::new()), none.into_iter().collect()] {
        let mut messages = single();
        messages.suppress = list.clone();
        let error = planned(&messages, &["306900000001"], None).unwrap_err().to_string();
        assert!(
            error.starts_with("suppression: the list must have a recipient, got an empty one"),
            "{error}"
        );
        let scratch = Scratch::file();
        let (mut journal, settings) = (scratch.journal(), Settings::default());
        let created =
            blocking::create(&mut journal, "c", &mut rows(&["306900000001"]), &messages, settings, None);
        assert_eq!(created.unwrap_err().to_string(), error);
        messages.lenient = true;
        let summary = planned(&messages, &["306900000001"], None).unwrap().suppression.unwrap();
        assert_eq!(summary.to_string(), "suppression: 0 read, 0 unreadable");
        let settings = Settings::default();
        let created =
            blocking::create(&mut journal, "c", &mut rows(&["306900000001"]), &messages, settings, None);
        assert!(created.is_ok());
        assert_eq!(campaign::suppress(&mut journal, "c", &list).unwrap_err().to_string(), error);
    }
    let without = planned(&single(), &["306900000001"], None).unwrap();
    assert_eq!((without.valid, without.suppression), (1, None));
}
