//! Limits of the machine and of the process.

use etalon_units::Bytes;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::Plan;
use crate::PlanError;

/// Descriptors that the rest of the process may need: standard streams, store, monitors.
const SPARE: u64 = 64;

/// Descriptors of one job: its file and its ring.
const PER_JOB: u64 = 2;

/// Buffers of all jobs take at most half of the memory that there is for this process.
pub(super) fn memory(plan: &Plan) -> Result<(), PlanError> {
    let w = &plan.workload;
    let block = plan.block.next_multiple_of(4096);
    let total = block
        .saturating_mul(plan.depth as u64)
        .saturating_mul(u64::from(w.jobs));
    let limit = etalon_host::memory::total().get() / 2;
    if total <= limit {
        return Ok(());
    }
    Err(PlanError::TooMuchMemory {
        jobs: w.jobs,
        depth: w.queue_depth,
        block: w.block_size.largest(),
        total: Bytes(total),
        limit: Bytes(limit),
    })
}

/// The size of the huge pages for the buffers, of which enough must be free.
pub(super) fn huge_page(plan: &Plan) -> Result<Option<usize>, PlanError> {
    if !plan.workload.huge_pages {
        return Ok(None);
    }
    let pages = etalon_host::memory::huge_pages();
    let page = pages.size.get().max(4096);
    let each = plan.block.next_multiple_of(4096) * plan.depth as u64;
    let needed = each.div_ceil(page) * u64::from(plan.workload.jobs);
    if needed > pages.free {
        return Err(PlanError::HugePages {
            needed,
            size: Bytes(page),
            free: pages.free,
            total: pages.total,
        });
    }
    Ok(Some(page as usize))
}

/// Enough descriptors; raises the soft limit up to the hard one where that helps.
pub(super) fn descriptors(plan: &Plan) -> Result<(), PlanError> {
    let needed = SPARE + PER_JOB * u64::from(plan.workload.jobs);
    let limits = getrlimit(Resource::Nofile);
    let soft = limits.current.unwrap_or(u64::MAX);
    let hard = limits.maximum.unwrap_or(u64::MAX);
    if soft >= needed {
        return Ok(());
    }
    let refused = PlanError::TooFewDescriptors {
        needed,
        limit: hard,
    };
    if hard < needed {
        return Err(refused);
    }
    let raised = Rlimit {
        current: Some(needed),
        maximum: limits.maximum,
    };
    setrlimit(Resource::Nofile, raised).map_err(|_| refused)
}
