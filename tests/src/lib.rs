//! cpaas-tests
