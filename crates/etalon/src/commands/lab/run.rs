//! `etalon lab run`.

use etalon_experiment::Outcome;
use etalon_lab::guest::RUN;
use etalon_model::{ExperimentKind, ExperimentState};
use etalon_tools::Exit;
use etalon_units::Nanos;
use serde_json::Value;

use super::ended::{ended, is_stopped, lost, tell_last_lines};
use super::guest::Station;
use super::heard::{GuestShare, Heard, Listener};
use super::network::MadeNetwork;
use super::parts::Parts;
use super::run_args::LabRunArgs;
use crate::bench::Bench;
use crate::cli::WaitArgs;
use crate::output;

impl LabRunArgs {
    pub(super) fn run(&self) -> anyhow::Result<Exit> {
        self.on_usual_disks()?.run_on_disks()
    }

    fn run_on_disks(&self) -> anyhow::Result<Exit> {
        let network = self.network.wanted(&self.plan)?;
        let plan = match self.is_quick() {
            true => None,
            false => Some(self.plan()?),
        };
        if let Some(plan) = &plan
            && let Some(parts) = Parts::of(plan)?
        {
            return parts.run(self, network);
        }
        let text = plan.map_or_else(String::new, |(text, _)| text);
        self.whole(&text, network)
    }

    /// Boots one guest, and keeps the experiment that it makes.
    fn whole(&self, text: &str, network: Option<MadeNetwork>) -> anyhow::Result<Exit> {
        let kind = match self.is_quick() {
            true => ExperimentKind::Quick,
            false => ExperimentKind::Plan,
        };
        // A store that cannot keep runs is known before the first of them.
        let mut bench = Bench::open(kind, &self.store, 0, Value::Null)?;
        let control = bench.control(WaitArgs::default())?;
        bench.says("a guest is made ready");
        let (station, kernel) = (Station::stopped_by(control.stop)?, self.guest.kernel()?);
        let mut ready = self.guest.ready(&station, &kernel, RUN, network)?;
        bench.steps(&ready.boots());
        self.pack(&mut ready, text, &self.command(network))?;
        let mut listener = Listener::new(&mut bench, GuestShare::Whole);
        let booted = listener.boot(&mut ready);
        let heard = listener.heard;
        let console = ready.guest.last_lines();
        ready.close()?;
        let ended = booted.and_then(|booted| ended(&booted, &console));
        self.close(bench, heard, ended)
    }

    /// Keeps what a guest has judged, or what it left; shows the experiment, if there is one.
    fn close(
        &self,
        mut bench: Bench,
        mut heard: Heard,
        ended: anyhow::Result<Exit>,
    ) -> anyhow::Result<Exit> {
        let interrupted = ended.as_ref().is_err_and(is_stopped);
        let failed = ended.as_ref().err().filter(|_| !interrupted);
        heard.choices.extend(failed.map(lost));
        let whole = heard.state == Some(ExperimentState::Finished);
        let cells = heard.judged();
        // The guest itself does not know how late its disks have answered.
        let is_late = Exit::of_cells(&cells) == Exit::NotValid;
        let outcome = Outcome {
            cells,
            target: heard.target,
            choices: heard.choices,
            forecast: None,
            runs: heard.runs,
            seed: bench.new_experiment().seed,
            elapsed: Nanos::ZERO,
            interrupted,
            failure: (!whole).then(|| "the guest".to_owned()),
        };
        bench.keep(Ok(outcome))?;
        if let Some(id) = bench.kept_as() {
            self.show(id)?;
        }
        match ended {
            Err(error) if interrupted => {
                output::note(&format!("etalon: {error}"));
                Ok(Exit::Interrupted)
            }
            Err(error) => {
                tell_last_lines(&error);
                Err(error)
            }
            Ok(Exit::Done | Exit::Imprecise) if is_late => Ok(Exit::NotValid),
            Ok(exit) => Ok(exit),
        }
    }

    /// What the guest carries out.
    fn command(&self, network: Option<MadeNetwork>) -> String {
        let mut words: Vec<String> = match self.is_quick() {
            true => vec!["quick".to_owned()],
            false => ["run", "/plan.toml"].map(str::to_owned).to_vec(),
        };
        if !self.names_target() {
            let usual = self.usual_targets(network).iter();
            words.extend(usual.map(|&target| target.to_owned()));
        }
        words.extend(self.given.iter().cloned());
        self.command_of(&words, network)
    }

    fn show(&self, id: i64) -> anyhow::Result<()> {
        super::super::show::page_of(id, self.json, self.look, &self.store).map(drop)
    }
}
