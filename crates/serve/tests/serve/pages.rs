//! What the pages show.

use etalon_factor::ProcessStamp;
use etalon_language::Language;
use etalon_model::{
    ExperimentKind, IoWorkload, Measurement, NewExperiment, Run, TaskFigure, TaskWorkload,
};
use etalon_units::Nanos;

use crate::common::{Served, begun, finished};

const SCRIPT: &str = "/srv/<script>alert(1)</script>'\"&";

/// A store with two experiments, of which the first is tagged and has a hostile target.
fn served() -> Served {
    let served = Served::new();
    let mut store = served.store();
    let first = finished(&mut store, SCRIPT, ExperimentKind::Quick);
    finished(&mut store, "/home", ExperimentKind::Measure);
    for tag in ["base\"line", "<img-of-a-tag>"] {
        store.set_tag(first, tag, true).unwrap();
    }
    store
        .set_note(first, "<img src=x onerror=alert(1)>")
        .unwrap();
    served
}

/// The experiments of a list, in its order.
fn listed(served: &Served, path: &str) -> Vec<String> {
    let said = served.get(path);
    assert_eq!(said.status(), 200, "{path}: {said:?}");
    let parts = said.body().split("<a href=\"/experiment/").skip(1);
    parts
        .map(|part| part.split('"').next().unwrap().to_owned())
        .collect()
}

#[test]
fn the_list_has_every_experiment_with_its_figure_the_newest_first() {
    let served = served();
    assert_eq!(listed(&served, "/"), ["2", "1"]);
    let said = served.get("/");
    for part in [
        "2 experiments",
        "seq. read 2000 MiB/s",
        "1 of 1",
        "day 20000",
        "/home",
        "quick",
    ] {
        assert!(said.body().contains(part), "{part}: {said:?}");
    }
}

#[test]
fn pages_and_refusals_are_in_the_language_of_the_server() {
    let told = [
        (
            Language::French,
            [
                "Rien n’a encore été mesuré",
                "Rien n’est en cours",
                "valeurs arrivent",
                "n’existe pas",
            ],
        ),
        (
            Language::Dutch,
            [
                "nog niets gemeten",
                "wordt niets in deze",
                "cijfers komen",
                "is er niet",
            ],
        ),
    ];
    for (language, parts) in told {
        let served = Served::with(|settings| settings.language = language);
        for (path, part) in ["/", "/live", "/watch", "/none"].iter().zip(parts) {
            let said = served.get(path);
            assert!(said.body().contains(part), "{path}: {part}: {said:?}");
            let lang = format!("<html lang=\"{}\">", language.tag());
            assert!(said.body().contains(&lang), "{path}: {lang}");
        }
        for (path, part) in [
            ("/?kind=x", "x"),
            ("/compare?id=x", "x"),
            ("/experiment/404", "404"),
        ] {
            assert!(served.get(path).body().contains(part), "{path}");
        }
    }
}

#[test]
fn filters_choose_and_are_shown_again() {
    let served = served();
    let chosen = [
        ("/?target=home", vec!["2"]),
        ("/?target=%2Fsrv%2F%3Cscript", vec!["1"]),
        ("/?kind=quick&state=finished&target=&tag=", vec!["1"]),
        ("/?tag=base%22line", vec!["1"]),
        ("/?tag=base", vec![]),
        ("/?state=running", vec![]),
        ("/?page=1", vec![]),
        ("/?unknown=1", vec!["2", "1"]),
    ];
    for (path, expected) in chosen {
        assert_eq!(listed(&served, path), expected, "{path}");
    }
    let said = served.get("/?kind=quick&tag=base%22line");
    for part in [
        "<option selected>quick",
        "value=\"base&quot;line\"",
        "1 of 2 experiments",
    ] {
        assert!(said.body().contains(part), "{part}: {said:?}");
    }
    let said = served.get("/?kind=%3Cscript%3E");
    assert_eq!(said.status(), 400);
    assert!(said.body().contains("&lt;script&gt;") && said.body().contains("quick, measure"));
}

#[test]
fn an_experiment_whose_process_was_killed_does_not_run() {
    let served = served();
    let own = ProcessStamp::current().unwrap();
    let dead = ProcessStamp {
        start_ticks: own.start_ticks + 1,
        ..own.clone()
    };
    for owner in [dead, own] {
        let begun = NewExperiment {
            owner: Some(owner.to_string()),
            ..begun("/srv", ExperimentKind::Measure)
        };
        served.store().begin_experiment(&begun).unwrap();
    }
    assert_eq!(listed(&served, "/?state=interrupted"), ["3"]);
    assert_eq!(listed(&served, "/?state=running"), ["4"]);
    let page = served.get("/?state=interrupted");
    assert!(page.body().contains("v-warn\">interrupted"), "{page:?}");
}

/// The stamp of this process, as it would be on another machine.
fn elsewhere() -> String {
    let own = ProcessStamp::current().unwrap();
    let machine = "another".to_owned();
    ProcessStamp { machine, ..own }.to_string()
}

#[test]
fn what_another_machine_did_not_end_does_not_run_here() {
    let served = served();
    let begun = NewExperiment {
        owner: Some(elsewhere()),
        ..begun("/srv", ExperimentKind::Measure)
    };
    served.store().begin_experiment(&begun).unwrap();
    let page = served.get("/live");
    assert!(
        page.body().contains("Nothing is being measured"),
        "{page:?}"
    );
    assert_eq!(listed(&served, "/?state=interrupted"), ["3"]);
    assert_eq!(listed(&served, "/?state=running"), [""; 0]);
}

