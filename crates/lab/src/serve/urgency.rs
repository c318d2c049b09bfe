//! Threads that may not wait for others: the scheduler lets an emulated processor, which never rests, go on for
//! milliseconds after another thread has become due, whatever its nice value (sched(7)).

use thread_priority::{
    RealtimeThreadSchedulePolicy, ThreadPriority, ThreadPriorityValue, ThreadSchedulePolicy,
    set_thread_priority_and_policy, thread_native_id,
};

/// What sends answers, and takes requests: it works little and often.
pub(super) const ANSWERS: u8 = 2;
/// What reads for answers that are not due yet.
pub(super) const READS: u8 = 1;

/// Puts this thread under `SCHED_FIFO`, where it may: that takes root or `CAP_SYS_NICE`. Elsewhere it stays as it is, and its
/// answers are late more often, which is counted.
pub(super) fn go_before_others(priority: u8) {
    let policy = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    if let Ok(priority) = ThreadPriorityValue::try_from(priority) {
        let priority = ThreadPriority::Crossplatform(priority);
        // Late answers are counted.
        let _ = set_thread_priority_and_policy(thread_native_id(), priority, policy);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use thread_priority::thread_schedule_policy;

    #[test]
    fn a_thread_of_root_is_scheduled_before_others() {
        let policy = std::thread::spawn(|| {
            go_before_others(ANSWERS);
            thread_schedule_policy().ok()
        });
        let policy = policy.join().unwrap();
        let fifo = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
        match rustix::process::geteuid().is_root() {
            true => assert_eq!(policy, Some(fifo)),
            false => assert!(policy.is_some()),
        }
    }
}
