//! A walk over the table of options.

use std::collections::BTreeSet;

use etalon_file_ops::{FileOp, Fill, Mapped, Sharing, WriteBack};
use etalon_model::SyncMode;
use etalon_units::Bytes;
use proptest::prelude::*;

use super::super::options::test_of;
use super::super::specs::{Effect, Takes};
use super::super::table::SPECS;
use super::super::{Ask, Options, Repeat, Unit};
use super::{parsed, refused, words};

#[test]
fn names_are_unique_and_every_option_has_help() {
    let names: BTreeSet<&str> = SPECS.iter().map(|spec| spec.name).collect();
    assert_eq!(names.len(), SPECS.len());
    for spec in SPECS {
        let name = spec.name;
        let legal = match name.as_bytes() {
            [letter] => letter.is_ascii_alphabetic(),
            [b'+', letter] => letter.is_ascii_alphabetic(),
            [b'-', rest @ ..] => rest.iter().all(u8::is_ascii_lowercase),
            _ => false,
        };
        assert!(legal && !spec.help.is_empty(), "{name}");
        match (spec.takes, spec.effect) {
            (Takes::Nothing, Effect::Reads(_)) => panic!("{name} reads nothing"),
            (Takes::Value(_) | Takes::Names(_), Effect::Sets(_)) => {
                panic!("{name} drops its value")
            }
            _ => {}
        }
    }
}

/// Every option of iozone's usage text (its `-h`) is known, offered or not.
#[test]
fn no_option_of_iozone_is_unknown() {
    let letters = "a A b B c C d D e E f F g G h H i I j J k K l L m M n N o O p P q Q r R s S t T \
                   u U v V w W x X y Y z Z +A +B +b +C +d +D +h +k +l +L +m +n +N +p +q +r +S +t +T \
                   +u +w +x +X +y +J";
    for letter in letters.split_whitespace() {
        assert!(SPECS.iter().any(|spec| spec.name == letter), "-{letter}");
    }
}

#[test]
fn each_flag_changes_something_and_each_value_is_checked() {
    for spec in SPECS {
        let option = format!("-{}", spec.name);
        match spec.effect {
            // -x and its kind are tested by name below.
            Effect::Sets(set) => {
                let mut options = Options::default();
                set(&mut options);
                assert_ne!(options, Options::default(), "{option}");
            }
            Effect::Reads(_) => {
                assert!(refused(&option).contains("needs"), "{option}");
                if !["-f", "-F", "-b", "-U", "-X", "-Y", "--overwrite"].contains(&option.as_str()) {
                    let text = refused(&format!("{option} nonsense"));
                    assert!(text.contains("'nonsense'"), "{text}");
                }
            }
            Effect::NotOffered(reason) => {
                let text = refused(&option);
                assert!(text.contains(&option) && text.contains(reason), "{text}");
            }
        }
    }
}

#[test]
fn letters_stand_together_and_values_follow_at_once() {
    let options = parsed("-Rab out.wks -s1024M -r1m -i0 -i 2 -+u -+p 30 -+A2 -ceI");
    assert!(options.report && options.auto && options.cpu);
    assert_eq!(options.workbook.as_deref(), Some("out.wks".as_ref()));
    assert_eq!(
        (options.sizes, options.records),
        (vec![Bytes::gib(1)], vec![Bytes::mib(1)])
    );
    assert_eq!(options.tests, BTreeSet::from([0, 2]));
    assert_eq!(options.read_percent, Some(30));
    assert!(options.settings.direct && options.settings.flush_in_clock);
    assert!(options.settings.advice.is_some());
    let group = parsed("-t 2 -F d/one d/two -w -i 0");
    assert_eq!(
        (group.files.len(), group.workers(), group.keep),
        (2, Some(vec![2]), true)
    );
    let more = parsed("--runs=5 -o -+D -N");
    assert_eq!(
        (more.repeat, more.settings.sync),
        (Repeat::Runs(5), SyncMode::DSync)
    );
    assert_eq!(more.unit, Unit::Microseconds);
    assert_eq!(parsed("-a").repeat, Repeat::TimeOfPasses(3));
    assert_eq!(parsed("-h").ask, Some(Ask::Help));
    assert!(!parsed("-x").stonewall);
}

/// As iozone has it: each -t is measured, and a range begins with one worker where only its end is named.
#[test]
fn numbers_of_workers_are_named_or_a_range() {
    let workers = |line: &str| parsed(line).workers();
    assert_eq!(workers("-a"), None);
    assert_eq!(workers("-t 3"), Some(vec![3]));
    assert_eq!(workers("-t 3 -t 1 -t 3"), Some(vec![1, 3]));
    assert_eq!(workers("-l 2 -u 4"), Some(vec![2, 3, 4]));
    assert_eq!(workers("-u 4"), Some(vec![1, 2, 3, 4]));
    assert_eq!(workers("-l 4"), Some(vec![4]));
    assert_eq!(parsed("-t 4 -t 2").most_workers(), Some(4));
}

