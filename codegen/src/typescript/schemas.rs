//! `schemas.js`: JSON Schemas of the requests.

use cpaas::schema::Schema;

use crate::names::{Names, metas};
use crate::schema::{Style, object};

struct ByName<'a>(&'a Names);

impl Style for ByName<'_> {
    fn reference(&self, shape: &'static Schema) -> String {
        self.0.of(shape).to_owned()
    }
}

pub(super) fn module(names: &Names) -> String {
    let style = ByName(names);
    let text = |shape: &Schema| serde_json::to_string(&object(&style, shape)).unwrap_or_default();
    let mut out = "/** The objects inside requests. */\nexport const OBJECTS = {\n".to_owned();
    for (name, shape) in &names.objects {
        out += &format!("  {name}: {},\n", text(shape));
    }
    out += "};\n\n/** The request of each operation. */\nexport const REQUESTS = {\n";
    for meta in metas() {
        out += &format!("  {:?}: {},\n", meta.id, text(&meta.input));
    }
    out + "};\n"
}
