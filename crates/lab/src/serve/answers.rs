//! The model on the machine's clock, and the thread that sends each answer when it is due.

use std::collections::HashMap;
use std::io::{self, IoSlice, Write as _};
use std::num::NonZeroU64;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::net::sockopt::{set_socket_send_buffer_size, set_socket_send_buffer_size_force};
use rustix::thread::set_current_timer_slack;

use super::ahead::ReadAhead;
use super::buffers::Buffers;
use super::nap::Nap;
use super::urgency::{ANSWERS, READS, go_before_others};
use super::wire::{EIO, ENOSPC, SIMPLE_REPLY_MAGIC};
use super::{Content, NbdRefusal, NbdRequest, ServedFacts};
use crate::disk::{Disk, Request, RequestKind};

/// Requests of a client that may be under way; it waits with the next one. Twice what a queue of virtio has.
const MOST_UNDER_WAY: usize = 512;

/// Several of the largest answers of usual clients, in bytes.
const SEND_BUFFER: usize = 8 << 20;

/// Where answers to a client go, in whatever order.
pub(super) struct NbdClient(Mutex<UnixStream>);

impl NbdClient {
    pub(super) fn new(stream: UnixStream) -> Arc<NbdClient> {
        // An answer that fits leaves at once, whatever its client is at. More than net.core.wmem_max takes a privilege.
        let forced = set_socket_send_buffer_size_force(&stream, SEND_BUFFER);
        let _ = forced.or_else(|_| set_socket_send_buffer_size(&stream, SEND_BUFFER));
        Arc::new(NbdClient(Mutex::new(stream)))
    }

    fn send(&self, cookie: u64, error: u32, data: &[u8]) -> io::Result<()> {
        let mut head = Vec::with_capacity(16);
        head.extend(SIMPLE_REPLY_MAGIC.to_be_bytes());
        head.extend(error.to_be_bytes());
        head.extend(cookie.to_be_bytes());
        let mut stream = locked(&self.0);
        // In one piece as a rule, without a copy of the data.
        let sent = match stream.write_vectored(&[IoSlice::new(&head), IoSlice::new(data)]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
            sent => sent?,
        };
        let rest = sent.saturating_sub(head.len());
        stream.write_all(head.get(sent..).unwrap_or_default())?;
        stream.write_all(&data[rest..])
    }
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A request that the model works on.
struct UnderWay {
    client: Arc<NbdClient>,
    cookie: u64,
    /// From its head until it could be asked for: its data came, and were put onto the medium.
    way_in_ns: u64,
    asked_ns: u64,
    request: Request,
    /// An error that is told when the request is due.
    error: u32,
    /// Whether it is read ahead.
    is_ahead: bool,
    /// What was read ahead.
    ready: Option<Vec<u8>>,
}

/// An answer that is due.
struct Due {
    to: UnderWay,
    due_ns: u64,
}

struct Model {
    disk: Box<dyn Disk>,
    under_way: HashMap<u64, UnderWay>,
    ahead: ReadAhead,
    due: Vec<Due>,
    last_id: u64,
    facts: ServedFacts,
    is_ending: bool,
}

impl Model {
    /// Lets everything happen that has happened by now.
    fn advance(&mut self, now_ns: u64) {
        while self.disk.next_event_ns().is_some_and(|at| at <= now_ns) {
            let Some(ended) = self.disk.step() else {
                continue;
            };
            if let Some(mut to) = self.under_way.remove(&ended.id) {
                if to.is_ahead {
                    self.ahead.end(ended.id, to.request.length_bytes);
                }
                to.error = ended.failed.map_or(to.error, |_| EIO);
                self.due.push(Due {
                    to,
                    due_ns: ended.at_ns,
                });
            }
        }
    }
}

struct AnswerState {
    model: Mutex<Model>,
    changed: Condvar,
    /// Something is to be read ahead, or the server ends.
    asked: Condvar,
    content: Arc<Content>,
    buffers: Buffers,
    begun: Instant,
}

impl AnswerState {
    /// What a read finds now.
    fn read(&self, request: &Request) -> io::Result<Vec<u8>> {
        let mut data = self.buffers.take(request.length_bytes);
        self.content.read_into(request.offset_bytes, &mut data)?;
        Ok(data)
    }

