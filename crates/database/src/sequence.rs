//! The steps that every engine goes through.

use etalon_model::ServiceFacts;
use etalon_service::cold::ColdStart;
use etalon_service::load::Load;
use etalon_work::{Job, RateRecord, Step, StepDetails, WorkError};

use crate::DatabaseError;
use crate::ahead::made_ahead;
use crate::lock_watch::LockWatch;
use crate::parameters::Amounts;
use crate::queries::{self, Query, QueryKind};
use crate::rows::{Rows, TABLES};
use crate::session::Session;
use crate::transactions::Transactions;

pub(crate) const INDEX: &str = "CREATE INDEX readings_by ON readings (sensor, kind, day)";

/// Steps that commit nothing and write all the same.
const TIDYING: [&str; 2] = ["vacuum", "checkpoint"];

/// A database that stands, the rows for it, and the work that it is a part of.
pub(crate) struct Sequence<'s, 'j, 'c> {
    pub(crate) job: &'s mut Job<'c>,
    pub(crate) session: &'j mut dyn Session,
    pub(crate) amounts: Amounts,
}

impl<'s, 'j, 'c> Sequence<'s, 'j, 'c> {
    pub(crate) fn new(
        job: &'s mut Job<'c>,
        session: &'j mut dyn Session,
        amounts: Amounts,
    ) -> Sequence<'s, 'j, 'c> {
        Sequence {
            job,
            session,
            amounts,
        }
    }

    /// All of its steps.
    pub(crate) fn carry_out(mut self) -> Result<(), WorkError> {
        self.fill()?;
        self.transactions()?;
        self.ask()
    }

    /// Loading, counting and inserting.
    fn fill(&mut self) -> Result<(), WorkError> {
        let amounts = self.amounts;
        self.job.untimed(|step| {
            step.go_on()?;
            for table in TABLES {
                self.session.execute(table)?;
            }
            self.session.execute(&Rows::sensors())?;
            Ok(())
        })?;
        let mut rows = Rows::new(self.job.seed());
        self.transaction("load", rows.statements(amounts.rows))?;
        match self.session.stands() {
            true => self.count("count", None)?,
            false => {
                let cold = self.session.make_cold()?;
                self.count("count cold", Some(cold))?;
            }
        }
        self.count("count warm", None)?;
        let inserts = rows.statements(amounts.inserts);
        self.transaction("insert, one transaction", inserts)?;
        self.one_by_one(
            "insert, one commit each",
            amounts.commits,
            (0..amounts.commits).map(|_| rows.statement(1)),
        )
    }

    /// Transactions of several clients at once, as a rate.
    fn transactions(&mut self) -> Result<(), WorkError> {
        let amounts = self.amounts;
        let mut clients = self.clients()?;
        let before = self.session.facts()?;
        let watch = LockWatch::begin(&*self.session)?;
        let load = Load {
            rate: amounts.rate,
            ..Load::closed(amounts.transactions)
        };
        let done = self.step("transactions", true, |_, step| {
            let done = load.make(&mut clients, step.stop())?;
            step.book_threads(done.client_cpu);
            Ok(done)
        })?;
        let waited = watch.map(LockWatch::end);
        drop(clients);
        self.session.settle()?;
        let facts = self.session.facts()?.since(&before);
        let service = ServiceFacts {
            lock_wait: facts.lock_wait.or(waited),
            commits: amounts.transactions,
            clients: amounts.clients,
            requests: amounts.transactions,
            ..facts
        };
        self.job.add_to_last(StepDetails {
            service: Some(service),
            latency: Some(done.latency),
            lag: done.lag,
            rate: Some(RateRecord {
                operations: amounts.transactions,
                duration: done.duration,
            }),
        });
        Ok(())
    }

    fn clients(&self) -> Result<Vec<Transactions>, DatabaseError> {
        let clients = (0..self.amounts.clients).map(|_| {
            Ok(Transactions {
                connection: self.session.another()?,
                rows: self.amounts.rows,
                seed: self.job.seed(),
            })
        });
        clients.collect()
    }

    /// Indexing, asking and tidying up.
    fn ask(&mut self) -> Result<(), WorkError> {
        self.statements("create index", &[INDEX], 1)?;
        for query in queries::all(self.amounts.rows, self.job.seed()) {
            self.query(&query)?;
        }
        let vacuum = self.session.vacuum();
        self.statements("vacuum", vacuum, 0)?;
        match self.session.checkpoint() {
            [] => Ok(()),
            checkpoint => self.statements("checkpoint", checkpoint, 0),
        }
    }

    fn transaction(
        &mut self,
        name: &str,
        statements: impl Iterator<Item = String> + Send,
    ) -> Result<(), WorkError> {
        made_ahead(statements, |statements| {
            self.timed(name, Commits(1), |session, step| {
                session.execute("BEGIN")?;
                insert(session, step, statements)?;
                session.execute("COMMIT")?;
                Ok(())
            })
        })
    }

    fn one_by_one(
        &mut self,
        name: &str,
        commits: u64,
        statements: impl Iterator<Item = String> + Send,
    ) -> Result<(), WorkError> {
        made_ahead(statements, |statements| {
            self.timed(name, Commits(commits), |session, step| {
                insert(session, step, statements)
            })
        })
    }

    fn count(&mut self, name: &str, cold: Option<ColdStart>) -> Result<(), WorkError> {
        let mut found = None;
        self.looked_at(name, (Commits(0), cold), |session, _| {
            found = session.query("SELECT COUNT(*) FROM readings")?.first;
            Ok(())
        })?;
        let expected = i64::try_from(self.amounts.rows).unwrap_or(i64::MAX);
        match found {
            Some(rows) if rows == expected => Ok(()),
            found => Err(WorkError::Mismatch {
                what: "rows of the table",
                expected: expected.to_string(),
                found: found.map_or_else(|| "no number".to_owned(), |rows| rows.to_string()),
            }),
        }
    }

    fn query(&mut self, query: &Query) -> Result<(), WorkError> {
        let cold = match self.amounts.cold_queries {
            true => Some(self.session.make_cold()?),
            false => None,
        };
        let commits = Commits(u64::from(query.kind == QueryKind::Writes));
        self.looked_at(query.name, (commits, cold), |session, step| {
            for statement in &query.statements {
                step.go_on()?;
                match query.kind {
                    QueryKind::Writes => session.execute(statement)?,
                    QueryKind::Scans => session.scan(statement)?,
                    QueryKind::Asks => session.query(statement)?.rows,
                };
            }
            Ok(())
        })
    }

    fn statements(&mut self, name: &str, texts: &[&str], commits: u64) -> Result<(), WorkError> {
        self.timed(name, Commits(commits), |session, step| {
            for text in texts {
                step.go_on()?;
                session.tidy(text)?;
            }
            Ok(())
        })
    }

    /// One step, with a sync of the target inside its clock where it writes there.
    fn step<T>(
        &mut self,
        name: &str,
        writes: bool,
        act: impl FnOnce(&mut dyn Session, &mut Step<'_>) -> Result<T, WorkError>,
    ) -> Result<T, WorkError> {
        let session = &mut *self.session;
        match writes && !session.stands() {
            true => self.job.step(name, |step| act(session, step)),
            false => self.job.reading(name, |step| act(session, step)),
        }
    }

    fn timed(
        &mut self,
        name: &str,
        commits: Commits,
        act: impl FnOnce(&mut dyn Session, &mut Step<'_>) -> Result<(), WorkError>,
    ) -> Result<(), WorkError> {
        self.looked_at(name, (commits, None), act)
    }

    /// One step, with what the engine says of the time between its ends.
    fn looked_at(
        &mut self,
        name: &str,
        (commits, cold): (Commits, Option<ColdStart>),
        act: impl FnOnce(&mut dyn Session, &mut Step<'_>) -> Result<(), WorkError>,
    ) -> Result<(), WorkError> {
        let before = self.session.facts()?;
        self.step(name, commits.0 > 0 || TIDYING.contains(&name), act)?;
        let facts = self.session.facts()?.since(&before);
        let service = ServiceFacts {
            commits: commits.0,
            clients: 1,
            cold: cold.is_some(),
            kept_in_memory: cold.and_then(|cold| cold.kept),
            ..facts
        };
        self.job.add_to_last(StepDetails {
            service: Some(service),
            ..StepDetails::default()
        });
        Ok(())
    }
}

fn insert(
    session: &mut dyn Session,
    step: &Step<'_>,
    statements: &mut dyn Iterator<Item = String>,
) -> Result<(), WorkError> {
    for statement in statements {
        step.go_on()?;
        session.execute(&statement)?;
    }
    Ok(())
}

/// Transactions of a step that change something.
#[derive(Debug, Clone, Copy)]
struct Commits(u64);

#[cfg(test)]
mod tests {
    use etalon_units::Bytes;
    use etalon_work::Values;

    use super::*;
    use crate::row_size::RowSize;
    use crate::session::{Answer, Asks};
    use crate::tests::trial::acts;

    /// Takes the tables and the sensors, and then no reading.
    struct Refuses;

    impl Asks for Refuses {
        fn execute(&mut self, sql: &str) -> Result<u64, DatabaseError> {
            match sql.starts_with("INSERT INTO readings") {
                true => Err(DatabaseError::Gone { engine: "the test" }),
                false => Ok(0),
            }
        }

        fn query(&mut self, _: &str) -> Result<Answer, DatabaseError> {
            Ok(Answer::default())
        }
    }

    impl Session for Refuses {
        fn make_cold(&mut self) -> Result<ColdStart, WorkError> {
            Ok(ColdStart { kept: None })
        }

        fn facts(&mut self) -> Result<ServiceFacts, DatabaseError> {
            Ok(ServiceFacts::default())
        }

        fn another(&self) -> Result<Box<dyn Asks + Send>, DatabaseError> {
            Ok(Box::new(Refuses))
        }

        fn settle(&mut self) -> Result<(), DatabaseError> {
            Ok(())
        }

        fn vacuum(&self) -> &'static [&'static str] {
            &[]
        }

        fn checkpoint(&self) -> &'static [&'static str] {
            &[]
        }

        fn interrupter(&self) -> Box<dyn Fn() + Send> {
            Box::new(|| ())
        }
    }

    #[test]
    fn rows_whose_text_no_memory_holds_are_loaded() {
        acts("rows_whose_text_no_memory_holds_are_loaded", &|job| {
            let amounts = Amounts {
                rows: 10_000_000_000,
                ..Amounts::of(&Values::default(), RowSize::SQLITE, Bytes::ZERO)
            };
            let ended = Sequence::new(job, &mut Refuses, amounts).carry_out();
            let told = ended.unwrap_err().to_string();
            assert!(told.contains("connection to the test is gone"), "{told}");
            Ok(())
        });
    }
}
