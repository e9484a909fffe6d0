//! A setting whose value is JSON.

use std::borrow::Cow;
use std::fmt::{self, Display};

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor,
};
use zeroize::Zeroizing;

use crate::json::type_names;
use crate::secret::Secret;

/// The text of an array or an object, or a string with such a text. It is read from any format, and from content that serde buffers
/// (`flatten`, untagged enums). Members stay in their order, also those that occur twice.
pub(super) struct JsonText(Secret);

impl JsonText {
    pub(super) fn into_secret(self) -> Secret {
        self.0
    }
}

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Outermost).map(Self)
    }
}

struct Outermost;

impl<'de> Visitor<'de> for Outermost {
    type Value = Secret;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(type_names::STRING)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Secret, E> {
        Ok(Secret::new(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<Secret, A::Error> {
        let mut out = Zeroizing::new(String::new());
        Written(&mut out).visit_seq(elements)?;
        Ok(Secret::new(out.as_str()))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Secret, A::Error> {
        let mut out = Zeroizing::new(String::new());
        Written(&mut out).visit_map(members)?;
        Ok(Secret::new(out.as_str()))
    }

    // The value is not quoted, because it may be a part of a secret.
    fn visit_i64<E: Error>(self, _: i64) -> Result<Secret, E> {
        Err(E::invalid_type(Unexpected::Signed(0), &self))
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Secret, E> {
        Err(E::invalid_type(Unexpected::Signed(0), &self))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Secret, E> {
        Err(E::invalid_type(Unexpected::Signed(0), &self))
    }
}

/// Writes a value as JSON to the end of a text.
struct Written<'a>(&'a mut String);

impl Written<'_> {
    fn push<E: Error>(self, text: &impl Display) -> Result<(), E> {
        fmt::Write::write_fmt(self.0, format_args!("{text}")).map_err(E::custom)
    }
}

impl<'de> DeserializeSeed<'de> for Written<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Written<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value of JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.push(&"null")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.push(&value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.push(&value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.push(&value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.push(&serde_json::Value::from(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        let quoted = Zeroizing::new(serde_json::to_string(text).map_err(E::custom)?);
        self.push(&quoted.as_str())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        let out = self.0;
        out.push('[');
        let begin = out.len();
        loop {
            let end = out.len();
            if end > begin {
                out.push(',');
            }
            if elements.next_element_seed(Written(out))?.is_none() {
                out.truncate(end);
                break;
            }
        }
        out.push(']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let out = self.0;
        out.push('{');
        let begin = out.len();
        while let Some(name) = members.next_key::<Cow<'_, str>>()? {
            if out.len() > begin {
                out.push(',');
            }
            Written(out).visit_str::<A::Error>(&name)?;
            out.push(':');
            members.next_value_seed(Written(out))?;
        }
        out.push('}');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use crate::config::Config;

    const LIST: &str =
        r#"[{"kid":"k1","secret":"\"quoted\" and long enough, 32 bytes","not_after":1.5,"x":[]}]"#;

    fn keys(json: &str) -> String {
        let config: Config = serde_json::from_str(json).unwrap();
        config.callback_keys.unwrap().expose().to_owned()
    }

    #[test]
    fn a_list_an_object_and_a_string_are_read_as_they_are_written() {
        assert_eq!(keys(&format!(r#"{{"callback_keys":{LIST}}}"#)), LIST);
        let object =
            format!(r#"{{"keys":{LIST},"keys":null,"expiring_only":true,"longest_lifetime":-3600}}"#);
        assert_eq!(keys(&format!(r#"{{"callback_keys": {object}}}"#)), object);
        let text = serde_json::to_string(LIST).unwrap();
        assert_eq!(keys(&format!(r#"{{"callback_keys":{text}}}"#)), LIST);
        for other in ["4711", "4.5", "true"] {
            let error =
                serde_json::from_str::<Config>(&format!(r#"{{"callback_keys":{other}}}"#)).unwrap_err();
            assert!(!error.to_string().contains('4'), "{error}");
        }
    }

    /// `flatten` makes serde buffer the content.
    #[test]
    fn content_that_serde_buffers_is_read_too() {
        #[derive(Deserialize)]
        struct Program {
            name: String,
            #[serde(flatten)]
            cpaas: Config,
        }
        let text = serde_json::to_string(LIST).unwrap();
        for given in [LIST, &text] {
            let json = format!(r#"{{"name":"shop","callback_keys":{given}}}"#);
            let program: Program = serde_json::from_str(&json).unwrap();
            assert_eq!(program.name, "shop");
            assert_eq!(program.cpaas.callback_keys.unwrap().expose(), LIST);
        }
    }
}
