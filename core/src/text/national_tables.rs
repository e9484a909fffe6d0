//! The national language tables: 3GPP TS 23.038, sections 6.2.1, 6.2.1.1 and annex A (A.2 single shift, A.3 locking shift).
//!
//! A table has 128 characters in the order of the codes, in eight lines of sixteen; a line is one column of the
//! standard's table. NUL marks a code without a character and U+001B the escape. The tables were compared with the
//! standard's release 18 as PyPI `gsmcodecs` publishes it and with release 9 as Android's `GsmAlphabet` publishes it.
//! Where the two differ, the standard is inconsistent, and the tables follow Android: code 2C of the locking tables of
//! A.3.4 to A.3.13 is the comma (the apostrophe is in the single shift tables), code 24 of A.3.7 is U+0CA1 (0CAA is code
//! 3D), and code 65 of A.2.12 is the euro sign.

/// The locking shift tables, by identifier; 0 is the default alphabet. Spanish has none.
pub(super) static LOCKING: [Option<&str>; 14] = [
    Some(DEFAULT_LOCKING),
    Some(TURKISH_LOCKING),
    None,
    Some(PORTUGUESE_LOCKING),
    Some(BENGALI_LOCKING),
    Some(GUJARATI_LOCKING),
    Some(HINDI_LOCKING),
    Some(KANNADA_LOCKING),
    Some(MALAYALAM_LOCKING),
    Some(ORIYA_LOCKING),
    Some(PUNJABI_LOCKING),
    Some(TAMIL_LOCKING),
    Some(TELUGU_LOCKING),
    Some(URDU_LOCKING),
];

/// The single shift tables, by identifier; 0 is the default extension table.
pub(super) static SINGLE: [&str; 14] = [
    DEFAULT_SINGLE,
    TURKISH_SINGLE,
    SPANISH_SINGLE,
    PORTUGUESE_SINGLE,
    BENGALI_SINGLE,
    GUJARATI_SINGLE,
    HINDI_SINGLE,
    KANNADA_SINGLE,
    MALAYALAM_SINGLE,
    ORIYA_SINGLE,
    PUNJABI_SINGLE,
    TAMIL_SINGLE,
    TELUGU_SINGLE,
    URDU_SINGLE,
];

/// The default alphabet, section 6.2.1.
const DEFAULT_LOCKING: &str = "\
    @£$¥èéùìòÇ\nØø\rÅå\
    Δ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ\
    \x20!\"#¤%&'()*+,-./\
    0123456789:;<=>?\
    ¡ABCDEFGHIJKLMNO\
    PQRSTUVWXYZÄÖÑÜ§\
    ¿abcdefghijklmno\
    pqrstuvwxyzäöñüà";

/// The default extension table, section 6.2.1.1.
const DEFAULT_SINGLE: &str = "\
    \0\0\0\0\0\0\0\0\0\0\x0c\0\0\0\0\0\
    \0\0\0\0^\0\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0{}\0\0\0\0\0\\\
    \0\0\0\0\0\0\0\0\0\0\0\0[~]\0\
    |\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0€\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// Turkish, A.3.1.
const TURKISH_LOCKING: &str = "\
    @£$¥€éùıòÇ\nĞğ\rÅå\
    Δ_ΦΓΛΩΠΨΣΘΞ\x1bŞşßÉ\
    \x20!\"#¤%&'()*+,-./\
    0123456789:;<=>?\
    İABCDEFGHIJKLMNO\
    PQRSTUVWXYZÄÖÑÜ§\
    çabcdefghijklmno\
    pqrstuvwxyzäöñüà";

/// Turkish, A.2.1.
const TURKISH_SINGLE: &str = "\
    \0\0\0\0\0\0\0\0\0\0\x0c\0\0\0\0\0\
    \0\0\0\0^\0\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0{}\0\0\0\0\0\\\
    \0\0\0\0\0\0\0\0\0\0\0\0[~]\0\
    |\0\0\0\0\0\0Ğ\0İ\0\0\0\0\0\0\
    \0\0\0Ş\0\0\0\0\0\0\0\0\0\0\0\0\
    \0\0\0ç\0€\0ğ\0ı\0\0\0\0\0\0\
    \0\0\0ş\0\0\0\0\0\0\0\0\0\0\0\0";

