//! Templates: unknown names, nulls, slices and single braces.

use cpaas_campaign::{Columns, Messages, Template, plan, source};
use serde_json::{Value, json};

fn row(value: Value) -> Columns {
    value.as_object().unwrap().clone()
}

fn template(text: &str) -> Template {
    Template::new(json!({ "text": text })).unwrap()
}

fn refusal(text: &str) -> String {
    Template::new(json!({ "text": text })).unwrap_err().to_string()
}

/// What a template renders with a row of a source with these columns, or why it fails.
fn rendered(text: &str, columns: &[&str], values: Value) -> Result<String, String> {
    let columns: Vec<String> = columns.iter().map(|name| (*name).to_owned()).collect();
    let template = template(text);
    template.check_names(&columns).unwrap();
    let request = template.render_columns(&row(values), &columns);
    request.map(|request| request["text"].as_str().unwrap().to_owned()).map_err(|problem| problem.message)
}

#[test]
fn unknown_filters_tests_and_functions_are_found_when_the_template_is_compiled() {
    for (text, unknown) in [
        ("{{ name | upcase }}", "filter `upcase` in line 1"),
        ("Hi\n{{ name | upper | frist }}", "filter `frist` in line 2"),
        ("{% filter shout %}a{% endfilter %}", "filter `shout` in line 1"),
        ("{% set x | shout %}a{% endset %}", "filter `shout` in line 1"),
        ("{{ names | map('shout') | list }}", "filter `shout` in line 1"),
        ("{% if name is empty %}a{% endif %}", "test `empty` in line 1"),
        ("{% if name is not empty %}a{% endif %}", "test `empty` in line 1"),
        ("{{ names | select('big') | list }}", "test `big` in line 1"),
        ("{{ names | rejectattr('age', 'big') | list }}", "test `big` in line 1"),
        ("{{ capitalize(name) }}", "function `capitalize` in line 1"),
        ("{% if 0 %}{{ name | upcase }}{% endif %}", "filter `upcase` in line 1"),
        ("{{ name(1) }}", "function `name` in line 1"),
    ] {
        assert_eq!(refusal(text), format!("/text must be a valid template: unknown {unknown}"), "{text}");
    }
    for text in [
        "{{ name | upper | default('a') | normalize_number }}",
        "{% filter upper | trim %}a{% endfilter %}{{ range(3) | list }}{{ dict(a=1).a }}",
        "{% if name is divisibleby 3 and name is not odd and name is in [1] %}{% endif %}",
        "{% for x in names recursive %}{{ loop(x) }}{{ loop.cycle('a', 'b') }}{% endfor %}",
        "{{ names | selectattr('age', '>', 3) | map(attribute='upcase') | select | list }}",
        "{# {{ name | upcase }} #}{% raw %}{{ name | upcase }}{% endraw %}{{ ' | upcase ' }}",
        "{{ name.upcase(1) }}{{ a if (name) else b }}{% if not (name) %}{% elif (name) %}{% endif %}",
    ] {
        template(text);
    }
}

