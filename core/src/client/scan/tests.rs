use super::*;

#[test]
fn the_members_of_each_family_are_seen() {
    let a = scan(br#"{"code":492,"message":"Limit with that Name already exists","requestID":null}"#);
    assert_eq!((a.code, a.request_id), (Deciding::Is(492), Name::Null));
    assert_eq!(a.message.as_deref(), Some("Limit with that Name already exists"));
    let b = scan(br#"{"responseCode":902,"responseText":"no","messages":[{"responseCode":1}]}"#);
    assert_eq!((b.response_code, b.message.as_deref(), b.messages), (Deciding::Is(902), Some("no"), true));
    let c = scan(br#"[{"response":901},{"response":0}]"#);
    assert_eq!((c.elements.first, c.object, c.array), (Deciding::Is(901), false, true));
    assert_eq!((c.elements.count, c.elements.refused, c.elements.accepted), (2, 1, 1));
    let w = scan(br#"{"status":1,"status_message":"url","event_types":["seen"]}"#);
    assert_eq!((w.status, w.message.as_deref()), (Deciding::Is(1), Some("url")));
    let bot = scan(br#"{"ok":false,"error_code":404,"description":"Not Found"}"#);
    assert_eq!((bot.ok, bot.error_code), (Some(false), Deciding::Is(404)));
    let d = scan(br#"{"messageId":"m","conversation":{"code":3}}"#);
    assert_eq!((d.id, d.code, d.whole), (true, Deciding::Absent, true));
    assert_eq!(scan(br#"["m-1",null,"",{"id":"x"}]"#).elements.ids, 1);
    assert_eq!(scan(b"[]").elements.count, 0);
}

#[test]
fn the_xml_form_is_seen() {
    let seen = scan(b"<?xml version=\"1.0\"?><response><id>1</id><responseCode>0</responseCode></response>");
    assert_eq!((seen.response_code, seen.id, seen.whole), (Deciding::Is(0), true, true));
    assert_eq!(scan(b"<html><responseCode>0</responseCode></html>").response_code, Deciding::Absent);
}

#[test]
fn xml_is_seen_however_it_is_written() {
    for refused in [
        "<r><responseCode><![CDATA[902]]></responseCode><responseText>a &amp; b</responseText></r>",
        "<s:r xmlns:s='u'><s:responseCode>902</s:responseCode><s:responseText>a &#38; b</s:responseText></s:r>",
        "\u{feff}<r><responseText>a <![CDATA[& ]]>b</responseText><responseCode>9<!-- - -->02</responseCode></r>",
        "<r><responseText>a &amp; b</responseText><responseCode>902<more>0</more></responseCode></r>\n",
    ] {
        let seen = scan(refused.as_bytes());
        assert_eq!((seen.response_code, seen.known), (Deciding::Is(902), true), "{refused}");
        assert_eq!(seen.message.as_deref(), Some("a & b"), "{refused}");
    }
    let unknown = scan(b"<r><responseText>caf&eacute;</responseText><responseCode>902</responseCode></r>");
    assert_eq!(unknown.response_code, Deciding::Is(902), "an entity that nobody declared hides no refusal");
    assert_eq!(scan(b"<h:html><h:responseCode>0</h:responseCode></h:html>").response_code, Deciding::Absent);
}

#[test]
fn xml_that_is_cut_is_read_as_far_as_it_came() {
    let body = "<r><responseCode>902</responseCode><responseText>é</responseText></r>".as_bytes();
    let shown = body.len() - "<responseText>é</responseText></r>".len();
    for cut in 0..body.len() {
        let seen = scan(&body[..cut]);
        assert_eq!((seen.response_code != Deciding::Absent, seen.whole), (cut >= shown, false), "{cut}");
    }
    assert!(scan(body).whole);
}

#[test]
fn a_cut_answer_is_read_as_far_as_it_came() {
    let body = br#"{"id":"1","responseCode":0,"textLength":5}"#;
    let shown = |cut: usize| scan(&body[..cut]).response_code;
    let member = "{\"id\":\"1\",\"responseCode\":0".len();
    assert!((0..=member).all(|cut| shown(cut) == Deciding::Absent));
    assert!((member + 1..=body.len()).all(|cut| shown(cut) == Deciding::Is(0)));
    assert!((0..body.len()).all(|cut| !scan(&body[..cut]).whole));
    assert!(scan(body).whole);
}

#[test]
fn a_member_that_is_not_an_integer_is_unreadable() {
    for value in ["null", "[902]", r#""ERR_NO_CREDIT""#, "902.5", r#"{"code":902}"#, "true", r#""""#] {
        let body = format!(r#"{{"id":"x","responseCode":{value}}}"#);
        assert_eq!(scan(body.as_bytes()).response_code, Deciding::Unreadable, "{value}");
    }
    assert_eq!(scan(br#"{"responseCode":902,"responseCode":0}"#).response_code, Deciding::Unreadable);
    assert_eq!(scan(br#"{"responseCode":0,"responseCode":0.0}"#).response_code, Deciding::Is(0));
}

#[test]
fn a_response_of_very_many_values_is_crowded() {
    assert!(is_crowded(&b"{},".repeat(100_001)));
    assert!(is_crowded(&b"null,".repeat(500_001)));
    assert!(!is_crowded(&b"{},".repeat(100_000)));
}

#[test]
fn a_cut_number_is_no_number() {
    assert_eq!(scan(br#"{"code":200"#).code, Deciding::Absent);
    assert_eq!(scan(br#"{"code":200}"#).code, Deciding::Is(200));
    assert_eq!(scan(br#"{"code":2garbage"#).code, Deciding::Absent);
    assert_eq!(scan(br#"{"code":200,"#).code, Deciding::Is(200));
    assert_eq!(scan(br#"{"code":-"#).code, Deciding::Absent);
    assert_eq!(scan(br#"{"code":"492"}"#).code, Deciding::Is(492));
    assert_eq!(scan(b"<html>").code, Deciding::Absent);
    assert_eq!(scan(b"").code, Deciding::Absent);
}
