// The system calls that decoding and detecting need; all others are refused
// with EPERM, which libraries take for an ordinary failure.
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "CSandbox.h"

/// Allowed whatever their arguments: reading and writing what is open, memory,
/// waiting, time, and asking about oneself.
static const int plain[] = {
    // clang-format off
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(preadv), SCMP_SYS(lseek),
    SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(pwrite64), SCMP_SYS(close), SCMP_SYS(fadvise64),
    SCMP_SYS(fstat), SCMP_SYS(newfstatat), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(statx),
    SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink),
    SCMP_SYS(readlinkat), SCMP_SYS(getdents64), SCMP_SYS(getcwd),
    SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(pipe2), SCMP_SYS(eventfd2),
    SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(select), SCMP_SYS(pselect6),
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(mincore),
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(get_robust_list), SCMP_SYS(rseq),
    SCMP_SYS(set_tid_address), SCMP_SYS(membarrier), SCMP_SYS(restart_syscall),
    SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getparam),
    SCMP_SYS(sched_getscheduler), SCMP_SYS(getcpu), SCMP_SYS(getpriority),
    SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep), SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times),
    SCMP_SYS(getrusage), SCMP_SYS(getrandom), SCMP_SYS(uname), SCMP_SYS(sysinfo),
    SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(gettid), SCMP_SYS(getuid), SCMP_SYS(geteuid),
    SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(getrlimit),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigpending), SCMP_SYS(rt_sigtimedwait), SCMP_SYS(sigaltstack),
    SCMP_SYS(exit), SCMP_SYS(exit_group),
    // clang-format on
};

/// Answered as an older kernel would, so that glibc takes the calls whose arguments can be checked.
static const int unknown[] = {SCMP_SYS(openat2), SCMP_SYS(clone3)};

#define ALLOW(call, count, ...) \
    if ((result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(call), count, __VA_ARGS__)) != 0) \
    return result

/// Calls that are allowed with some arguments.
static int allow_some(scmp_filter_ctx filter, bool may_write) {
    int result = 0;
    // O_TMPFILE holds O_DIRECTORY's bit, which reading a folder needs.
    const scmp_datum_t writing = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
    const scmp_datum_t checked = may_write ? 0 : writing;
    ALLOW(open, 1, SCMP_A1(SCMP_CMP_MASKED_EQ, checked, 0));
    ALLOW(openat, 1, SCMP_A2(SCMP_CMP_MASKED_EQ, checked, 0));
    ALLOW(mmap, 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    ALLOW(mprotect, 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    // Threads, but no processes.
    ALLOW(clone, 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
    // Asking for a limit, but not setting one.
    ALLOW(prlimit64, 2, SCMP_A0(SCMP_CMP_EQ, 0, 0), SCMP_A2(SCMP_CMP_EQ, 0, 0));
    ALLOW(prctl, 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME, 0));
    ALLOW(prctl, 1, SCMP_A0(SCMP_CMP_EQ, PR_GET_NAME, 0));
    // Is it a terminal?
    ALLOW(ioctl, 1, SCMP_A1(SCMP_CMP_EQ, TCGETS, 0));
    ALLOW(fcntl, 1, SCMP_A1(SCMP_CMP_EQ, F_GETFL, 0));
    ALLOW(fcntl, 1, SCMP_A1(SCMP_CMP_EQ, F_GETFD, 0));
    ALLOW(fcntl, 1, SCMP_A1(SCMP_CMP_EQ, F_SETFD, 0));
    ALLOW(fcntl, 1, SCMP_A1(SCMP_CMP_EQ, F_DUPFD_CLOEXEC, 0));
    // abort() signals its own thread.
    ALLOW(tgkill, 1, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid(), 0));
    return 0;
}

int CSandbox_filter(bool may_write) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (filter == NULL) {
        errno = ENOMEM;
        return -1;
    }
    // All threads at once, also those that a library may have started already.
    int result = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    if (result == 0) result = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    for (size_t i = 0; i < sizeof plain / sizeof *plain && result == 0; i++) {
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, plain[i], 0);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown && result == 0; i++) {
        result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), unknown[i], 0);
    }
    if (result == 0) result = allow_some(filter, may_write);
    if (result == 0) result = seccomp_load(filter);
    seccomp_release(filter);
    if (result == 0) return 0;
    errno = -result;
    return -1;
}
