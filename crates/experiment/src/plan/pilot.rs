//! One run of each workload whose length nobody knows, so that a plan can be told with its time.

use etalon_engine::Control;
use etalon_model::End;
use etalon_units::Nanos;

use super::request::PlanRequest;
use super::task::{PlannedTask, PlannedWork};
use crate::{
    Event, ExperimentError, MeasureRequest, Repeat, Site, Witness, WitnessError, WorkRequest,
    measure, work, work_place,
};

/// Makes one run of each workload that ends by bytes or after a pass, on the first target as it is: no level is set, no
/// device is written, files are private and removed. None for what has its time, or would write to a device.
///
/// # Errors
/// [`ExperimentError`] when a run cannot be made.
pub fn pilots(
    request: &PlanRequest,
    control: &Control,
) -> Result<Vec<Option<Nanos>>, ExperimentError> {
    let target = request.targets.first().ok_or(ExperimentError::NoWorkload)?;
    let site = Site::look(target)?;
    let mut times = Vec::new();
    for named in &request.workloads {
        let workload = match &named.task {
            PlannedTask::Io(workload) => workload.clone(),
            PlannedTask::Work(planned) => {
                times.push(pilot_of(planned, request, control)?);
                continue;
            }
        };
        let is_timed = matches!(workload.end, End::Time(_));
        if is_timed || work_place::writes_device(&site, std::slice::from_ref(&workload)) {
            times.push(None);
            continue;
        }
        let request = MeasureRequest {
            runs: Some(1),
            ..MeasureRequest::new(target.clone(), vec![workload])
        };
        let outcome = measure(&request, control, &mut Nobody)?;
        times.push(outcome.runs.first().map(|run| run.elapsed));
    }
    Ok(times)
}

/// One run of a real work, with what is not varied of it.
fn pilot_of(
    planned: &PlannedWork,
    request: &PlanRequest,
    control: &Control,
) -> Result<Option<Nanos>, ExperimentError> {
    let request = WorkRequest {
        repeat: Repeat {
            target: request.targets[0].clone(),
            runs: Some(1),
            precision: None,
            seed: request.seed,
        },
        work: planned.work,
        given: planned.given.clone(),
    };
    let done = work(&request, control, &mut Nobody)?;
    Ok(done.outcome.runs.first().map(|run| run.elapsed))
}

/// Keeps nothing.
struct Nobody;

impl Witness for Nobody {
    fn event(&mut self, _event: Event<'_>) -> Result<(), WitnessError> {
        Ok(())
    }
}
