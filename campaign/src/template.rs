//! The template of a request: JSON whose strings are MiniJinja templates.

mod code;
mod complexity;
mod dates;
mod guards;
mod names;
mod values;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error as _;

use cpaas::printable::{MAX_NAME, printable};
use cpaas::text::msisdn::{self, NotANumber};
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior};
use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::source::header::{alias, column_by_alias, listed_columns};
use dates::DateError;
use guards::Guarded;

/// The work and the data of one rendered string: about one unit for an instruction, for two values of a list, and for 64 bytes of data.
const FUEL: u64 = 100_000;
/// The maximum size of one rendered string, in bytes.
const MAX_RENDERED: usize = 262_144;

/// The variable with all columns of a row, for names that are not identifiers: `row["Phone Number"]`.
const ROW: &str = "row";

/// The place of the passcode in the body of `otp.send`.
const CODE: &str = "code";
const BODY: &str = "/body";

/// A row of a source: values by column.
pub type Columns = Map<String, Value>;

/// A request whose strings may be templates. Other values are constants.
///
/// A template has at most 16 KiB, 100 operators in one expression and 20 levels of nesting. Rendering a string ends after a limited
/// amount of work and data, and the result has at most 256 KiB. Lists cannot be multiplied.
///
/// A template uses a column by its name, by its name in `row["Phone Number"]`, or by an alias: the name in lower case with
/// underscores, such as `phone_number`, unless a column has this name or two columns have this alias. `row` is always all columns: a
/// column of this name is `row["row"]`.
///
/// A text, as every cell of CSV is, must become a number with `|int` or `|float` before it is compared with a number of the template,
/// multiplied or added to a number; otherwise the row cannot be rendered.
///
/// A null is false in conditions, with `and` and `or`, and the filter `default` replaces it. A row in which a null is printed, compared,
/// sliced or filtered cannot be rendered.
///
/// Beside the filters of MiniJinja there is `normalize_number`: `{{ phone | normalize_number }}` writes a number in any notation in
/// its canonical form, and `{{ phone | normalize_number('GR') }}` accepts numbers as they are dialed in Greece too. And `date`:
/// `{{ at | date('%d %B %Y, %H:%M') }}` writes a date or a time of RFC 3339 with the conversions of `strftime` and English names.
#[derive(Clone)]
pub struct Template {
    request: Value,
    environment: Environment<'static>,
    names: BTreeSet<String>,
    /// The columns in `row["…"]`, and whether a source must have them.
    row_columns: BTreeMap<String, bool>,
    /// All variables: the names, and those that the templates assign.
    variables: BTreeSet<String>,
    /// The names that a row must have, with a value or null. The others have a default, or the template tests whether they are defined.
    required: BTreeSet<String>,
    /// The templates with guards, by pointer.
    guarded: BTreeMap<String, Guarded>,
}

/// Why a template cannot be rendered with a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderProblem {
    /// The member of the request, as a JSON pointer.
    pub pointer: String,
    /// The requirement that is not met. The message quotes no value.
    pub message: String,
    /// Whether a value is null or does not exist.
    pub is_undefined: bool,
}

/// Columns whose names are in single braces in a member of a template, so that the braces are sent as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SingleBraces {
    /// The member of the request, as a JSON pointer.
    pub pointer: String,
    /// The names.
    pub names: Vec<String>,
}

impl std::fmt::Display for SingleBraces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = self.names.iter().map(|name| format!("`{}`", printable(name, MAX_NAME)));
        let names = names.collect::<Vec<_>>().join(", ");
        write!(
            f,
            "the name of a column must be in double braces, such as {{{{ name }}}}; in single braces, which are sent as they are: {names}"
        )
    }
}

/// Builds a template member by member.
#[derive(Debug, Clone, Default)]
pub struct TemplateBuilder {
    root: Map<String, Value>,
}

impl From<Map<String, Value>> for TemplateBuilder {
    /// A builder with these members.
    fn from(root: Map<String, Value>) -> Self {
        Self { root }
    }
}

impl TemplateBuilder {
    /// Sets a member to a template. `path` is a name, a dotted path (`sms.text`) or a JSON pointer (`/sms/text`).
    ///
    /// # Errors
    /// When the path is empty or leads through a member that is not an object.
    pub fn set(mut self, path: &str, template: impl Into<Value>) -> Result<Self> {
        let names = Self::names(path);
        let wrong = || {
            Error::Setting(format!(
                "`{}` must name a member such as text or sms.text",
                printable(path, MAX_NAME)
            ))
        };
        let (last, parents) = names.split_last().ok_or_else(wrong)?;
        if names.iter().any(String::is_empty) {
            return Err(wrong());
        }
        let mut object = &mut self.root;
        for name in parents {
            let child = object.entry(name.as_str()).or_insert_with(|| Value::Object(Map::new()));
            object = child.as_object_mut().ok_or_else(wrong)?;
        }
        object.insert(last.clone(), template.into());
        Ok(self)
    }

    /// The names of a path.
    pub(crate) fn names(path: &str) -> Vec<String> {
        match path.strip_prefix('/') {
            Some(pointer) => {
                pointer.split('/').map(|name| name.replace("~1", "/").replace("~0", "~")).collect()
            }
            None => path.split('.').map(str::to_owned).collect(),
        }
    }

    /// Compiles the template.
    ///
    /// # Errors
    /// As [`Template::new`].
    pub fn build(self) -> Result<Template> {
        Template::new(Value::Object(self.root))
    }
}

