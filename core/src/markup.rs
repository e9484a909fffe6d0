//! messenger_c markup.
