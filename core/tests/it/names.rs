//! The enums with names: each name is read back, and an unknown one is an error that lists the names and not the text.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use cpaas::error::{Outcome, Processed, Reason, SentState};
use cpaas::http::Family;
use cpaas::problem::Severity;
use cpaas::value::UnknownName;
use cpaas::{OperationId, UnknownOperation};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn names_are_read_back<T>(all: &[T], first: &str)
where
    T: Copy + Debug + Display + Ord + FromStr<Err = UnknownName> + Serialize + DeserializeOwned,
{
    assert_eq!(all[0].to_string(), first);
    for value in all {
        let name = value.to_string();
        assert_eq!(name.parse::<T>().as_ref(), Ok(value));
        let json = serde_json::to_string(value).unwrap();
        assert_eq!(json, format!("\"{name}\""));
        assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value);
    }
    let message = "SECRET".parse::<T>().unwrap_err().to_string();
    assert!(message.starts_with(&format!("unknown name; the names are {first}")), "{message}");
    assert!(!message.contains("SECRET"));
}

#[test]
fn enums_with_names() {
    names_are_read_back(Outcome::ALL, "invalid");
    names_are_read_back(SentState::ALL, "no");
    names_are_read_back(Processed::ALL, "no");
    names_are_read_back(Reason::ALL, "validation");
    names_are_read_back(Severity::ALL, "error");
    names_are_read_back(Family::ALL, "otp");
    assert_eq!((Outcome::ALL.len(), Reason::NAMES.len()), (5, 17));
}

#[test]
fn operations() {
    for operation in OperationId::ALL {
        assert_eq!(operation.to_string().parse(), Ok(*operation));
    }
    let unknown: Result<OperationId, UnknownOperation> = "sms.sent".parse();
    assert_eq!(unknown.unwrap_err().suggestion, Some("sms.send"));
    assert_eq!(format!("{:>10}|{:<10}|", Outcome::Invalid, OperationId::SmsSend), "   invalid|sms.send  |");
}
