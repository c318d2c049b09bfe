//! The state of the page cache that runs begin in.

use etalon_model::{CacheMode, IoWorkload};
use serde_json::Value;

use super::{
    Applied, Depth, Description, Factor, FactorError, Ground, Level, LevelError, LevelTable,
};

/// The factor.
pub(super) struct CacheState;

/// A state; it is brought about before each run by whoever makes the run.
#[derive(Debug, Clone, Copy)]
struct CacheLevel(CacheMode);

impl Factor for CacheState {
    fn name(&self) -> &'static str {
        "cache"
    }

    fn summary(&self) -> &'static str {
        "the state of the page cache that each run begins in"
    }

    fn accepted(&self) -> &'static str {
        "\"direct\" (O_DIRECT goes past it), \"as-found\", \"cold\", \"warm\" or \"limited:SIZE\""
    }

    fn depth(&self) -> Depth {
        Depth::Run
    }

    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError> {
        let table = LevelTable::new(self, level);
        table.end()?;
        let mode = table.text()?.parse().map_err(|_| table.wrong(None))?;
        Ok(Box::new(CacheLevel(mode)))
    }
}

impl Level for CacheLevel {
    fn name(&self) -> String {
        self.0.to_string()
    }

    fn describe(&self, _ground: &Ground) -> Result<Description, FactorError> {
        Ok(Description::default())
    }

    fn apply(&self, _ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        Ok(Box::new(*self))
    }
}

impl Applied for CacheLevel {
    fn adjust(&self, workload: &mut IoWorkload) {
        let CacheLevel(mode) = *self;
        workload.direct = mode == CacheMode::Direct;
        workload.cache = match mode {
            // What goes past the cache has no state of it.
            CacheMode::Direct => CacheMode::AsFound,
            mode => mode,
        };
    }

    fn verify(&self) -> Result<(), FactorError> {
        Ok(())
    }

    fn restore(self: Box<Self>) -> Result<(), FactorError> {
        Ok(())
    }
}
