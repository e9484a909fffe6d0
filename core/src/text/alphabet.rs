//! The GSM 7-bit default alphabet and its extension table, TS 23.038 sections 6.2.1 and 6.2.1.1.

/// Characters of the basic table outside ASCII and Greek.
const LATIN: [char; 31] = [
    '¡', '£', '¤', '¥', '§', '¿', 'Ä', 'Å', 'Æ', 'Ç', 'É', 'Ñ', 'Ö', 'Ø', 'Ü', 'ß', 'à', 'ä', 'å', 'æ', 'è',
    'é', 'ì', 'ñ', 'ò', 'ö', 'ø', 'ù', 'ü', '\n', '\r',
];

/// ASCII characters of the extension table; the euro sign is the only other one.
const EXTENSION: [u8; 9] = *b"\x0c[\\]^{|}~";

const EURO: char = '€';

/// Septets of each character below U+0100; 0 if it is in neither table.
pub(super) static COST: [u8; 256] = costs();

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, where an index out of range is an error"
)]
const fn costs() -> [u8; 256] {
    let mut cost = [0; 256];
    let mut ascii = 0x20;
    while ascii < 0x7f {
        cost[ascii] = (ascii != b'`' as usize) as u8;
        ascii += 1;
    }
    let mut i = 0;
    while i < LATIN.len() {
        cost[LATIN[i] as usize] = 1;
        i += 1;
    }
    i = 0;
    while i < EXTENSION.len() {
        cost[EXTENSION[i] as usize] = 2;
        i += 1;
    }
    cost
}

/// 1 in the basic table, 2 in the extension table, 0 in neither.
pub(super) fn septets(character: char) -> u8 {
    if let Some(&cost) = COST.get(character as usize) {
        return cost;
    }
    match character {
        'Γ' | 'Δ' | 'Θ' | 'Λ' | 'Ξ' | 'Π' | 'Σ' | 'Φ' | 'Ψ' | 'Ω' => 1,
        EURO => 2,
        _ => 0,
    }
}
