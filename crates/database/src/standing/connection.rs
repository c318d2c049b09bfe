//! A connection to a server that stands, in a schema of etalon's own, whatever the engine.

use std::sync::atomic::{AtomicBool, Ordering};

use etalon_model::ServiceFacts;
use etalon_service::cold::ColdStart;
use etalon_service::on_stop;
use etalon_work::{Job, WorkError};

use super::{ANSWER_LIMIT, SCHEMA, SchemaEntry, StandingServer, connected};
use crate::DatabaseError;
use crate::parameters::Amounts;
use crate::sequence::Sequence;
use crate::session::{Answer, Asks, Session, until_none};

/// A connection to a server that stands, in a schema of etalon's own.
pub(crate) struct StandingConnection<S: StandingServer> {
    server: S,
    entry: SchemaEntry,
    connection: Option<S::Connection>,
}

/// The usual steps on a server of somebody else's; what was made there is dropped however they end.
pub(crate) fn on_standing(
    job: &mut Job<'_>,
    amounts: Amounts,
    server: impl StandingServer,
) -> Result<(), WorkError> {
    let stop = job.stop();
    let made = StandingConnection::make(server, stop);
    let mut standing = made.map_err(|error| match stop.load(Ordering::Relaxed) {
        true => WorkError::Stopped,
        false => error.into(),
    })?;
    let interrupt = standing.interrupter();
    let worked = on_stop(stop, interrupt, || {
        Sequence::new(job, &mut standing, amounts).carry_out()
    });
    let dropped = standing.close();
    worked?;
    Ok(dropped?)
}

impl<S: StandingServer> StandingConnection<S> {
    /// Connects, unless `stop` is set meanwhile, and makes the schema, which is in the journal before.
    ///
    /// # Errors
    /// [`DatabaseError::Exists`] where there is one of that name, with nothing touched.
    pub(crate) fn make(
        server: S,
        stop: &AtomicBool,
    ) -> Result<StandingConnection<S>, DatabaseError> {
        let mut connection = connected(&server, ANSWER_LIMIT, stop)?;
        let entry = SchemaEntry::new(|mark| server.reset(mark))?;
        if let Err(error) = connection.execute(&S::create(&entry.mark())) {
            entry.strike()?;
            return Err(not_made(&server, error));
        }
        // From here on dropping it drops the schema.
        let mut standing = StandingConnection {
            server,
            entry,
            connection: Some(connection),
        };
        standing.execute(S::ENTER)?;
        Ok(standing)
    }

    fn connection(&mut self) -> Result<&mut S::Connection, DatabaseError> {
        let gone = DatabaseError::Gone { engine: S::ENGINE };
        self.connection.as_mut().ok_or(gone)
    }

    /// Another connection, also once the work was asked to stop.
    fn anew(&self) -> Result<S::Connection, DatabaseError> {
        connected(&self.server, ANSWER_LIMIT, &AtomicBool::new(false))
    }

    /// Drops the schema with all that is in it.
    ///
    /// # Errors
    /// Those of the server.
    pub(crate) fn close(mut self) -> Result<(), DatabaseError> {
        self.drop_schema()
    }

    /// Over a connection of its own: that of the work may be in a transaction, or gone.
    fn drop_schema(&mut self) -> Result<(), DatabaseError> {
        if self.connection.take().is_none() {
            return Ok(());
        }
        self.anew()?.execute(S::DROP)?;
        self.entry.strike()
    }
}

fn not_made<S: StandingServer>(server: &S, error: DatabaseError) -> DatabaseError {
    match S::is_there(&error) {
        true => DatabaseError::Exists {
            name: SCHEMA,
            drop: S::DROP_BY_HAND,
        },
        false => server.explained(error),
    }
}

impl<S: StandingServer> Drop for StandingConnection<S> {
    fn drop(&mut self) {
        // Nobody is left to tell; the journal keeps the schema, and the next start drops it.
        let _ = self.drop_schema();
    }
}

impl<S: StandingServer> Asks for StandingConnection<S> {
    fn execute(&mut self, sql: &str) -> Result<u64, DatabaseError> {
        self.connection()?.execute(sql)
    }

    fn query(&mut self, sql: &str) -> Result<Answer, DatabaseError> {
        self.connection()?.query(sql)
    }

    fn scan(&mut self, sql: &str) -> Result<u64, DatabaseError> {
        self.connection()?.scan(sql)
    }

    fn tidy(&mut self, sql: &str) -> Result<(), DatabaseError> {
        self.connection()?.tidy(sql)
    }
}

impl<S: StandingServer> Session for StandingConnection<S> {
    fn stands(&self) -> bool {
        true
    }

    fn make_cold(&mut self) -> Result<ColdStart, WorkError> {
        Ok(ColdStart { kept: None })
    }

    fn facts(&mut self) -> Result<ServiceFacts, DatabaseError> {
        Ok(ServiceFacts {
            stands: true,
            ..S::facts(self.connection()?)?
        })
    }

    fn another(&self) -> Result<Box<dyn Asks + Send>, DatabaseError> {
        let mut connection = self.anew()?;
        connection.execute(S::ENTER)?;
        Ok(Box::new(connection))
    }

    fn settle(&mut self) -> Result<(), DatabaseError> {
        S::SESSIONS.map_or(Ok(()), |sql| until_none(self, sql))
    }

    fn vacuum(&self) -> &'static [&'static str] {
        S::VACUUM
    }

    /// It would be the work of others too, and takes a right that only administrators have.
    fn checkpoint(&self) -> &'static [&'static str] {
        &[]
    }

    fn lock_waits(&self) -> Option<&'static str> {
        S::LOCK_WAITS
    }

    fn interrupter(&self) -> Box<dyn Fn() + Send> {
        match &self.connection {
            Some(connection) => self.server.interrupter(connection),
            None => Box::new(|| ()),
        }
    }
}
