//! A server of etalon's own, whatever the engine: made, started, stopped and started again.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use etalon_factor::Server;
use etalon_model::ServiceFacts;
use etalon_service::cold::ColdStart;
use etalon_service::{
    Home, by_signal, cold, on_stop, on_stop_or_stuck, told_if_full, until_it_answers,
};
use etalon_work::{Job, WorkError};
use rustix::process::Signal;

use crate::read_back::{Asked, read_back};
use crate::session::{Answer, Asks, Session, until_none};
use crate::{DatabaseError, explained};

/// What differs between the engines whose servers etalon starts.
pub(crate) trait PrivateEngine {
    type Connection: Asks + Send + 'static;

    const ENGINE: &'static str;
    /// On which it writes everything back and ends.
    const SHUT_DOWN: Signal;
    /// On which it ends at once.
    const KILL: Signal;
    /// Whether it waits for somebody to make room where there is none, rather than fail.
    const WAITS_FOR_ROOM: bool;
    /// What a new server is asked for once.
    const CREATE: &'static [&'static str];
    /// What each connection begins with.
    const ENTER: &'static [&'static str];
    /// Gives room back and renews the statistics.
    const VACUUM: &'static [&'static str];
    /// Writes everything to where it stays.
    const CHECKPOINT: &'static [&'static str];
    /// Asks how many clients wait for another one's lock; `None` where the engine counts that time by itself.
    const LOCK_WAITS: Option<&'static str>;
    /// Asks how many other sessions of clients there are; `None` where none counts what only its end tells.
    const SESSIONS: Option<&'static str>;

    /// Makes the data directory of an empty server.
    fn install(job: &Job<'_>) -> Result<Installed, WorkError>;

    /// Connects to the server of `home`.
    fn connect(home: &Home) -> Result<Self::Connection, DatabaseError>;

    /// The settings, and the counters of the whole server.
    fn facts(connection: &mut Self::Connection) -> Result<ServiceFacts, DatabaseError>;
}

/// A data directory, and the server for it.
pub(crate) struct Installed {
    pub(crate) home: Home,
    pub(crate) program: PathBuf,
    /// The words of its command line.
    pub(crate) words: Vec<String>,
    /// What it shall show of its settings.
    pub(crate) asked: Asked,
}

/// A data directory, its server and a connection to it.
pub(crate) struct PrivateServer<'a, E: PrivateEngine> {
    installed: Installed,
    stop: &'a AtomicBool,
    server: Option<Server>,
    connection: Option<E::Connection>,
}

/// Makes a server, does `act` with it and ends it, with whatever it holds; what failed for want of room says so.
pub(crate) fn on_private<E: PrivateEngine>(
    job: &mut Job<'_>,
    act: impl FnOnce(&mut Job<'_>, &mut PrivateServer<'_, E>) -> Result<(), WorkError>,
) -> Result<(), WorkError> {
    let place = job.path(".");
    let made = PrivateServer::<E>::make(job);
    let mut server = made.map_err(|error| told_if_full(error, &place, None))?;
    let (stop, home) = (job.stop(), server.home().clone());
    let interrupt = server.interrupter();
    let worked = watched::<E>(stop, &home, interrupt, || act(job, &mut server));
    let worked = worked.map_err(|error| server.died_of(error));
    worked.map_err(|error| told_if_full(error, &place, Some(&home)))?;
    server.close()
}

/// Does `act`, and interrupts it where nothing else would end it.
fn watched<E: PrivateEngine>(
    stop: &AtomicBool,
    home: &Home,
    interrupt: Box<dyn Fn() + Send>,
    act: impl FnOnce() -> Result<(), WorkError>,
) -> Result<(), WorkError> {
    match E::WAITS_FOR_ROOM {
        true => on_stop_or_stuck(stop, home, interrupt, act),
        false => on_stop(stop, interrupt, act),
    }
}

