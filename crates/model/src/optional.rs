//! Keys that a document may lack: what etalon measured has them all, and what another program measured
//! has those that its text told.

use schemars::Schema;
use serde_json::Value;

/// Of an [`OpTotals`](crate::OpTotals): any.
pub(crate) fn all(schema: &mut Schema) {
    without(schema, |_| true);
}

/// Of a [`Measurement`](crate::Measurement): all but how it ended.
pub(crate) fn all_but_the_end(schema: &mut Schema) {
    without(schema, |key| key != "ended");
}

/// Of a [`Run`](crate::Run): how long it took.
pub(crate) fn elapsed(schema: &mut Schema) {
    without(schema, |key| key == "elapsed_ns");
}

/// Takes keys from those that must be there. What stands for a missing one when a document is read is not
/// said to writers.
fn without(schema: &mut Schema, may_lack: fn(&str) -> bool) {
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|key| !key.as_str().is_some_and(may_lack));
        if required.is_empty() {
            schema.remove("required");
        }
    }
    let Some(Value::Object(properties)) = schema.get_mut("properties") else {
        return;
    };
    for (key, property) in properties {
        if let Value::Object(property) = property
            && may_lack(key)
        {
            property.remove("default");
        }
    }
}