    fn now_ns(&self) -> u64 {
        nanoseconds(self.begun.elapsed())
    }
}

fn nanoseconds(of: Duration) -> u64 {
    u64::try_from(of.as_nanos()).unwrap_or(u64::MAX)
}

/// A model that answers in real time.
pub(super) struct Answers {
    shared: Arc<AnswerState>,
    threads: Vec<JoinHandle<()>>,
}

impl Answers {
    pub(super) fn new(disk: Box<dyn Disk>, content: Arc<Content>) -> io::Result<Answers> {
        let model = Model {
            disk,
            under_way: HashMap::new(),
            ahead: ReadAhead::default(),
            due: Vec::new(),
            last_id: 0,
            facts: ServedFacts::default(),
            is_ending: false,
        };
        let shared = Arc::new(AnswerState {
            model: Mutex::new(model),
            changed: Condvar::new(),
            asked: Condvar::new(),
            content,
            buffers: Buffers::default(),
            begun: Instant::now(),
        });
        let mut answers = Answers {
            shared,
            threads: Vec::new(),
        };
        answers.spawn("lab-timer", answer_in_time)?;
        answers.spawn("lab-reader", read_ahead)?;
        Ok(answers)
    }

    fn spawn(&mut self, name: &str, act: fn(&AnswerState)) -> io::Result<()> {
        let shared = Arc::clone(&self.shared);
        let thread = thread::Builder::new().name(name.to_owned());
        self.threads.push(thread.spawn(move || act(&shared))?);
        Ok(())
    }

    pub(super) fn facts(&self) -> ServedFacts {
        locked(&self.shared.model).facts
    }

    /// Takes a request of a client whose head came then, and carries it out on the data; the answer follows when the model
    /// says so.
    ///
    /// # Errors
    /// That of the socket, where the answer needs no model.
    pub(super) fn take(
        &self,
        client: &Arc<NbdClient>,
        asked: NbdRequest,
        came: Instant,
    ) -> io::Result<()> {
        match asked {
            NbdRequest::Leave => Ok(()),
            NbdRequest::Refused { cookie, why } => {
                client.send(cookie, NbdRefusal::number(why), &[])
            }
            NbdRequest::Do {
                cookie,
                kind: RequestKind::Trim,
                length: 0,
                ..
            } => client.send(cookie, 0, &[]),
            NbdRequest::Do {
                cookie,
                kind,
                offset,
                length,
                data,
            } => {
                let request = Request {
                    id: 0,
                    kind,
                    offset_bytes: offset,
                    length_bytes: length,
                };
                let error = self.carry_out(&request, &data);
                let client = Arc::clone(client);
                self.submit(UnderWay {
                    client,
                    cookie,
                    way_in_ns: nanoseconds(came.elapsed()),
                    asked_ns: 0,
                    request,
                    error,
                    is_ahead: false,
                    ready: None,
                });
                Ok(())
            }
        }
    }

    /// The data change at once: the order of requests that are under way together is nobody's business.
    fn carry_out(&self, request: &Request, data: &[u8]) -> u32 {
        let done = match request.kind {
            RequestKind::Write { .. } => self.shared.content.write(request.offset_bytes, data),
            RequestKind::Trim => {
                let content = &self.shared.content;
                content.discard(request.offset_bytes, request.length_bytes)
            }
            RequestKind::Read | RequestKind::Flush => Ok(()),
        };
        done.map_or_else(|error| number_of(&error), |()| 0)
    }

