//! Reports conversions of messages (B5).

use crate::{
    http::HttpResponse, operation::ResponseDecodeError, request::RequestContext, response::response_reader,
};
use crate::{
    model::model,
    operation::{Family, Method, Operation, RetrySafety, SuccessMarker},
    problem::{Pointer, Problems, Validate, codes},
    rules::unknown_members,
};

model! {
    /// Reports that a message led to a conversion (B5). The provider must have enabled this for the account.
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::sms::ConvertSms;
    /// # use cpaas::sms::SendSms;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().set("conversion", "")?.start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// # let sent = client.call(SendSms::new("Acme", "306912345678", "Your table is ready")).await?;
    /// // `sent` is the response to the SMS.
    /// client.call(ConvertSms::new(sent.id.clone())).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub struct ConvertSms {
        required {
            /// The id of the message.
            message_id: String = "messageId" where Shown & NotBlank,
        }
    }
}

model! {
    /// The response to a conversion (B5), which is undocumented. These members are those of the family's other responses; all
    /// other members are kept.
    pub struct Converted {
        optional {
            /// 0 on success.
            response_code: i64 = "responseCode",
            /// The provider's message.
            response_text: String = "responseText",
        }
    }
}

impl Operation for ConvertSms {
    const ID: &'static str = "sms.convert";
    const FAMILY: Family = Family::Sms;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/sms/converted.json";
    const SAFETY: RetrySafety = RetrySafety::Send;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Nothing;
    const SECTION: &'static str = "B5";
    type Output = Converted;

    fn parse(
        _context: &RequestContext,
        response: &HttpResponse,
        warnings: &mut Problems,
    ) -> Result<Self::Output, ResponseDecodeError> {
        response_reader::read_or_default(&response.body, warnings)
    }
}

impl Validate for ConvertSms {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        if self.message_id.trim().is_empty() {
            problems.add_key(&codes::SMS_MESSAGE_ID_REQUIRED, at, "messageId");
        }
        unknown_members::unknown(self, at, problems);
    }
}
