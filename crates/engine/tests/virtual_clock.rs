//! The modelled device: what is known about it must come out of the same loop that does real I/O.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use etalon_engine::{Control, Plan, TargetPlace, prepare, run};
use etalon_model::{
    Arrival, Backend, End, Ended, FakeDevice, FakeKind, FsyncPolicy, IoWorkload, Measurement,
    Operation, Think,
};
use etalon_units::Nanos;

fn go(workload: IoWorkload) -> Measurement {
    let workload = IoWorkload {
        backend: Backend::Fake,
        ..workload
    };
    let place = TargetPlace::Directory("/nowhere".into());
    let plan = Plan::resolve(&workload, &place).unwrap();
    let prepared = prepare(&plan, &Control::default()).unwrap();
    run(&prepared, &Control::default()).unwrap()
}

/// One server of 1 ms that stands still for 1 s every 10 s, asked 500 times a second for 60 s.
fn stalling(arrival: Arrival, queue_depth: u32) -> Measurement {
    go(IoWorkload {
        arrival,
        queue_depth,
        end: End::Time(Nanos::secs(60)),
        fake: FakeDevice {
            service: Nanos::millis(1),
            servers: 1,
            stall_every: Nanos::secs(10),
            stall: Nanos::secs(1),
            ..FakeDevice::default()
        },
        ..IoWorkload::default()
    })
}

/// Mean, p50, p90, p95, p99, p99.9 and maximum in milliseconds.
fn row(m: &Measurement) -> [f64; 7] {
    let latency = m.latency();
    let ms = |nanos: Option<Nanos>| nanos.unwrap().get() as f64 / 1e6;
    [
        ms(latency.mean()),
        ms(latency.quantile(0.5)),
        ms(latency.quantile(0.9)),
        ms(latency.quantile(0.95)),
        ms(latency.quantile(0.99)),
        ms(latency.quantile(0.999)),
        ms(latency.max()),
    ]
}

fn assert_row(m: &Measurement, operations: f64, expected: [f64; 7]) {
    let close = |found: f64, right: f64| (found / right - 1.0).abs() <= 0.01;
    assert!(
        close(m.operations() as f64, operations),
        "{}",
        m.operations()
    );
    let found = row(m);
    assert!(
        found.iter().zip(expected).all(|(&f, e)| close(f, e)),
        "{found:?} for {expected:?}"
    );
}

/// Tene's case of coordinated omission. A tenth of the requests arrive in a stall and another
/// tenth while its queue drains, so that the latency falls from 1 s to nothing over a fifth of the
/// requests: mean 0.2 * 0.5 s + 1 ms, p90 0.5 s.
#[test]
fn the_open_loop_sees_the_stalls_at_any_queue_depth() {
    for depth in [1, 4, 1024] {
        let m = stalling(Arrival::Fixed { rate: 500.0 }, depth);
        assert_eq!(m.ended, Ended::Complete);
        assert_eq!(m.operations(), 30_000);
        assert_row(
            &m,
            30_000.0,
            [101.1, 1.0, 501.0, 751.0, 951.0, 996.0, 1001.0],
        );
    }
}

/// The same device asked by a generator that waits for each answer: the stalls vanish.
#[test]
fn the_repaced_closed_loop_omits_the_stalls() {
    let m = stalling(Arrival::Repaced { rate: 500.0 }, 1);
    assert_row(&m, 27_002.0, [1.22, 1.0, 1.0, 1.0, 1.0, 1.0, 1002.0]);
}

#[test]
fn throughput_follows_littles_law_until_the_servers_are_busy() {
    for (depth, servers, per_second) in [(1, 4, 10_000), (4, 4, 40_000), (64, 4, 40_000)] {
        let m = go(IoWorkload {
            queue_depth: depth,
            end: End::Time(Nanos::secs(2)),
            fake: FakeDevice {
                service: Nanos::micros(100),
                servers,
                ..FakeDevice::default()
            },
            ..IoWorkload::default()
        });
        let found = m.operations_per_second();
        assert!(
            (found / f64::from(per_second) - 1.0).abs() < 0.002,
            "{found} at {depth}"
        );
        let mean = m.latency().mean().unwrap().as_secs_f64();
        let in_flight = found * mean;
        assert!(
            (in_flight / f64::from(depth) - 1.0).abs() < 0.01,
            "{in_flight}"
        );
    }
}

#[test]
fn a_rate_beyond_the_device_ends_as_overload_after_a_minute_of_backlog() {
    let m = go(IoWorkload {
        arrival: Arrival::Fixed { rate: 2_000.0 },
        end: End::Time(Nanos::secs(600)),
        fake: FakeDevice {
            service: Nanos::millis(1),
            ..FakeDevice::default()
        },
        ..IoWorkload::default()
    });
    assert_eq!(m.ended, Ended::Overload);
    // Half of the arrivals are served, so that the backlog grows by half a second each second.
    let seconds = m.duration.as_secs_f64();
    assert!((119.0..122.0).contains(&seconds), "{seconds}");
}

