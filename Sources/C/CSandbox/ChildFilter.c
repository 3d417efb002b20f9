// The filter for system calls of a process that reads a stranger's bytes. Calls that no decoder
// makes end it at once; calls that one might make in vain are refused.
#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Filters.h"

/// Calls that the fork server needs and its children don't.
static const int own_to_server[] = {
    SCMP_SYS(recvmsg), SCMP_SYS(sendmsg), SCMP_SYS(kill), SCMP_SYS(seccomp), SCMP_SYS(wait4),
};

/// Calls that the fork server's filter handles if it counts.
static const int counted[] = {
    SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(creat), SCMP_SYS(exit),
};

/// Calls answered in Emulation.c.
static const int emulated[] = {SCMP_SYS(newfstatat), SCMP_SYS(sched_getaffinity)};

/// Calls answered as an older kernel would, so that glibc uses clone, whose flags can be checked.
static const int unknown[] = {SCMP_SYS(openat2), SCMP_SYS(clone3)};

/// A placeholder for the child's process id until that is known; no process has it (proc(5),
/// pid_max).
static const uint32_t own_number = 0x7A5AA5A7;

#define ANSWER(action, calls) \
    if ((result = CSandbox_answer(filter, action, calls, sizeof calls / sizeof *calls)) != 0) return result
#define RULE(action, call, count, ...) \
    if ((result = seccomp_rule_add(filter, action, SCMP_SYS(call), count, __VA_ARGS__)) != 0) return result

static int add_rules(scmp_filter_ctx filter) {
    int result = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (result == 0) {
        result = CSandbox_answer(filter, SCMP_ACT_ALLOW, CSandbox_working_calls, CSandbox_working_count);
    }
    if (result == 0) {
        result = CSandbox_answer(
            filter, SCMP_ACT_KILL_PROCESS, CSandbox_deadly_calls, CSandbox_deadly_count);
    }
    if (result == 0) result = CSandbox_allow_harmless(filter);
    if (result != 0) return result;
    ANSWER(SCMP_ACT_KILL_PROCESS, own_to_server);
    ANSWER(SCMP_ACT_ALLOW, counted);
    ANSWER(SCMP_ACT_TRAP, emulated);
    ANSWER(SCMP_ACT_ERRNO(ENOSYS), unknown);
    RULE(SCMP_ACT_ALLOW, clone, 1, SCMP_A0(SCMP_CMP_EQ, CSandbox_thread_flags, 0));
    RULE(SCMP_ACT_KILL_PROCESS, clone, 1, SCMP_A0(SCMP_CMP_NE, CSandbox_thread_flags, 0));
    // abort() signals its own thread. Any other signal could keep a thread from exiting after its
    // exit has been counted.
    RULE(
        SCMP_ACT_ALLOW, tgkill, 2, SCMP_A0(SCMP_CMP_EQ, own_number, 0), SCMP_A2(SCMP_CMP_EQ, SIGABRT, 0));
    RULE(SCMP_ACT_KILL_PROCESS, tgkill, 1, SCMP_A0(SCMP_CMP_NE, own_number, 0));
    return 0;
}

/// Exports a filter in the kernel's form. libseccomp 2.5 can only write it to a descriptor.
///
/// A filter has at most 32 KiB (BPF_MAXINSNS), which fit into a pipe.
static int take(scmp_filter_ctx filter, struct sock_fprog *program) {
    int ends[2];
    if (pipe(ends) != 0) return -errno;
    int result = seccomp_export_bpf(filter, ends[1]);
    close(ends[1]);
    struct sock_filter *code = calloc(BPF_MAXINSNS, sizeof *code);
    ssize_t size = result == 0 && code != NULL ? read(ends[0], code, BPF_MAXINSNS * sizeof *code) : -1;
    close(ends[0]);
    if (size <= 0 || size % sizeof *code != 0) {
        free(code);
        return result != 0 ? result : -ENOMEM;
    }
    program->filter = code;
    program->len = (unsigned short)(size / sizeof *code);
    return 0;
}

int CSandbox_make_child_filter(struct sock_fprog *program) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (filter == NULL) return -ENOMEM;
    int result = add_rules(filter);
    if (result == 0) result = take(filter, program);
    seccomp_release(filter);
    return result;
}

int CSandbox_load_child_filter(struct sock_fprog *program) {
    for (size_t i = 0; i < program->len; i++) {
        if (program->filter[i].k == own_number) program->filter[i].k = (uint32_t)getpid();
    }
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, program);
}