/// Spanish, A.2.2.
const SPANISH_SINGLE: &str = "\
    \0\0\0\0\0\0\0\0\0ç\x0c\0\0\0\0\0\
    \0\0\0\0^\0\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0{}\0\0\0\0\0\\\
    \0\0\0\0\0\0\0\0\0\0\0\0[~]\0\
    |Á\0\0\0\0\0\0\0Í\0\0\0\0\0Ó\
    \0\0\0\0\0Ú\0\0\0\0\0\0\0\0\0\0\
    \0á\0\0\0€\0\0\0í\0\0\0\0\0ó\
    \0\0\0\0\0ú\0\0\0\0\0\0\0\0\0\0";

/// Portuguese, A.3.3.
const PORTUGUESE_LOCKING: &str = "\
    @£$¥êéúíóç\nÔô\rÁá\
    Δ_ªÇÀ∞^\\€Ó|\x1bÂâÊÉ\
    \x20!\"#º%&'()*+,-./\
    0123456789:;<=>?\
    ÍABCDEFGHIJKLMNO\
    PQRSTUVWXYZÃÕÚÜ§\
    ~abcdefghijklmno\
    pqrstuvwxyzãõ`üà";

/// Portuguese, A.2.3.
const PORTUGUESE_SINGLE: &str = "\
    \0\0\0\0\0ê\0\0\0ç\x0cÔô\0Áá\
    \0\0ΦΓ^ΩΠΨΣΘ\0\0\0\0\0Ê\
    \0\0\0\0\0\0\0\0{}\0\0\0\0\0\\\
    \0\0\0\0\0\0\0\0\0\0\0\0[~]\0\
    |À\0\0\0\0\0\0\0Í\0\0\0\0\0Ó\
    \0\0\0\0\0Ú\0\0\0\0\0ÃÕ\0\0\0\
    \0Â\0\0\0€\0\0\0í\0\0\0\0\0ó\
    \0\0\0\0\0ú\0\0\0\0\0ãõ\0\0â";

/// Bengali, A.3.4.
const BENGALI_LOCKING: &str = "\
    \u{981}\u{982}\u{983}\u{985}\u{986}\u{987}\u{988}\u{989}\u{98a}\u{98b}\n\u{98c}\0\r\0\u{98f}\
    \u{990}\0\0\u{993}\u{994}\u{995}\u{996}\u{997}\u{998}\u{999}\u{99a}\x1b\u{99b}\u{99c}\u{99d}\u{99e}\
    \x20!\u{99f}\u{9a0}\u{9a1}\u{9a2}\u{9a3}\u{9a4})(\u{9a5}\u{9a6},\u{9a7}.\u{9a8}\
    0123456789:;\0\u{9aa}\u{9ab}?\
    \u{9ac}\u{9ad}\u{9ae}\u{9af}\u{9b0}\0\u{9b2}\0\0\0\u{9b6}\u{9b7}\u{9b8}\u{9b9}\u{9bc}\u{9bd}\
    \u{9be}\u{9bf}\u{9c0}\u{9c1}\u{9c2}\u{9c3}\u{9c4}\0\0\u{9c7}\u{9c8}\0\0\u{9cb}\u{9cc}\u{9cd}\
    \u{9ce}abcdefghijklmno\
    pqrstuvwxyz\u{9d7}\u{9dc}\u{9dd}\u{9f0}\u{9f1}";

