//! Disks with the array over them, and the requests that are under way.

use std::collections::HashMap;

use crate::array::{Array, Child, LayoutError, Phases};
use crate::disk::{Disk, DiskError, Request, RequestKind};

/// Why a simulation ends.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SimulationError {
    /// The array cannot serve it.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A member failed.
    #[error("member {member} failed at {at_ns} ns: {error}")]
    Member {
        /// Which.
        member: usize,
        /// When.
        at_ns: u64,
        /// Why.
        error: DiskError,
    },
    /// Nothing happens any more.
    #[error("no disk answers any more; this is a fault of a model")]
    Stuck,
}

/// A request to the array that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedRequest {
    /// What the caller calls it.
    pub id: u64,
    /// When it began.
    pub from_ns: u64,
    /// When it ended.
    pub at_ns: u64,
}

/// A request to the array under way.
struct Parent {
    from_ns: u64,
    waits_for: usize,
    phases: std::vec::IntoIter<Vec<Child>>,
}

/// The disks and what they do.
pub struct SimulatedArray {
    /// The array.
    pub array: Array,
    disks: Vec<Box<dyn Disk>>,
    parents: HashMap<u64, Parent>,
    /// The request to the array of each request to a disk.
    children: HashMap<u64, (u64, usize)>,
    next_child: u64,
    ended: Vec<EndedRequest>,
}

impl std::fmt::Debug for SimulatedArray {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "SimulatedArray {{ array: {:?}, under way: {} }}",
            self.array,
            self.parents.len()
        )
    }
}

impl SimulatedArray {
    /// These disks as members of this array.
    #[must_use]
    pub fn new(array: Array, disks: Vec<Box<dyn Disk>>) -> SimulatedArray {
        SimulatedArray {
            array,
            disks,
            parents: HashMap::new(),
            children: HashMap::new(),
            next_child: 0,
            ended: Vec::new(),
        }
    }

    /// How much of one pass over its member a request is.
    pub(super) fn passed(&self, child: &Child) -> u64 {
        let disk = &self.disks[child.member];
        disk.passed(child.offset_bytes + child.length_bytes) - disk.passed(child.offset_bytes)
    }

    /// Begins a request to the array.
    ///
    /// # Errors
    /// [`SimulationError::Layout`] where the array has lost the data.
    pub fn submit(&mut self, at_ns: u64, request: &Request) -> Result<(), SimulationError> {
        let phases = self
            .array
            .phases(request.kind, request.offset_bytes, request.length_bytes)?;
        self.submit_phases(at_ns, request.id, phases);
        Ok(())
    }

    /// Begins requests to members, one phase after the other.
    pub fn submit_phases(&mut self, at_ns: u64, id: u64, phases: Phases) {
        let parent = Parent {
            from_ns: at_ns,
            waits_for: 0,
            phases: phases.into_iter(),
        };
        self.parents.insert(id, parent);
        self.go_on(at_ns, id);
    }

    /// Begins the next phase of a request, or ends it.
    fn go_on(&mut self, at_ns: u64, id: u64) {
        let Some(parent) = self.parents.get_mut(&id) else {
            return;
        };
        if let Some(phase) = parent.phases.find(|phase| !phase.is_empty()) {
            parent.waits_for = phase.len();
            return phase.iter().for_each(|child| self.ask(at_ns, id, child));
        }
        let from_ns = parent.from_ns;
        self.parents.remove(&id);
        self.ended.push(EndedRequest { id, from_ns, at_ns });
    }

    fn ask(&mut self, at_ns: u64, parent: u64, child: &Child) {
        self.next_child += 1;
        let id = self.next_child;
        self.children.insert(id, (parent, child.member));
        let state = &mut self.array.members[child.member];
        state.pending += 1;
        if child.kind != RequestKind::Flush {
            state.head_bytes = child.offset_bytes + child.length_bytes;
        }
        let request = Request {
            id,
            kind: child.kind,
            offset_bytes: child.offset_bytes,
            length_bytes: child.length_bytes,
        };
        self.disks[child.member].submit(at_ns, request);
    }

    /// Lets time pass until a request to the array ends.
    ///
    /// # Errors
    /// [`SimulationError::Member`] where a member fails, [`SimulationError::Stuck`] where nothing is under way.
    pub fn next_end(&mut self) -> Result<EndedRequest, SimulationError> {
        while self.ended.is_empty() {
            let events = self.disks.iter().enumerate();
            let next = events.filter_map(|(member, disk)| Some((disk.next_event_ns()?, member)));
            let (_, member) = next.min().ok_or(SimulationError::Stuck)?;
            self.step(member)?;
        }
        Ok(self.ended.remove(0))
    }

    fn step(&mut self, member: usize) -> Result<(), SimulationError> {
        let Some(ended) = self.disks[member].step() else {
            return Ok(());
        };
        let at_ns = ended.at_ns;
        if let Some(error) = ended.failed {
            return Err(SimulationError::Member {
                member,
                at_ns,
                error,
            });
        }
        let Some((id, member)) = self.children.remove(&ended.id) else {
            return Ok(());
        };
        self.array.members[member].pending -= 1;
        if let Some(parent) = self.parents.get_mut(&id) {
            parent.waits_for -= 1;
            if parent.waits_for == 0 {
                self.go_on(at_ns, id);
            }
        }
        Ok(())
    }
}
