//! Sends one text to several numbers (B3).

use crate::{
    model::model,
    operation::{
        Family, Method, Operation, Recipients, ResponseExpectation, RetrySafety, SuccessMarker, Unconfirmed,
    },
    problem::{Pointer, Problems, Validate},
    rules::{sms, unknown_members},
};

use super::sms_rules;
use crate::operations::bulk_elements::{self, Element, ElementOutcome};

model! {
    /// Sends one text to several numbers (B3). A number listed twice receives a message for each occurrence.
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::sms::SendBulkSms;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// let numbers = ["306912345678", "306912345679"];
    /// let sent = client.call(SendBulkSms::to_each("Acme", numbers, "We open at nine")).await?;
    /// for message in &sent.messages {
    ///     println!("{:?}: {:?}", message.to, message.id);
    /// }
    /// # assert_eq!(sent.accepted, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub struct SendBulkSms {
        required {
            /// The sender: a name or a number.
            from: String = "from" where NotEmpty,
            /// The recipients: international numbers without plus sign, separated by commas.
            to: String = "to" as comma_list where Phone & NotEmpty,
            /// The message text.
            text: String = "text" where NotEmpty,
        }
        optional {
            /// Whether this is a test, which sends nothing to a handset; the numbers must still be real.
            test: bool = "test",
            /// `auto` detects the encoding and is the recommended value.
            kind: String = "type" where Shown,
            /// Any reference, which callbacks return.
            reference: String = "reference",
            /// The URL that receives the delivery reports of these messages.
            callback: String = "callback" where Url,
        }
    }
}

impl SendBulkSms {
    /// Creates a message to each of these numbers, in this order.
    #[must_use]
    pub fn to_each<T: AsRef<str>>(
        from: impl Into<String>,
        to: impl IntoIterator<Item = T>,
        text: impl Into<String>,
    ) -> Self {
        let mut list = String::new();
        for number in to {
            if !list.is_empty() {
                list.push(',');
            }
            list.push_str(number.as_ref());
        }
        Self::new(from, list, text)
    }
}

model! {
    /// The response to a bulk SMS (B3).
    pub struct BulkSent {
        verdict {
            /// 0 on success.
            response_code: i64 = "responseCode",
            /// One element for each number, in the order of the request.
            messages: Vec<BulkSms> = "messages",
        }
        optional {
            /// The provider's message.
            response_text: String = "responseText",
        }
        derived {
            /// The number of elements with an id.
            accepted: i64 = "accepted",
            /// The number of elements that are rejections.
            rejected: i64 = "rejected",
            /// The number of requested elements without an id that are not rejections.
            missing: i64 = "missing",
        }
    }
}

model! {
    /// One message of a bulk SMS (B3).
    pub struct BulkSms {
        documented {
            /// The id of the message.
            id: String = "id" where Shown,
        }
        optional {
            /// The time of acceptance: ISO 8601, UTC.
            timestamp: String = "timestamp" where Shown & Moment,
            /// The recipient.
            to: String = "to",
            /// The length of the text in characters (B2).
            text_length: i64 = "textLength",
        }
        derived {
            /// The outcome of this element.
            outcome: ElementOutcome = "outcome",
        }
    }
}

impl Element for BulkSms {
    /// The same member as in a rejection of the whole request.
    const REJECTION: &'static str = "responseCode";
    const IS_FAILURE: fn(i64) -> bool = |code| code != 0;

    fn recipient(&self) -> Option<&str> {
        self.to.as_deref()
    }

    fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    fn member(&self, name: &str) -> Option<&crate::value::Value> {
        self.extra.get(name)
    }

    fn set_outcome(&mut self, outcome: ElementOutcome) {
        self.outcome = outcome;
    }
}

impl Operation for SendBulkSms {
    const ID: &'static str = "sms.send_bulk";
    const FAMILY: Family = Family::Sms;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/smsbulk";
    const SAFETY: RetrySafety = RetrySafety::Send;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::ResponseCode;
    const SECTION: &'static str = "B3";
    const SMS_TEXT: Option<&'static str> = Some("/text");
    const REFERENCE: Option<fn(&Self) -> Option<&str>> = Some(|sms| sms.reference.as_deref());
    type Output = BulkSent;

    #[cfg(feature = "callback")]
    fn sign(&mut self, context: &crate::request::RequestContext) -> Result<(), crate::error::Error> {
        context.sign_callback(Self::ID, &mut self.callback, self.reference.as_deref())
    }

    fn expected(&self) -> ResponseExpectation {
        let test = self.test == Some(true);
        let recipients = Recipients::new(self.to.split(','));
        ResponseExpectation {
            elements: Some(self.to.split(',').count()),
            recipients,
            test,
            ..ResponseExpectation::default()
        }
    }

    fn confirm(
        sent: &mut BulkSent,
        expected: &ResponseExpectation,
        warnings: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        let (counts, result) = bulk_elements::confirm(&mut sent.messages, expected, warnings);
        (sent.accepted, sent.rejected, sent.missing) = (counts.accepted, counts.rejected, counts.missing);
        result
    }

    fn ids(sent: &BulkSent) -> Vec<&str> {
        sent.messages.iter().filter_map(|message| message.id.as_deref()).collect()
    }
}

impl Validate for SendBulkSms {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        sms::check_from_and_text(&self.from, &self.text, at, problems);
        sms_rules::recipients(&self.to, at, problems);
        sms_rules::check_type_and_callback(self.kind.as_deref(), self.callback.as_deref(), at, problems);
        unknown_members::unknown(self, at, problems);
    }
}