/// Two operations of 100 us and a pause of 300 us make a cycle of 500 us; four at once and a pause
/// one of 400 us. The pauses are no part of any latency.
#[test]
fn think_time_lies_between_operations_and_outside_of_their_latencies() {
    for (depth, servers, every, per_second) in [(1, 1, 2, 4_000), (4, 4, 4, 10_000)] {
        let m = go(IoWorkload {
            queue_depth: depth,
            end: End::Time(Nanos::secs(2)),
            think: Some(Think {
                time: Nanos::micros(300),
                every,
            }),
            fake: FakeDevice {
                service: Nanos::micros(100),
                servers,
                ..FakeDevice::default()
            },
            ..IoWorkload::default()
        });
        assert_eq!(m.ended, Ended::Complete);
        let found = m.operations_per_second();
        assert!(
            (found / f64::from(per_second) - 1.0).abs() < 0.002,
            "{found}"
        );
        // The histogram rounds up by less than a thousandth.
        assert!(m.latency().max() < Some(Nanos(100_100)));
        assert_eq!(m.lag, None);
    }
}

/// One operation of 20 ms at a time, for so many seconds of which so many are warm-up.
fn paced(arrival: Arrival, think: Option<Nanos>, (time, warm_up): (u64, u64)) -> Measurement {
    go(IoWorkload {
        arrival,
        think: think.map(|time| Think { time, every: 1 }),
        end: End::Time(Nanos::secs(time)),
        warm_up: Nanos::secs(warm_up),
        fake: FakeDevice {
            service: Nanos::millis(20),
            ..FakeDevice::default()
        },
        ..IoWorkload::default()
    })
}

#[test]
fn the_last_gap_belongs_to_the_run_as_the_others_do() {
    for arrival in [Arrival::Fixed { rate: 1.0 }, Arrival::Repaced { rate: 1.0 }] {
        let m = paced(arrival, None, (10, 0));
        assert_eq!((m.operations(), m.duration), (10, Nanos::secs(10)));
    }
    let m = paced(Arrival::Closed, Some(Nanos::secs(5)), (10, 0));
    assert_eq!((m.operations(), m.duration), (2, Nanos::secs(10)));
    assert_eq!(m.ended, Ended::Complete);
}

/// Nothing is in flight when the warm-up ends: the figures begin then, and not with the next operation.
#[test]
fn a_warm_up_that_ends_in_a_gap_ends_in_time() {
    let m = paced(Arrival::Closed, Some(Nanos::secs(5)), (13, 3));
    assert_eq!((m.operations(), m.duration), (2, Nanos::secs(10)));
    let m = paced(Arrival::Repaced { rate: 0.05 }, None, (10, 3));
    assert_eq!((m.operations(), m.duration), (0, Nanos::secs(7)));
}

#[test]
fn the_warm_up_is_left_out_to_the_nanosecond() {
    let m = go(IoWorkload {
        end: End::Time(Nanos::secs(3)),
        warm_up: Nanos::secs(1),
        ..IoWorkload::default()
    });
    assert_eq!(m.duration, Nanos::secs(2));
    // The operation that ends with the warm-up was in flight in it.
    assert_eq!(m.operations(), 20_000);
    assert_eq!(m.series.len(), 21);
    assert_eq!(m.bytes_with_warm_up.get(), 30_000 * 4096);
}

#[test]
fn the_same_seed_gives_the_same_measurement() {
    let workload = IoWorkload {
        arrival: Arrival::Poisson { rate: 9_000.0 },
        end: End::Time(Nanos::secs(2)),
        queue_depth: 8,
        ..IoWorkload::default()
    };
    let once = go(workload.clone());
    let twice = go(workload.clone());
    assert_eq!(once.series, twice.series);
    assert_eq!(once.latency(), twice.latency());
    let other = go(IoWorkload {
        seed: 1,
        ..workload
    });
    assert_ne!(once.series, other.series);
}

/// Operations a second of the timed part.
fn rate(m: &Measurement) -> f64 {
    m.operations() as f64 / m.duration.as_secs_f64()
}

/// A second, of which a tenth is warm-up, on a device of a hundred operations a second.
fn warmed(workload: IoWorkload) -> Measurement {
    go(IoWorkload {
        end: End::Time(Nanos::secs(1)),
        warm_up: Nanos::millis(105),
        fake: FakeDevice {
            service: Nanos::millis(10),
            ..workload.fake
        },
        ..workload
    })
}

#[test]
fn what_was_in_flight_when_the_warm_up_ended_is_not_counted() {
    for queue_depth in [1, 8, 32] {
        let m = warmed(IoWorkload {
            queue_depth,
            ..IoWorkload::default()
        });
        assert!(
            (rate(&m) - 100.0).abs() < 1e-6,
            "{queue_depth}: {}",
            rate(&m)
        );
        assert!(m.duration >= Nanos::millis(895), "{}", m.duration);
    }
}

#[test]
fn what_the_warm_up_wrote_is_durable_before_the_figures_begin() {
    let m = warmed(IoWorkload {
        operation: Operation::RandWrite,
        fsync: FsyncPolicy::End,
        fake: FakeDevice {
            kind: FakeKind::WriteCache { requests: 16 },
            ..FakeDevice::default()
        },
        ..IoWorkload::default()
    });
    assert!((rate(&m) - 100.0).abs() < 1e-6, "{}", rate(&m));
    assert_eq!(m.fsyncs, 2);
}
