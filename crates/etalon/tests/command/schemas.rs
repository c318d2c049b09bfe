//! The schemas that `etalon schema` prints are those of the types that are written and read.
//!
//! `ETALON_BLESS=1` writes the files of `schema/` anew; build again after it.

use std::path::Path;

use etalon_exchange::{json_schema, plan_schema};
use etalon_tools::ToolRecord;
use etalon_work::WorkRecord;
use etalon_workload::metadata::MetadataRecord;
use serde_json::Value;

use crate::common::Home;

/// What `records` of a document are.
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is asked for")]
enum TaskRecord {
    Work(WorkRecord),
    Metadata(MetadataRecord),
}

/// What is printed, the file that it comes from, and the types' own schema.
fn is_that_of_the_types(words: &[&str], name: &str, schema: &Value) {
    let own = serde_json::to_string_pretty(schema).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("schema/{name}.json"));
    if std::env::var_os("ETALON_BLESS").is_some() {
        std::fs::write(&path, &own).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let first = own
        .lines()
        .zip(kept.lines())
        .find(|(own, kept)| own != kept);
    assert!(
        own == kept,
        "schema/{name}.json is not that of the types, first {first:?}; read it, and keep it with ETALON_BLESS=1"
    );
    let printed = Home::new().run(words);
    assert!(
        printed.out == kept,
        "{words:?}: another text than schema/{name}.json; build again"
    );
}

#[test]
fn the_schemas_in_the_program_are_those_of_the_types() {
    is_that_of_the_types(
        &["schema"],
        "documents",
        &json_schema::<ToolRecord<'_>, TaskRecord>(),
    );
    is_that_of_the_types(&["schema", "plan"], "plan", &plan_schema());
}
