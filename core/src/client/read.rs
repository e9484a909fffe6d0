use super::Client;
use super::readers::Text;
use super::road::Reader;
use super::verdict::{Read, Subject};
use crate::error::Error;
use crate::http::HttpResponse;
use crate::operation::Expected;
use crate::operations::OperationId;

impl Client {
    /// Reads an answer that was fetched by other means: verdict and result, as for a call of our own.
    ///
    /// # Errors
    /// Every outcome but accepted.
    pub fn read_answer(&self, operation: OperationId, response: HttpResponse) -> Result<String, Error> {
        let subject = Subject::of(operation.meta(), self.limits.strict_refusals);
        let mut reader = Text(operation, None);
        let read = subject.judge(&response, Read::Whole).and_then(|()| {
            let read = reader.read(&self.wire, &response, &Expected::default());
            read.map(drop).map_err(|doubt| subject.doubted(doubt, &response))
        });
        read.map_err(|failed| failed.error.with_attempts(1)).map(|()| reader.1.unwrap_or_default())
    }
}