/// Bengali, A.2.4.
const BENGALI_SINGLE: &str = "\
    @£$¥¿\"¤%&'\x0c*+\0-/\
    <=>¡^¡_#*\u{9e6}\u{9e7}\0\u{9e8}\u{9e9}\u{9ea}\u{9eb}\
    \u{9ec}\u{9ed}\u{9ee}\u{9ef}\u{9df}\u{9e0}\u{9e1}\u{9e2}{}\u{9e3}\u{9f2}\u{9f3}\u{9f4}\u{9f5}\\\
    \u{9f6}\u{9f7}\u{9f8}\u{9f9}\u{9fa}\0\0\0\0\0\0\0[~]\0\
    |ABCDEFGHIJKLMNO\
    PQRSTUVWXYZ\0\0\0\0\0\
    \0\0\0\0\0€\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// Gujarati, A.3.5.
const GUJARATI_LOCKING: &str = "\
    \u{a81}\u{a82}\u{a83}\u{a85}\u{a86}\u{a87}\u{a88}\u{a89}\u{a8a}\u{a8b}\n\u{a8c}\u{a8d}\r\0\u{a8f}\
    \u{a90}\u{a91}\0\u{a93}\u{a94}\u{a95}\u{a96}\u{a97}\u{a98}\u{a99}\u{a9a}\x1b\u{a9b}\u{a9c}\u{a9d}\u{a9e}\
    \x20!\u{a9f}\u{aa0}\u{aa1}\u{aa2}\u{aa3}\u{aa4})(\u{aa5}\u{aa6},\u{aa7}.\u{aa8}\
    0123456789:;\0\u{aaa}\u{aab}?\
    \u{aac}\u{aad}\u{aae}\u{aaf}\u{ab0}\0\u{ab2}\u{ab3}\0\u{ab5}\u{ab6}\u{ab7}\u{ab8}\u{ab9}\u{abc}\u{abd}\
    \u{abe}\u{abf}\u{ac0}\u{ac1}\u{ac2}\u{ac3}\u{ac4}\u{ac5}\0\u{ac7}\u{ac8}\u{ac9}\0\u{acb}\u{acc}\u{acd}\
    \u{ad0}abcdefghijklmno\
    pqrstuvwxyz\u{ae0}\u{ae1}\u{ae2}\u{ae3}\u{af1}";

/// Gujarati, A.2.5.
const GUJARATI_SINGLE: &str = "\
    @£$¥¿\"¤%&'\x0c*+\0-/\
    <=>¡^¡_#*\u{964}\u{965}\0\u{ae6}\u{ae7}\u{ae8}\u{ae9}\
    \u{aea}\u{aeb}\u{aec}\u{aed}\u{aee}\u{aef}\0\0{}\0\0\0\0\0\\\
    \0\0\0\0\0\0\0\0\0\0\0\0[~]\0\
    |ABCDEFGHIJKLMNO\
    PQRSTUVWXYZ\0\0\0\0\0\
    \0\0\0\0\0€\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// Hindi, A.3.6.
const HINDI_LOCKING: &str = "\
    \u{901}\u{902}\u{903}\u{905}\u{906}\u{907}\u{908}\u{909}\u{90a}\u{90b}\n\u{90c}\u{90d}\r\u{90e}\u{90f}\
    \u{910}\u{911}\u{912}\u{913}\u{914}\u{915}\u{916}\u{917}\u{918}\u{919}\u{91a}\x1b\u{91b}\u{91c}\u{91d}\u{91e}\
    \x20!\u{91f}\u{920}\u{921}\u{922}\u{923}\u{924})(\u{925}\u{926},\u{927}.\u{928}\
    0123456789:;\u{929}\u{92a}\u{92b}?\
    \u{92c}\u{92d}\u{92e}\u{92f}\u{930}\u{931}\u{932}\u{933}\u{934}\u{935}\u{936}\u{937}\u{938}\u{939}\u{93c}\u{93d}\
    \u{93e}\u{93f}\u{940}\u{941}\u{942}\u{943}\u{944}\u{945}\u{946}\u{947}\u{948}\u{949}\u{94a}\u{94b}\u{94c}\u{94d}\
    \u{950}abcdefghijklmno\
    pqrstuvwxyz\u{972}\u{97b}\u{97c}\u{97e}\u{97f}";

