//! What the cells of an experiment do, without the records of its runs.

use std::collections::BTreeMap;

use etalon_model::{RunId, Workload};
use serde_json::Value;

use crate::error::Damage;
use crate::{Store, StoreError};

const WORKLOADS: &str = "\
    SELECT id, cell, record_json FROM run \
    WHERE id IN (SELECT min(id) FROM run WHERE experiment_id = ?1 GROUP BY cell)";

impl Store {
    /// What each cell of an experiment does, by its name, as its first run says it; none where there is no such experiment.
    ///
    /// # Errors
    /// As [`Store::experiment`], of what is read.
    pub fn workloads(&self, id: RunId) -> Result<BTreeMap<String, Workload>, StoreError> {
        let mut statement = self
            .connection
            .prepare(WORKLOADS)
            .map_err(|e| self.failed(e))?;
        let mut rows = statement.query([id]).map_err(|e| self.failed(e))?;
        let mut found = BTreeMap::new();
        while let Some(row) = rows.next().map_err(|e| self.failed(e))? {
            let run = row.get(0).map_err(|e| self.failed(e))?;
            let part = || Damage::RunPart { run, part: "row" };
            let columns = row.get(1).and_then(|cell| Ok((cell, row.get(2)?)));
            let (cell, record): (String, String) =
                columns.map_err(|e| self.unreadable(id, part(), e))?;
            let workload = workload_of(&record);
            found.insert(cell, workload.map_err(|_| self.damaged(id, part()))?);
        }
        Ok(found)
    }
}

/// Not by SQLite, to which a record that is no JSON is a query that fails.
fn workload_of(record: &str) -> serde_json::Result<Workload> {
    let mut record: Value = serde_json::from_str(record)?;
    let workload = record.get_mut("workload").map(Value::take);
    serde_json::from_value(workload.unwrap_or_default())
}
