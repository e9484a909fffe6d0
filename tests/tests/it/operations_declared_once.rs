//! A fact is declared once. The tests print the places that a person edits for a new member, endpoint, rule, reason or campaign
//! setting (`--nocapture`), and fail when another source repeats what a declaration contains.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use cpaas::error::Reason;
use cpaas::operation::RetrySafety;
use cpaas::schema::{Kind, Location};
use cpaas::{OperationId, bindings};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn ids() -> impl Iterator<Item = &'static str> {
    OperationId::ALL.iter().map(|operation| operation.meta().id)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn each_operation_is_declared_once_in_one_file() {
    // A new file counts before it is added to the index.
    let listed = ["ls-files", "--cached", "--others", "--exclude-standard", "core/src/operations"];
    let output = Command::new("git").args(listed).current_dir(root()).output().unwrap();
    let listed = String::from_utf8(output.stdout).unwrap();
    let files: Vec<String> = listed.lines().filter(|path| root().join(path).exists()).map(read).collect();
    for id in ids() {
        let declaration = format!("const ID: &'static str = {id:?};");
        let found = files.iter().filter(|source| source.contains(&declaration)).count();
        assert_eq!(found, 1, "{id}");
    }
}

#[test]
fn each_operation_has_vectors() {
    for id in ids() {
        for folder in ["requests", "responses"] {
            assert!(root().join(format!("tests/vectors/{folder}/{id}.json")).exists(), "{folder}: {id}");
        }
    }
}

#[test]
fn each_operation_is_in_the_generated_documents() {
    let document = read("docs/openapi.json");
    let types = read("wasm/js/requests.d.ts");
    for id in ids() {
        assert!(document.contains(&format!("\"operationId\": {id:?}")), "docs/openapi.json: {id}");
        assert!(types.contains(&format!("{id:?}")), "requests.d.ts: {id}");
    }
}

/// `prepare` and `decode_request` are derived from the path template and from the fields' locations.
#[test]
fn the_names_in_the_path_template_are_the_fields_located_in_the_path() {
    for operation in OperationId::ALL {
        let meta = operation.meta();
        let in_path: BTreeSet<&str> =
            meta.path.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect();
        let fields: BTreeSet<&str> = meta
            .input
            .fields
            .iter()
            .filter(|field| field.location == Location::Path)
            .map(|field| field.wire)
            .collect();
        assert_eq!(in_path, fields, "{}", meta.id);
    }
}

/// Where a request is sent, which numbers a store refuses and which member a campaign fills follow from `where Phone`.
#[test]
fn each_send_declares_one_member_with_its_recipients() {
    for operation in OperationId::ALL {
        let meta = operation.meta();
        let declared: Vec<&str> =
            meta.input.fields.iter().filter(|field| field.is_phone).map(|field| field.wire).collect();
        assert!(declared.len() <= 1, "{}: {declared:?}", meta.id);
        assert_eq!(meta.recipients, declared.first().copied(), "{}", meta.id);
        // A conversion is recorded for a message that was sent before.
        let has_recipient = meta.safety == RetrySafety::Send && *operation != OperationId::SmsConvert;
        if has_recipient || meta.sms_text.is_some() {
            assert_eq!(declared.len(), 1, "{}: no member is declared with `where Phone`", meta.id);
        }
    }
}

/// A hand-written source of the libraries, the sandbox, the generators and the tools, without comments and unit tests.
struct Source {
    path: String,
    code: String,
    /// The texts between quotation marks.
    quoted: HashSet<String>,
}

impl Source {
    /// Whether the source contains the word in quotation marks.
    fn quotes(&self, word: &str) -> bool {
        self.quoted.contains(word)
    }

    /// Whether the source contains the word as a name, such as that of a member or an argument.
    fn names(&self, word: &str) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        self.code.match_indices(word).any(|(at, _)| {
            let (before, after) = (&self.code[..at], &self.code[at + word.len()..]);
            !before.ends_with(is_part) && !after.starts_with(is_part)
        })
    }
}

const FOLDERS: [&str; 14] = [
    "core/src",
    "campaign/src",
    "ffi/src",
    "ffi/postgres",
    "ffi/sqlite",
    "include",
    "host/src",
    "python/src",
    "python/cpaas",
    "sandbox/src",
    "wasm/src",
    "wasm/js",
    "wasm/composer",
    "codegen/src",
];