impl Template {
    /// Compiles a template.
    ///
    /// # Errors
    /// When it is not an object, one of its strings is not a template, or a filter, test or function does not exist.
    pub fn new(request: Value) -> Result<Self> {
        if !request.is_object() {
            let found = match request {
                Value::String(_) => "a string",
                Value::Array(_) => "an array",
                _ => "another value",
            };
            let expected = "an object whose strings are templates, such as {\"text\": \"Hi {{ name }}\"}";
            return Err(Error::Setting(format!("the template of a request must be {expected}, got {found}")));
        }
        let mut environment = Environment::new();
        // The engine refuses undefined values everywhere but in conditions.
        environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
        environment.set_debug(false);
        environment.set_fuel(Some(FUEL));
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        let syntax = SyntaxConfig::builder().keep_trailing_newline(true).build();
        environment.set_syntax(syntax.map_err(|error| Error::Setting(error.to_string()))?);
        guards::register(&mut environment);
        environment.add_filter("normalize_number", normalize_number);
        environment.add_filter("date", dates::date);
        environment.add_test("none", |value: &minijinja::Value| value.is_none() || value.is_undefined());
        let mut template = Self {
            request,
            environment,
            names: BTreeSet::new(),
            row_columns: BTreeMap::new(),
            variables: BTreeSet::new(),
            required: BTreeSet::new(),
            guarded: BTreeMap::new(),
        };
        let mut strings = Vec::new();
        collect(&template.request, &mut String::new(), &mut strings);
        for (pointer, source) in strings.into_iter().filter(|(_, source)| is_template(source)) {
            complexity::check(&source).map_err(|limit| Error::Setting(format!("{pointer} {limit}")))?;
            let refused = |error: minijinja::Error| {
                let line = error.line().unwrap_or(1);
                let pointer = printable(&pointer, MAX_NAME);
                if let Some((at, end)) = code::unclosed(&source) {
                    return Error::Setting(format!(
                        "{pointer} must be a valid template: the mark at character {at} must be closed by `{end}`"
                    ));
                }
                Error::Setting(format!("{pointer} must be a valid template: {} in line {line}", error.kind()))
            };
            template.environment.template_from_str(&source).map_err(refused)?;
            if let Some(keyword) = guards::assigned_keyword(&source) {
                return Err(Error::Setting(format!(
                    "{pointer} must not assign a value to the keyword `{keyword}`"
                )));
            }
            if let Some(unknown) = names::unknown(&source, &template.environment) {
                let (pointer, unknown) = (printable(&pointer, MAX_NAME), printable(&unknown, MAX_NAME));
                return Err(Error::Setting(format!("{pointer} must be a valid template: {unknown}")));
            }
            if code::prints_row(&source) && names::unassigned(&source).contains(ROW) {
                return Err(Error::Setting(format!(
                    "{pointer} must not print `{ROW}`, which is all columns; one of them is {ROW}[\"name\"]"
                )));
            }
            for (name, is_required) in code::row_columns(&source) {
                *template.row_columns.entry(name).or_default() |= is_required;
            }
            let guarded = guards::add(&source);
            let with_guards = guarded.source.clone();
            template.environment.add_template_owned(pointer.clone(), with_guards).map_err(refused)?;
            template.required.extend(names::required(&source));
            template.names.extend(names::unassigned(&source));
            template.variables.extend(names::variables(&source));
            template.guarded.insert(pointer, guarded);
        }
        let templates = template.environment.templates();
        template.names.extend(templates.flat_map(|(_, template)| template.undeclared_variables(false)));
        let globals: BTreeSet<&str> = template.environment.globals().map(|(name, _)| name).collect();
        template.required.retain(|name| template.names.contains(name) && !globals.contains(name.as_str()));
        template.required.remove(ROW);
        Ok(template)
    }

    /// The names that its templates use: columns, aliases of columns, and perhaps `row`.
    #[must_use]
    pub const fn names(&self) -> &BTreeSet<String> {
        &self.names
    }

    /// Whether it sets this member of the request.
    #[must_use]
    pub fn sets(&self, member: &str) -> bool {
        self.request.get(member).is_some()
    }

    /// Checks the names against the columns of a source.
    ///
    /// # Errors
    /// When a name is not a column.
    pub fn check_names(&self, columns: &[String]) -> Result<()> {
        let known = self.environment.globals().map(|(name, _)| name.to_owned()).collect::<BTreeSet<_>>();
        let is_known = |name: &String| name == ROW || column(name, columns).is_some() || known.contains(name);
        let unknown = self.names.iter().find(|name| !is_known(name)).cloned();
        let is_row = self.names.contains(ROW);
        let mut of_row = self.row_columns.iter().filter(|(_, is_required)| is_row && **is_required);
        let of_row = of_row.find(|(name, _)| !columns.contains(name));
        match unknown.or_else(|| of_row.map(|(name, _)| format!("{ROW}[\"{name}\"]"))) {
            None => Ok(()),
            Some(name) => {
                let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
                let columns = listed_columns("the columns are", &columns, with_alias);
                Err(Error::Setting(format!("the template uses `{}`; {columns}", printable(&name, MAX_NAME))))
            }
        }
    }

    /// The columns whose values the requests contain, as far as the names show it. Without a header, the names themselves.
    pub(crate) fn used_columns(&self, columns: Option<&[String]>) -> BTreeSet<String> {
        let names = self.names.iter().filter(|name| *name != ROW).chain(self.row_columns.keys());
        let of_source = |name: &String| match columns {
            Some(columns) => column(name, columns).map(str::to_owned),
            None => Some(name.clone()),
        };
        names.filter_map(of_source).collect()
    }

    /// Notes about columns in the notation of other programs, which are sent as they are: `[name]` and `%name%`.
    pub(crate) fn unused_marks(&self, columns: &[String]) -> Vec<String> {
        let mut strings = Vec::new();
        collect(&self.request, &mut String::new(), &mut strings);
        let mut notes = Vec::new();
        for (pointer, source) in strings {
            let text = code::literals(&source).join(" ");
            for column in columns {
                let marks = [format!("[{column}]"), format!("%{column}%")];
                if let Some(mark) = marks.iter().find(|mark| text.contains(mark.as_str())) {
                    let (pointer, mark) = (printable(&pointer, MAX_NAME), printable(mark, MAX_NAME));
                    notes.push(format!(
                        "{pointer} contains `{mark}`, which is sent as it is; the value of a column is written {{{{ {} }}}}",
                        printable(&usable(column), MAX_NAME)
                    ));
                }
            }
        }
        notes
    }

