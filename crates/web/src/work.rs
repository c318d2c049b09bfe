//! `web`: the pages of a site, from a private server of the installed nginx.

use etalon_service::{by_signal, on_stop};
use etalon_work::{Job, Parameter, RealWork, Values, WorkError};

use crate::elsewhere::Elsewhere;
use crate::fitting;
use crate::nginx::Nginx;
use crate::parameters::{OWN, PARAMETERS, clients, directio, is_elsewhere};
use crate::site::Site;
use crate::steps::Steps;

/// Pages of a site, fetched as browsers do.
pub(crate) struct Web;

impl RealWork for Web {
    fn name(&self) -> &'static str {
        "web"
    }

    fn summary(&self) -> &'static str {
        "Web pages from a private nginx on the target, or of a server that stands: one after another, several at once, at a rate"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn without_effect(&self, values: &Values) -> &'static [Parameter] {
        match is_elsewhere(values) {
            true => &OWN,
            false => &[],
        }
    }

    fn check(&self, values: &Values) -> Result<(), WorkError> {
        clients(values)?;
        directio(values)?;
        Elsewhere::named(values).map(drop)
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        match Elsewhere::named(job.values())? {
            Some(elsewhere) => fetch(job, elsewhere),
            None => serve(job),
        }
    }
}

/// Pages of a server that stands.
fn fetch(job: &mut Job<'_>, mut elsewhere: Elsewhere) -> Result<(), WorkError> {
    job.set_input(elsewhere.record());
    Steps::new(job, &mut elsewhere)?.all()
}

/// Pages of a site that is made, by a server that is started.
fn serve(job: &mut Job<'_>) -> Result<(), WorkError> {
    let site = Site::new(job.values(), job.seed())?;
    fitting::check(&job.path("."), &site)?;
    let mut nginx = Nginx::make(job, site)?;
    let input = job.untimed(|step| nginx.write_site(step))?;
    job.set_input(input);
    let interrupt = by_signal(nginx.place());
    on_stop(job.stop(), interrupt, || {
        nginx.start()?;
        Steps::new(job, &mut nginx)?.all()
    })?;
    nginx.close()
}