fn sources() -> Vec<Source> {
    let attributes = read(".gitattributes");
    let generated: BTreeSet<&str> =
        attributes.lines().filter_map(|line| line.strip_suffix(" linguist-generated")).collect();
    let output = Command::new("git").arg("ls-files").args(FOLDERS).current_dir(root()).output().unwrap();
    let listed = String::from_utf8(output.stdout).unwrap();
    let is_source = |path: &&str| {
        [".rs", ".py", ".pyi", ".js", ".ts", ".c", ".cpp", ".hpp"].iter().any(|end| path.ends_with(end))
            && !generated.contains(path)
            && root().join(path).exists()
    };
    let code = |path: &str| {
        let text = read(path);
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let is_code = |line: &&str| {
            !["//", "/*", "* ", "#:", "# "].iter().any(|mark| line.trim_start().starts_with(mark))
        };
        code.lines().filter(is_code).collect::<Vec<_>>().join("\n")
    };
    let source = |path: &str| {
        let code = code(path);
        let quoted = code.split(['"', '\'']).map(str::to_owned).collect();
        Source { path: path.to_owned(), code, quoted }
    };
    listed.lines().filter(is_source).map(source).collect()
}

/// Prints the places that are edited by hand, and compares them with the expected ones, each of which has a reason.
fn assert_places(walk: &str, found: BTreeSet<String>, expected: &[(&str, &str)]) {
    println!("{walk}: {} places", found.len());
    for place in &found {
        let reason =
            expected.iter().find(|(path, _)| path == place).map_or("NOT EXPECTED", |(_, reason)| reason);
        println!("  {place}: {reason}");
    }
    let expected: BTreeSet<String> = expected.iter().map(|(path, _)| (*path).to_owned()).collect();
    let added: Vec<_> = found.difference(&expected).collect();
    let gone: Vec<_> = expected.difference(&found).collect();
    assert!(added.is_empty(), "{walk}: these places repeat what a declaration contains: {added:#?}");
    assert!(gone.is_empty(), "{walk}: these places no longer list it, remove them here: {gone:#?}");
}