    /// The indexes of the columns that it uses, by their names, by an alias or in `row`.
    #[must_use]
    pub fn used(&self, columns: &[String]) -> Vec<usize> {
        let used: BTreeSet<&str> = self.variables.iter().filter_map(|name| column(name, columns)).collect();
        let has_row = self.names.contains(ROW);
        let all = columns.iter().enumerate();
        all.filter(|(_, name)| has_row || used.contains(name.as_str())).map(|(index, _)| index).collect()
    }

    /// The columns whose names are in single braces, by member. The passcode of `otp.send` (`{code}` in the member `body`) is not one of
    /// them if `has_code`.
    #[must_use]
    pub fn single_braces(&self, columns: &[String], has_code: bool) -> Vec<SingleBraces> {
        let mut strings = Vec::new();
        collect(&self.request, &mut String::new(), &mut strings);
        let found = strings.into_iter().map(|(pointer, source)| {
            let is_code = |name: &str| has_code && name == CODE && pointer == BODY;
            let names = names::in_single_braces(&source).into_iter();
            let names = names.filter(|name| column(name, columns).is_some() && !is_code(name));
            let names = names.map(str::to_owned).collect::<Vec<_>>();
            SingleBraces { pointer, names }
        });
        found.filter(|found| !found.names.is_empty()).collect()
    }

    /// Renders the request of a row whose columns are not known before, such as a line of JSON Lines. A name that the row does not
    /// have is an error, unless the template has a default for it or tests whether it is defined.
    ///
    /// # Errors
    /// When a name is undefined, a null is printed, or a filter fails.
    pub fn render(&self, row: &Columns) -> Result<Value, RenderProblem> {
        let columns: Vec<String> = row.keys().cloned().collect();
        if let Some(name) = self.required.iter().find(|name| column(name, &columns).is_none()) {
            let pointer = self.guarded.keys().find(|pointer| self.undeclared(pointer).contains(name));
            return Err(RenderProblem {
                pointer: pointer.cloned().unwrap_or_default(),
                message: format!("the row must have the column `{}`", printable(name, MAX_NAME)),
                is_undefined: true,
            });
        }
        self.render_columns(row, &columns)
    }

    /// Renders the request of a row of a source with these columns, which [`Template::check_names`] accepts. A column that the row does
    /// not have is null.
    ///
    /// # Errors
    /// When a null is printed, a number was rounded because it has too many digits, or a filter fails.
    pub fn render_columns(&self, row: &Columns, columns: &[String]) -> Result<Value, RenderProblem> {
        let mut values = BTreeMap::new();
        for name in &self.variables {
            if name == ROW {
                let is_rounded = |name: &&String| row.get(*name).is_some_and(values::is_rounded);
                if let Some(name) = self.row_columns.keys().find(is_rounded) {
                    return Err(self.rounded(name));
                }
                values.insert(name.as_str(), values::of_row(row));
            } else if let Some(value) = column(name, columns).and_then(|column| row.get(column))
                && !value.is_null()
            {
                if values::is_rounded(value) {
                    return Err(self.rounded(name));
                }
                values.insert(name.as_str(), values::of(value));
            }
        }
        self.rendered(&self.request, &mut String::new(), &values)
    }

    /// The problem of a column whose number was rounded.
    fn rounded(&self, name: &str) -> RenderProblem {
        let uses = |pointer: &&String| {
            let source = self.request.pointer(pointer).and_then(Value::as_str);
            source.is_some_and(|source| {
                names::variables(source).contains(name)
                    || code::row_columns(source).iter().any(|(column, _)| column == name)
            })
        };
        let name = printable(name, MAX_NAME);
        RenderProblem {
            pointer: self.guarded.keys().find(uses).cloned().unwrap_or_default(),
            message: format!(
                "the column `{name}` must be a text, got a number with so many digits that it was rounded: write it in quotes"
            ),
            is_undefined: false,
        }
    }

    fn rendered(&self, part: &Value, pointer: &mut String, row: &Values<'_>) -> Result<Value, RenderProblem> {
        match part {
            Value::String(source) if is_template(source) => self.string(pointer, row).map(Value::String),
            Value::Array(values) => {
                let items = values.iter().enumerate();
                let items = items.map(|(index, value)| {
                    within(pointer, &index.to_string(), |pointer| self.rendered(value, pointer, row))
                });
                items.collect::<Result<_, _>>().map(Value::Array)
            }
            Value::Object(members) => {
                let members = members.iter().map(|(name, value)| {
                    let value = within(pointer, name, |pointer| self.rendered(value, pointer, row));
                    Ok((name.clone(), value?))
                });
                members.collect::<Result<_, _>>().map(Value::Object)
            }
            constant => Ok(constant.clone()),
        }
    }

    fn string(&self, pointer: &str, row: &Values<'_>) -> Result<String, RenderProblem> {
        let rendered = self.environment.get_template(pointer).and_then(|template| template.render(row));
        let problem = |message, is_undefined| {
            let pointer = pointer.to_owned();
            RenderProblem { pointer, message, is_undefined }
        };
        let rendered =
            rendered.map_err(|error| problem(self.explain(&error, pointer, row), is_undefined(&error)))?;
        if rendered.len() > MAX_RENDERED {
            let found = rendered.len();
            let message = format!("the rendered text must have at most 256 KiB (262,144 bytes), got {found}");
            return Err(problem(message, false));
        }
        Ok(rendered)
    }