/// Hindi, A.2.6.
const HINDI_SINGLE: &str = "\
    @£$¥¿\"¤%&'\x0c*+\0-/\
    <=>¡^¡_#*\u{964}\u{965}\0\u{966}\u{967}\u{968}\u{969}\
    \u{96a}\u{96b}\u{96c}\u{96d}\u{96e}\u{96f}\u{951}\u{952}{}\u{953}\u{954}\u{958}\u{959}\u{95a}\\\
    \u{95b}\u{95c}\u{95d}\u{95e}\u{95f}\u{960}\u{961}\u{962}\u{963}\u{970}\u{971}\0[~]\0\
    |ABCDEFGHIJKLMNO\
    PQRSTUVWXYZ\0\0\0\0\0\
    \0\0\0\0\0€\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// Kannada, A.3.7.
const KANNADA_LOCKING: &str = "\
    \0\u{c82}\u{c83}\u{c85}\u{c86}\u{c87}\u{c88}\u{c89}\u{c8a}\u{c8b}\n\u{c8c}\0\r\u{c8e}\u{c8f}\
    \u{c90}\0\u{c92}\u{c93}\u{c94}\u{c95}\u{c96}\u{c97}\u{c98}\u{c99}\u{c9a}\x1b\u{c9b}\u{c9c}\u{c9d}\u{c9e}\
    \x20!\u{c9f}\u{ca0}\u{ca1}\u{ca2}\u{ca3}\u{ca4})(\u{ca5}\u{ca6},\u{ca7}.\u{ca8}\
    0123456789:;\0\u{caa}\u{cab}?\
    \u{cac}\u{cad}\u{cae}\u{caf}\u{cb0}\u{cb1}\u{cb2}\u{cb3}\0\u{cb5}\u{cb6}\u{cb7}\u{cb8}\u{cb9}\u{cbc}\u{cbd}\
    \u{cbe}\u{cbf}\u{cc0}\u{cc1}\u{cc2}\u{cc3}\u{cc4}\0\u{cc6}\u{cc7}\u{cc8}\0\u{cca}\u{ccb}\u{ccc}\u{ccd}\
    \u{cd5}abcdefghijklmno\
    pqrstuvwxyz\u{cd6}\u{ce0}\u{ce1}\u{ce2}\u{ce3}";

/// Kannada, A.2.7.
const KANNADA_SINGLE: &str = "\
    @£$¥¿\"¤%&'\x0c*+\0-/\
    <=>¡^¡_#*\u{964}\u{965}\0\u{ce6}\u{ce7}\u{ce8}\u{ce9}\
    \u{cea}\u{ceb}\u{cec}\u{ced}\u{cee}\u{cef}\u{cde}\u{cf1}{}\u{cf2}\0\0\0\0\\\
    \0\0\0\0\0\0\0\0\0\0\0\0[~]\0\
    |ABCDEFGHIJKLMNO\
    PQRSTUVWXYZ\0\0\0\0\0\
    \0\0\0\0\0€\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// Malayalam, A.3.8.
const MALAYALAM_LOCKING: &str = "\
    \0\u{d02}\u{d03}\u{d05}\u{d06}\u{d07}\u{d08}\u{d09}\u{d0a}\u{d0b}\n\u{d0c}\0\r\u{d0e}\u{d0f}\
    \u{d10}\0\u{d12}\u{d13}\u{d14}\u{d15}\u{d16}\u{d17}\u{d18}\u{d19}\u{d1a}\x1b\u{d1b}\u{d1c}\u{d1d}\u{d1e}\
    \x20!\u{d1f}\u{d20}\u{d21}\u{d22}\u{d23}\u{d24})(\u{d25}\u{d26},\u{d27}.\u{d28}\
    0123456789:;\0\u{d2a}\u{d2b}?\
    \u{d2c}\u{d2d}\u{d2e}\u{d2f}\u{d30}\u{d31}\u{d32}\u{d33}\u{d34}\u{d35}\u{d36}\u{d37}\u{d38}\u{d39}\0\u{d3d}\
    \u{d3e}\u{d3f}\u{d40}\u{d41}\u{d42}\u{d43}\u{d44}\0\u{d46}\u{d47}\u{d48}\0\u{d4a}\u{d4b}\u{d4c}\u{d4d}\
    \u{d57}abcdefghijklmno\
    pqrstuvwxyz\u{d60}\u{d61}\u{d62}\u{d63}\u{d79}";

