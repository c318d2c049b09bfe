//! Servers that stand, of which a test makes its own.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use etalon_units::Bytes;

use super::*;
use crate::postgresql::client::WAITING_FOR_LOCKS;
use crate::postgresql::{PARAMETERS, Postgresql};
use crate::private::PrivateServer;
use crate::session::{Asks, Session as _};
use crate::standing::{StandingConnection, is_not_waited_for};
use crate::tests::trial::{acts, leaves_as_it_was};

fn named(given: &[(&str, &str)]) -> Result<Option<NamedPostgresql>, ParameterError> {
    let given = given
        .iter()
        .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()));
    NamedPostgresql::named(&Values::parse(&PARAMETERS, &given.collect::<Vec<_>>()).unwrap())
}

#[test]
fn a_server_is_named_without_a_password_and_is_not_set() {
    assert!(named(&[]).unwrap().is_none());
    let url = ("url", "postgresql://me@db.example:5433/shop");
    assert_eq!(
        named(&[url]).unwrap().unwrap().login.database.as_deref(),
        Some("shop")
    );
    let told = |given: &[(&str, &str)]| named(given).unwrap_err().to_string();
    for secret in [
        "postgresql://me:secret@db/x",
        "postgresql://me@db/x?password=secret",
    ] {
        let text = told(&[("url", secret)]);
        assert!(
            text.contains(PASSWORD) && !text.contains("secret"),
            "{text}"
        );
    }
    let broken = told(&[("url", "postgresql://me:secret@db:port/x")]);
    assert!(
        broken.contains("'postgresql://'") && !broken.contains("secret"),
        "{broken}"
    );
    assert!(told(&[("url", "mysql://db/x")]).contains("'mysql://db/x'"));
    assert!(told(&[url, ("fsync", "off")]).contains("fsync: 'off'"));
    assert!(told(&[url, ("cache", "cold")]).contains("cache: 'cold'"));
    assert!(told(&[url, ("scale", "2x-memory")]).contains("scale: '2x-memory'"));
}

fn server(url: &str) -> NamedPostgresql {
    named(&[("url", url)]).unwrap().unwrap()
}

fn why(made: Result<StandingConnection<NamedPostgresql>, DatabaseError>) -> String {
    made.err().unwrap().to_string()
}

#[test]
fn a_server_that_stands_is_left_as_it_was() {
    acts("a_server_that_stands_is_left_as_it_was", &|job| {
        let mut cluster = PrivateServer::<Postgresql>::make(job)?;
        // Somebody else, for whose end nobody waits.
        cluster.execute("SET application_name = 'shop'")?;
        let socket = cluster.home().short().display().to_string();
        let url = |user: &str| format!("postgresql://{user}@/postgres?host={socket}");
        // Nobody of that name, and somebody without the right.
        let told = why(StandingConnection::make(
            server(&url("nobody")),
            &AtomicBool::new(false),
        ));
        assert!(
            told.contains("\"nobody\" does not exist") && told.contains("PGPASSWORD"),
            "{told}"
        );
        cluster.execute("CREATE ROLE guest LOGIN")?;
        let told = why(StandingConnection::make(
            server(&url("guest")),
            &AtomicBool::new(false),
        ));
        assert!(
            told.contains("permission denied") && told.contains("GRANT CREATE"),
            "{told}"
        );

        let count = format!("SELECT count(*) FROM pg_namespace WHERE nspname = '{SCHEMA}'");
        leaves_as_it_was(&Postgresql, &url("etalon"), &mut cluster, &count);
        cluster.close()
    });
}

