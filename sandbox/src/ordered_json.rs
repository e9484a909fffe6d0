//! A JSON object that keeps the order of its members; strings are borrowed where possible.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Number, Value};

/// A member's value; arrays and objects are `serde_json` values.
#[derive(Debug, Clone)]
pub(crate) enum Item<'a> {
    Null,
    Bool(bool),
    Number(Number),
    Text(Cow<'a, str>),
    Deep(Value),
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Object<'a> {
    members: Vec<(Cow<'a, str>, Item<'a>)>,
}

impl<'a> Object<'a> {
    /// # Errors
    /// A message with the position of the first error.
    pub(crate) fn parse(body: &'a [u8]) -> Result<Self, String> {
        serde_json::from_slice(body).map_err(|error| {
            if error.is_data() {
                "the body must be a JSON object [sandbox]".to_owned()
            } else {
                format!("not valid JSON at line {}, column {} [sandbox]", error.line(), error.column())
            }
        })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Item<'a>> {
        self.members
            .iter()
            .find(|(key, item)| key == name && !matches!(item, Item::Null))
            .map(|(_, item)| item)
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Item::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Item<'a>)> {
        self.members.iter().map(|(name, item)| (name.as_ref(), item))
    }
}

impl Item<'_> {
    pub(crate) fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Number(value) => Value::Number(value.clone()),
            Self::Text(value) => Value::String(value.as_ref().to_owned()),
            Self::Deep(value) => value.clone(),
        }
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Object<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
        let mut object = Object { members: Vec::with_capacity(8) };
        while let Some(Name(name)) = map.next_key()? {
            let item: Item<'de> = map.next_value()?;
            match object.members.iter_mut().find(|(key, _)| *key == name) {
                Some(earlier) => {
                    earlier.1 = item;
                }
                None => object.members.push((name, item)),
            }
        }
        Ok(object)
    }
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Name<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Item::deserialize(deserializer)? {
            Item::Text(text) => Ok(Self(text)),
            _ => Err(serde::de::Error::custom("member names must be strings")),
        }
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Item<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Item<'de>, E> {
        Ok(Item::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Item<'de>, E> {
        Ok(Item::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Item<'de>, E> {
        Ok(Item::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Item<'de>, E> {
        Ok(Item::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Item<'de>, E> {
        Ok(Number::from_f64(value).map_or(Item::Null, Item::Number))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Item<'de>, E> {
        Ok(Item::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Item<'de>, E> {
        Ok(Item::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, access: A) -> Result<Item<'de>, A::Error> {
        Value::deserialize(serde::de::value::SeqAccessDeserializer::new(access)).map(Item::Deep)
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<Item<'de>, A::Error> {
        Value::deserialize(serde::de::value::MapAccessDeserializer::new(access)).map(Item::Deep)
    }
}

impl<'de> Deserialize<'de> for Item<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_their_order_and_the_last_duplicate_wins() {
        let object = Object::parse(br#"{"b":"x","a":null,"b":"\u20ac","c":{"z":[1]}}"#).unwrap();
        assert_eq!(object.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["b", "a", "c"]);
        assert_eq!(object.text("b"), Some("€"));
        assert!(object.get("a").is_none());
        assert!(Object::parse(br#"{"a":"\ud800"}"#).is_err());
        assert!(Object::parse(b"[]").unwrap_err().contains("object"));
    }
}