#[test]
fn a_null_is_false_and_has_a_default_and_is_never_printed() {
    let null = "the column `name` must have a value, or the template a default for it";
    for (text, expected) in [
        ("{% if name %}Hi {{ name }}{% else %}Hi you{% endif %}", Ok("Hi you")),
        ("{{ name or 'you' }}", Ok("you")),
        ("{{ 'a' if name else 'b' }}", Ok("b")),
        ("{{ 'a' if not name else 'b' }}", Ok("a")),
        ("{% if name and city %}a{% else %}b{% endif %}", Ok("b")),
        ("{{ name | default('you') }}{{ name | d('x') | upper }}", Ok("youX")),
        ("{% if name is defined %}a{% elif name is none %}b{% endif %}", Ok("b")),
        ("{% if name | bool %}a{% else %}b{% endif %}", Ok("b")),
        ("Hi {{ name }}", Err(null)),
        ("{{ city }}{{ name and 'a' }}", Err(null)),
        ("{{ name ~ 'a' }}", Err(null)),
        ("{{ name + 1 }}", Err(null)),
        ("{{ 2 ** name }}", Err(null)),
        ("{{ -name }}", Err(null)),
        ("{{ name * 2 }}", Err(null)),
        ("{{ name | upper }}", Err(null)),
        ("{{ name | string }}", Err(null)),
        ("{{ name | trim | string }}", Err(null)),
        ("{{ name[:3] }}", Err(null)),
        ("{{ name[:3] | upper }}", Err(null)),
        ("{{ (name)[1:] }}", Err(null)),
        ("{{ (name or none_such | default(name))[1:] | list }}", Err(null)),
        ("{% if name == 'a' %}a{% endif %}", Err(null)),
        ("{% for x in name %}{{ x }}{% endfor %}", Err(null)),
        ("{{ row.name }}", Err(null)),
        ("{% set x = name %}{{ x }}", Err(null)),
        ("{% set x = name %}{{ x[1:] }}", Err(null)),
        ("{{ [name] | join }}", Err(null)),
    ] {
        let columns = ["name", "city", "none_such"];
        for values in [json!({"name": null, "city": "Rome"}), json!({"city": "Rome"})] {
            let found = rendered(text, &columns, values);
            let found = found.as_deref().map_err(String::as_str);
            // `row` and a list do not name the column.
            match (&found, expected) {
                (Err(message), Err(_)) if text.contains("row.") || text.contains('[') => {
                    assert!(message.contains("column") || message.contains("undefined"), "{text}: {message}")
                }
                _ => assert_eq!(found, expected, "{text}"),
            }
        }
    }
    // Nulls inside of values.
    let address = json!({"name": {"city": null, "lines": ["a", null]}});
    for (text, expected) in [
        ("{{ name.city | default('-') }}{{ name.city or 'x' }}{% if name.city %}y{% endif %}", Some("-x")),
        ("{{ name.city }}", None),
        ("{{ name.city[:2] }}", None),
        ("{% for line in name.lines %}{{ line | default('-') }}{% endfor %}", Some("a-")),
        ("{% for line in name.lines %}{{ line }}{% endfor %}", None),
    ] {
        assert_eq!(rendered(text, &["name"], address.clone()).ok().as_deref(), expected, "{text}");
    }
}

#[test]
fn a_null_column_is_not_replaced_by_another_one_with_its_alias() {
    // The alias of `Name` is `name`.
    let columns = ["name", "Name"];
    assert!(rendered("{{ name }}", &columns, json!({"Name": "Other"})).is_err());
    assert_eq!(rendered("{{ name }}", &["Name"], json!({"Name": "Ann"})).unwrap(), "Ann");
}

#[test]
fn a_name_that_is_no_column_is_an_error_also_inside_if() {
    let given = || row(json!({"city": "Rome", "nick": null}));
    for text in [
        "{{ name }}",
        "{% if name %}a{% endif %}",
        "{% if city %}a{% else %}{{ name }}{% endif %}",
        "{{ name or 'a' }}",
        "{{ 'a' if name else 'b' }}",
        "{{ nick or name }}",
    ] {
        let problem = template(text).render(&given()).unwrap_err();
        assert_eq!(
            (problem.pointer.as_str(), problem.message.as_str()),
            ("/text", "the row must have the column `name`"),
            "{text}"
        );
        let error =
            template(text).check_names(&["city".to_owned(), "nick".to_owned()]).unwrap_err().to_string();
        assert!(error.starts_with("the template uses `name`"), "{error}");
    }
    for (text, expected) in [
        ("{{ name | default('you') }}", "you"),
        ("{% if name is defined %}{{ name }}{% else %}-{% endif %}", "-"),
        ("{% if nick %}a{% else %}b{% endif %}", "b"),
        ("{% for name in ['a'] %}{{ name }}{% endfor %}", "a"),
        ("{{ range(2) | list }}{{ row['none'] | default('-') }}", "[0, 1]-"),
        ("{% if row['none'] is not defined %}a{% endif %}", "a"),
    ] {
        assert_eq!(template(text).render(&given()).unwrap()["text"], expected, "{text}");
    }
    let columns = ["city".to_owned()];
    for (text, is_known) in [
        ("{{ row['none'] | default('-') }}{% if row['none'] is defined %}{% endif %}", true),
        ("{{ row['none'] | default('-') }}{{ row['none'] }}", false),
        ("{{ row['none'] is odd }}", false),
    ] {
        assert_eq!(template(text).check_names(&columns).is_ok(), is_known, "{text}");
    }
    let columns = ["row".to_owned()];
    assert!(template("{{ row['none'] }}").check_names(&columns).is_err());
    assert!(template("{{ row['row'] }}").check_names(&columns).is_ok());
}

