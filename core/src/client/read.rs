use super::road::Passed;
use super::{Client, verdict};
use crate::error::Error;
use crate::http::{HttpRequest, HttpResponse};
use crate::operations::OperationId;

impl Client {
    /// Reads an answer that was fetched by other means: verdict and result, as for a call of our own.
    ///
    /// # Errors
    /// Every outcome but accepted.
    pub fn read_answer(&self, operation: OperationId, response: HttpResponse) -> Result<String, Error> {
        let meta = operation.meta();
        let request = HttpRequest {
            operation: meta.id,
            family: meta.family,
            method: meta.method,
            url: String::new(),
            alternates: Vec::new(),
            headers: Vec::new(),
            body: None,
        };
        if let Some(error) = verdict::refusal(&request, &response) {
            return Err(error);
        }
        let passed = Passed { response, warnings: Vec::new(), attempts: 1 };
        operation
            .parse_json(self.wire(), &passed.response)
            .map_err(|_| verdict::unreadable(meta.id, meta.family, &passed))
    }
}