#[test]
fn what_fills_the_files() {
    let fill = |line: &str| parsed(line).fill();
    assert_eq!(fill("-a"), Fill::Stamped);
    assert_eq!(fill("-V 7"), Fill::Byte(7));
    assert_eq!(fill("-+d"), Fill::Placed { file: 0 });
    let shared = |shared, repeated, own, set| Fill::Shared {
        file: 0,
        sharing: Sharing {
            shared,
            repeated,
            own,
            set,
        },
    };
    assert_eq!(fill("-+w 40"), shared(40, 0, 0, 0));
    assert_eq!(fill("-+w40 -+y 30 -+C 20 -+S 9"), shared(40, 30, 20, 9));
}

#[test]
fn what_needs_several_machines_or_no_file_stays_refused() {
    let offered = |name: &str| {
        let spec = SPECS.iter().find(|spec| spec.name == name).unwrap();
        !matches!(spec.effect, Effect::NotOffered(_))
    };
    let missing: Vec<&str> = SPECS
        .iter()
        .map(|spec| spec.name)
        .filter(|name| !offered(name))
        .collect();
    assert_eq!(missing, ["+h", "+m", "+t", "+X"]);
}

#[test]
fn mapped_files_and_what_makes_them_durable() {
    let mapped = |line: &str| parsed(line).mapping();
    let of = |write_back, mixed| Some(Mapped { write_back, mixed });
    assert_eq!(mapped("-a"), None);
    assert_eq!(mapped("-aB"), of(WriteBack::Left, false));
    assert_eq!(mapped("-B -D"), of(WriteBack::Asked, false));
    assert_eq!(mapped("-B -G -D"), of(WriteBack::Awaited, false));
    assert_eq!(mapped("-BZ"), of(WriteBack::Left, true));
    for (line, store, call) in [
        ("-B", false, false),
        ("-B -o", false, true),
        ("-B -D", false, false),
        ("-B -G", true, false),
        ("-B -e", true, true),
        ("-o", true, true),
    ] {
        let options = parsed(line);
        let found = (
            options.durable(FileOp::Write),
            options.durable(FileOp::Pwrite),
        );
        assert_eq!(found, (store, call), "{line}");
    }
}

#[test]
fn an_unknown_option_is_named_with_what_is_near() {
    assert!(refused("-+e").contains("-+e; near it are -e, -E"));
    assert!(refused("-1").contains("no option -1"));
    assert!(refused("--ru 3").contains("--runs"));
    assert!(refused("-aé").contains("-é"));
    assert!(refused("file").contains("'file' belongs to no option"));
    assert!(refused("-").contains("'-'"));
    assert!(refused("-+").contains("-+"));
}

#[test]
fn what_does_not_go_together() {
    for (line, part) in [
        ("-t 2 -N", "-O"),
        ("-i 8", "-t 2"),
        ("-t 3 -F a b", "-F names 2 files for up to 3"),
        (
            "-s 64 -F a b c",
            "-F names the files of a group, and without -t one file is measured; add -t 3, or leave 'b', 'c' out",
        ),
        (
            "-a -r 16k -y 8k",
            "-r 16 KiB gives the records one size, and -y 8 KiB a range of sizes; leave one of them out",
        ),
        ("-a -r 16k -q 64k", "and -q 64 KiB a range"),
        (
            "-r 16k -r 4k -q 64k",
            "-r 4 KiB and -r 16 KiB give the records their sizes, and -q 64 KiB a range of sizes; leave one of them out",
        ),
        ("-r 16k -q 64k", "and -q 64 KiB a range"),
        ("-l 3 -u 2", "swap"),
        (
            "-t 2 -u 4",
            "-t names the numbers of workers, and -u an end of a range; leave one of them out",
        ),
        ("-l 1 -t 2", "and -l an end of a range"),
        ("-a -n 1g -g 1m", "smallest file"),
        ("-a -y 1m -q 4k", "smallest record"),
        ("-G", "-G is a matter of mapped files; add -B"),
        ("-a -D", "-D is a matter of mapped files; add -B"),
        ("-Z -i 0", "-Z is a matter of mapped files; add -B"),
        ("-B -I", "leave one of them out"),
        ("-H 2 -k 3", "-H copies each record and -k does not"),
        ("-B -k 3", "leave -B or -k out"),
        (
            "-H 3 -i 0 -i 6",
            "-i 6, -i 7 and -i 9 to -i 12 go record by record, and -H",
        ),
        ("-k 3 -E", "the tests of -E"),
        ("-k 3 -K", "the short reads of -K"),
        ("-k 0", "1 to 1024"),
        ("-k 3 -J 5", "add -+J"),
        ("-H 3 -+b 64,5", "the sleep of -+b"),
        ("-k 3 -X list", "the computing of -X"),
        (
            "-X list -s 4m",
            "the list of -X says where and how much; leave -s out",
        ),
        (
            "-Y list -r 4k",
            "the list of -Y says where and how much; leave -r out",
        ),
        ("-a -X list", "leave -a out"),
        ("-X list -i 0 -i 2", "leave tests other than -i 0, -i 1"),
        ("-+b 64", "such as 1024,20"),
        ("-+b 0,5", "such as 1024,20"),
        ("-J -5", "up to an hour"),
        ("-+d -V 7", "-V and -+d each say what the records hold"),
        ("-+d -+w 50", "-+d and -+w each say"),
        ("-+y 50", "-+y is a matter of data that repeat; add -+w"),
        ("-+S 3", "-+S is a matter of data that repeat; add -+w"),
        (
            "-+d -X list",
            "-+d compares every byte that is read, and the list of -X",
        ),
        ("-+w 101", "0 to 100"),
        ("-+T -i 0", "-+T logs the workers of a group; add -t"),
        ("-t 2 -i 0 -+B", "add -i 8 and -t 2"),
        ("-+B", "add -i 8 and -t 2"),
        ("-k 3 -+l", "the locks of -+l and -+L"),
        ("-i 13", "0 to 12"),
        ("-t 0", "1 to 1024"),
        ("-s 0", "kilobytes"),
    ] {
        let text = refused(line);
        assert!(text.contains(part), "{line}: {text}");
    }
}