#[test]
fn a_task_is_told_in_the_unit_of_its_figure() {
    let served = served();
    let mut store = served.store();
    let begun = begun("/srv", ExperimentKind::Work);
    let id = store.begin_experiment(&begun).unwrap();
    for (step, figure) in [("pages", TaskFigure::Rate), ("copy", TaskFigure::Time)] {
        let task = TaskWorkload::of_texts("web", step, figure, [].into());
        let mut measured = Measurement::of_nothing(Nanos::secs(2));
        measured.metadata.operations = 400;
        let run = Run::of(step, task, measured);
        store.append_run(id, &run).unwrap();
    }
    let page = served.get("/live");
    for said in ["<b>200/s</b>", "<b>2.00 s</b>"] {
        assert!(page.body().contains(said), "{said}: {page:?}");
    }
}

#[test]
fn a_session_that_goes_on_counts_its_own_time_and_that_of_those_before() {
    let served = served();
    let begun = NewExperiment {
        owner: Some(ProcessStamp::current().unwrap().to_string()),
        ..begun("/srv", ExperimentKind::Measure)
    };
    let mut store = served.store();
    let id = store.begin_experiment(&begun).unwrap();
    let told = || {
        let page = served.get("/live");
        let (_, after) = page.body().split_once("running for ").unwrap();
        after.split(['.', ';']).next().unwrap().to_owned()
    };
    let minutes = |told: &str| -> u64 { told.split(" min").next().unwrap().parse().unwrap() };
    let mut run = Run::of(
        "read",
        IoWorkload::default(),
        Measurement::of_nothing(Nanos::secs(1)),
    );
    (run.started_unix_ns, run.elapsed) = (begun.started_unix_ns, Nanos::secs(180));
    store.append_run(id, &run).unwrap();
    // What lies between the days of the first session and this process is nobody's.
    let passes = told();
    assert!((3..60).contains(&minutes(&passes)), "{passes}");
    store.set_elapsed(id, Nanos::secs(6000)).unwrap();
    let sessions = told();
    assert!((100..160).contains(&minutes(&sessions)), "{sessions}");
    // How many runs more were asked for is not known.
    let page = served.get("/live");
    assert!(page.body().contains(">Block 1, running for"), "{page:?}");
}

#[test]
fn a_script_in_a_name_a_note_or_a_tag_comes_out_escaped() {
    let served = served();
    for path in ["/", "/?target=%3Cscript%3E", "/live", "/watch"] {
        let said = served.get(path);
        for raw in ["<script>", "<img", "alert(1)</", "on <sda1>"] {
            assert!(!said.body().contains(raw), "{path}: {raw}: {said:?}");
        }
    }
    assert!(
        served
            .get("/")
            .body()
            .contains("/srv/&lt;script&gt;alert(1)")
    );
    assert!(served.get("/watch").body().contains("ext4 on &lt;sda1&gt;"));
}

#[test]
fn experiments_and_comparisons_are_the_reporters_pages() {
    let served = served();
    let told = |path: &str| served.get(path);
    assert!(told("/experiment/7").body().contains("report of [7]"));
    assert!(
        told("/compare?id=2&id=1")
            .body()
            .contains("report of [2, 1]")
    );
    assert_eq!(told("/experiment/404").status(), 404);
    let twins = told("/compare?id=409&id=1");
    assert_eq!(twins.status(), 409);
    assert!(twins.body().contains("they are &lt;twins&gt;"));
    for (path, ticked) in [
        ("/compare", 0),
        ("/compare?id=1", 1),
        ("/compare?id=1&id=2&id=3&id=4&id=5&id=6&id=7", 7),
    ] {
        let said = told(path);
        assert_eq!(said.status(), 400, "{path}");
        assert!(
            said.body()
                .contains(&format!("{ticked} experiments are ticked")),
            "{said:?}"
        );
    }
}

#[test]
fn nothing_of_a_page_is_inline_and_what_it_brings_is_hashed() {
    let served = served();
    for path in ["/", "/live", "/watch", "/experiment/1", "/no/such"] {
        let said = served.get(path);
        let policy = said.header("content-security-policy").unwrap();
        assert!(
            !policy.contains("unsafe") && policy.starts_with("default-src 'none'"),
            "{policy}"
        );
        let body = said.body();
        for inline in ["<style", " style=", "<script>", " onclick=", "javascript:"] {
            assert!(!body.contains(inline), "{path}: {inline}");
        }
        let brought = body.split("/static/").count() - 1;
        assert!(brought >= 2, "{path}");
        assert_eq!(
            body.matches(" integrity=\"sha384-").count(),
            brought,
            "{path}"
        );
        for link in body.split("=\"/static/").skip(1) {
            let link = format!("/static/{}", link.split('"').next().unwrap());
            assert_eq!(served.get(&link).status(), 200, "{link}");
        }
    }
}

#[test]
fn a_store_that_went_away_is_said_and_comes_back() {
    let served = served();
    let away = served.home.path().join("away");
    std::fs::rename(served.path(), &away).unwrap();
    let said = served.get("/");
    assert_eq!(said.status(), 500);
    assert!(said.body().contains("there is no store at"), "{said:?}");
    std::fs::rename(&away, served.path()).unwrap();
    assert_eq!(listed(&served, "/"), ["2", "1"]);
}