    fn explain(&self, error: &minijinja::Error, pointer: &str, row: &Values<'_>) -> String {
        if error.kind() == ErrorKind::OutOfFuel {
            return format!("the template must render with at most {FUEL} units of work and data, got more");
        }
        if let Some(rule) =
            [guards::NO_LISTS, guards::NOT_TOO_DEEP].into_iter().find(|rule| error.detail() == Some(rule))
        {
            return format!("the template failed: {rule}");
        }
        if let Some(reason) = error.source().and_then(|source| source.downcast_ref::<NotANumber>()) {
            return format!("normalize_number: {reason}");
        }
        if let Some(reason) = error.source().and_then(|source| source.downcast_ref::<DateError>()) {
            return format!("date: {reason}");
        }
        let (expression, words) = self.expression(error, pointer).unwrap_or_default();
        if !is_undefined(error) {
            let place = if expression.is_empty() { String::new() } else { format!(" in `{expression}`") };
            return format!("the template failed{place}: {}", rule(error));
        }
        let absent: Vec<String> =
            self.undeclared(pointer).into_iter().filter(|name| !row.contains_key(name.as_str())).collect();
        match absent.iter().find(|name| words.contains(name)).or_else(|| absent.first()) {
            Some(name) => {
                let name = printable(name, MAX_NAME);
                format!("the column `{name}` must have a value, or the template a default for it")
            }
            None if self.names.contains(ROW) => {
                "the row must have the columns that the template reads from `row`".to_owned()
            }
            None => "the template uses an undefined value".to_owned(),
        }
    }

    /// The expression or statement of the source that failed, and its words.
    fn expression(&self, error: &minijinja::Error, pointer: &str) -> Option<(String, Vec<String>)> {
        let place = self.guarded.get(pointer)?.original(error.range()?.start);
        let codes = code::all(self.request.pointer(pointer)?.as_str()?);
        let code = codes.into_iter().find(|code| place < code.start + code.text.len())?;
        let words = code.tokens.iter().map(|token| token.text.to_owned()).collect();
        Some((printable(code.text.trim(), MAX_NAME).into_owned(), words))
    }

    /// The names that one template uses.
    fn undeclared(&self, pointer: &str) -> BTreeSet<String> {
        let source = self.request.pointer(pointer).and_then(Value::as_str);
        source.map(names::unassigned).unwrap_or_default()
    }
}

/// The values of a row by the names that the template uses. A null has none.
type Values<'a> = BTreeMap<&'a str, minijinja::Value>;

/// The column that a name of a template means: the one of this name, or the only one with this alias.
fn column<'a>(name: &str, columns: &'a [String]) -> Option<&'a str> {
    let same = columns.iter().find(|column| *column == name).map(String::as_str);
    same.or_else(|| column_by_alias(columns.iter().map(String::as_str), name))
}

/// Whether a value is null or does not exist. Arithmetic reports the types of its operands.
fn is_undefined(error: &minijinja::Error) -> bool {
    let of_types = error.detail().filter(|detail| detail.starts_with("tried to use "));
    error.kind() == ErrorKind::UndefinedError || of_types.is_some_and(|detail| detail.contains("undefined"))
}

/// Whether the detail of an error says that an operator cannot calculate with a text.
fn is_of_texts(detail: &str) -> bool {
    let types =
        detail.strip_prefix("tried to use ").and_then(|rest| rest.split_once(" on unsupported types "));
    types.is_some_and(|(_, types)| {
        types.contains("string") && types.split(" and ").all(|one| ["string", "number"].contains(&one))
    })
}

/// The rule that an error breaks, without values.
fn rule(error: &minijinja::Error) -> String {
    if error.detail().is_some_and(|detail| detail == guards::NO_TEXT || is_of_texts(detail)) {
        return guards::NO_TEXT.to_owned();
    }
    // The only other text in this message is the name of a type.
    let slice = error.detail().filter(|detail| detail.ends_with(" cannot be sliced"));
    slice.map_or_else(|| error.kind().to_string(), |slice| slice.replace("value of type", "a value of type"))
}

impl std::fmt::Debug for Template {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Template").field("names", &self.names()).finish_non_exhaustive()
    }
}

/// The filter `normalize_number`: the canonical form of a number, which may be written as it is dialed in a region.
fn normalize_number(
    value: &minijinja::Value,
    region: Option<&str>,
) -> std::result::Result<String, minijinja::Error> {
    if value.is_undefined() {
        return Err(ErrorKind::UndefinedError.into());
    }
    if value.is_number() && !value.is_integer() {
        return Err(not_a_number(NotANumber::Decimal));
    }
    let written = match (value.as_str(), value.as_i64()) {
        (Some(text), _) => Cow::Borrowed(text),
        (None, Some(number)) => Cow::Owned(number.to_string()),
        (None, None) => return Err(not_a_number(NotANumber::Character)),
    };
    msisdn::normalize_number(&written, region).map(Cow::into_owned).map_err(not_a_number)
}

fn not_a_number(reason: NotANumber) -> minijinja::Error {
    minijinja::Error::new(ErrorKind::InvalidOperation, "normalize_number").with_source(reason)
}

/// How a template writes the value of a column.
fn usable(column: &str) -> String {
    match alias(column).as_str() {
        "" => format!("{ROW}[\"{column}\"]"),
        alias if alias.eq_ignore_ascii_case(column) => column.to_owned(),
        alias => alias.to_owned(),
    }
}

/// The name of a column, and its alias if it differs.
fn with_alias(column: &str) -> String {
    let alias = alias(column);
    match alias.as_str() {
        "" => format!("{column} (row[\"{column}\"])"),
        alias if alias == column => column.to_owned(),
        alias => format!("{column} ({alias})"),
    }
}

fn is_template(source: &str) -> bool {
    ["{{", "{%", "{#"].iter().any(|mark| source.contains(mark))
}

fn within<T>(pointer: &mut String, name: &str, work: impl FnOnce(&mut String) -> T) -> T {
    let length = pointer.len();
    pointer.push('/');
    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
    let result = work(pointer);
    pointer.truncate(length);
    result
}