/// The paths of the sources that contain at least `least` of the words.
fn listing<'a>(
    sources: &[Source],
    words: &[&'a str],
    least: usize,
    has: fn(&Source, &'a str) -> bool,
) -> BTreeSet<String> {
    let lists = |source: &&Source| words.iter().filter(|word| has(source, word)).count() >= least;
    sources.iter().filter(lists).map(|source| source.path.clone()).collect()
}

/// Adds the vectors and pages that a test requires; each contains the word.
fn with_files(mut found: BTreeSet<String>, word: &str, files: &[&str]) -> BTreeSet<String> {
    for path in files {
        assert!(read(path).contains(word), "{path} does not contain {word}");
        found.insert((*path).to_owned());
    }
    found
}

/// A place lists a member of `sms.send` if it names most members of the request.
#[test]
fn places_of_a_member() {
    let sources = sources();
    let wires: Vec<&str> = OperationId::SmsSend.meta().input.fields.iter().map(|field| field.wire).collect();
    let has = |source: &Source, wire: &str| {
        source.quotes(wire) || source.path.ends_with(".js") && source.code.contains(&format!("  {wire}: "))
    };
    let found = listing(&sources, &wires, 5, has);
    let found = with_files(found, "\"callback\"", &["tests/vectors/requests/sms.send.json"]);
    assert_places(
        "a member of sms.send",
        found,
        &[
            ("core/src/operations/sms/send_sms.rs", "the declaration"),
            (
                "core/src/operations/sms/send_bulk_sms.rs",
                "the declaration of sms.send_bulk, if it has the member too",
            ),
            ("ffi/src/typed_call.rs", "`cpaas_sms`, whose layout callers compile"),
            ("include/cpaas/call.hpp", "its form in C++"),
            ("python/cpaas/_cli/shortcuts.py", "the short form of the command, which has only some members"),
            ("python/cpaas/_mcp/tools.py", "the tool of agents, which has only some members"),
            ("tests/vectors/requests/sms.send.json", "the expected results"),
        ],
    );
}

/// Redaction and limits are declared with the member.
#[test]
fn only_declarations_name_the_members_of_channels() {
    let known = [
        "core/src/operations/",
        "core/src/channel/",
        // Rules name the member that a problem points to.
        "core/src/rules/",
        // The markup of each channel, by the member that contains it.
        "core/src/markup/",
        "python/cpaas/",
        "sandbox/",
        "wasm/",
    ];
    let mut wires = BTreeSet::new();
    for operation in OperationId::ALL {
        camel_case(operation.meta().input, &mut wires);
    }
    let mut named = Vec::new();
    for source in sources() {
        let is_known = known.iter().any(|folder| source.path.starts_with(folder));
        let found: Vec<_> = wires.iter().filter(|wire| source.quotes(wire)).collect();
        if !is_known && found.len() > 3 {
            named.push(format!("{}: {found:?}", source.path));
        }
    }
    assert!(named.is_empty(), "{named:#?}");
}

/// The names in camel case, which are not also words of other formats.
fn camel_case(schema: cpaas::schema::Schema, wires: &mut BTreeSet<&'static str>) {
    for field in schema.fields {
        if field.wire.contains(char::is_uppercase) && !wires.insert(field.wire) {
            continue;
        }
        let mut kind = field.kind;
        while let Kind::Array(inner) | Kind::OneOrMany(inner) | Kind::Map(inner) = kind {
            kind = *inner;
        }
        if let Kind::Object(inner) = kind {
            camel_case(*inner, wires);
        }
    }
}

/// Sources that name operations other than the declarations, each with its reason.
const NAMED: &[(&str, &str)] = &[
    ("campaign/src/journal/once_keys.rs", "the passcodes of other keys, which may own one of the records"),
    ("campaign/src/once.rs", "a passcode whose response was lost is searched in the records"),
    ("campaign/src/settings.rs", "`{code}` in single braces is the passcode of `otp.send`"),
    ("core/src/provider_codes.rs", "a code means a wrong passcode only in `otp.verify`"),
    ("ffi/src/typed_call.rs", "the functions with structs: one for each of four operations"),
    ("ffi/src/typed_start.rs", "their asynchronous forms"),
    ("codegen/src/python/models.rs", "the result of a verification has the meaning of its code"),
    ("codegen/src/openapi.rs", "the second path of a message"),
    ("codegen/src/openapi/openapi_style.rs", "members that the sandbox does not require"),
    ("codegen/src/openapi/operation.rs", "`/sms.xml`, and notes about the sandbox"),
    ("sandbox/src/router.rs", "the second path of a message, and `/sms.xml`"),
    ("sandbox/src/provider_request.rs", "a message and a failover share a path"),
    ("sandbox/src/otp/send_passcode.rs", "the text of an assumption"),
    ("sandbox/src/python_snippet.rs", "a verification is printed as a condition"),
    ("wasm/js/client/transport/fetch.js", "hosts over `fetch` may send a request without a body twice"),
];

#[test]
fn places_of_an_endpoint() {
    let sources = sources();
    let mut found = BTreeSet::new();
    let mut elsewhere = BTreeSet::new();
    for operation in OperationId::ALL {
        let id = operation.meta().id;
        let variant = format!("OperationId::{operation:?}");
        for source in &sources {
            let is_named = source.quotes(id) || source.names(&variant);
            // The pages of the composer and the short forms of Python are made for single operations.
            let is_form =
                source.path.starts_with("wasm/composer/") || source.path.starts_with("python/cpaas/");
            if is_named && !source.path.starts_with("core/src/operations/") && !is_form {
                elsewhere.insert(source.path.clone());
            }
        }
    }
    assert_places("sources that name operations", elsewhere, NAMED);
    let id = OperationId::SmsConvert.meta().id;
    found.extend(sources.iter().filter(|source| source.quotes(id)).map(|source| source.path.clone()));
    found
        .extend(sources.iter().filter(|source| source.names("ConvertSms")).map(|source| source.path.clone()));
    let files = [
        "tests/vectors/requests/sms.convert.json",
        "tests/vectors/responses/sms.convert.json",
        "tests/tests/it/operation_table.rs",
        "docs/retries.md",
        "docs/specification.md",
    ];
    assert_places(
        "an endpoint, such as sms.convert",
        with_files(found, "sms.convert", &files),
        &[
            ("core/src/operations/sms/sms_conversion.rs", "the declaration"),
            ("core/src/operations.rs", "the list"),
            ("sandbox/src/sms.rs", "the handler"),
            ("tests/vectors/requests/sms.convert.json", "the expected requests"),
            ("tests/vectors/responses/sms.convert.json", "the expected responses"),
            ("tests/tests/it/operation_table.rs", "a typed call"),
            ("docs/retries.md", "how it is retried"),
            ("docs/specification.md", "the section"),
        ],
    );
}

/// Sources that name the id of a rule other than the table, each with its reason.
const RULES: &[(&str, &str)] = &[
    ("campaign/src/cpaas_calls.rs", "the outcome of a row that a store of the client stops"),
    ("core/src/problem/codes.rs", "the table"),
    ("python/cpaas/_errors.py", "a wrong type of an argument is a `TypeError`"),
    ("python/cpaas/_guard.py", "the example of the class"),
    ("python/cpaas/_text/phone_numbers.py", "`normalize_number` raises the problem of an argument"),
    ("python/cpaas/_validation.py", "a wrong type of an argument is a `TypeError`"),
    ("sandbox/src/call.rs", "assumptions that a warning depends on"),
    ("sandbox/src/chat/send_message.rs", "assumptions that a warning depends on"),
    ("sandbox/src/otp/send_passcode.rs", "assumptions that a warning depends on"),
    ("sandbox/src/validation.rs", "warnings that the sandbox rejects, with their assumptions"),
    ("wasm/composer/app.js", "the remark about characters names them"),
    ("wasm/js/client/request-text.js", "problems that are found before the module is called"),
    ("wasm/js/lone-surrogates.js", "problems that are found before the module is called"),
    ("wasm/js/schema.js", "problems that are found before the module is called"),
    ("wasm/js/validate.js", "problems that are found before the module is called"),
];

#[test]
fn places_of_a_rule() {
    let sources = sources();
    // `suppressed` is also the name of an outcome of rows, in many sources.
    let is_rule = |id: &&str| *id != "suppressed";
    let ids: Vec<&str> = cpaas::problem::codes::all().iter().map(|code| code.id).filter(is_rule).collect();
    assert_places("sources that name rules", listing(&sources, &ids, 1, Source::quotes), RULES);
    let found = listing(&sources, &["SMS_TO_LENGTH"], 1, Source::names);
    assert_places(
        "a rule, such as sms.to.length",
        with_files(found, "sms.to.length", &["tests/vectors/problems/sms_operations.json"]),
        &[
            ("core/src/problem/codes.rs", "the table"),
            ("core/src/operations/sms/sms_rules.rs", "the rule"),
            ("tests/vectors/problems/sms_operations.json", "the expected results"),
        ],
    );
}

#[test]
fn places_of_a_reason() {
    let reason = Reason::Resources.as_str();
    let sources = sources();
    let mut found = listing(&sources, &["Reason::Resources", "Self::Resources"], 1, Source::names);
    found.extend(listing(&sources, &[reason], 1, Source::quotes));
    assert_places(
        "a reason of an error, such as resources",
        with_files(found, "`resources`", &["docs/outcomes.md"]),
        &[
            ("core/src/error.rs", "the declaration, and what the reason says about every call"),
            ("core/src/client/reqwest/failure_reason.rs", "the cause in Rust, Python and C"),
            ("core/src/client/error_text.rs", "the message"),
            ("wasm/js/client/transport/node.js", "the cause in Node"),
            ("python/cpaas/_errors.py", "a file of Python that the process cannot open"),
            ("docs/outcomes.md", "what to do"),
        ],
    );
}

/// The words in quotation marks that follow one of the starts.
fn quoted_after<'a>(code: &'a str, starts: &[&str]) -> BTreeSet<&'a str> {
    let words = starts.iter().flat_map(|start| code.split(start).skip(1));
    words.filter_map(|rest| rest.split('"').next()).collect()
}