/// Malayalam, A.2.8.
const MALAYALAM_SINGLE: &str = "\
    @£$¥¿\"¤%&'\x0c*+\0-/\
    <=>¡^¡_#*\u{964}\u{965}\0\u{d66}\u{d67}\u{d68}\u{d69}\
    \u{d6a}\u{d6b}\u{d6c}\u{d6d}\u{d6e}\u{d6f}\u{d70}\u{d71}{}\u{d72}\u{d73}\u{d74}\u{d75}\u{d7a}\\\
    \u{d7b}\u{d7c}\u{d7d}\u{d7e}\u{d7f}\0\0\0\0\0\0\0[~]\0\
    |ABCDEFGHIJKLMNO\
    PQRSTUVWXYZ\0\0\0\0\0\
    \0\0\0\0\0€\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// Oriya, A.3.9.
const ORIYA_LOCKING: &str = "\
    \u{b01}\u{b02}\u{b03}\u{b05}\u{b06}\u{b07}\u{b08}\u{b09}\u{b0a}\u{b0b}\n\u{b0c}\0\r\0\u{b0f}\
    \u{b10}\0\0\u{b13}\u{b14}\u{b15}\u{b16}\u{b17}\u{b18}\u{b19}\u{b1a}\x1b\u{b1b}\u{b1c}\u{b1d}\u{b1e}\
    \x20!\u{b1f}\u{b20}\u{b21}\u{b22}\u{b23}\u{b24})(\u{b25}\u{b26},\u{b27}.\u{b28}\
    0123456789:;\0\u{b2a}\u{b2b}?\
    \u{b2c}\u{b2d}\u{b2e}\u{b2f}\u{b30}\0\u{b32}\u{b33}\0\u{b35}\u{b36}\u{b37}\u{b38}\u{b39}\u{b3c}\u{b3d}\
    \u{b3e}\u{b3f}\u{b40}\u{b41}\u{b42}\u{b43}\u{b44}\0\0\u{b47}\u{b48}\0\0\u{b4b}\u{b4c}\u{b4d}\
    \u{b56}abcdefghijklmno\
    pqrstuvwxyz\u{b57}\u{b60}\u{b61}\u{b62}\u{b63}";

/// Oriya, A.2.9.
const ORIYA_SINGLE: &str = "\
    @£$¥¿\"¤%&'\x0c*+\0-/\
    <=>¡^¡_#*\u{964}\u{965}\0\u{b66}\u{b67}\u{b68}\u{b69}\
    \u{b6a}\u{b6b}\u{b6c}\u{b6d}\u{b6e}\u{b6f}\u{b5c}\u{b5d}{}\u{b5f}\u{b70}\u{b71}\0\0\\\
    \0\0\0\0\0\0\0\0\0\0\0\0[~]\0\
    |ABCDEFGHIJKLMNO\
    PQRSTUVWXYZ\0\0\0\0\0\
    \0\0\0\0\0€\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// Punjabi, A.3.10.
