//! A guest that reaches its disk over a network: the options, and what they take.

use anyhow::bail;
use clap::{Args, ValueEnum};
use etalon_lab::guest::{Archive, Guest, Libraries, Network, ServingGuest, find_program};
use etalon_model::LabNetwork;
use etalon_units::Nanos;

use crate::exit::BadUsage;

/// What is served.
pub(super) const FIRST_DISK: &str = "/dev/vda";
/// More than any network takes.
const LONGEST_DELAY: Nanos = Nanos::secs(10);
/// What the kernel is told a delay in.
const STEP: Nanos = Nanos(1000);

/// Options of a network within a guest.
#[derive(Debug, Clone, Args)]
pub(super) struct NetworkArgs {
    /// Reach the first disk over a network, whose server is this guest as well
    #[arg(long, value_enum, value_name = "NETWORK")]
    over: Option<Over>,
    /// Hold each packet of the network back for so long; a round trip takes twice as long
    #[arg(long, value_name = "TIME")]
    delay: Option<Nanos>,
    /// Let another guest be the server of the network, with the disks
    #[arg(long)]
    apart: bool,
}

/// The networks by the names that people type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Over {
    Nfs,
    NvmeTcp,
    Iscsi,
}

impl Over {
    fn network(self) -> Network {
        match self {
            Over::Nfs => Network::Nfs,
            Over::NvmeTcp => Network::NvmeTcp,
            Over::Iscsi => Network::Iscsi,
        }
    }
}

/// A network that a guest is to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MadeNetwork {
    network: Network,
    delay: Nanos,
    /// Whether the server is a guest of its own.
    is_apart: bool,
}

/// The network that a plan is named after: the quick check over it.
pub(super) fn named(plan: &str) -> Option<Network> {
    Network::ALL.into_iter().find(|one| one.name() == plan)
}

impl NetworkArgs {
    /// The network that is asked for by these options, or by the name of a plan.
    pub(super) fn wanted(&self, plan: &str) -> anyhow::Result<Option<MadeNetwork>> {
        let by_option = self.over.map(Over::network);
        let network = match (named(plan), by_option) {
            (Some(name), Some(option)) if name != option => bail!(BadUsage(format!(
                "{plan} and --over {} contradict each other: leave one out",
                option.name()
            ))),
            (name, option) => name.or(option),
        };
        match (network, self.delay) {
            (None, Some(delay)) => bail!(BadUsage(format!(
                "--delay {delay} is of a network: name one by --over nfs, nvme-tcp or iscsi"
            ))),
            (None, None) if self.apart => bail!(BadUsage(
                "--apart is of a network: name one by --over nfs, nvme-tcp or iscsi".to_owned()
            )),
            (None, None) => Ok(None),
            (Some(network), delay) => Ok(Some(MadeNetwork {
                network,
                delay: of_packets(delay)?,
                is_apart: self.apart,
            })),
        }
    }
}

fn of_packets(delay: Option<Nanos>) -> anyhow::Result<Nanos> {
    let delay = delay.unwrap_or(Nanos::ZERO);
    let is_whole = delay.get().is_multiple_of(STEP.get());
    match is_whole && delay <= LONGEST_DELAY {
        true => Ok(delay),
        false => bail!(BadUsage(format!(
            "--delay {delay}: give whole microseconds, at most {LONGEST_DELAY}"
        ))),
    }
}

impl MadeNetwork {
    /// What a guest has to do before it measures, in the words of its shell.
    pub(super) fn script(self) -> String {
        match self.is_apart {
            true => self.network.client_script(self.delay),
            false => self.network.script(FIRST_DISK, self.delay),
        }
    }

    /// Modules that it takes.
    pub(super) fn modules(self) -> impl Iterator<Item = &'static str> {
        let delays = (self.delay > Nanos::ZERO).then_some(Network::DELAY_MODULE);
        let card = self.is_apart.then_some(Network::CARD_MODULE);
        let own = self.network.modules().iter().copied();
        own.chain(delays).chain(card)
    }

    /// The guest that serves the first disk of another one, which then has no disks; none where that serves it itself.
    pub(super) fn server(
        self,
        client: &mut Guest,
        mut archive: Archive,
    ) -> anyhow::Result<Option<ServingGuest>> {
        if !self.is_apart {
            return Ok(None);
        }
        self.pack(&mut archive, &Libraries::default())?;
        let script = self.network.server_script(FIRST_DISK, self.delay);
        let serving = ServingGuest::beside(client, archive, &script)?;
        Ok(Some(serving))
    }

    /// Puts the programs that it takes into the archive; what is not installed is named with its package.
    pub(super) fn pack(self, archive: &mut Archive, libraries: &Libraries) -> anyhow::Result<()> {
        let delays = (self.delay > Nanos::ZERO).then_some(Network::DELAYS);
        for (name, package) in self.network.programs().iter().copied().chain(delays) {
            let Some(program) = find_program(name, &[]) else {
                let network = self.network.name();
                bail!(
                    "over {network} the guest needs {name}, which is not installed: install the package {package}"
                );
            };
            libraries.add(archive, &program, &format!("/usr/sbin/{name}"))?;
        }
        Ok(())
    }

    /// What stands in the record of each run.
    pub(super) fn record(self) -> LabNetwork {
        LabNetwork {
            protocol: self.network.name().to_owned(),
            delay: self.delay,
            apart: self.is_apart,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(plan: &str, over: Option<Over>, delay: Option<Nanos>) -> Result<String, String> {
        let args = NetworkArgs {
            over,
            delay,
            apart: false,
        };
        let found = args.wanted(plan).map_err(|error| error.to_string())?;
        Ok(found.map_or_else(String::new, |made| {
            format!("{} {}", made.network.name(), made.delay.get())
        }))
    }

    #[test]
    fn a_network_is_named_as_a_plan_or_beside_one() {
        let of = |text: &str| Ok(text.to_owned());
        assert_eq!(wanted("quick", None, None), of(""));
        assert_eq!(wanted("nfs", None, None), of("nfs 0"));
        let delay = Some(Nanos::millis(1));
        assert_eq!(
            wanted("plan.toml", Some(Over::NvmeTcp), delay),
            of("nvme-tcp 1000000")
        );
        assert_eq!(wanted("iscsi", Some(Over::Iscsi), None), of("iscsi 0"));
    }

    #[test]
    fn what_makes_no_sense_together_is_refused() {
        let refused = |plan, over, delay| wanted(plan, over, delay).unwrap_err();
        assert!(refused("nfs", Some(Over::Iscsi), None).contains("contradict"));
        let alone = refused("quick", None, Some(Nanos::millis(1)));
        assert!(alone.contains("--over"), "{alone}");
        for delay in [Nanos(1500), Nanos::secs(11)] {
            let said = refused("nfs", None, Some(delay));
            assert!(said.contains("whole microseconds"), "{said}");
        }
    }
}
