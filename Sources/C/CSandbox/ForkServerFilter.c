// The filter for the fork server's system calls. Its children inherit it beneath their own, so this
// is the one that reports their counted calls to the fork server: there can be only one listener, and
// none has to be set up for each child.
#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

#include "Filters.h"

/// Calls that the fork server itself needs, and those that its children make before or beneath their
/// own filter.
static const int own[] = {
    // clang-format off
    SCMP_SYS(recvmsg), SCMP_SYS(sendmsg), SCMP_SYS(wait4), SCMP_SYS(getdents64), SCMP_SYS(dup2),
    SCMP_SYS(dup3), SCMP_SYS(close_range), SCMP_SYS(seccomp), SCMP_SYS(setrlimit),
    SCMP_SYS(newfstatat), SCMP_SYS(sched_getaffinity), SCMP_SYS(tgkill), SCMP_SYS(prlimit64),
    // clang-format on
};

/// Calls that are reported to the fork server if it counts.
static const int opening[] = {SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(creat)};

/// The call that ends a thread, from which the number of threads is known.
static const int leaving[] = {SCMP_SYS(exit)};

/// Calls answered as an older kernel would, so that glibc uses clone, whose flags can be checked.
static const int unknown[] = {SCMP_SYS(openat2), SCMP_SYS(clone3)};

#define RULE(action, call, count, ...) \
    if ((result = seccomp_rule_add(filter, action, SCMP_SYS(call), count, __VA_ARGS__)) != 0) return result

static int add_rules(scmp_filter_ctx filter, bool counts) {
    int result = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (result == 0) {
        result = CSandbox_answer(filter, SCMP_ACT_ALLOW, CSandbox_working_calls, CSandbox_working_count);
    }
    if (result == 0) result = CSandbox_answer(filter, SCMP_ACT_ALLOW, own, sizeof own / sizeof *own);
    if (result == 0) {
        result = CSandbox_answer(
            filter, SCMP_ACT_KILL_PROCESS, CSandbox_deadly_calls, CSandbox_deadly_count);
    }
    if (result == 0) {
        result = CSandbox_answer(
            filter, SCMP_ACT_ERRNO(ENOSYS), unknown, sizeof unknown / sizeof *unknown);
    }
    if (result == 0 && counts) {
        result = CSandbox_answer(filter, SCMP_ACT_NOTIFY, opening, sizeof opening / sizeof *opening);
    }
    const uint32_t told = counts ? SCMP_ACT_NOTIFY : SCMP_ACT_ALLOW;
    if (result == 0) result = CSandbox_answer(filter, told, leaving, 1);
    if (result == 0) result = CSandbox_allow_harmless(filter);
    if (result != 0) return result;
    RULE(told, clone, 1, SCMP_A0(SCMP_CMP_EQ, CSandbox_thread_flags, 0));
    RULE(SCMP_ACT_ALLOW, clone, 1, SCMP_A0(SCMP_CMP_EQ, CSandbox_process_flags, 0));
    RULE(SCMP_ACT_ALLOW, kill, 1, SCMP_A1(SCMP_CMP_EQ, SIGKILL, 0));
    RULE(SCMP_ACT_ALLOW, prctl, 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_PDEATHSIG, 0));
    RULE(SCMP_ACT_ALLOW, ioctl, 1, SCMP_A1(SCMP_CMP_EQ, SECCOMP_IOCTL_NOTIF_RECV, 0));
    RULE(SCMP_ACT_ALLOW, ioctl, 1, SCMP_A1(SCMP_CMP_EQ, SECCOMP_IOCTL_NOTIF_SEND, 0));
    return 0;
}

int CSandbox_filter_fork_server(bool counts) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (filter == NULL) return -ENOMEM;
    int result = add_rules(filter, counts);
    if (result == 0) result = seccomp_load(filter);
    if (result == 0 && counts) result = seccomp_notify_fd(filter);
    seccomp_release(filter);
    return result;
}
