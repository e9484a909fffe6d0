//! The routes of a sandbox: the control API, the static pages, and the provider's API from the core's list of operations.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};
use axum::{Extension, Router};
use cpaas::OperationId;
use cpaas::http::{Family, Method as Verb};
use tower_http::cors::CorsLayer;

use crate::call::Route;
use crate::provider_request::{Region, handle};
use crate::sandbox_state::Shared;
use crate::{control, static_pages};

/// The paths of the regions, all on this port, and their names.
const REGIONS: [(&str, &str); 4] =
    [("/region/fra", "fra"), ("/region/sg", "sg"), ("/region/hk", "hk"), ("/region/us", "us")];

/// A second path of an operation (D40).
const ALIASES: [(OperationId, &str); 1] = [(OperationId::MessagesSend, "/message/send")];

pub(crate) fn router(shared: &Arc<Shared>) -> Router {
    let operations = operations();
    let mut router = Router::new()
        .nest("/_sandbox", control::routes())
        .route("/_sandbox/", control::overview())
        .merge(static_pages::routes(&shared.options));
    for (prefix, name) in REGIONS {
        router = router.nest(prefix, operations.clone().layer(Extension(Region(name))));
    }
    let router = router
        .merge(operations)
        .method_not_allowed_fallback(other_method)
        .fallback(unknown_path)
        .with_state(Arc::clone(shared));
    match shared.options.cors.as_deref().map(HeaderValue::from_str) {
        Some(Ok(origin)) => router.layer(cors(origin)),
        _ => router,
    }
}

fn cors(origin: HeaderValue) -> CorsLayer {
    let header = HeaderName::from_static;
    CorsLayer::new()
        .allow_origin(origin)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers([
            AUTHORIZATION,
            CONTENT_TYPE,
            header("x-service-api-key"),
            header("x-channel-auth-token"),
            header("x-sandbox-fault"),
        ])
        .expose_headers([header("x-sandbox-assumed"), RETRY_AFTER])
        .max_age(Duration::from_secs(600))
}

/// A route for each operation and form of its path (D32, D65).
fn operations() -> Router<Arc<Shared>> {
    let mut routes: BTreeMap<String, MethodRouter<Arc<Shared>>> = BTreeMap::new();
    let aliases = ALIASES.iter().copied();
    let own = OperationId::ALL.iter().map(|operation| (*operation, operation.meta().path));
    let mut seen = Vec::new();
    for (operation, path) in own.chain(aliases) {
        let (verb, plain) = (operation.meta().method, path.strip_suffix(".json").unwrap_or(path));
        // Failover shares method and path with a plain message; its body distinguishes them.
        if seen.contains(&(verb, plain)) {
            continue;
        }
        seen.push((verb, plain));
        for (path, xml) in forms(operation, plain) {
            let methods = routes.remove(&path).unwrap_or_default();
            routes.insert(path, methods.merge(method(operation, xml)));
        }
    }
    routes.into_iter().fold(Router::new(), |router, (path, methods)| router.route(&path, methods))
}

/// The forms of a path: as it is; in the families `otp`, `sms` and `lookup` also with `.json`; for `sms.send` also with `.xml`.
fn forms(operation: OperationId, path: &str) -> Vec<(String, bool)> {
    let mut forms = vec![(path.to_owned(), false)];
    // A parameter at the end of a path also matches the suffix; `strip_suffix` removes it.
    if has_suffixes(operation.meta().family) && !path.ends_with('}') {
        forms.push((format!("{path}.json"), false));
    }
    if operation == OperationId::SmsSend {
        forms.push((format!("{path}.xml"), true));
    }
    forms
}

fn has_suffixes(family: Family) -> bool {
    matches!(family, Family::Otp | Family::Sms | Family::Lookup)
}

fn method(operation: OperationId, xml: bool) -> MethodRouter<Arc<Shared>> {
    let filter = match operation.meta().method {
        Verb::Get => MethodFilter::GET,
        Verb::Post => MethodFilter::POST,
        Verb::Put => MethodFilter::PUT,
        Verb::Delete => MethodFilter::DELETE,
        _ => MethodFilter::PATCH,
    };
    type Params = Result<RawPathParams, RawPathParamsRejection>;
    on(filter, move |State(shared): State<Arc<Shared>>, params: Params, request: Request| async move {
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        // A path with a parameter that is not UTF-8 counts as one without parameters.
        let params = params.iter().flatten().map(owned).collect();
        let family = Some(operation.meta().family);
        let mut route = Route { family, operation: Some(operation), params, xml, ..Route::default() };
        if has_suffixes(operation.meta().family) {
            strip_suffix(&mut route);
        }
        handle(shared, route, request).await
    })
}

/// Removes `.json` from the last parameter; no operation has a parameter that ends in `.xml` (D65).
fn strip_suffix(route: &mut Route) {
    let Some((_, last)) = route.params.last_mut() else { return };
    if last.ends_with(".xml") {
        route.operation = None;
    } else if let Some(length) = last.strip_suffix(".json").map(str::len) {
        last.truncate(length);
    }
}

/// Handles a path without an operation.
async fn unknown_path(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let route = Route { family: family(request.uri().path()), ..Route::default() };
    handle(shared, route, request).await
}

/// Handles a path whose operations have other methods; axum adds `Allow`.
async fn other_method(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let route = Route { family: family(request.uri().path()), other_method: true, ..Route::default() };
    handle(shared, route, request).await
}

/// The family of an unknown path, for the form of its error.
fn family(path: &str) -> Option<Family> {
    let path = path
        .strip_prefix("/region/")
        .and_then(|rest| rest.find('/').and_then(|at| rest.get(at..)))
        .unwrap_or(path);
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