/// The module replaces the name of a reason that it does not know.
#[test]
fn the_transports_of_javascript_report_declared_reasons() {
    let sources = sources();
    let transports = sources.iter().filter(|source| source.path.starts_with("wasm/js/client/transport/"));
    let mut found = BTreeSet::new();
    for Source { code, .. } in transports {
        found.extend(quoted_after(code, &["ail(\"", "reason: \""]));
        // What selects one by the error code of the host.
        for (start, end) in [("#reason(code) {", "\n  }"), ("const REASONS = {", "}")] {
            for part in code.split(start).skip(1) {
                let (body, _) = part.split_once(end).unwrap();
                found.extend(quoted_after(body, &["return \"", "? \"", ": \""]));
            }
        }
    }
    for name in &found {
        assert!(Reason::from_name(name).is_some(), "{name}");
    }
    let least = ["connect", "decode", "dns", "reset", "resources", "timeout", "tls", "too_large"];
    assert!(least.iter().all(|name| found.contains(name)), "{found:?}");
}

/// The table of `cpaas_exchange_fail` lists the reasons that it accepts.
#[test]
fn the_header_lists_the_reasons_of_transports() {
    let header = read("include/cpaas.h");
    let (_, table) = header.split_once("* | `reason` | Cause |").unwrap();
    let (table, _) = table.split_once("* Errors:").unwrap();
    let listed: BTreeSet<&str> =
        table.lines().filter_map(|line| line.trim().strip_prefix("* | `")?.split('`').next()).collect();
    let reasons = Reason::ALL.iter().filter(|reason| bindings::is_transport_failure(**reason));
    let expected: BTreeSet<&str> = reasons.map(|reason| reason.as_str()).chain(["certificate"]).collect();
    assert_eq!(listed, expected);
}

/// Python's arguments, the command's switches and the documentation are generated.
#[test]
fn places_of_a_campaign_setting() {
    let settings = ["max_parts", "max_spend", "time_zone_column", "duplicates", "suppress", "prices"];
    assert_places(
        "a campaign setting",
        listing(&sources(), &settings, 4, Source::names),
        &[
            ("campaign/src/settings.rs", "the declaration"),
            ("campaign/src/prepare.rs", "the code that uses it, when it changes requests"),
        ],
    );
}
