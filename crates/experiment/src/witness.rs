//! Who is told what happens, and what is left at the end.

use etalon_factor::Busy;
use etalon_model::{Cell, Choice, Run, TargetRecord};
use etalon_units::{Bytes, Nanos};

use crate::Forecast;
use crate::Unquiet;
use crate::changes::Changes;
use crate::error::{ExperimentError, WitnessError};

/// Something that happened.
#[derive(Debug)]
pub enum Event<'a> {
    /// The target is known and the work begins.
    Begun {
        /// What is measured.
        target: &'a TargetRecord,
        /// The most time that it will take.
        at_most: Nanos,
    },
    /// Another etalon measures on something that the target stands on.
    Busy {
        /// What and who.
        busy: &'a Busy,
        /// Whether it is waited for; if not, the work goes on all the same.
        waits: bool,
    },
    /// A quiet machine is waited for.
    Unquiet {
        /// What keeps it busy; empty when the wait begins.
        found: &'a [Unquiet],
    },
    /// A quiet machine is waited for, and of these disks cannot be seen whether they are: the kernel does not count their I/O.
    Unseen {
        /// Their kernel names.
        disks: &'a [String],
    },
    /// A block device is about to be written; what lies on it will be lost.
    Overwrites {
        /// The device.
        target: &'a TargetRecord,
        /// What lies on it, a text each: empty unless it was given up by name.
        content: &'a [String],
    },
    /// Files are laid out before the first run.
    LayingOut {
        /// How much, over all files.
        size: Bytes,
    },
    /// So many blocks were asked for.
    Planned {
        /// How many.
        blocks: usize,
    },
    /// A block of runs begins.
    Block {
        /// Its number, from 1.
        number: u32,
        /// Cells that still need runs.
        open: usize,
        /// The most time that is left.
        left: Nanos,
    },
    /// The first blocks have shown the noise.
    Forecast(&'a Forecast),
    /// Which rows will have no interval for want of time, and what time would do.
    Lacking(&'a Choice),
    /// The machine is not as it was at the first runs of a plan.
    Changed(&'a Changes),
    /// A run begins.
    Running {
        /// The cell's name.
        cell: &'a str,
    },
    /// A run has ended and is judged; whoever keeps runs keeps it now.
    Ended {
        /// The run.
        run: &'a Run,
    },
}

/// Is told of every [`Event`] as it happens.
pub trait Witness {
    /// Takes note.
    ///
    /// # Errors
    /// Whatever keeps the witness from keeping a run; the work then ends.
    fn event(&mut self, event: Event<'_>) -> Result<(), WitnessError>;
}

pub(crate) fn tell(witness: &mut dyn Witness, event: Event<'_>) -> Result<(), ExperimentError> {
    witness.event(event).map_err(ExperimentError::NotKept)
}

/// What is left at the end.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// What was measured.
    pub target: TargetRecord,
    /// What was chosen, and why.
    pub choices: Vec<Choice>,
    /// What the noise of the first blocks promised; `None` where it did not come so far.
    pub forecast: Option<Forecast>,
    /// The judged cells.
    pub cells: Vec<Cell>,
    /// Their runs, in the order in which they were made.
    pub runs: Vec<Run>,
    /// Decided every random choice.
    pub seed: u64,
    /// How long it took, with the passes of runs that stood before.
    pub elapsed: Nanos,
    /// True when it was stopped; the cells then cover what had finished.
    pub interrupted: bool,
    /// What ended it before its end, in a sentence; the cells then cover what had finished.
    pub failure: Option<String>,
}
