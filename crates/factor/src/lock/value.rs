//! Two etalons that would set one file of the kernel notice each other.

use std::io;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process;

use super::{Holder, Strangers, listen, may_disregard};

/// Held while a file of the kernel has a value of etalon's. A second one would take that value for what stood there
/// before, and put it back in the end.
#[derive(Debug)]
pub(crate) struct ValueLock {
    _listener: Option<UnixListener>,
}

impl ValueLock {
    /// Takes the lock of a file. A path that is too long for a name is one of control groups, which are etalon's own; who
    /// may not write the file keeps nobody from it by the name.
    ///
    /// # Errors
    /// Which other process holds it.
    pub(crate) fn acquire(path: &Path) -> Result<ValueLock, Holder> {
        let name = format!("etalon/value{}", path.display());
        let mut listener = listen(&name);
        if matches!(&listener, Err(e) if e.kind() == io::ErrorKind::AddrInUse) {
            let holder = Holder::of(&name);
            let is_another = holder.pid.is_some_and(|pid| pid != process::id());
            if is_another && !may_disregard(&holder, Strangers::DisregardAsRoot) {
                return Err(holder);
            }
            // It has ended by now, or is this process, which puts back what it set last first.
            listener = listen(&name);
        }
        let _listener = listener.ok();
        Ok(ValueLock { _listener })
    }
}
