//! System calls that the kernel refuses.

/// Lets the kernel answer EPERM to io_uring_setup(2) from now on, as container runtimes do: to this thread, and to all
/// threads and processes that it starts. Nobody else on the machine notices.
///
/// # Panics
/// Where the kernel takes no filters (seccomp(2)).
pub fn refuse_io_uring() {
    answer(libc::SYS_io_uring_setup, libc::EPERM);
}

/// Lets the kernel answer EDQUOT to close(2) from now on, as NFS does where a quota is used up, and keep the file open: to
/// this thread, and to all threads and processes that it starts.
///
/// # Panics
/// Where the kernel takes no filters (seccomp(2)).
pub fn refuse_close() {
    answer(libc::SYS_close, libc::EDQUOT);
}

#[expect(unsafe_code, reason = "a system call filter has no safe binding here")]
fn answer(call: libc::c_long, errno: libc::c_int) {
    let instruction = |code: u32, jt, jf, k| libc::sock_filter {
        code: code as u16,
        jt,
        jf,
        k,
    };
    let mut program = [
        // Load the number of the system call; its offset in seccomp_data is 0.
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        instruction(
            libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K,
            0,
            1,
            call as u32,
        ),
        instruction(
            libc::BPF_RET | libc::BPF_K,
            0,
            0,
            libc::SECCOMP_RET_ERRNO | errno as u32,
        ),
        instruction(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let filter = libc::sock_fprog {
        len: program.len() as u16,
        filter: program.as_mut_ptr(),
    };
    // SAFETY: the program outlives the call, which copies it.
    unsafe {
        assert_eq!(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
        let mode = libc::SECCOMP_MODE_FILTER;
        assert_eq!(
            libc::prctl(libc::PR_SET_SECCOMP, mode, &raw const filter, 0, 0),
            0
        );
    }
}
