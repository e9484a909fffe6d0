//! cpaas-sandbox
