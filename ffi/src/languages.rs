//! The languages of `cpaas_segment_options`, one bit each.
#![expect(dead_code, reason = "C callers combine them; the library reads the bits")]

/// Language: Turkish (`tr`).
pub const CPAAS_LANGUAGE_TR: u32 = 1 << 1;
/// Language: Spanish (`es`).
pub const CPAAS_LANGUAGE_ES: u32 = 1 << 2;
/// Language: Portuguese (`pt`).
pub const CPAAS_LANGUAGE_PT: u32 = 1 << 3;
/// Language: Bengali (`bn`).
pub const CPAAS_LANGUAGE_BN: u32 = 1 << 4;
/// Language: Gujarati (`gu`).
pub const CPAAS_LANGUAGE_GU: u32 = 1 << 5;
/// Language: Hindi (`hi`).
pub const CPAAS_LANGUAGE_HI: u32 = 1 << 6;
/// Language: Kannada (`kn`).
pub const CPAAS_LANGUAGE_KN: u32 = 1 << 7;
/// Language: Malayalam (`ml`).
pub const CPAAS_LANGUAGE_ML: u32 = 1 << 8;
/// Language: Oriya (`or`).
pub const CPAAS_LANGUAGE_OR: u32 = 1 << 9;
/// Language: Punjabi (`pa`).
pub const CPAAS_LANGUAGE_PA: u32 = 1 << 10;
/// Language: Tamil (`ta`).
pub const CPAAS_LANGUAGE_TA: u32 = 1 << 11;
/// Language: Telugu (`te`).
pub const CPAAS_LANGUAGE_TE: u32 = 1 << 12;
/// Language: Urdu (`ur`).
pub const CPAAS_LANGUAGE_UR: u32 = 1 << 13;
/// Language: all of them.
pub const CPAAS_LANGUAGE_AUTO: u32 = 0x3FFE;
