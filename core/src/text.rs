//! SMS text: encodings, parts, senders, numbers.
