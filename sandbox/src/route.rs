//! From method and path to an operation, by the core's own table.

use std::collections::HashMap;
use std::sync::OnceLock;

use cpaas::OperationId;
use cpaas::operation::Family;

/// A path that stands for an operation besides the one of its table row.
const ALIASES: &[(&str, &str)] =
    &[("messages.send", "/message/send"), ("messages.send_failover", "/message/send")];

/// The addresses of the regions, all on this port.
const REGIONS: &[(&str, &str)] =
    &[("/region/fra", "fra"), ("/region/sg", "sg"), ("/region/hk", "hk"), ("/region/us", "us")];

/// What a request is for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Route {
    pub(crate) family: Option<Family>,
    pub(crate) operation: Option<&'static str>,
    pub(crate) params: Vec<(&'static str, String)>,
    pub(crate) xml: bool,
    pub(crate) region: Option<&'static str>,
    /// The path is known, the method is not among these.
    pub(crate) allowed: Vec<&'static str>,
}

struct Table {
    literal: HashMap<String, Vec<(&'static str, OperationId)>>,
    patterns: Vec<(Vec<&'static str>, &'static str, OperationId)>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table { literal: HashMap::new(), patterns: Vec::new() };
        for operation in OperationId::ALL {
            let meta = operation.meta();
            let aliases = ALIASES.iter().filter(|(id, _)| *id == meta.id).map(|(_, path)| *path);
            for path in std::iter::once(meta.path).chain(aliases) {
                let path = path.strip_suffix(".json").unwrap_or(path);
                if path.contains('{') {
                    table.patterns.push((path.split('/').collect(), meta.method.as_str(), *operation));
                } else {
                    table
                        .literal
                        .entry(path.to_owned())
                        .or_default()
                        .push((meta.method.as_str(), *operation));
                }
            }
        }
        table
    })
}

impl Route {
    pub(crate) fn find(method: &str, path: &str) -> Self {
        let (path, region) = region(path);
        let mut route = Self { region, family: family(path), ..Self::default() };
        let (path, xml) = match suffix(path, route.family) {
            Some(stripped) => stripped,
            None => return route,
        };
        route.xml = xml;
        for (verb, operation) in table().literal.get(path).into_iter().flatten() {
            route.offer(method, verb, *operation);
        }
        if route.operation.is_none() && route.allowed.is_empty() {
            route.pattern(method, path);
        }
        route
    }

    fn pattern(&mut self, method: &str, path: &str) {
        let parts: Vec<&str> = path.split('/').collect();
        for (pattern, verb, operation) in &table().patterns {
            if let Some(params) = bind(pattern, &parts) {
                self.offer(method, verb, *operation);
                if self.operation.is_some() {
                    self.params = params;
                    return;
                }
            }
        }
    }

    fn offer(&mut self, method: &str, verb: &'static str, operation: OperationId) {
        if self.operation.is_some() {
            return;
        }
        self.family = Some(operation.meta().family);
        if method == verb {
            self.operation = Some(operation.meta().id);
        } else if !self.allowed.contains(&verb) {
            self.allowed.push(verb);
        }
    }

    pub(crate) fn param(&self, name: &str) -> &str {
        self.params.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value)
    }
}

fn region(path: &str) -> (&str, Option<&'static str>) {
    REGIONS
        .iter()
        .find_map(|(prefix, name)| {
            path.strip_prefix(prefix).filter(|rest| rest.starts_with('/')).map(|rest| (rest, Some(*name)))
        })
        .unwrap_or((path, None))
}

/// The family of a path, also of an unknown one, so that its 404 has the right shape.
fn family(path: &str) -> Option<Family> {
    let starts = |prefix| path.starts_with(prefix);
    match path {
        _ if starts("/2fa/") => Some(Family::Otp),
        _ if starts("/sms") || starts("/usage/") => Some(Family::Sms),
        _ if starts("/lookup") => Some(Family::Lookup),
        _ if starts("/message") || starts("/api/") => Some(Family::Messaging),
        _ if starts("/pa/") => Some(Family::MessengerB),
        _ => None,
    }
}

/// The path without `.json`, or `.xml` on `/sms`; `None` where there is no such form (D65).
fn suffix(path: &str, family: Option<Family>) -> Option<(&str, bool)> {
    let suffixed = matches!(family, Some(Family::Otp | Family::Sms | Family::Lookup));
    if path == "/sms.xml" {
        return Some(("/sms", true));
    }
    match path.strip_suffix(".json") {
        Some(stripped) if suffixed => Some((stripped, false)),
        _ if path.ends_with(".xml") && suffixed => None,
        _ => Some((path, false)),
    }
}

/// Binds `{name}` parts, also within a part such as `v{version}`.
fn bind(pattern: &[&'static str], parts: &[&str]) -> Option<Vec<(&'static str, String)>> {
    if pattern.len() != parts.len() {
        return None;
    }
    let mut params = Vec::new();
    for (wanted, given) in pattern.iter().zip(parts) {
        match wanted.split_once('{') {
            None if wanted == given => {}
            None => return None,
            Some((head, rest)) => {
                let value = given.strip_prefix(head).filter(|value| !value.is_empty())?;
                params.push((rest.strip_suffix('}')?, crate::query::decode(value)));
            }
        }
    }
    Some(params)
}
