//! `web`: the pages of a site, from a private server of the installed nginx.

use etalon_service::{by_signal, on_stop};
use etalon_units::Bytes;
use etalon_work::{Job, Parameter, RealWork, WorkError};
use etalon_workload::room;

use crate::nginx::Nginx;
use crate::parameters::{PARAMETERS, clients, directio};
use crate::site::Site;
use crate::steps::Steps;

/// What a file takes beyond its bytes on filesystems with blocks of up to 64 KiB.
const BLOCK: u64 = 64 << 10;

/// Pages of a site, fetched as browsers do.
pub(crate) struct Web;

impl RealWork for Web {
    fn name(&self) -> &'static str {
        "web"
    }

    fn summary(&self) -> &'static str {
        "Web pages from a private nginx on the target: one after another, several at once, at a rate"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        let values = job.values();
        // Refused before anything is made.
        clients(values)?;
        directio(values)?;
        let site = Site::new(values, job.seed());
        let space = site.bytes().get().saturating_add(site.files() * BLOCK);
        room::check(&job.path("."), 10, site.files(), Bytes(space))?;
        let mut nginx = Nginx::make(job)?;
        let root = nginx.site();
        job.untimed(|step| site.write(&root, step))?;
        job.set_input(site.record());
        let interrupt = by_signal(nginx.place());
        on_stop(job.stop(), interrupt, || {
            nginx.start()?;
            Steps::new(job, &mut nginx, &site)?.all()
        })?;
        nginx.close()
    }
}
