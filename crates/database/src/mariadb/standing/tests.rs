//! Servers that stand, of which a test makes its own.

use etalon_units::Nanos;

use super::*;
use crate::mariadb::{Mariadb, PARAMETERS};
use crate::private::PrivateServer;
use crate::session::Session;
use crate::standing::{StandingConnection, is_not_waited_for};
use crate::stream::Endpoint;
use crate::tests::trial::{acts, leaves_as_it_was};

fn named(given: &[(&str, &str)]) -> Result<Option<NamedMariadb>, ParameterError> {
    let given = given
        .iter()
        .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()));
    NamedMariadb::named(&Values::parse(&PARAMETERS, &given.collect::<Vec<_>>()).unwrap())
}

fn server(socket: &str, user: &str, password: &str) -> NamedMariadb {
    let address = Address {
        place: Endpoint::Socket(socket.into()),
        user: user.to_owned(),
    };
    let password = password.as_bytes().to_vec();
    NamedMariadb { address, password }
}

fn why(made: Result<StandingConnection<NamedMariadb>, DatabaseError>) -> String {
    made.err().unwrap().to_string()
}

#[test]
fn a_server_is_named_without_a_password_and_is_not_set() {
    assert!(named(&[]).unwrap().is_none());
    let url = ("url", "mariadb://me@db.example");
    assert!(named(&[url]).unwrap().is_some());
    let told = |given: &[(&str, &str)]| named(given).err().unwrap().to_string();
    let secret = told(&[("url", "mariadb://me:secret@db")]);
    assert!(
        secret.contains(PASSWORD) && !secret.contains("secret"),
        "{secret}"
    );
    assert!(told(&[("url", "postgresql://db/x")]).contains("'postgresql://db/x'"));
    assert!(told(&[url, ("flush_method", "fsync")]).contains("flush_method: 'fsync'"));
    assert!(told(&[url, ("cache", "cold")]).contains("cache: 'cold'"));
}

#[test]
fn a_server_that_stands_is_left_as_it_was() {
    acts("a_server_that_stands_is_left_as_it_was", &|job| {
        let mut instance = PrivateServer::<Mariadb>::make(job)?;
        // What queries spill goes to the target.
        let home = instance.home().data().display().to_string();
        let spills = format!("SELECT LOCATE('{home}/', @@tmpdir)");
        assert_eq!(instance.query(&spills)?.first, Some(1));
        let socket = instance.home().short().join("socket").display().to_string();
        instance.execute("CREATE USER guest@localhost IDENTIFIED BY 'right'")?;
        for password in ["wrong", ""] {
            let told = why(StandingConnection::make(
                server(&socket, "guest", password),
                &AtomicBool::new(false),
            ));
            assert!(
                told.contains("Access denied") && told.contains("set MYSQL_PWD"),
                "{told}"
            );
        }
        let told = why(StandingConnection::make(
            server(&socket, "guest", "right"),
            &AtomicBool::new(false),
        ));
        assert!(told.contains("GRANT ALL ON etalon_work.*"), "{told}");
        instance.execute("GRANT ALL ON etalon_work.* TO guest@localhost")?;
        let mut made =
            StandingConnection::make(server(&socket, "guest", "right"), &AtomicBool::new(false))?;
        // Only administrators may look at the files of tables.
        made.execute("CREATE TABLE held (id INTEGER PRIMARY KEY)")?;
        assert_eq!(made.facts()?.data, None);
        made.close()?;

        let url = format!("mariadb://root@/?socket={socket}");
        let count = format!(
            "SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = '{SCHEMA}'"
        );
        leaves_as_it_was(&Mariadb, &url, &mut instance, &count);
        instance.close()
    });
}

/// One client of `asks` waits for the row of another.
fn waits_for_a_row(asks: &mut dyn Session) -> Result<(), DatabaseError> {
    asks.execute("CREATE TABLE held (id INTEGER PRIMARY KEY)")?;
    asks.execute("INSERT INTO held VALUES (1)")?;
    let mut waiter = asks.another()?;
    asks.execute("BEGIN")?;
    asks.execute("UPDATE held SET id = 2")?;
    let waits = std::thread::spawn(move || waiter.execute("UPDATE held SET id = 3"));
    std::thread::sleep(Duration::from_millis(100));
    asks.execute("COMMIT")?;
    waits.join().unwrap().map(drop)
}

#[test]
fn what_other_clients_do_is_not_counted_as_etalons_work() {
    let test = "what_other_clients_do_is_not_counted_as_etalons_work";
    acts(test, &|job| {
        let mut instance = PrivateServer::<Mariadb>::make(job)?;
        let socket = instance.home().short().join("socket").display().to_string();
        let made = StandingConnection::make(server(&socket, "root", ""), &AtomicBool::new(false));
        let mut standing = made?;
        let before = (instance.facts()?, standing.facts()?);
        waits_for_a_row(&mut instance)?;
        let all = instance.facts()?.since(&before.0);
        assert!(
            all.cache_hits > 0 && all.lock_wait > Some(Nanos::ZERO),
            "{all:?}"
        );
        let own = standing.facts()?.since(&before.1);
        assert_eq!((own.cache_hits, own.cache_misses), (0, 0));
        assert_eq!((own.written_back, own.lock_wait), (Bytes::ZERO, None));
        standing.close()?;
        instance.close()
    });
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let told = why(StandingConnection::make(
        server("/nowhere", "me", "secret"),
        &AtomicBool::new(false),
    ));
    assert!(
        told.contains("mariadb://me@/?socket=/nowhere") && told.contains("whether it runs"),
        "{told}"
    );
    assert!(!told.contains("secret"), "{told}");
}

#[test]
fn the_command_that_drops_the_schema_has_no_password() {
    let reset = server("/run/it's", "me", "secret").reset("etalon 0");
    assert!(
        reset.contains(r"--socket=/run/it'\''s") && !reset.contains("secret"),
        "{reset}"
    );
}

#[test]
fn what_listens_and_says_nothing_is_not_waited_for() {
    let at = |port| NamedMariadb {
        address: Address {
            place: Endpoint::Host("127.0.0.1".to_owned(), port),
            user: "me".to_owned(),
        },
        password: Vec::new(),
    };
    is_not_waited_for(at, "mariadb://me@127.0.0.1");
}
