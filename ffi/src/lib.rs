//! cpaas-ffi