const PUNJABI_LOCKING: &str = "\
    \u{a01}\u{a02}\u{a03}\u{a05}\u{a06}\u{a07}\u{a08}\u{a09}\u{a0a}\0\n\0\0\r\0\u{a0f}\
    \u{a10}\0\0\u{a13}\u{a14}\u{a15}\u{a16}\u{a17}\u{a18}\u{a19}\u{a1a}\x1b\u{a1b}\u{a1c}\u{a1d}\u{a1e}\
    \x20!\u{a1f}\u{a20}\u{a21}\u{a22}\u{a23}\u{a24})(\u{a25}\u{a26},\u{a27}.\u{a28}\
    0123456789:;\0\u{a2a}\u{a2b}?\
    \u{a2c}\u{a2d}\u{a2e}\u{a2f}\u{a30}\0\u{a32}\u{a33}\0\u{a35}\u{a36}\0\u{a38}\u{a39}\u{a3c}\0\
    \u{a3e}\u{a3f}\u{a40}\u{a41}\u{a42}\0\0\0\0\u{a47}\u{a48}\0\0\u{a4b}\u{a4c}\u{a4d}\
    \u{a51}abcdefghijklmno\
    pqrstuvwxyz\u{a70}\u{a71}\u{a72}\u{a73}\u{a74}";

/// Punjabi, A.2.10.
const PUNJABI_SINGLE: &str = "\
    @£$¥¿\"¤%&'\x0c*+\0-/\
    <=>¡^¡_#*\u{964}\u{965}\0\u{a66}\u{a67}\u{a68}\u{a69}\
    \u{a6a}\u{a6b}\u{a6c}\u{a6d}\u{a6e}\u{a6f}\u{a59}\u{a5a}{}\u{a5b}\u{a5c}\u{a5e}\u{a75}\0\\\
    \0\0\0\0\0\0\0\0\0\0\0\0[~]\0\
    |ABCDEFGHIJKLMNO\
    PQRSTUVWXYZ\0\0\0\0\0\
    \0\0\0\0\0€\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// Tamil, A.3.11.
const TAMIL_LOCKING: &str = "\
    \0\u{b82}\u{b83}\u{b85}\u{b86}\u{b87}\u{b88}\u{b89}\u{b8a}\0\n\0\0\r\u{b8e}\u{b8f}\
    \u{b90}\0\u{b92}\u{b93}\u{b94}\u{b95}\0\0\0\u{b99}\u{b9a}\x1b\0\u{b9c}\0\u{b9e}\
    \x20!\u{b9f}\0\0\0\u{ba3}\u{ba4})(\0\0,\0.\u{ba8}\
    0123456789:;\u{ba9}\u{baa}\0?\
    \0\0\u{bae}\u{baf}\u{bb0}\u{bb1}\u{bb2}\u{bb3}\u{bb4}\u{bb5}\u{bb6}\u{bb7}\u{bb8}\u{bb9}\0\0\
    \u{bbe}\u{bbf}\u{bc0}\u{bc1}\u{bc2}\0\0\0\u{bc6}\u{bc7}\u{bc8}\0\u{bca}\u{bcb}\u{bcc}\u{bcd}\
    \u{bd0}abcdefghijklmno\
    pqrstuvwxyz\u{bd7}\u{bf0}\u{bf1}\u{bf2}\u{bf9}";

/// Tamil, A.2.11.
const TAMIL_SINGLE: &str = "\
    @£$¥¿\"¤%&'\x0c*+\0-/\
    <=>¡^¡_#*\u{964}\u{965}\0\u{be6}\u{be7}\u{be8}\u{be9}\
    \u{bea}\u{beb}\u{bec}\u{bed}\u{bee}\u{bef}\u{bf3}\u{bf4}{}\u{bf5}\u{bf6}\u{bf7}\u{bf8}\u{bfa}\\\
    \0\0\0\0\0\0\0\0\0\0\0\0[~]\0\
    |ABCDEFGHIJKLMNO\
    PQRSTUVWXYZ\0\0\0\0\0\
    \0\0\0\0\0€\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// Telugu, A.3.12.
