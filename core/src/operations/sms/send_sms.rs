//! Sends one SMS (B1, B2).

use crate::{
    error::Error,
    http::{HttpRequest, HttpResponse},
    operation::ResponseDecodeError,
    request::{RequestContext, encoding},
    response::{response_reader, xml},
};
use crate::{
    model::model,
    operation::{
        Family, Method, Operation, Recipients, ResponseExpectation, RetrySafety, SuccessMarker, Unconfirmed,
    },
    problem::{Pointer, Problems, Validate},
    rules::{sms, unknown_members},
};

use super::sms_rules;

model! {
    /// Sends one SMS (B1).
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::sms::SendSms;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// let sms = SendSms::new("Acme", "306912345678", "Your table is ready").reference("booking-7");
    /// let sent = client.call(sms).await?;
    /// println!("{}", sent.id);
    /// # assert_eq!(sent.response_code, 0);
    /// # Ok(())
    /// # }
    /// ```
    pub struct SendSms {
        required {
            /// The sender: a name of at most 11 characters, or a number.
            from: String = "from" where NotEmpty,
            /// The recipient: international number, digits without plus sign.
            to: String = "to" where Phone & NotEmpty,
            /// The message text.
            text: String = "text" where NotEmpty,
        }
        optional {
            /// Whether this is a test, which sends nothing to a handset; `to` must still be a real number.
            test: bool = "test",
            /// `auto` detects the encoding and is the recommended value.
            kind: String = "type" where Shown,
            /// Any reference, which callbacks return.
            reference: String = "reference",
            /// The URL that receives the delivery reports of this message.
            callback: String = "callback" where Url,
        }
    }
}

model! {
    /// The response to an SMS (B2).
    pub struct Sent {
        verdict {
            /// 0 on success.
            response_code: i64 = "responseCode",
        }
        required {
            /// The id of the message: one for each call, also if the text has several parts.
            id: String = "id" where Shown,
        }
        documented {
            /// The time of acceptance: ISO 8601, UTC.
            timestamp: String = "timestamp" where Shown & Moment,
        }
        optional {
            /// The recipient, in some responses.
            to: String = "to",
            /// The length of the text in characters (B2).
            text_length: i64 = "textLength",
            /// The provider's message.
            response_text: String = "responseText",
            /// Whether the request was a test; present only for a test.
            test: bool = "test",
        }
    }
}

impl Operation for SendSms {
    const ID: &'static str = "sms.send";
    const FAMILY: Family = Family::Sms;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/sms";
    const SAFETY: RetrySafety = RetrySafety::Send;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::ResponseCode;
    const SECTION: &'static str = "B1";
    const SMS_TEXT: Option<&'static str> = Some("/text");
    const REFERENCE: Option<fn(&Self) -> Option<&str>> = Some(|sms| sms.reference.as_deref());
    type Output = Sent;

    #[cfg(feature = "callback")]
    fn sign(&mut self, context: &RequestContext) -> Result<(), Error> {
        context.sign_callback(Self::ID, &mut self.callback, self.reference.as_deref())
    }

    fn encode_request(&self, context: &RequestContext) -> Result<HttpRequest, Error> {
        let path = if context.names.sms_xml { "/sms.xml" } else { Self::PATH };
        context.encode_head(&Self::META, self, encoding::head(&Self::META, self, path)?)
    }

    /// Reads JSON and XML: the response of `/sms.xml` has the same members.
    fn parse(
        _context: &RequestContext,
        response: &HttpResponse,
        warnings: &mut Problems,
    ) -> Result<Sent, ResponseDecodeError> {
        match xml::members(&response.body) {
            // An HTML page is not a response of this operation.
            Some(members) if !members.contains_key("id") && !members.contains_key("responseCode") => {
                Err(ResponseDecodeError)
            }
            Some(members) => response_reader::from_value(serde_json::Value::Object(members), warnings),
            None => response_reader::read(&response.body, warnings),
        }
    }

    fn expected(&self) -> ResponseExpectation {
        let recipients = Recipients::new([self.to.as_str()]);
        ResponseExpectation { test: self.test == Some(true), recipients, ..ResponseExpectation::default() }
    }

    fn confirm(sent: &mut Sent, expected: &ResponseExpectation, _: &mut Problems) -> Result<(), Unconfirmed> {
        if !expected.recipients.include(sent.to.as_deref()) {
            return Err(Unconfirmed::Mismatch);
        }
        if sent.id.is_empty() { Err(Unconfirmed::IdMissing) } else { Ok(()) }
    }

    fn ids(sent: &Sent) -> Vec<&str> {
        vec![sent.id.as_str()]
    }
}

impl Validate for SendSms {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        sms::check_from_and_text(&self.from, &self.text, at, problems);
        sms_rules::recipient(&self.to, at, problems);
        sms_rules::check_type_and_callback(self.kind.as_deref(), self.callback.as_deref(), at, problems);
        unknown_members::unknown(self, at, problems);
    }
}
