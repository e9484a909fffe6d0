//! Hides keys, passcodes and tokens in the error of a call, because a response can quote its request.

use crate::error::Error;
use crate::operation::ResponseExpectation;
use crate::request::RequestContext;

/// A shorter text occurs in ordinary messages.
const MIN_LENGTH: usize = 4;

/// Hides the keys of the client and the secret of the request in the texts of an error that come from a response. The id of the
/// request itself remains.
pub(crate) fn hide(error: &mut Error, context: &RequestContext, expected: &ResponseExpectation) {
    let record = error.record_mut();
    let request_id = record.request_id.as_mut().map(|id| &mut id.0);
    let request_id = request_id.filter(|id| Some(&**id) != expected.id.as_ref());
    for text in record.provider_message.iter_mut().chain(request_id).chain(&mut record.evidence) {
        for secret in context.credentials.keys().chain([expected.secret.expose()]) {
            if secret.len() >= MIN_LENGTH && text.contains(secret) {
                *text = text.replace(secret, "[secret]");
            }
        }
    }
}