    /// Asks the model for it, as soon as there is room for one more; waiting for that is no fault of this machine.
    fn submit(&self, mut asked: UnderWay) {
        let mut model = locked(&self.shared.model);
        while model.under_way.len() >= MOST_UNDER_WAY && !model.is_ending {
            let waited = self.shared.changed.wait(model);
            model = waited.unwrap_or_else(PoisonError::into_inner);
        }
        // Within the lock, so that the model is never asked in the past.
        let now_ns = self.shared.now_ns();
        model.advance(now_ns);
        model.last_id += 1;
        asked.asked_ns = now_ns;
        asked.request.id = model.last_id;
        let request = asked.request;
        let is_read = request.kind == RequestKind::Read;
        asked.is_ahead = is_read && model.ahead.ask(request.id, request.length_bytes);
        let is_ahead = asked.is_ahead;
        model.under_way.insert(request.id, asked);
        model.disk.submit(now_ns, request);
        drop(model);
        self.shared.changed.notify_all();
        if is_ahead {
            self.shared.asked.notify_one();
        }
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        locked(&self.shared.model).is_ending = true;
        self.shared.changed.notify_all();
        self.shared.asked.notify_all();
        for thread in self.threads.drain(..) {
            // It has nothing to say that its end would not.
            let _ = thread.join();
        }
    }
}

/// Waits for the model's next event and sends what is due, until the server ends.
fn answer_in_time(shared: &AnswerState) {
    // The kernel may wake a thread 50 us late otherwise (prctl(2), PR_SET_TIMERSLACK); without it answers are late.
    let _ = set_current_timer_slack(NonZeroU64::new(1));
    go_before_others(ANSWERS);
    let mut nap = Nap::default();
    let mut model = locked(&shared.model);
    while !model.is_ending {
        model.advance(shared.now_ns());
        if !model.due.is_empty() {
            let due = std::mem::take(&mut model.due);
            drop(model);
            let left = due.into_iter().map(|due| answer(shared, due));
            let left: Vec<Left> = left.collect();
            model = locked(&shared.model);
            left.iter().for_each(|left| left.count(&mut model.facts));
            shared.changed.notify_all();
            continue;
        }
        let changed = &shared.changed;
        let Some(at_ns) = model.disk.next_event_ns() else {
            let waited = changed.wait(model);
            model = waited.unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        let now_ns = shared.now_ns();
        nap = nap.before(at_ns, now_ns);
        model = match nap.left_ns(now_ns) {
            Some(left_ns) => {
                let waited = changed.wait_timeout(model, Duration::from_nanos(left_ns));
                waited.map_or_else(|error| error.into_inner().0, |(model, _)| model)
            }
            None => {
                drop(model);
                thread::yield_now();
                locked(&shared.model)
            }
        };
    }
}

/// Reads ahead until the server ends. A read sees what was written before it was asked for, and may see what is
/// written meanwhile: of requests that are under way together the order is nobody's business.
fn read_ahead(shared: &AnswerState) {
    go_before_others(READS);
    let mut model = locked(&shared.model);
    while !model.is_ending {
        let Some(id) = model.ahead.next() else {
            let waited = shared.asked.wait(model);
            model = waited.unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        let Some(request) = model.under_way.get(&id).map(|asked| asked.request) else {
            continue;
        };
        drop(model);
        let read = shared.read(&request);
        model = locked(&shared.model);
        // One that was due meanwhile has been read by who answers it.
        if let (Some(asked), Ok(read)) = (model.under_way.get_mut(&id), read) {
            asked.ready = Some(read);
        }
    }
}

/// An answer that has left.
struct Left {
    way_in_ns: u64,
    asked_ns: u64,
    due_ns: u64,
    left_ns: u64,
    request: Request,
    error: u32,
}

impl Left {
    fn count(&self, facts: &mut ServedFacts) {
        // The client has waited from the head on, and what comes in at once is due so much sooner.
        let left_ns = self.left_ns.saturating_add(self.way_in_ns);
        facts.answered(self.asked_ns, self.due_ns, left_ns);
        facts.without_memory += u64::from(self.error == ENOSPC);
        match self.request.kind {
            RequestKind::Read => facts.read_bytes += self.request.length_bytes,
            RequestKind::Write { .. } => facts.written_bytes += self.request.length_bytes,
            RequestKind::Flush | RequestKind::Trim => {}
        }
    }
}

fn answer(shared: &AnswerState, due: Due) -> Left {
    let (mut to, due_ns) = (due.to, due.due_ns);
    let request = to.request;
    let read = match (to.error, to.ready.take()) {
        (0, Some(ready)) => Ok(ready),
        (0, None) => answered(shared, &request),
        _ => Ok(Vec::new()),
    };
    let (error, data) = match read {
        Ok(data) => (to.error, data),
        Err(error) => (number_of(&error), Vec::new()),
    };
    // A client that has gone needs no answer.
    let _ = to.client.send(to.cookie, error, &data);
    // A large one takes its time, as long as its client takes it slowly.
    let left_ns = shared.now_ns();
    shared.buffers.put(data);
    Left {
        way_in_ns: to.way_in_ns,
        asked_ns: to.asked_ns,
        due_ns,
        left_ns,
        request,
        error,
    }
}

/// By which number a client is told what the content of the disk failed on.
fn number_of(error: &io::Error) -> u32 {
    match error.kind() {
        io::ErrorKind::StorageFull => ENOSPC,
        _ => EIO,
    }
}

/// What is read, and what is durable, before an answer leaves.
fn answered(shared: &AnswerState, request: &Request) -> io::Result<Vec<u8>> {
    let content = &shared.content;
    let (offset, length) = (request.offset_bytes, request.length_bytes);
    match request.kind {
        RequestKind::Read => return shared.read(request),
        RequestKind::Flush => content.flush()?,
        RequestKind::Write { fua: true } => content.force(offset, length)?,
        RequestKind::Write { .. } | RequestKind::Trim => {}
    }
    Ok(Vec::new())
}
