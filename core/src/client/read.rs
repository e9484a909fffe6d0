use super::Client;
use super::readers::Text;
use super::road::Reader;
use super::verdict::Subject;
use crate::error::Error;
use crate::http::HttpResponse;
use crate::operations::OperationId;

impl Client {
    /// Reads an answer that was fetched by other means: verdict and result, as for a call of our own.
    ///
    /// # Errors
    /// Every outcome but accepted.
    pub fn read_answer(&self, operation: OperationId, response: HttpResponse) -> Result<String, Error> {
        let mut reader = Text(operation, None);
        let read = reader.read(&self.wire, &response);
        let judged = Subject::of(operation.meta()).judge(&response, read);
        judged.map_err(|failed| failed.error.with_attempts(1)).map(|()| reader.1.unwrap_or_default())
    }
}
