use super::*;

#[test]
fn members_of_each_family_are_read() {
    let a = read_members(br#"{"code":492,"message":"Limit with that Name already exists","requestID":null}"#);
    assert_eq!((a.code, a.request_id.clone()), (IntegerMember::Is(492), IdMember::Null));
    assert_eq!(a.provider_message(Family::Otp).as_deref(), Some("Limit with that Name already exists"));
    let b = read_members(br#"{"responseCode":902,"responseText":"no","messages":[{"responseCode":1}]}"#);
    assert_eq!(
        (b.response_code, b.provider_message(Family::Sms).as_deref(), b.messages),
        (IntegerMember::Is(902), Some("no"), true)
    );
    let c = read_members(br#"[{"response":901},{"response":0}]"#);
    assert_eq!((c.elements.first, c.object, c.array), (IntegerMember::Is(901), false, true));
    assert_eq!((c.elements.count, c.elements.rejected, c.elements.accepted), (2, 1, 1));
    let w = read_members(br#"{"status":1,"status_message":"url","event_types":["members"]}"#);
    assert_eq!(
        (w.status, w.provider_message(Family::MessengerB).as_deref()),
        (IntegerMember::Is(1), Some("url"))
    );
    let bot = read_members(br#"{"ok":false,"error_code":404,"description":"Not Found"}"#);
    assert_eq!((bot.ok, bot.error_code), (Some(false), IntegerMember::Is(404)));
    let d = read_members(br#"{"messageId":"m","conversation":{"code":3}}"#);
    assert_eq!((d.id, d.code, d.whole), (true, IntegerMember::Absent, true));
    assert_eq!(read_members(br#"["m-1",null,"",{"id":"x"}]"#).elements.ids, 1);
    assert_eq!(read_members(b"[]").elements.count, 0);
}

#[test]
fn xml_members_are_read() {
    let members =
        read_members(b"<?xml version=\"1.0\"?><response><id>1</id><responseCode>0</responseCode></response>");
    assert_eq!((members.response_code, members.id, members.whole), (IntegerMember::Is(0), true, true));
    assert_eq!(
        read_members(b"<html><responseCode>0</responseCode></html>").response_code,
        IntegerMember::Absent
    );
}

#[test]
fn xml_with_cdata_namespaces_comments_and_entities_is_read() {
    for rejected in [
        "<r><responseCode><![CDATA[902]]></responseCode><responseText>a &amp; b</responseText></r>",
        "<s:r xmlns:s='u'><s:responseCode>902</s:responseCode><s:responseText>a &#38; b</s:responseText></s:r>",
        "\u{feff}<r><responseText>a <![CDATA[& ]]>b</responseText><responseCode>9<!-- - -->02</responseCode></r>",
        "<r><responseText>a &amp; b</responseText><responseCode>902<more>0</more></responseCode></r>\n",
    ] {
        let members = read_members(rejected.as_bytes());
        assert_eq!((members.response_code, members.known), (IntegerMember::Is(902), true), "{rejected}");
        assert_eq!(members.provider_message(Family::Sms).as_deref(), Some("a & b"), "{rejected}");
    }
    let unknown =
        read_members(b"<r><responseText>caf&eacute;</responseText><responseCode>902</responseCode></r>");
    assert_eq!(
        unknown.response_code,
        IntegerMember::Is(902),
        "an undeclared entity must not hide a rejection"
    );
    assert_eq!(
        read_members(b"<h:html><h:responseCode>0</h:responseCode></h:html>").response_code,
        IntegerMember::Absent
    );
}

#[test]
fn cut_xml_is_read_up_to_the_cut() {
    let body = "<r><responseCode>902</responseCode><responseText>é</responseText></r>".as_bytes();
    let shown = body.len() - "<responseText>é</responseText></r>".len();
    for cut in 0..body.len() {
        let members = read_members(&body[..cut]);
        assert_eq!(
            (members.response_code != IntegerMember::Absent, members.whole),
            (cut >= shown, false),
            "{cut}"
        );
    }
    assert!(read_members(body).whole);
}

#[test]
fn cut_json_is_read_up_to_the_cut() {
    let body = br#"{"id":"1","responseCode":0,"textLength":5}"#;
    let shown = |cut: usize| read_members(&body[..cut]).response_code;
    let member = "{\"id\":\"1\",\"responseCode\":0".len();
    assert!((0..=member).all(|cut| shown(cut) == IntegerMember::Absent));
    assert!((member + 1..=body.len()).all(|cut| shown(cut) == IntegerMember::Is(0)));
    assert!((0..body.len()).all(|cut| !read_members(&body[..cut]).whole));
    assert!(read_members(body).whole);
}

#[test]
fn a_member_that_is_not_an_integer_is_unreadable() {
    for value in ["null", "[902]", r#""ERR_NO_CREDIT""#, "902.5", r#"{"code":902}"#, "true", r#""""#] {
        let body = format!(r#"{{"id":"x","responseCode":{value}}}"#);
        assert_eq!(read_members(body.as_bytes()).response_code, IntegerMember::Unreadable, "{value}");
    }
    assert_eq!(
        read_members(br#"{"responseCode":902,"responseCode":0}"#).response_code,
        IntegerMember::Unreadable
    );
    assert_eq!(read_members(br#"{"responseCode":0,"responseCode":0.0}"#).response_code, IntegerMember::Is(0));
}

#[test]
fn a_response_with_too_many_values_is_recognized() {
    assert!(has_too_many_values(&b"{},".repeat(100_001)));
    assert!(has_too_many_values(&b"null,".repeat(500_001)));
    assert!(!has_too_many_values(&b"{},".repeat(100_000)));
}

#[test]
fn a_number_at_the_cut_is_not_read() {
    assert_eq!(read_members(br#"{"code":200"#).code, IntegerMember::Absent);
    assert_eq!(read_members(br#"{"code":200}"#).code, IntegerMember::Is(200));
    assert_eq!(read_members(br#"{"code":2garbage"#).code, IntegerMember::Absent);
    assert_eq!(read_members(br#"{"code":200,"#).code, IntegerMember::Is(200));
    assert_eq!(read_members(br#"{"code":-"#).code, IntegerMember::Absent);
    assert_eq!(read_members(br#"{"code":"492"}"#).code, IntegerMember::Is(492));
    assert_eq!(read_members(b"<html>").code, IntegerMember::Absent);
    assert_eq!(read_members(b"").code, IntegerMember::Absent);
}