/// How many wait, once that are `count`.
fn waiting(asks: &mut dyn Asks, sql: &str, count: i64) -> Result<Option<i64>, DatabaseError> {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        let first = asks.query(sql)?.first;
        if first == Some(count) || Instant::now() > until {
            return Ok(first);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn locks_that_other_clients_wait_for_are_not_etalons() {
    let test = "locks_that_other_clients_wait_for_are_not_etalons";
    acts(test, &|job| {
        let mut cluster = PrivateServer::<Postgresql>::make(job)?;
        let socket = cluster.home().short().display().to_string();
        let named = server(&format!("postgresql://etalon@/postgres?host={socket}"));
        let standing = StandingConnection::make(named, &AtomicBool::new(false))?;
        cluster.execute("CREATE TABLE held (id int); INSERT INTO held VALUES (1)")?;
        cluster.execute("BEGIN")?;
        cluster.execute("UPDATE held SET id = 2")?;
        let (mut own, mut other) = (standing.another()?, standing.another()?);
        let mut asks = standing.another()?;
        let sql = standing.lock_waits().unwrap();
        other.execute("SET application_name = 'shop'")?;
        let others = std::thread::spawn(move || other.execute("UPDATE public.held SET id = 3"));
        assert_eq!(waiting(&mut *asks, WAITING_FOR_LOCKS, 1)?, Some(1));
        assert_eq!(asks.query(sql)?.first, Some(0));
        let owns = std::thread::spawn(move || own.execute("UPDATE public.held SET id = 4"));
        assert_eq!(waiting(&mut *asks, WAITING_FOR_LOCKS, 2)?, Some(2));
        assert_eq!(asks.query(sql)?.first, Some(1));
        cluster.execute("COMMIT")?;
        others.join().unwrap()?;
        owns.join().unwrap()?;
        drop(asks);
        standing.close()?;
        cluster.close()
    });
}

#[test]
fn pages_that_other_clients_ask_for_are_not_etalons() {
    let test = "pages_that_other_clients_ask_for_are_not_etalons";
    acts(test, &|job| {
        let mut cluster = PrivateServer::<Postgresql>::make(job)?;
        let socket = cluster.home().short().display().to_string();
        let named = server(&format!("postgresql://etalon@/postgres?host={socket}"));
        let mut standing = StandingConnection::make(named, &AtomicBool::new(false))?;
        let before = (cluster.facts()?, standing.facts()?);
        let table = "CREATE TABLE many AS SELECT generate_series(1, 10000) AS id";
        cluster.execute(table)?;
        cluster.query("SELECT count(*) FROM many")?;
        let all = cluster.facts()?.since(&before.0);
        let own = standing.facts()?.since(&before.1);
        assert!(all.cache_hits > 40, "{all:?}");
        assert_eq!((own.cache_hits, own.cache_misses), (0, 0));
        assert_eq!(
            (own.written_back, own.data),
            (Bytes::ZERO, Some(Bytes::ZERO))
        );
        standing.execute(table)?;
        standing.query("SELECT count(*) FROM many")?;
        let own = standing.facts()?.since(&before.1);
        assert!(
            own.cache_hits > 40 && own.data > Some(Bytes::kib(300)),
            "{own:?}"
        );
        standing.close()?;
        cluster.close()
    });
}

#[test]
fn a_password_is_proven_in_each_way_that_a_server_asks_for() {
    acts(
        "a_password_is_proven_in_each_way_that_a_server_asks_for",
        &|job| {
            let mut cluster = PrivateServer::<Postgresql>::make(job)?;
            let home = cluster.home().short().to_owned();
            let file = home.join("pg_hba.conf");
            let usual = std::fs::read_to_string(&file).unwrap();
            let ways = ["scram-sha-256", "md5", "password"];
            let rules = ways.map(|way| format!("local all \"{way}\" {way}\n"));
            std::fs::write(&file, rules.concat() + &usual).unwrap();
            for way in ways {
                let kept_as = if way == "md5" { "md5" } else { "scram-sha-256" };
                cluster.execute(&format!(
                "SET password_encryption = '{kept_as}'; CREATE ROLE \"{way}\" LOGIN PASSWORD 'secret'"
            ))?;
            }
            cluster.query("SELECT pg_reload_conf()")?;
            let socket = home.display().to_string();
            let by = |way: &str, password: Option<&str>| {
                let mut server = server(&format!("postgresql://{way}@/postgres?host={socket}"));
                server.login.password = password.map(|password| password.as_bytes().to_vec());
                server
                    .connect()
                    .map(drop)
                    .map_err(|error| error.to_string())
            };
            // The server reads the file again when it comes to it.
            let until = Instant::now() + Duration::from_secs(30);
            while by("password", None).is_ok() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(10));
            }
            for way in ways {
                assert_eq!(by(way, Some("secret")), Ok(()), "{way}");
                let wrong = by(way, Some("wrong")).unwrap_err();
                assert!(
                    wrong.contains("password authentication failed")
                        && wrong.contains("set PGPASSWORD"),
                    "{wrong}"
                );
                let none = by(way, None).unwrap_err();
                assert!(
                    none.contains("asks for a password") && none.contains("PGPASSWORD is set"),
                    "{none}"
                );
            }
            cluster.close()
        },
    );
}

#[test]
fn a_server_that_is_not_there_is_named_without_a_password() {
    let url = "postgresql://me@/shop?host=/nowhere";
    let mut server = server(url);
    server.login.password = Some(b"secret".to_vec());
    let told = why(StandingConnection::make(server, &AtomicBool::new(false)));
    assert!(
        told.contains(url) && told.contains("No such file") && told.contains("whether it runs"),
        "{told}"
    );
    assert!(!told.contains("secret"));
}

#[test]
fn the_command_that_drops_the_schema_has_the_address_as_it_was_typed_and_no_password() {
    let mut server = server("postgresql://me@db/it's");
    server.login.password = Some(b"secret".to_vec());
    let reset = server.reset("etalon 0");
    assert!(
        reset.contains(r"-d 'postgresql://me@db/it'\''s' -c "),
        "{reset}"
    );
    assert!(!reset.contains("secret"), "{reset}");
}

#[test]
fn what_listens_and_says_nothing_is_not_waited_for() {
    let at = |port| server(&format!("postgresql://me@127.0.0.1:{port}/shop"));
    is_not_waited_for(at, "postgresql://me@127.0.0.1");
}
