//! The kernel threads that work for a ring.

use etalon_host::thread::{self, Thread};

/// Run time of the kernel threads that work for a ring of the calling thread: what a file cannot do
/// without waiting is done by them. The run time is the first field of `schedstat`
/// (Documentation/scheduler/sched-stats.rst). Workers that have ended are not counted, and none are in a
/// container that numbers its processes anew: the kernel's names bear its own numbers.
pub(super) fn helpers_cpu() -> Option<u64> {
    let threads: Vec<Thread> = thread::all().ok()?.collect();
    Some(helpers(&threads).filter_map(run_time).sum())
}

/// Those of `threads` that work for the calling thread: its workers, its submission thread and the workers
/// of that. Those of other jobs are counted by them.
fn helpers(threads: &[Thread]) -> impl Iterator<Item = &Thread> {
    let submitter = thread::ring_submitter_name();
    let mut names = vec![thread::ring_worker_name()];
    let submitters = threads.iter().filter(|found| found.name == submitter);
    names.extend(submitters.map(Thread::ring_worker_name));
    names.push(submitter);
    threads
        .iter()
        .filter(move |found| names.contains(&found.name))
}

fn run_time(helper: &Thread) -> Option<u64> {
    let stat = std::fs::read_to_string(helper.directory.join("schedstat")).ok()?;
    stat.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use io_uring::IoUring;

    use super::*;

    /// A thread whose number is beyond those of true ones.
    fn thread(name: String, number: u32) -> Thread {
        Thread {
            name,
            directory: format!("/proc/self/task/420000{number}").into(),
        }
    }

    #[test]
    fn a_submission_thread_and_its_workers_help_the_job_that_made_it_and_no_other() {
        let threads = [
            thread("job 0".to_owned(), 0),
            thread(thread::ring_worker_name(), 1),
            thread(thread::ring_submitter_name(), 2),
            thread("iou-wrk-4200002".to_owned(), 3),
            thread("iou-sqp-4200000".to_owned(), 4),
            thread("iou-wrk-4200004".to_owned(), 5),
            thread(thread::ring_submitter_name() + "0", 6),
        ];
        let found: Vec<&Thread> = helpers(&threads).collect();
        assert_eq!(found, [&threads[1], &threads[2], &threads[3]]);
    }

    fn threads() -> Vec<Thread> {
        thread::all().unwrap().collect()
    }

    /// The helpers' names while each of two jobs has a ring with a submission thread; `None` without such rings.
    fn found_beside_another(both: &Barrier, rings: &AtomicUsize) -> Option<Vec<String>> {
        let ring: Result<IoUring, _> = IoUring::builder().setup_sqpoll(1000).build(2);
        rings.fetch_add(usize::from(ring.is_ok()), Ordering::Relaxed);
        both.wait();
        let submits = |found: &Thread| found.name.starts_with("iou-sqp-");
        // They take their names after the rings are there.
        while threads().into_iter().filter(submits).count() < rings.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        let names = helpers(&threads())
            .map(|helper| helper.name.clone())
            .collect();
        both.wait();
        ring.ok().map(|_| names)
    }

    #[test]
    fn the_kernel_names_a_submission_thread_after_the_job_that_made_the_ring() {
        let (both, rings) = (Barrier::new(2), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            let look = || {
                scope.spawn(|| {
                    (
                        thread::ring_submitter_name(),
                        found_beside_another(&both, &rings),
                    )
                })
            };
            for job in [look(), look()] {
                let (own, found) = job.join().unwrap();
                match found.filter(|names| !names.is_empty()) {
                    Some(found) => assert_eq!(found, [own]),
                    None => etalon_testbed::skip(
                        "the_kernel_names_a_submission_thread_after_the_job_that_made_the_ring",
                        "no rings with submission threads here, or numbers of another PID namespace",
                    ),
                }
            }
        });
    }
}
