//! JSON as text, of whatever serde can serialize.

use crate::digits::Digits as _;
use std::fmt;

use serde::ser::{self, Serialize, Serializer};

/// The value as JSON, without spaces.
pub(crate) fn to_string<T: Serialize + ?Sized>(value: &T) -> String {
    let mut writer = Writer(String::new(), false);
    match value.serialize(&mut writer) {
        Ok(()) => writer.0,
    }
}

/// The name of a new type around a text that is written without quotation marks: digits.
pub(super) const RAW: &str = "$raw";

/// What was written, and whether texts are digits, without quotation marks.
struct Writer(String, bool);

/// Nothing that is written can fail.
#[derive(Debug)]
enum Never {}

impl fmt::Display for Never {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl std::error::Error for Never {}

impl ser::Error for Never {
    // The implementations of this library fail only where the serializer does.
    fn custom<T: fmt::Display>(_: T) -> Self {
        std::process::abort()
    }
}

type Done = Result<(), Never>;

impl Writer {
    /// What stands between two values: a value ends in none of the marks that open something.
    #[inline(never)]
    fn next(&mut self) {
        if !matches!(self.0.as_bytes().last(), Some(b'[' | b'{' | b':')) {
            self.0.push(',');
        }
    }

    #[inline(never)]
    fn key(&mut self, name: &str) {
        self.next();
        self.text(name);
        self.0.push(':');
    }

    #[inline(never)]
    fn text(&mut self, text: &str) {
        if self.1 {
            self.0.push_str(text);
            return;
        }
        self.0.push('"');
        let mut rest = text;
        loop {
            let plain =
                rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1F)).unwrap_or(rest.len());
            let (plain, marked) = rest.split_at_checked(plain).unwrap_or((rest, ""));
            self.0.push_str(plain);
            let Some(&byte) = marked.as_bytes().first() else { break };
            rest = marked.get(1..).unwrap_or_default();
            let short = match byte {
                8 => 'b',
                0xC => 'f',
                b'\n' => 'n',
                b'\r' => 'r',
                b'\t' => 't',
                0..=0x1F => {
                    self.0.push_str(if byte < 0x10 { "\\u000" } else { "\\u001" });
                    self.0.extend(char::from_digit(u32::from(byte) & 15, 16));
                    continue;
                }
                itself => itself.into(),
            };
            self.0.push('\\');
            self.0.push(short);
        }
        self.0.push('"');
    }

    #[inline(never)]
    fn open(&mut self, mark: char) -> &mut Self {
        self.0.push(mark);
        self
    }

    #[inline(never)]
    fn raw(&mut self, text: &str) -> Done {
        self.0.push_str(text);
        Ok(())
    }
}

macro_rules! numbers {
    ($($name:ident: $type:ty),*) => { $( fn $name(self, value: $type) -> Done {
        self.raw(&value.digits())
    } )* };
}

impl Serializer for &mut Writer {
    type Ok = ();
    type Error = Never;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    numbers!(serialize_i64: i64, serialize_u64: u64);

    fn serialize_i8(self, value: i8) -> Done {
        self.serialize_i64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Done {
        self.serialize_i64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Done {
        self.serialize_i64(value.into())
    }

    fn serialize_u8(self, value: u8) -> Done {
        self.serialize_i64(value.into())
    }

    fn serialize_u16(self, value: u16) -> Done {
        self.serialize_i64(value.into())
    }

    fn serialize_u32(self, value: u32) -> Done {
        self.serialize_i64(value.into())
    }

    fn serialize_bool(self, value: bool) -> Done {
        self.raw(if value { "true" } else { "false" })
    }

    fn serialize_f32(self, value: f32) -> Done {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Done {
        self.raw(&format!("{value:?}"))
    }

    fn serialize_char(self, value: char) -> Done {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Done {
        self.text(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Done {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Done {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        self.raw("null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Done {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Done {
        self.1 = name == RAW;
        value.serialize(&mut *self)?;
        self.1 = false;
        Ok(())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Done {
        self.open('{').key(variant);
        value.serialize(&mut *self)?;
        self.raw("}")
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Never> {
        Ok(self.open('['))
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Never> {
        Ok(self.open('['))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Never> {
        Ok(self.open('['))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self, Never> {
        self.open('{').key(variant);
        Ok(self.open('['))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Never> {
        Ok(self.open('{'))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Never> {
        Ok(self.open('{'))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self, Never> {
        self.open('{').key(variant);
        Ok(self.open('{'))
    }
}

macro_rules! lists {
    ($($kind:ident $add:ident $end:literal),*) => { $( impl ser::$kind for &mut Writer {
        type Ok = ();
        type Error = Never;

        fn $add<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
            self.next();
            value.serialize(&mut **self)
        }

        fn end(self) -> Done {
            self.raw($end)
        }
    } )* };
}

lists!(
    SerializeSeq serialize_element "]",
    SerializeTuple serialize_element "]",
    SerializeTupleStruct serialize_field "]",
    SerializeTupleVariant serialize_field "]}"
);

macro_rules! structs {
    ($($kind:ident $end:literal),*) => { $( impl ser::$kind for &mut Writer {
        type Ok = ();
        type Error = Never;

        fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Done {
            self.key(name);
            value.serialize(&mut **self)
        }

        fn end(self) -> Done {
            self.raw($end)
        }
    } )* };
}

structs!(SerializeStruct "}", SerializeStructVariant "}}");

impl ser::SerializeMap for &mut Writer {
    type Ok = ();
    type Error = Never;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Done {
        self.next();
        name.serialize(&mut **self)?;
        self.raw(":")
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        value.serialize(&mut **self)
    }

    fn end(self) -> Done {
        self.raw("}")
    }
}
