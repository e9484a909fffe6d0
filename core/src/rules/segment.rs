//! Members that are one segment of a path.

/// Whether a segment would lead to another path: URL parsers remove `.` and `..`, encoded or not.
pub(crate) fn is_dots(segment: &str) -> bool {
    matches!(segment, "." | "..")
}