impl<'a, E: PrivateEngine> PrivateServer<'a, E> {
    pub(crate) fn make(job: &Job<'a>) -> Result<PrivateServer<'a, E>, WorkError> {
        let mut made = PrivateServer {
            installed: E::install(job)?,
            stop: job.stop(),
            server: None,
            connection: None,
        };
        made.start()?;
        let (home, interrupt) = (made.home().clone(), made.interrupter());
        watched::<E>(job.stop(), &home, interrupt, || {
            made.carry_out(E::CREATE)?;
            Ok(made.carry_out(E::ENTER)?)
        })?;
        Ok(made)
    }

    fn start(&mut self) -> Result<(), WorkError> {
        let Installed { home, asked, .. } = &self.installed;
        let words = line(&self.installed.program, &self.installed.words);
        let mut server = home.start(words)?;
        let connection = until_it_answers(home, &mut server, self.stop, || E::connect(home))?;
        let connection = self.connection.insert(connection);
        self.server = Some(server);
        let shown = E::facts(connection)?.settings;
        Ok(read_back(E::ENGINE, asked, &shown)?)
    }

    fn connection(&mut self) -> Result<&mut E::Connection, DatabaseError> {
        let gone = DatabaseError::Gone { engine: E::ENGINE };
        self.connection.as_mut().ok_or(gone)
    }

    fn carry_out(&mut self, statements: &[&str]) -> Result<(), DatabaseError> {
        let done = carry_out(self.connection()?, statements);
        done.map_err(|error| self.explained(error))
    }

    fn explained(&mut self, error: DatabaseError) -> DatabaseError {
        explained(&self.installed.home, self.server.as_mut(), error)
    }

    /// Its directory.
    pub(crate) fn home(&self) -> &Home {
        &self.installed.home
    }

    /// An error of a client, or the end of the server where that is why.
    fn died_of(&mut self, error: WorkError) -> WorkError {
        let is_of_client = match &error {
            WorkError::Exit { .. } => true,
            WorkError::Service(error) => error.downcast_ref().is_some_and(DatabaseError::is_closed),
            _ => false,
        };
        let server = self.server.as_mut().filter(|_| is_of_client);
        let death = server.and_then(|server| self.installed.home.death_of(server));
        death.map_or(error, Into::into)
    }

    /// Ends it once it has written everything back, however long that takes.
    fn shut_down(&mut self) -> Result<(), WorkError> {
        self.connection = None;
        let Some(server) = self.server.take() else {
            return Ok(());
        };
        let ended = server.end_in_order(E::SHUT_DOWN, self.stop);
        self.home().check_order(ended)
    }

    /// Ends it at once: what it holds goes away with it.
    pub(crate) fn close(mut self) -> Result<(), WorkError> {
        self.connection = None;
        let ended = self.server.take().map(|server| server.end(E::KILL));
        let ended = ended.transpose().map(drop);
        ended.map_err(WorkError::io("end", &self.installed.program))
    }
}

fn carry_out(connection: &mut impl Asks, statements: &[&str]) -> Result<(), DatabaseError> {
    for statement in statements {
        connection.execute(statement)?;
    }
    Ok(())
}

/// The command line of `program`.
pub(crate) fn line(
    program: &Path,
    words: impl IntoIterator<Item = impl Into<OsString>>,
) -> Vec<OsString> {
    let mut line = vec![program.as_os_str().to_owned()];
    line.extend(words.into_iter().map(Into::into));
    line
}

impl<E: PrivateEngine> Asks for PrivateServer<'_, E> {
    fn execute(&mut self, sql: &str) -> Result<u64, DatabaseError> {
        let done = self.connection()?.execute(sql);
        done.map_err(|error| self.explained(error))
    }

    fn query(&mut self, sql: &str) -> Result<Answer, DatabaseError> {
        let done = self.connection()?.query(sql);
        done.map_err(|error| self.explained(error))
    }

    fn scan(&mut self, sql: &str) -> Result<u64, DatabaseError> {
        let done = self.connection()?.scan(sql);
        done.map_err(|error| self.explained(error))
    }

    fn tidy(&mut self, sql: &str) -> Result<(), DatabaseError> {
        let done = self.connection()?.tidy(sql);
        done.map_err(|error| self.explained(error))
    }
}

