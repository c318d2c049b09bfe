//! The JSON Schema of every document, derived from the types that are written.

use etalon_model::Plan;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use crate::{
    ChangedBody, ChecksBody, ComparisonBody, DocumentFormat, Envelope, EnvironmentBody,
    ExperimentJson, LabBody, ListBody, PassportBody, PresetsBody, RestoredBody, ReviewBody,
    SamplesBody, StackBody, SummaryBody, ToolBody, VerifiedBody, WorksBody,
};

/// One schema that every document satisfies by the alternative of its `format`.
///
/// `T` is what the tools with lines of their own say beside cells, `R` what a task says of each run.
pub fn json_schema<T: JsonSchema, R: JsonSchema>() -> Value {
    let mut generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator();
    let g = &mut generator;
    let documents = [
        of::<SummaryBody<'_, R>>(g, DocumentFormat::Summary),
        of::<ToolBody<T>>(g, DocumentFormat::Tool),
        alternative::<ExperimentJson<'_>>(g, DocumentFormat::Experiment),
        of::<EnvironmentBody<'_>>(g, DocumentFormat::Environment),
        of::<ListBody>(g, DocumentFormat::List),
        of::<ChangedBody>(g, DocumentFormat::Changed),
        of::<ComparisonBody<'_>>(g, DocumentFormat::Comparison),
        of::<PassportBody<'_>>(g, DocumentFormat::Passport),
        of::<StackBody<'_>>(g, DocumentFormat::Stack),
        of::<SamplesBody>(g, DocumentFormat::Samples),
        of::<ChecksBody>(g, DocumentFormat::Checks),
        of::<WorksBody>(g, DocumentFormat::Works),
        of::<RestoredBody>(g, DocumentFormat::Restored),
        of::<VerifiedBody>(g, DocumentFormat::Verified),
        of::<PresetsBody>(g, DocumentFormat::Presets),
        of::<LabBody>(g, DocumentFormat::Lab),
        of::<ReviewBody>(g, DocumentFormat::Review),
    ];
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A JSON document of etalon",
        "oneOf": documents,
        "$defs": generator.take_definitions(true),
    })
}

/// The schema of a plan.
pub fn plan_schema() -> Value {
    let settings = SchemaSettings::draft2020_12();
    let schema = settings.into_generator().into_root_schema_for::<Plan>();
    schema.to_value()
}

fn of<T: JsonSchema>(generator: &mut SchemaGenerator, format: DocumentFormat) -> Value {
    alternative::<Envelope<'_, T>>(generator, format)
}

fn alternative<T: JsonSchema>(generator: &mut SchemaGenerator, format: DocumentFormat) -> Value {
    let schema = generator.subschema_for::<T>();
    json!({ "properties": { "format": { "const": format } }, "allOf": [schema] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_has_an_alternative_of_its_own() {
        let schema = json_schema::<Value, Value>();
        let documents = schema["oneOf"].as_array().unwrap();
        let mut formats: Vec<String> = documents
            .iter()
            .map(|document| document["properties"]["format"]["const"].to_string())
            .collect();
        formats.sort();
        formats.dedup();
        assert_eq!(formats.len(), 17, "{formats:?}");
        assert!(schema["$defs"].as_object().unwrap().len() > 50);
    }
}