#[test]
fn an_error_names_the_expression() {
    for (text, message) in [
        (
            "Hi\n{{ city }} {{ age[0:2] }}",
            "the template failed in `age[0:2]`: a value of type number cannot be sliced",
        ),
        (
            "{% if age | upper | int > city %}{{ (age)[1:] ~ city }}{% endif %}{{ age[1:] }}",
            "the template failed in `age[1:]`: ",
        ),
        ("{{ city * city }}", "the template failed in `city * city`: a text, as every cell of CSV is, must "),
        ("{{ city[::0] }}", "the template failed in `city[::0]`: invalid operation"),
    ] {
        let found = rendered(text, &["city", "age"], json!({"city": "Rome", "age": 7})).unwrap_err();
        assert!(found.starts_with(message), "{text}: {found}");
        assert!(!found.contains("Rome"), "{found}");
    }
}

#[test]
fn names_of_columns_in_single_braces_are_found() {
    let columns: Vec<String> = ["name", "First Name", "code"].iter().map(|name| (*name).to_owned()).collect();
    let found = |text: &str| {
        let template = Template::new(json!({"body": text, "list": [text]})).unwrap();
        let found = template.single_braces(&columns, false).into_iter();
        found.map(|found| (found.pointer, found.names)).collect::<Vec<_>>()
    };
    for (text, names) in [
        ("Hi {name}", vec!["name"]),
        ("Hi { name }, {first_name} {{ name }} {name}", vec!["first_name", "name"]),
        ("{First Name}{code}", vec!["First Name", "code"]),
    ] {
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        assert_eq!(
            found(text),
            [("/body".to_owned(), names.clone()), ("/list/0".to_owned(), names)],
            "{text}"
        );
    }
    for text in [
        "Hi {{ name }}",
        "{city} {} { } {na me}",
        "{{ {'name': 1} }}{% if {name: 1} %}{% endif %}",
        "{# {name} #}{% raw %}{name}{% endraw %}",
        "{{'{'}}name}",
        "{name",
        "name}",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
    let template = Template::new(json!({"body": "{code} {name}", "text": "{code}"})).unwrap();
    let found = template.single_braces(&columns, true).into_iter();
    let found: Vec<_> = found.map(|found| (found.pointer, found.names)).collect();
    let expected =
        [("/body".to_owned(), vec!["name".to_owned()]), ("/text".to_owned(), vec!["code".to_owned()])];
    assert_eq!(found, expected);
}

#[test]
fn a_plan_warns_of_single_braces_once_for_each_member() {
    let rows = |operation: &str, text: &str, file: &str| {
        let template = json!({"from": "Acme", "to": "{{ phone }}", "text": text});
        let template = if operation == "otp.send" {
            json!({"service": "s", "from": "Acme", "to": "{{ phone }}", "body": text})
        } else {
            template
        };
        let messages = Messages::new(operation, Template::new(template).unwrap());
        let mut source: Box<dyn source::Source> = match file.strip_prefix('{') {
            Some(_) => Box::new(source::JsonLinesSource::new(file.as_bytes())),
            None => Box::new(source::CsvSource::new(file.as_bytes(), source::CsvOptions::default()).unwrap()),
        };
        let plan = plan(source.as_mut(), &messages, &Default::default()).unwrap();
        let warnings = plan.warnings.into_iter().filter(|warning| warning.code == "SINGLE_BRACES");
        warnings.map(|warning| (warning.row, warning.pointer, warning.message)).collect::<Vec<_>>()
    };
    let message = "the name of a column must be in double braces, such as {{ name }}; in single braces, which are sent as they are: `name`";
    let expected = [(1, "/text".to_owned(), message.to_owned())];
    let csv = "phone,name,code\n306900000001,Ann,1\n306900000002,Bob,2\n";
    assert_eq!(rows("sms.send", "Hi {name}", csv), expected);
    let lines =
        "{\"phone\": \"306900000001\", \"name\": \"Ann\"}\n{\"phone\": \"306900000002\", \"name\": \"Bob\"}";
    assert_eq!(rows("sms.send", "Hi {name}", lines), expected);
    assert_eq!(rows("sms.send", "Hi {city}", csv), []);
    assert_eq!(rows("otp.send", "{code} is your code", csv), []);
}

#[test]
fn the_filter_date_has_the_conversions_of_strftime_and_english_names() {
    let format = |text: &str, format: &str| {
        rendered(&format!("{{{{ at | date('{format}') }}}}"), &["at"], json!({ "at": text }))
    };
    for (text, conversions, expected) in [
        ("2026-03-01", "%d %B %Y", "01 March 2026"),
        ("2026-03-01", "%A, %-d %b %y", "Sunday, 1 Mar 26"),
        ("2026-03-01T09:30:00+02:00", "%d %B, %H:%M %:z", "01 March, 09:30 +02:00"),
        ("2026-03-01T23:30:00-05:00", "%F %T", "2026-03-01 23:30:00"),
        ("2026-03-01T07:30:00Z", "%I:%M %p", "07:30 AM"),
        ("2026-03-01 07:30:15.250", "%H.%M.%S", "07.30.15"),
        ("2026-03-01T07:30:00.5", "%j", "060"),
        ("18:05:00", "%H:%M", "18:05"),
        (" 2026-03-01 ", "%%%Y", "%2026"),
    ] {
        assert_eq!(format(text, conversions).as_deref(), Ok(expected), "{text} {conversions}");
    }
    let value =
        "date: must be a date or a time as in RFC 3339, such as 2026-03-01 or 2026-03-01T09:30:00+02:00";
    let conversions =
        "date: the format must have conversions of strftime that the value has, such as %d %B %Y";
    for (text, used, message) in [
        ("1 March 2026", "%Y", value),
        ("2026-02-30", "%Y", value),
        ("", "%Y", value),
        ("2026-03-01", "%H:%M", conversions),
        ("18:05:00", "%Y", conversions),
        ("2026-03-01", "%", conversions),
        ("2026-03-01", "%!", conversions),
    ] {
        assert_eq!(format(text, used).unwrap_err(), message, "{text} {used}");
    }
    let found = rendered("{{ at | date('%Y') }}", &["at"], json!({ "at": 7 }));
    assert_eq!(found.unwrap_err(), value);
    let null = rendered("{{ at | date('%Y') | default('-') }}", &["at"], json!({ "at": null }));
    assert!(null.unwrap_err().contains("the column `at` must have a value"));
    assert_eq!(
        rendered("{{ at | default('2026-03-01') | date('%Y') }}", &["at"], json!({})).unwrap(),
        "2026"
    );
}

#[test]
fn members_of_a_line_must_differ() {
    use source::Source as _;
    let mut source =
        source::JsonLinesSource::new(&b"{\"a\": 1}\n{\"a\": 1, \"b\": {\"a\": 2}, \"a\": 3}"[..]);
    assert!(source.next_row().unwrap().is_some());
    let error = source.next_row().unwrap_err().to_string();
    assert_eq!(error, "line 2: each member must occur once, got `a` twice");
}
