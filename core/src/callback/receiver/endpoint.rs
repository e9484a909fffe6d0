//! The endpoints of a receiver.

use std::fmt;

use crate::callback::event::Source;
use crate::callback::template::{Template, TemplateFormat};
use crate::callback::token::Purpose;
use crate::util::url_parts::{UrlParts, without_fragment};

/// A path below the public URL, with the sources that it receives. If several sources share a path, the purpose of the token
/// and the members of the payload distinguish them.
#[derive(Clone)]
pub struct Endpoint {
    path: String,
    sources: Vec<Source>,
    pub(super) template: Option<Template>,
    bind_reference: bool,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("sources", &self.sources)
            .field("template", &self.template)
            .field("bind_reference", &self.bind_reference)
            .finish_non_exhaustive()
    }
}

impl Endpoint {
    /// Creates an endpoint for a path (`/sms`, or empty for the public URL itself) and its sources; an empty list means all.
    #[must_use]
    pub fn new(path: impl Into<String>, sources: impl IntoIterator<Item = Source>) -> Self {
        Self {
            path: path.into(),
            sources: sources.into_iter().collect(),
            template: None,
            bind_reference: true,
        }
    }

    /// The public URL itself, for all sources.
    #[must_use]
    pub fn everything() -> Self {
        Self::new("", [])
    }

    /// Expects SMS reports by GET with these parameters, for example `id=~msgid~&state=~status~`.
    #[must_use]
    pub fn query_template(mut self, query: &str) -> Self {
        self.template = Some(Template::parse(&format!("?{query}"), TemplateFormat::Url));
        self
    }

    /// Expects SMS reports by POST with this body, JSON or a form.
    #[must_use]
    pub fn body_template(mut self, body: &str, format: TemplateFormat) -> Self {
        self.template = Some(Template::parse(body, format));
        self
    }

    /// Does not bind tokens of SMS reports to the `reference` of the message. Required if the reports do not return the
    /// reference, for example because a body template omits it.
    #[must_use]
    pub fn without_reference(mut self) -> Self {
        self.bind_reference = false;
        self
    }

    pub(super) fn sources(&self) -> impl Iterator<Item = Source> + '_ {
        let sources: &[Source] = if self.sources.is_empty() { &Source::ALL } else { &self.sources };
        sources.iter().copied()
    }

    pub(super) fn receives(&self, source: Source) -> bool {
        self.sources().any(|own| own == source)
    }

    pub(super) fn binds_reference(&self, purpose: Purpose) -> bool {
        self.bind_reference && purpose == Purpose::DeliveryReport
    }
}

/// The URL of an endpoint, with the parameters of its query template.
pub(super) fn endpoint_url(public_url: &str, endpoint: &Endpoint) -> String {
    let front = without_fragment(public_url);
    let (base, own_query) = front.split_once('?').unwrap_or((front, ""));
    let template = endpoint.template.as_ref().filter(|template| template.format() == TemplateFormat::Url);
    let parameters = template.and_then(|template| template.source().strip_prefix('?')).unwrap_or_default();
    let mut url = with_path(base, &endpoint.path);
    for (at, query) in [own_query, parameters].into_iter().filter(|query| !query.is_empty()).enumerate() {
        url.push(if at == 0 { '?' } else { '&' });
        url.push_str(query);
    }
    url
}

fn with_path(base: &str, path: &str) -> String {
    match path.trim_start_matches('/') {
        "" => base.to_owned(),
        path => format!("{}/{path}", base.trim_end_matches('/')),
    }
}

/// The endpoint of a received path, by the first of these rules that applies:
/// 1. The public path of the endpoint is the received path.
/// 2. The public path ends with the received path, because a proxy removed a prefix. Of several endpoints, the one with the
///    shortest path is chosen.
/// 3. The received path ends with the path of the endpoint, because a proxy added a prefix. Of several endpoints, the one with
///    the longest path is chosen.
/// 4. There is only one endpoint.
pub(super) fn find<'e>(endpoints: &'e [Endpoint], public_url: &str, path: &str) -> Option<&'e Endpoint> {
    let path = path.trim_end_matches('/');
    let base = UrlParts::split(public_url).path;
    let public = |endpoint: &Endpoint| with_path(base, &endpoint.path).trim_end_matches('/').to_owned();
    let exact = endpoints.iter().find(|endpoint| public(endpoint) == path);
    let suffix = || {
        let candidates =
            endpoints.iter().filter(|endpoint| path.starts_with('/') && public(endpoint).ends_with(path));
        candidates.min_by_key(|endpoint| endpoint.path.len())
    };
    let own = || {
        let ends =
            |own: &str| path.strip_suffix(own).is_some_and(|front| !own.is_empty() && front.ends_with('/'));
        let candidates = endpoints.iter().filter(|endpoint| ends(endpoint.path.trim_matches('/')));
        candidates.max_by_key(|endpoint| endpoint.path.len())
    };
    exact.or_else(suffix).or_else(own).or(match endpoints {
        [only] => Some(only),
        _ => None,
    })
}
