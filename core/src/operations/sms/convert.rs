use crate::{
    answer, error::Error, http::HttpRequest, http::HttpResponse, operation::ResponseDecodeError,
    wire::RequestContext,
};
use crate::{
    macros::model,
    operation::{Evidence, Family, Method, Operation, RetrySafety, Validate},
    problem::{Pointer, Problems, codes},
    rules::members,
};

model! {
    /// Reports that a message led to a conversion (B5). The account manager must have enabled it.
    pub struct Convert {
        required {
            /// The id of the message.
            message_id: String = "messageId",
        }
    }
}

model! {
    /// The answer to a conversion (B5). The specification shows none: these are the members of the other
    /// answers of the family, and everything else is in `extra`.
    pub struct Converted {
        optional {
            /// 0 on success.
            response_code: i64 = "responseCode",
            /// What the provider says.
            response_text: String = "responseText",
        }
    }
}

impl Operation for Convert {
    const ID: &'static str = "sms.convert";
    const FAMILY: Family = Family::Sms;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/sms/converted.json";
    const SAFETY: RetrySafety = RetrySafety::Send;
    const EVIDENCE: Evidence = Evidence::Nothing;
    const SECTION: &'static str = "B5";
    type Output = Converted;

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        wire.request::<Self>(Self::PATH)?.json(self)
    }

    fn parse(
        _wire: &RequestContext,
        response: &HttpResponse,
        warnings: &mut Problems,
    ) -> Result<Self::Output, ResponseDecodeError> {
        answer::read_or_default(&response.body, warnings)
    }
}

impl Validate for Convert {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        if self.message_id.trim().is_empty() {
            problems.add_key(&codes::SMS_MESSAGE_ID_REQUIRED, at, "messageId");
        }
        members::unknown(self, at, problems);
    }
}