const TELUGU_LOCKING: &str = "\
    \u{c01}\u{c02}\u{c03}\u{c05}\u{c06}\u{c07}\u{c08}\u{c09}\u{c0a}\u{c0b}\n\u{c0c}\0\r\u{c0e}\u{c0f}\
    \u{c10}\0\u{c12}\u{c13}\u{c14}\u{c15}\u{c16}\u{c17}\u{c18}\u{c19}\u{c1a}\x1b\u{c1b}\u{c1c}\u{c1d}\u{c1e}\
    \x20!\u{c1f}\u{c20}\u{c21}\u{c22}\u{c23}\u{c24})(\u{c25}\u{c26},\u{c27}.\u{c28}\
    0123456789:;\0\u{c2a}\u{c2b}?\
    \u{c2c}\u{c2d}\u{c2e}\u{c2f}\u{c30}\u{c31}\u{c32}\u{c33}\0\u{c35}\u{c36}\u{c37}\u{c38}\u{c39}\0\u{c3d}\
    \u{c3e}\u{c3f}\u{c40}\u{c41}\u{c42}\u{c43}\u{c44}\0\u{c46}\u{c47}\u{c48}\0\u{c4a}\u{c4b}\u{c4c}\u{c4d}\
    \u{c55}abcdefghijklmno\
    pqrstuvwxyz\u{c56}\u{c60}\u{c61}\u{c62}\u{c63}";

/// Telugu, A.2.12.
const TELUGU_SINGLE: &str = "\
    @£$¥¿\"¤%&'\x0c*+\0-/\
    <=>¡^¡_#*\0\0\0\u{c66}\u{c67}\u{c68}\u{c69}\
    \u{c6a}\u{c6b}\u{c6c}\u{c6d}\u{c6e}\u{c6f}\u{c58}\u{c59}{}\u{c78}\u{c79}\u{c7a}\u{c7b}\u{c7c}\\\
    \u{c7d}\u{c7e}\u{c7f}\0\0\0\0\0\0\0\0\0[~]\0\
    |ABCDEFGHIJKLMNO\
    PQRSTUVWXYZ\0\0\0\0\0\
    \0\0\0\0\0€\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// Urdu, A.3.13.
const URDU_LOCKING: &str = "\
    \u{627}\u{622}\u{628}\u{67b}\u{680}\u{67e}\u{6a6}\u{62a}\u{6c2}\u{67f}\n\u{679}\u{67d}\r\u{67a}\u{67c}\
    \u{62b}\u{62c}\u{681}\u{684}\u{683}\u{685}\u{686}\u{687}\u{62d}\u{62e}\u{62f}\x1b\u{68c}\u{688}\u{689}\u{68a}\
    \x20!\u{68f}\u{68d}\u{630}\u{631}\u{691}\u{693})(\u{699}\u{632},\u{696}.\u{698}\
    0123456789:;\u{69a}\u{633}\u{634}?\
    \u{635}\u{636}\u{637}\u{638}\u{639}\u{641}\u{642}\u{6a9}\u{6aa}\u{6ab}\u{6af}\u{6b3}\u{6b1}\u{644}\u{645}\u{646}\
    \u{6ba}\u{6bb}\u{6bc}\u{648}\u{6c4}\u{6d5}\u{6c1}\u{6be}\u{621}\u{6cc}\u{6d0}\u{6d2}\u{64d}\u{650}\u{64f}\u{657}\
    \u{654}abcdefghijklmno\
    pqrstuvwxyz\u{655}\u{651}\u{653}\u{656}\u{670}";

/// Urdu, A.2.13.
const URDU_SINGLE: &str = "\
    @£$¥¿\"¤%&'\x0c*+\0-/\
    <=>¡^¡_#*\u{600}\u{601}\0۰۱۲۳\
    ۴۵۶۷۸۹،\u{60d}{}؎؏\u{610}\u{611}\u{612}\\\
    \u{613}\u{614}\u{61b}\u{61f}\u{640}\u{652}\u{658}\u{66b}\u{66c}\u{672}\u{673}\u{6cd}[~]\u{6d4}\
    |ABCDEFGHIJKLMNO\
    PQRSTUVWXYZ\0\0\0\0\0\
    \0\0\0\0\0€\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
