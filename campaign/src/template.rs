//! The template of a request: JSON whose strings are MiniJinja templates.

use std::collections::BTreeSet;

use cpaas::printable::{MAX_NAME, printable};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior};
use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// A row of a source: values by column.
pub type Columns = Map<String, Value>;

/// A request whose strings may be templates. Other values are constants.
pub struct Template {
    request: Value,
    environment: Environment<'static>,
}

/// Why a template cannot be rendered with a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderProblem {
    /// The member of the request, as a JSON pointer.
    pub pointer: String,
    /// The requirement that is not met. The message quotes no value.
    pub message: String,
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
        let names: Vec<String> = match path.strip_prefix('/') {
            Some(pointer) => {
                pointer.split('/').map(|name| name.replace("~1", "/").replace("~0", "~")).collect()
            }
            None => path.split('.').map(str::to_owned).collect(),
        };
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
    /// When it is not an object, or one of its strings is not a template.
    pub fn new(request: Value) -> Result<Self> {
        if !request.is_object() {
            return Err(Error::Setting("the template of a request must be an object".to_owned()));
        }
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        let syntax = SyntaxConfig::builder().keep_trailing_newline(true).build();
        environment.set_syntax(syntax.map_err(|error| Error::Setting(error.to_string()))?);
        let mut template = Self { request, environment };
        let mut strings = Vec::new();
        collect(&template.request, &mut String::new(), &mut strings);
        for (pointer, source) in strings.into_iter().filter(|(_, source)| is_template(source)) {
            template.environment.add_template_owned(pointer.clone(), source).map_err(|error| {
                let line = error.line().unwrap_or(1);
                let pointer = printable(&pointer, MAX_NAME);
                Error::Setting(format!("{pointer} must be a valid template: {} in line {line}", error.kind()))
            })?;
        }
        Ok(template)
    }

    /// The names of columns that its templates use.
    #[must_use]
    pub fn names(&self) -> BTreeSet<String> {
        self.environment.templates().flat_map(|(_, template)| template.undeclared_variables(false)).collect()
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
        match self.names().into_iter().find(|name| !columns.contains(name) && !known.contains(name)) {
            None => Ok(()),
            Some(name) => {
                let (name, columns) = (printable(&name, MAX_NAME), columns.join(", "));
                Err(Error::Setting(format!("the template uses `{name}`; the columns are {columns}")))
            }
        }
    }

    /// Renders the request of one row. A column that is null has no value, and is never rendered as `none`.
    ///
    /// # Errors
    /// When a name is undefined or a filter fails.
    pub fn render(&self, row: &Columns) -> Result<Value, RenderProblem> {
        if row.values().any(Value::is_null) {
            let mut row = row.clone();
            row.retain(|_, value| !value.is_null());
            return self.rendered(&self.request, &mut String::new(), &row);
        }
        self.rendered(&self.request, &mut String::new(), row)
    }

    fn rendered(&self, part: &Value, pointer: &mut String, row: &Columns) -> Result<Value, RenderProblem> {
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

    fn string(&self, pointer: &str, row: &Columns) -> Result<String, RenderProblem> {
        let rendered =
            self.environment.get_template(pointer).and_then(|template| template.render(Serde(row)));
        rendered.map_err(|error| RenderProblem {
            pointer: pointer.to_owned(),
            message: self.explain(&error, pointer, row),
        })
    }

    fn explain(&self, error: &minijinja::Error, pointer: &str, row: &Columns) -> String {
        if error.kind() != ErrorKind::UndefinedError {
            return format!("the template failed: {}", error.kind());
        }
        let names =
            self.environment.get_template(pointer).map(|template| template.undeclared_variables(false));
        let missing = names.unwrap_or_default().into_iter().find(|name| !row.contains_key(name));
        match missing {
            Some(name) => format!("the row must have the column `{}`", printable(&name, MAX_NAME)),
            None => "the template uses an undefined value".to_owned(),
        }
    }
}

impl std::fmt::Debug for Template {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Template").field("names", &self.names()).finish_non_exhaustive()
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
        assert_eq!(template.names().into_iter().collect::<Vec<_>>(), ["name", "phone"]);
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
    fn a_null_column_counts_as_undefined() {
        let template = Template::new(json!({"text": "Hi {{ name }}"})).unwrap();
        let problem = template.render(&row(json!({"name": null}))).unwrap_err();
        assert_eq!(problem.message, "the row must have the column `name`");
        let template = Template::new(json!({"text": "Hi {{ name | default('you') }}"})).unwrap();
        assert_eq!(template.render(&row(json!({"name": null}))).unwrap(), json!({"text": "Hi you"}));
    }

    #[test]
    fn a_template_with_a_syntax_error_is_refused() {
        assert!(Template::new(json!({"text": "Hi {{ name"})).is_err());
        assert!(Template::new(json!(["x"])).is_err());
    }
}
