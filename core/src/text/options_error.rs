//! The error of options.

/// Why options were rejected. The message lists the valid values and never quotes input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// The JSON is not an object.
    #[error("the options must be a JSON object")]
    NotAnObject,
    /// An option has an unknown name.
    #[error(
        "unknown option; documented options: referenceBits, split, encoding, languages, transliterate; encode: reference, ports"
    )]
    Unknown,
    /// `referenceBits` is neither 8 nor 16.
    #[error("referenceBits must be 8 or 16")]
    ReferenceBits,
    /// `split` is neither `codePoint` nor `grapheme`.
    #[error("split must be \"codePoint\" or \"grapheme\"")]
    Split,
    /// `encoding` is neither `gsm7` nor `ucs2`.
    #[error("encoding must be \"gsm7\" or \"ucs2\"")]
    Encoding,
    /// `languages` is neither `auto` nor a list of known codes.
    #[error(
        "languages must be \"auto\" or a list of these codes: tr, es, pt, bn, gu, hi, kn, ml, or, pa, ta, te, ur"
    )]
    Languages,
    /// `transliterate` is neither a boolean nor `auto`.
    #[error("transliterate must be true, false or \"auto\"")]
    Transliterate,
    /// `reference` does not fit into 16 bits.
    #[error("reference must be an integer from 0 to 65535")]
    Reference,
    /// `ports` is not an object with two ports.
    #[error("ports must be an object with destination and source, integers from 0 to 65535")]
    Ports,
}
