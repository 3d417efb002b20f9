// The filter for system calls of a process that opens pictures for others to decode, and looks at
// pixels. All other calls fail with EPERM, which libraries take for an ordinary error.
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "CSandbox.h"
#include "Filters.h"

/// Calls allowed in addition to the common ones: asking about paths, which Landlock doesn't
/// restrict; pipes; and those on the fork server's socket, which is the only one.
static const int further[] = {
    // clang-format off
    SCMP_SYS(pwrite64), SCMP_SYS(newfstatat), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(statx),
    SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink),
    SCMP_SYS(readlinkat), SCMP_SYS(getdents64), SCMP_SYS(getcwd), SCMP_SYS(sched_getaffinity),
    SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(pipe2), SCMP_SYS(eventfd2), SCMP_SYS(select),
    SCMP_SYS(pselect6), SCMP_SYS(mincore), SCMP_SYS(get_robust_list), SCMP_SYS(exit),
    SCMP_SYS(sendmsg), SCMP_SYS(recvmsg), SCMP_SYS(wait4),
    // clang-format on
};

/// Calls allowed where files are written: those that make a whole file of one under another name.
/// Landlock says where.
static const int writing_calls[] = {
    // clang-format off
    SCMP_SYS(fsync), SCMP_SYS(flock), SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(linkat),
    SCMP_SYS(unlinkat),
    // clang-format on
};

/// Calls answered as an older kernel would, so that glibc uses those whose arguments can be
/// checked.
static const int unknown[] = {SCMP_SYS(openat2), SCMP_SYS(clone3)};

#define ALLOW(call, count, ...) \
    if ((result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(call), count, __VA_ARGS__)) != 0) \
    return result

/// Allows some calls with certain arguments.
static int allow_some(scmp_filter_ctx filter, bool may_write) {
    int result = 0;
    // O_TMPFILE contains O_DIRECTORY's bit, which reading a directory needs.
    const scmp_datum_t writing = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
    const scmp_datum_t checked = may_write ? 0 : writing;
    ALLOW(open, 1, SCMP_A1(SCMP_CMP_MASKED_EQ, checked, 0));
    ALLOW(openat, 1, SCMP_A2(SCMP_CMP_MASKED_EQ, checked, 0));
    // For a pipe that takes a picture in few pieces.
    ALLOW(fcntl, 1, SCMP_A1(SCMP_CMP_EQ, F_SETPIPE_SZ, 0));
    // Threads, but no processes.
    ALLOW(clone, 1, SCMP_A0(SCMP_CMP_EQ, CSandbox_thread_flags, 0));
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
    // Applies to all threads, including any that a library has started already.
    int result = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    if (result == 0) result = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (result == 0) {
        result = CSandbox_answer(filter, SCMP_ACT_ALLOW, CSandbox_working_calls, CSandbox_working_count);
    }
    if (result == 0) {
        result = CSandbox_answer(filter, SCMP_ACT_ALLOW, further, sizeof further / sizeof *further);
    }
    if (result == 0 && may_write) {
        result = CSandbox_answer(
            filter, SCMP_ACT_ALLOW, writing_calls, sizeof writing_calls / sizeof *writing_calls);
    }
    if (result == 0) {
        result = CSandbox_answer(
            filter, SCMP_ACT_ERRNO(ENOSYS), unknown, sizeof unknown / sizeof *unknown);
    }
    if (result == 0) result = CSandbox_allow_harmless(filter);
    if (result == 0) result = allow_some(filter, may_write);
    if (result == 0) result = seccomp_load(filter);
    seccomp_release(filter);
    if (result == 0) return 0;
    errno = -result;
    return -1;
}
