//! Parses any bytes in any mode. Entities must begin and end at characters, escaped text must parse to itself, and a fix must
//! remove its error. The first byte chooses the mode.
#![no_main]

use cpaas::markup::{Entity, Mode, escape, fix, parse, parse_bytes};
use libfuzzer_sys::fuzz_target;

fn check(text: &str, entities: &[Entity]) {
    let mut boundaries = vec![0];
    boundaries.extend(text.chars().scan(0, |at, c| {
        *at += c.len_utf16() as u32;
        Some(*at)
    }));
    for entity in entities {
        assert!(entity.length > 0);
        assert!(boundaries.binary_search(&entity.offset).is_ok());
        assert!(boundaries.binary_search(&entity.end()).is_ok());
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, bytes)) = bytes.split_first() else { return };
    let mode = Mode::ALL[usize::from(first) % Mode::ALL.len()];
    let result = parse_bytes(bytes, mode);
    let Ok(text) = std::str::from_utf8(bytes) else {
        assert!(result.is_err());
        return;
    };
    match result {
        Ok(parsed) => {
            check(&parsed.text, &parsed.entities);
            check(&parsed.sent.text, &parsed.sent.entities);
        }
        Err(error) => {
            assert!(text.is_char_boundary(error.byte_offset));
            if let Some(edit) = fix(text, mode, &error) {
                let mut fixed = text.to_owned();
                fixed.replace_range(edit.start..edit.end, &edit.insert);
                assert_ne!(parse(&fixed, mode).err(), Some(error));
            }
        }
    }
    let parsed = parse(&escape(text, mode), mode).expect("escaped text parses");
    assert_eq!(parsed.text, text);
    assert!(parsed.entities.is_empty());
});