/// What scripts give without effect is named; what has an effect is not.
#[test]
fn what_has_no_effect_is_named() {
    for (line, expected) in [
        (
            "-n 1m -g 4m -y 8 -q 64 -z",
            "without -a no grid is measured; ignored: -n, -g, -y, -q, -z",
        ),
        ("-t 2 -g 4m", "without -a no grid is measured; ignored: -g"),
        (
            "-a -s 1m -n 64k",
            "-s 1 MiB is the only file size; ignored: -n",
        ),
        (
            "-s 1m -s 2m -n 64k -y 8",
            "-s names all 2 file sizes; ignored: -n",
        ),
        ("-f a -F b", "-f names the file; ignored: -F 'b'"),
        ("-t 1 -f a -F b", "-F names the files; ignored: -f 'a'"),
        (
            "-l 1 -u 2 -F a b c d",
            "the workers use 2 of the files of -F; ignored: 'c', 'd'",
        ),
        (
            "-t 2 -+L -F a b",
            "the workers use 1 of the files of -F; ignored: 'b'",
        ),
    ] {
        assert_eq!(parsed(line).ignored(), [expected], "{line}");
    }
    for line in [
        "-a -n 64k -g 1m -y 8k -q 64k -z",
        "-a -r 64k -n 1m",
        "-A -y 8k",
        "-F a",
        "-s 64k -r 16k -f a",
        "-t 2 -F a b",
        "-t 2 -f a",
    ] {
        assert_eq!(parsed(line).ignored(), [""; 0], "{line}");
    }
}

#[test]
fn tests_become_operations() {
    use FileOp::*;
    assert_eq!(parsed("").operations().len(), 13);
    assert_eq!(parsed("-E").operations().len(), 17);
    assert_eq!(parsed("-A").operations(), [Write, Rewrite, Read, Reread]);
    assert_eq!(
        parsed("-i 0 -i 2").operations(),
        [Write, Rewrite, RandomRead, RandomWrite]
    );
    assert_eq!(parsed("-+n -i 0 -i 1").operations(), [Write, Read]);
    assert_eq!(
        parsed("-i 12 -i 11").operations(),
        [Pwritev, Repwritev, Preadv, Repreadv]
    );
    assert_eq!(parsed("-X list").operations(), [Write, Rewrite]);
    assert_eq!(parsed("-Y list -t 2").operations()[2..], [Read, Reread]);
    assert_eq!(parsed("-X list -E").operations().len(), 6);
    assert_eq!(parsed("-k 4 -J 5 -+J").operations().len(), 9);
    assert_eq!(parsed("-k 4").operations().len(), 9);
    assert_eq!(parsed("-t 2 -H 4").operations().len(), 10);
    let group = parsed("-t 2").operations();
    assert_eq!(
        group[..6],
        [Write, Rewrite, Read, Reread, BackwardRead, RecordRewrite]
    );
    assert!(group.contains(&Mixed) && !group.contains(&Freread));
    for op in FileOp::ALL {
        assert!(test_of(op) <= 12);
    }
}

proptest! {
    #[test]
    fn any_words_parse_or_are_refused(line in "[-+a-zA-Z0-9 é]{0,40}") {
        let _ = Options::parse(&words(&line));
    }

    #[test]
    fn any_option_with_any_value(index in 0..SPECS.len(), value in ".{0,12}") {
        let option = format!("-{}", SPECS[index].name);
        let _ = Options::parse(&[option.into(), value.into()]);
    }
}
