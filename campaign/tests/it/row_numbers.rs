//! Numbers of rows that the caller gives.

use cpaas_campaign::blocking::{self, open_journal};
use cpaas_campaign::campaign::{TestMessage, TestRows, resolve};
use cpaas_campaign::journal::{OpenOptions, Settings};
use cpaas_campaign::protocol::Resolution;
use cpaas_campaign::source::IteratorSource;
use cpaas_campaign::{Columns, Messages, Template};
use serde_json::json;

#[test]
fn a_row_that_does_not_exist_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal =
        open_journal(&folder.path().join("c.db").display().to_string(), OpenOptions::default()).unwrap();
    let template = json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi"});
    let messages = Messages::new("sms.send", Template::new(template).unwrap());
    let rows = ["306912345678", "306912345679"].map(|phone| {
        let row: Columns = [("phone".to_owned(), phone.into())].into_iter().collect();
        row
    });
    let mut source = IteratorSource(rows.into_iter());
    let _ = blocking::create(&mut journal, "c", &mut source, &messages, Settings::default(), None).unwrap();
    for (rows, found) in [(&[0_u64][..], 0), (&[3], 3), (&[1, 9], 9)] {
        let expected = format!("rows must be numbers from 1 to 2, got {found}");
        let resolved = resolve(&mut journal, "c", Resolution::Accepted, Some(rows), false);
        assert_eq!(resolved.unwrap_err().to_string(), expected);
        let numbers = TestRows::Numbers(rows.to_vec());
        let prepared = TestMessage::prepare(&mut journal, "c", &numbers, &["306999999999".to_owned()]);
        assert_eq!(prepared.unwrap_err().to_string(), expected);
    }
    assert!(resolve(&mut journal, "c", Resolution::Accepted, Some(&[1, 2]), false).is_ok());
    assert!(resolve(&mut journal, "c", Resolution::Accepted, Some(&[]), false).is_ok());
}
