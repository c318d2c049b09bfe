//! What only a person can change: a cable, a switch, a setting of the firmware.

use serde_json::Value;

use super::{
    Applied, Cost, Depth, Description, Factor, FactorError, Ground, Level, LevelError, LevelTable,
};
use crate::terminal::{Answer, ask};

/// What a manual step is taken for when time is foretold.
const USUAL_SECONDS: f64 = 60.0;

/// The factor.
pub(super) struct Pause;

#[derive(Debug, Clone)]
struct PauseLevel {
    name: String,
    message: String,
}

/// A person did it; nothing of it is put back by etalon.
#[derive(Debug)]
struct ByHand;

impl Factor for Pause {
    fn name(&self) -> &'static str {
        "pause"
    }

    fn summary(&self) -> &'static str {
        "a manual step: the plan asks on the terminal and waits"
    }

    fn accepted(&self) -> &'static str {
        "what a person does, such as \"cable A\", or a table: { value = \"cable A\", message = \"plug in cable A\" }"
    }

    fn cost(&self) -> Cost {
        Cost::Expensive
    }

    fn depth(&self) -> Depth {
        Depth::Manual
    }

    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError> {
        let mut table = LevelTable::new(self, level);
        let name = table.text()?;
        let message = table.take("message")?;
        table.end()?;
        if name.trim().is_empty() {
            return Err(table.wrong(None));
        }
        let message = message.unwrap_or_else(|| format!("bring about: {name}"));
        Ok(Box::new(PauseLevel { name, message }))
    }
}

impl Level for PauseLevel {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn describe(&self, _ground: &Ground) -> Result<Description, FactorError> {
        Ok(Description {
            changes: vec![format!("by hand, and not put back: {}", self.message)],
            seconds: USUAL_SECONDS,
            ..Description::default()
        })
    }

    /// Asks only where another level was brought about before.
    fn apply(&self, ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        let mut done = ground.manual.done();
        if done.level.as_ref() == Some(&self.name) {
            return Ok(Box::new(ByHand));
        }
        if !std::mem::take(&mut done.is_ahead) {
            match ask(&self.message, &ground.stop) {
                Answer::Done => {}
                Answer::Stopped => return Err(FactorError::Stopped),
                Answer::Nobody => {
                    return Err(FactorError::NobodyToAsk {
                        message: self.message.clone(),
                    });
                }
            }
        }
        done.level = Some(self.name.clone());
        Ok(Box::new(ByHand))
    }
}

impl Applied for ByHand {
    fn verify(&self) -> Result<(), FactorError> {
        Ok(())
    }

    fn restore(self: Box<Self>) -> Result<(), FactorError> {
        Ok(())
    }
}