fn collect(value: &Value, pointer: &mut String, strings: &mut Vec<(String, String)>) {
    match value {
        Value::String(source) => strings.push((pointer.clone(), source.clone())),
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                within(pointer, &index.to_string(), |pointer| collect(value, pointer, strings));
            }
        }
        Value::Object(members) => {
            for (name, value) in members {
                within(pointer, name, |pointer| collect(value, pointer, strings));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn row(value: Value) -> Columns {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn the_filter_normalizes_numbers_or_fails_with_the_reason() {
        let rendered = |source: &str, phone: Value| {
            let template = Template::new(json!({"to": source})).unwrap();
            template.render(&row(json!({"phone": phone}))).map(|request| request["to"].clone())
        };
        let plain = "{{ phone | normalize_number }}";
        for phone in [json!("+30 691 234 5678"), json!("0030-6912345678"), json!(306_912_345_678_i64)] {
            assert_eq!(rendered(plain, phone).unwrap(), "306912345678");
        }
        for phone in [json!("691 234 5678"), json!("letters"), json!([1]), json!(1.5), json!(true), json!("")]
        {
            let problem = rendered(plain, phone).unwrap_err();
            assert_eq!(problem.pointer, "/to");
            assert!(problem.message.starts_with("normalize_number: must "), "{}", problem.message);
        }
        let missing = rendered(plain, Value::Null).unwrap_err();
        assert_eq!(missing.message, "the column `phone` must have a value, or the template a default for it");
        let in_region = rendered("{{ phone | normalize_number('GR') }}", json!("691 234 5678"));
        let has_plans = msisdn::normalize_number("306912345678", Some("GR")).is_ok();
        if has_plans {
            assert_eq!(in_region.unwrap(), "306912345678");
            let message = rendered("{{ phone | normalize_number('XX') }}", json!("1")).unwrap_err().message;
            assert!(message.contains("ISO 3166-1"), "{message}");
        } else {
            assert!(in_region.unwrap_err().message.contains("numbering plans"));
        }
    }

    #[test]
    fn strings_are_templates_and_other_values_are_constants() {
        let template = Template::new(json!({
            "to": "{{ phone }}", "sms": {"text": "Hi {{ name }}, {{ 6 * 7 }}"}, "test": true, "list": ["{{ name }}"],
        }))
        .unwrap();
        let rendered = template.render(&row(json!({"phone": "306900000001", "name": "<Ann>"}))).unwrap();
        let expected = json!({
            "to": "306900000001", "sms": {"text": "Hi <Ann>, 42"}, "test": true, "list": ["<Ann>"],
        });
        assert_eq!(rendered, expected);
        assert_eq!(template.names().iter().collect::<Vec<_>>(), ["name", "phone"]);
    }

    #[test]
    fn members_are_set_by_a_dotted_path_or_a_pointer() {
        let builder = TemplateBuilder::default().set("to", "1").unwrap().set("sms.text", "a").unwrap();
        let template = builder.set("/sms/a~1b", "{{ x }}").unwrap().build().unwrap();
        let rendered = template.render(&row(json!({"x": "y"}))).unwrap();
        assert_eq!(rendered, json!({"to": "1", "sms": {"text": "a", "a/b": "y"}}));
        assert!(TemplateBuilder::default().set("", "x").is_err());
        assert!(TemplateBuilder::default().set("a..b", "x").is_err());
        assert!(TemplateBuilder::default().set("a", "x").unwrap().set("a.b", "x").is_err());
    }

    #[test]
    fn an_undefined_name_is_reported_with_its_pointer() {
        let template = Template::new(json!({"text": "Hi {{ name }}"})).unwrap();
        let problem = template.render(&row(json!({"phone": "1"}))).unwrap_err();
        assert_eq!(problem.pointer, "/text");
        assert_eq!(problem.message, "the row must have the column `name`");
        let error = template.check_names(&["phone".to_owned()]).unwrap_err().to_string();
        assert_eq!(error, "the template uses `name`; the columns are phone");
        assert!(template.check_names(&["name".to_owned()]).is_ok());
    }

    #[test]
    fn columns_with_any_name_are_usable() {
        let columns = ["Phone Number", "e-mail", "2024", "Größe (cm)"].map(str::to_owned);
        let given = json!({"Phone Number": "1", "e-mail": "a@b", "2024": "x", "Größe (cm)": "180"});
        for (source, text) in [
            ("{{ phone_number }} {{ e_mail }} {{ _2024 }}", "1 a@b x"),
            ("{{ row[\"Phone Number\"] }}{{ row['2024'] }}{{ row[\"Größe (cm)\"] }}", "1x180"),
            ("{{ row['none']|default('-') }}", "-"),
            ("{% for name in row %}{{ loop.index }}{% endfor %}", "1234"),
        ] {
            let template = Template::new(json!({ "text": source })).unwrap();
            template.check_names(&columns).unwrap();
            assert_eq!(template.render(&row(given.clone())).unwrap()["text"], text, "{source}");
        }
        let template = Template::new(json!({"text": "{{ phone }}"})).unwrap();
        let error = template.check_names(&columns).unwrap_err().to_string();
        let expected = "the template uses `phone`; the columns are Phone Number (phone_number), e-mail (e_mail), and 2 whose names are not shown";
        assert_eq!(error, expected);
        let template = Template::new(json!({"text": "{{ row['none'] }}"})).unwrap();
        let problem = template.render(&row(given)).unwrap_err();
        assert_eq!(problem.message, "the row must have the columns that the template reads from `row`");
        // A column with the name has priority over aliases, and not over `row`.
        let template = Template::new(json!({"text": "{{ row['row'] }}{{ a_b }}{{ row['A b'] }}"})).unwrap();
        let given = row(json!({"row": "7", "a_b": "8", "A b": "9"}));
        assert_eq!(template.render(&given).unwrap()["text"], "789");
    }

    #[test]
    fn a_null_column_counts_as_undefined() {
        let template = Template::new(json!({"text": "Hi {{ name }}"})).unwrap();
        let problem = template.render(&row(json!({"name": null}))).unwrap_err();
        assert_eq!(problem.message, "the column `name` must have a value, or the template a default for it");
        let template = Template::new(json!({"text": "Hi {{ name | default('you') }}"})).unwrap();
        assert_eq!(template.render(&row(json!({"name": null}))).unwrap(), json!({"text": "Hi you"}));
    }

    #[test]
    fn a_template_with_a_syntax_error_is_refused() {
        for (source, at, mark) in [
            ("Hi {{ name", 4, "}}"),
            ("{{ a }} {% if a ", 9, "%}"),
            ("\u{3b1}{# a", 2, "#}"),
            ("Hi {{ name }\n{{ a", 4, "}}"),
        ] {
            let error = Template::new(json!({ "text": source })).unwrap_err().to_string();
            let expected = format!(
                "/text must be a valid template: the mark at character {at} must be closed by `{mark}`"
            );
            assert_eq!(error, expected, "{source}");
        }
        for source in ["{{ a b }}", "{{ (a }}", "{% if a %}"] {
            let error = Template::new(json!({ "text": source })).unwrap_err().to_string();
            assert!(!error.contains("must be closed by"), "{source}: {error}");
        }
        assert!(Template::new(json!(["x"])).is_err());
    }

    /// Runs on a thread with a small stack, as callers may have.
    fn with_small_stack(work: impl FnOnce() + Send + 'static) {
        std::thread::Builder::new().stack_size(512 * 1024).spawn(work).unwrap().join().unwrap();
    }

    /// How a template ends: the refusal, or the problem of rendering it.
    fn end(source: &str) -> String {
        match Template::new(json!({ "text": source })) {
            Err(error) => error.to_string(),
            Ok(template) => match template.render(&row(json!({"a": "x", "b": [1, 2]}))) {
                Ok(_) => "rendered".to_owned(),
                Err(problem) => problem.message,
            },
        }
    }

    #[test]
    fn long_chains_and_deep_nesting_are_refused_by_a_count() {
        with_small_stack(|| {
            let length = "at most 16 KiB";
            let operators = "at most 100 operators";
            let depth = "at most 20 levels deep";
            for repeats in [101, 1_000, 14_000] {
                let again = |text: &str| text.repeat(repeats);
                let table = [
                    (format!("{{{{ {}1 }}}}", again("-")), operators),
                    (format!("{{{{ a{} }}}}", again(".a")), operators),
                    (format!("{{{{ a{} }}}}", again("~a")), operators),
                    (format!("{{{{ {}a }}}}", again("not ")), operators),
                    (format!("{{{{ a{} }}}}", again("[0]")), operators),
                    (format!("{{{{ a{} }}}}", again("()")), operators),
                    (format!("{{{{ a{} }}}}", again("|upper")), operators),
                    (format!("{{{{ a{} }}}}", again(" if a")), operators),
                    (format!("{{{{ a{} }}}}", again(" is string")), operators),
                    (format!("{{{{ a{} }}}}", again(" in a")), operators),
                    (format!("{{{{ a{} }}}}", again("<a")), operators),
                    (format!("{{{{ a{} }}}}", again("**a")), operators),
                    (format!("{{{{ {}{} }}}}", again("("), again(")")), operators),
                    (format!("{{{{ {} }}}}", "(".repeat(21)), depth),
                    (format!("{{{{ {} }}}}", "[".repeat(21)), depth),
                    (format!("{{{{ {} }}}}", "{'a':".repeat(21)), depth),
                    (again("{% if a %}"), depth),
                    (again("{% for x in b %}"), depth),
                    (again("{%- with x = 1 -%}"), depth),
                    (again("{% filter upper %}"), depth),
                    (format!("{{% if a %}}{}{{% endif %}}", again("{% elif a %}")), depth),
                    (format!("{{# {} #}}{}", "{{", again("{%if a%}")), depth),
                    (format!("{{{{ '}}}}' }}}}{}", again("{% if a %}")), depth),
                    // A quote or a bracket that only one of the two readers sees would hide what follows.
                    (
                        format!("{{% raw %}}{{{{ ' }}}}{{% endraw %}}{{{{ {}1 }}}}{{# ' #}}", again("-")),
                        operators,
                    ),
                    (
                        format!("{{%- raw -%}}{{{{ \"{{%- endraw -%}}{{{{ {}1 }}}}{{# \" #}}", again("-")),
                        operators,
                    ),
                    (
                        format!("{{%+raw+%}}{{% ' {{%+ endraw +%}}{{{{ {}1 }}}}{{# ' #}}", again("-")),
                        operators,
                    ),
                    (format!("{{#}}{{{{ ' #}}{{{{ {}1 }}}}{{# ' #}}", again("-")), operators),
                    (format!("{{{{ {{'a': {{'b': 1}}}} ~ {}1 }}}}", again("-")), operators),
                    (format!("{{{{ ['}}}}', {{'b': {{}}}}] ~ {}1 }}}}", again("-")), operators),
                    (format!("{{% if {{'a': '%}}'}} ~ {}1 %}}{{% endif %}}", again("-")), operators),
                    (format!("{{% raw %}}{{{{ ' }}}}{{% endraw %}}{}{{# ' #}}", again("{% if a %}")), depth),
                    ("{{ a }}".repeat(repeats * 25), length),
                ];
                for (source, limit) in table {
                    let end = end(&source);
                    assert!(end.contains(limit) || end.contains(length), "{repeats}: {end}");
                }
            }
        });
    }

    /// The count and MiniJinja agree where code begins and ends, whatever is before it: otherwise the stack would be exhausted.
    #[test]
    fn nothing_before_a_long_chain_hides_it() {
        const PIECES: [&str; 14] = [
            "'",
            "\"",
            "{",
            "}",
            "(",
            "]",
            "{{ a",
            "}}",
            "{% if a",
            "%}",
            "{#",
            "#}",
            "{% raw %}",
            "{%- endraw -%}",
        ];
        with_small_stack(|| {
            let chain = format!("{{{{ {}1 }}}}", "-".repeat(3_000));
            for first in PIECES {
                for second in PIECES {
                    for third in PIECES {
                        for tail in ["", "{# ' #}", "\" }}"] {
                            end(&format!("{first}{second} {third}{chain}{tail}"));
                        }
                    }
                }
            }
        });
    }

    #[test]
    fn a_template_within_the_limits_never_exhausts_the_stack() {
        with_small_stack(|| {
            for piece in [
                "-",
                "not ",
                "(",
                "[",
                "a.",
                "a[",
                "a(",
                "a~",
                "a|upper|",
                "a if ",
                "{'a':",
                "a is not ",
                "a<",
            ] {
                for repeats in [19, 20, 99, 100] {
                    for tail in ["a", "", "1)", "a]"] {
                        end(&format!("{{{{ {}{tail} }}}}", piece.repeat(repeats)));
                    }
                }
            }
            for block in ["if a", "for x in b", "with x = 1", "set x", "filter upper", "autoescape false"] {
                let name = block.split(' ').next().unwrap();
                for repeats in [19, 20] {
                    let open = format!("{{% {block} %}}").repeat(repeats);
                    let close = format!("{{% end{name} %}}").repeat(repeats);
                    end(&format!("{open}{{{{ {}a }}}}{close}", "-".repeat(99)));
                }
            }
        });
    }

    #[test]
    fn endless_work_and_data_end_by_a_count() {
        let fuel = "at most 100000 units";
        let doubled = format!("{{% set c = a %}}{}{{{{ c }}}}", "{% set c = c ~ c %}".repeat(60));
        let table = [
            ("{% for x in range(99999) %}{% for y in range(99999) %}{% endfor %}{% endfor %}".to_owned(), fuel),
            ("{% for x in range(100000) %}{% for y in range(100000) %}a{% endfor %}{% endfor %}".to_owned(), fuel),
            ("{{ '%2000000000d'|format(1) }}".to_owned(), ""),
            ("{{ 'a' * 2000000000 }}".to_owned(), ""),
            ("{{ 'a' * 90000000 }}".to_owned(), fuel),
            ("{{ a|indent(2000000000) }}".to_owned(), ""),
            (doubled, fuel),
            ("{{ 'a' * 300000 }}".to_owned(), "at most 256 KiB"),
            ("{% for x in range(5000) %}0123456789012345678901234567890123456789012345678901234567890{% endfor %}".to_owned(), "at most 256 KiB"),
        ];
        for (source, limit) in table {
            let end = end(&source);
            assert!(end != "rendered" && end.contains(limit), "{source}: {end}");
        }
    }

    /// A list of 10,000,000,000 values in 29 characters.
    const HUGE: &str = "([[1]*100000]*100000)";

    #[test]
    fn lists_are_not_multiplied() {
        let rule = "the template failed: a list must not be multiplied";
        for source in [
            "{{ [1] * 2 }}",
            "{{ 2*[1] }}",
            "{{ [[[1]*100000]*100000]*100000 }}",
            "{{ [1]*19000000 }}",
            "{{ b * 100000 }}",
            "{{ 100000 * b|reverse }}",
            "{{ 2 * 3 * b[0:1] }}",
            "{{ (b) * 2 ** 3 }}",
            "{{ (1, 2) * 100000 }}",
            "{{ range(10) * 100000 }}",
            "{{ 'a b'|split(' ') * 100000 }}",
            "{% for x in [b] %}{{ x * 2 }}{% endfor %}",
            "{% for x in [1] * 3 %}{% endfor %}",
            "{% set x = [b] * 3 %}",
            "{% set x = 3 * b|list %}",
            "{% with x = b, y = x * 3 %}{% endwith %}",
            "{% if b * 2 %}{% endif %}",
            "{{ {'a': {'b': 1}}, b * 2 }}",
            "{{ {'a': {}}['a'] or b * 2 }}",
            "{% raw %}{{ {% endraw %}{{ b * 2 }}",
            "{#- {{ -#}{{- b * 2 -}}",
        ] {
            let end = end(source);
            assert!(end == rule || end.contains("valid template"), "{source}: {end}");
        }
        for shape in [
            "{{ H ~ '' }}",
            "{{ H|string|length }}",
            "{{ 2 in H }}",
            "{{ H == H }}",
            "{{ H < H }}",
            "{{ H|join }}",
            "{{ H|reverse|first }}",
            "{{ H[::2]|length }}",
            "{{ H + [2] }}",
            "{{ {'a': H} }}",
            "{{ '%s'|format(H) }}",
            "{% if H %}x{% endif %}",
            "{{ H is eq(H) }}",
            "{{ dict(a=H) == dict(a=H) }}",
            "{{ H|zip(H)|first }}",
            "{% set x = H %}{% set x %}{{ x }}{% endset %}{{ x|length }}",
            "{{ a|default(H) }}",
            "{{ {H: 1} }}",
            "{% for i in [1] %}{{ loop.changed(H) }}{% endfor %}",
            "{{ H|map('upper')|length }}",
            "{{ a[H] }}",
        ] {
            assert_eq!(end(&shape.replace('H', HUGE)), rule, "{shape}");
        }
    }

    #[test]
    fn values_that_occur_many_times_are_counted_each_time() {
        let fuel = "at most 100000 units";
        let again = |text: &str| text.repeat(60);
        let table = [
            format!("{}{{{{ b }}}}", again("{% set b = [b, b] %}")),
            format!("{}{{{{ b }}}}", again("{% set b = b + b %}")),
            format!("{}{{{{ b }}}}", again("{% set b = (b, b) %}")),
            format!("{}{{{{ b }}}}", again("{% set b = b|chain(b) %}")),
            format!("{}{{{{ b }}}}", again("{% set b = {'a': b, 'b': b} %}")),
            format!("{}{{{{ b }}}}", again("{% set b = dict(a=b, b=b) %}")),
            format!("{}{{{{ b }}}}", again("{% set b = b|zip(b) %}")),
            format!(
                "{}{{{{ x == y }}}}",
                "{% set x = b %}{% set y = b %}".to_owned()
                    + &again("{% set x = [x, x] %}{% set y = [y, y] %}")
            ),
            format!("{}{}", again("{% set b = [b,\"{%\", b] %}"), "{{ b ~ '' }}"),
            format!("{}{}", again("{%-set b=[b,b]-%}"), "{{-b|string-}}"),
            "{% for x in [b] recursive %}{{ loop([[x, x, x]]) }}{% endfor %}".to_owned(),
            "{{ [1]|batch(3000, range(3000)|list) }}".to_owned(),
            "{{ range(3000)|map(attribute='a', default=range(3000)|list) }}".to_owned(),
            "{{ ('%(x)s' * 10000)|format(x='a' * 100000) }}".to_owned(),
            "{% for x in range(30000) %}{{ [range(100000)] == [range(100000)] }}{% endfor %}".to_owned(),
        ];
        for source in table {
            let end = end(&source);
            assert!(end.contains(fuel) || end.contains("160 levels"), "{source}: {end}");
        }
        for word in ["in", "is", "and", "if", "recursive"] {
            let end = end(&format!("{{% set {word} = b %}}"));
            assert!(end.contains("keyword") || end.contains("valid template"), "{word}: {end}");
        }
        for source in ["{{ [b]|sum(start=[]) }}", "{{ [b]|sum('a', []) }}"] {
            assert!(end(source).starts_with("the template failed"), "{source}");
        }
        for source in ["{{ namespace() }}", "{{ debug() }}"] {
            assert!(end(source).contains("unknown function"), "{source}");
        }
    }

    #[test]
    fn guards_change_no_text() {
        let template = |source: &str, row_value: Value| {
            Template::new(json!({ "text": source })).unwrap().render(&row(row_value)).unwrap()["text"].clone()
        };
        let given = || json!({"a": "x", "n": 3, "b": [1, 2], "items": [{"name": "pen", "price": 2, "qty": 4}], "recursive": [7]});
        for (source, text) in [
            (
                "{{ '-' * 10 }}{{ 2*n }}{{ n * 'ab' }}{{ 1.5 * n }}{{ 2 * 1e-1 }}{{ -n * -2 * n ** 2 }}",
                "----------6ababab4.50.254",
            ),
            ("{% raw %}{{ a * b }}{% endraw %} *{{ a }}* {# {{ b * 2 }} #}", "{{ a * b }} *x* "),
            (
                "{% for item in items %}{{ item.name|upper }} {{ item.price * item['qty'] }}{{ loop.index * 2 }}{% endfor %}",
                "PEN 82",
            ),
            ("{% for x in b if x is not odd %}{{ x }}{% else %}none{% endfor %}", "2"),
            ("{% for x in recursive %}{{ x }}{% endfor %}{{ recursive|length }}", "71"),
            ("{% for x in b recursive %}{{ x }}{% endfor %}", "12"),
            (
                "{% set x, y = b %}{% set t = n * x, y %}{{ t }}{{ y is divisibleby x }}{{ x is in b }}",
                "(3, 2)TrueTrue",
            ),
            (
                "{% with x = a, y = n %}{{ x }}{{ y }}{% endwith %}{% set z | upper %}{{ a }}{% endset %}{{ z }}",
                "x3X",
            ),
            (
                "{{ dict(a=n).a }}{{ {'k': {'b': a}}.k.b }}{{ b|map('string')|join('+') }}{{ b|sum }}{{ items|sum('qty', start=1) }}{{ items|map(attribute='name')|join }}",
                "3x1+235pen",
            ),
            (
                "{{ a if n > 2 and a not in ['y'] else 'no' }}{{ none_such|default(a) }}{{ none_such is defined }}",
                "xxFalse",
            ),
            (
                "{{ a[0] }}{{ b[n - 2:] }}{{ b.0 }}{{ 'a' \"b\" * 2 }}{{ '%s %(' ~ a }}{{ '%d-%s'|format(n, a) }}",
                "x[2]1abab%s %(x3-x",
            ),
            (
                "{% filter replace('x', a ~ a) %}{{ a }}{% endfilter %}{{ range(n)|batch(2)|list }}{{ items|groupby('qty')|length }}",
                "xx[[0, 1], [2]]1",
            ),
            (
                "{% for group in items|groupby('qty') %}{{ group.grouper }}{% endfor %}{{ (1, 2) == (1, 2) }}",
                "4True",
            ),
        ] {
            assert_eq!(template(source, given()), json!(text), "{source}");
        }
    }

    #[test]
    fn ordinary_templates_are_within_the_limits() {
        for source in [
            "Dear {{ a | title }}, {% if b %}{% for x in b %}{{ loop.index }}. {{ x }}{% if not loop.last %}, {% endif %}{% endfor %}{% else %}none{% endif %}",
            "{{ a ~ ' ' ~ a ~ ' ' ~ a }}{{ b[0] + b[1] * 2 - (b[0] or 1) }}{{ a | default('x') | upper | replace('X', 'y') }}",
            "{% raw %}{{ a.a.a }}{% endraw %}{# {{ a.a.a }} #}{{ '{{ not code }}' }} 100 % { } {{ {'x': [1, (2, 3)]}['x'][1][0] }}",
        ] {
            assert_eq!(end(source), "rendered", "{source}");
        }
    }
}
