//! cpaas-python