impl<E: PrivateEngine> Session for PrivateServer<'_, E> {
    fn make_cold(&mut self) -> Result<ColdStart, WorkError> {
        self.shut_down()?;
        let kept = cold::empty(self.home().data())?;
        self.start()?;
        self.carry_out(E::ENTER)?;
        Ok(kept)
    }

    fn facts(&mut self) -> Result<ServiceFacts, DatabaseError> {
        let facts = E::facts(self.connection()?)?;
        let time = self.server.as_ref().map(Server::processor_time);
        Ok(ServiceFacts {
            server_cpu: time.unwrap_or_default().into(),
            ..facts
        })
    }

    fn another(&self) -> Result<Box<dyn Asks + Send>, DatabaseError> {
        let mut connection = E::connect(self.home())?;
        carry_out(&mut connection, E::ENTER)?;
        Ok(Box::new(connection))
    }

    fn settle(&mut self) -> Result<(), DatabaseError> {
        E::SESSIONS.map_or(Ok(()), |sql| until_none(self, sql))
    }

    fn vacuum(&self) -> &'static [&'static str] {
        E::VACUUM
    }

    fn checkpoint(&self) -> &'static [&'static str] {
        E::CHECKPOINT
    }

    fn lock_waits(&self) -> Option<&'static str> {
        E::LOCK_WAITS
    }

    fn interrupter(&self) -> Box<dyn Fn() + Send> {
        by_signal(self.home().data().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mariadb::Mariadb;
    use crate::postgresql::Postgresql;
    use crate::tests::trial::acts;

    /// A shell that stands for a server: it writes a file `written` when it is told to end, a moment later, and then ends with
    /// this status.
    struct Shell<const STATUS: i32>;

    impl<const STATUS: i32> PrivateEngine for Shell<STATUS> {
        type Connection = Mute;

        const ENGINE: &'static str = "the shell";
        const SHUT_DOWN: Signal = Signal::TERM;
        const KILL: Signal = Signal::KILL;
        const WAITS_FOR_ROOM: bool = false;
        const CREATE: &'static [&'static str] = &[];
        const ENTER: &'static [&'static str] = &[];
        const VACUUM: &'static [&'static str] = &[];
        const LOCK_WAITS: Option<&'static str> = None;
        const SESSIONS: Option<&'static str> = None;
        const CHECKPOINT: &'static [&'static str] = &[];

        fn install(job: &Job<'_>) -> Result<Installed, WorkError> {
            let at_the_end = format!("sleep 0.2; : >written; echo last; exit {STATUS}");
            let script = format!("trap '{at_the_end}' TERM; : >up; sleep 600 & wait");
            Ok(Installed {
                home: Home::make(job, Self::ENGINE)?,
                program: "/bin/sh".into(),
                words: vec!["-c".to_owned(), script],
                asked: Vec::new(),
            })
        }

        fn connect(home: &Home) -> Result<Mute, DatabaseError> {
            let engine = Self::ENGINE;
            let is_up = home.data().join("up").exists();
            is_up.then_some(Mute).ok_or(DatabaseError::Gone { engine })
        }

        fn facts(_: &mut Mute) -> Result<ServiceFacts, DatabaseError> {
            Ok(ServiceFacts::default())
        }
    }

    struct Mute;

    impl Asks for Mute {
        fn execute(&mut self, _: &str) -> Result<u64, DatabaseError> {
            Ok(0)
        }

        fn query(&mut self, _: &str) -> Result<Answer, DatabaseError> {
            Ok(Answer::default())
        }
    }

    #[test]
    fn a_server_is_cold_once_it_has_written_everything_back() {
        let test = "a_server_is_cold_once_it_has_written_everything_back";
        acts(test, &|job| {
            on_private::<Shell<0>>(job, |_, server| {
                server.make_cold()?;
                assert!(server.home().data().join("written").exists());
                assert!(server.server.is_some() && server.connection.is_some());
                Ok(())
            })
        });
    }

    /// With a client that has not gone yet.
    fn becomes_cold<E: PrivateEngine>(job: &mut Job<'_>) -> Result<(), WorkError> {
        on_private::<E>(job, |_, server| {
            let _client = server.another()?;
            server.make_cold()?;
            server.query("SELECT 1")?;
            Ok(())
        })
    }

    #[test]
    fn servers_shut_down_in_order_while_clients_are_connected() {
        let test = "servers_shut_down_in_order_while_clients_are_connected";
        acts(test, &|job| becomes_cold::<Mariadb>(job));
        acts(test, &|job| becomes_cold::<Postgresql>(job));
    }

    #[test]
    fn a_server_that_has_not_written_everything_back_is_not_cold() {
        let test = "a_server_that_has_not_written_everything_back_is_not_cold";
        acts(test, &|job| {
            let ended = on_private::<Shell<1>>(job, |_, server| server.make_cold().map(drop));
            let told = ended.unwrap_err().to_string();
            let is_whole = told.contains("ended with exit status: 1") && told.contains("log: last");
            assert!(
                told.starts_with("the shell was to shut down") && is_whole,
                "{told}"
            );
            Ok(())
        });
    }

    /// What is told where the server is killed while a client asks it.
    fn told_of_its_end<E: PrivateEngine>(job: &mut Job<'_>) -> Result<(), WorkError> {
        let ended = on_private::<E>(job, |_, server| {
            let mut client = server.another()?;
            let pid = server.server.as_ref().map(Server::pid).unwrap();
            let pid = rustix::process::Pid::from_raw(pid.cast_signed()).unwrap();
            rustix::process::kill_process(pid, Signal::KILL).unwrap();
            // The first answers may still be on their way.
            loop {
                client.query("SELECT 1")?;
            }
        });
        let told = ended.unwrap_err().to_string();
        let is_whole = told.contains("ended with signal: 9") && told.contains("its log");
        assert!(told.starts_with(E::ENGINE) && is_whole, "{told}");
        Ok(())
    }

    #[test]
    fn a_client_whose_server_dies_tells_how_that_ended() {
        let test = "a_client_whose_server_dies_tells_how_that_ended";
        acts(test, &|job| told_of_its_end::<Mariadb>(job));
        acts(test, &|job| told_of_its_end::<Postgresql>(job));
    }
}
