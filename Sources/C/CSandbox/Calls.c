// The system calls available to a process that decodes.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "Filters.h"

const int CSandbox_working_calls[] = {
    // clang-format off
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(preadv), SCMP_SYS(lseek),
    SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(close), SCMP_SYS(dup), SCMP_SYS(fadvise64),
    SCMP_SYS(fstat), SCMP_SYS(poll), SCMP_SYS(ppoll),
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(set_tid_address),
    SCMP_SYS(membarrier), SCMP_SYS(restart_syscall), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler), SCMP_SYS(getcpu), SCMP_SYS(getpriority),
    SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep), SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times),
    SCMP_SYS(getrusage), SCMP_SYS(getrandom), SCMP_SYS(uname), SCMP_SYS(sysinfo),
    SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(gettid), SCMP_SYS(getuid), SCMP_SYS(geteuid),
    SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(getrlimit),
    SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigpending), SCMP_SYS(rt_sigtimedwait), SCMP_SYS(sigaltstack),
    SCMP_SYS(exit_group),
    // clang-format on
};
const size_t CSandbox_working_count = sizeof CSandbox_working_calls / sizeof(int);

const int CSandbox_deadly_calls[] = {
    // clang-format off
    SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork),
    SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen),
    SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(sendto), SCMP_SYS(sendmmsg), SCMP_SYS(recvmmsg),
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(kcmp),
    SCMP_SYS(process_madvise), SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pidfd_send_signal), SCMP_SYS(tkill), SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo),
    SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(io_setup),
    SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register),
    SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(keyctl),
    SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root),
    SCMP_SYS(chroot), SCMP_SYS(open_tree), SCMP_SYS(move_mount), SCMP_SYS(fsopen), SCMP_SYS(fspick),
    SCMP_SYS(name_to_handle_at), SCMP_SYS(open_by_handle_at),
    SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load), SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff),
    SCMP_SYS(syslog), SCMP_SYS(acct), SCMP_SYS(settimeofday), SCMP_SYS(clock_settime),
    SCMP_SYS(setuid), SCMP_SYS(setgid), SCMP_SYS(setreuid), SCMP_SYS(setregid), SCMP_SYS(setresuid),
    SCMP_SYS(setresgid), SCMP_SYS(setgroups), SCMP_SYS(capset), SCMP_SYS(personality),
    SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(modify_ldt),
    // clang-format on
};
const size_t CSandbox_deadly_count = sizeof CSandbox_deadly_calls / sizeof(int);

const scmp_datum_t CSandbox_thread_flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD
    | CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
const scmp_datum_t CSandbox_process_flags = CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;

int CSandbox_answer(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t count) {
    int result = 0;
    for (size_t i = 0; i < count && result == 0; i++) {
        result = seccomp_rule_add(filter, action, calls[i], 0);
    }
    return result;
}

#define ALLOW(call, count, ...) \
    if ((result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(call), count, __VA_ARGS__)) != 0) \
    return result

int CSandbox_allow_harmless(scmp_filter_ctx filter) {
    int result = 0;
    ALLOW(mmap, 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    ALLOW(mprotect, 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    // Reading a limit, but not setting one.
    ALLOW(prlimit64, 2, SCMP_A0(SCMP_CMP_EQ, 0, 0), SCMP_A2(SCMP_CMP_EQ, 0, 0));
    ALLOW(prctl, 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME, 0));
    ALLOW(prctl, 1, SCMP_A0(SCMP_CMP_EQ, PR_GET_NAME, 0));
    // abort()'s signal, the only one that a child can send, stays the end of it. Each rule looks at all
    // 64 bits of the argument: the kernel takes the lower half of it, whatever the other has.
    ALLOW(rt_sigaction, 1, SCMP_A0(SCMP_CMP_LT, SIGABRT, 0));
    ALLOW(rt_sigaction, 1, SCMP_A0(SCMP_CMP_EQ, SIGABRT + 1, 0));
    ALLOW(rt_sigaction, 1, SCMP_A0(SCMP_CMP_MASKED_EQ, ~(scmp_datum_t)7, 8));
    ALLOW(rt_sigaction, 1, SCMP_A0(SCMP_CMP_MASKED_EQ, ~(scmp_datum_t)15, 16));
    ALLOW(rt_sigaction, 1, SCMP_A0(SCMP_CMP_MASKED_EQ, ~(scmp_datum_t)31, 32));
    ALLOW(rt_sigaction, 1, SCMP_A0(SCMP_CMP_EQ, 64, 0));
    // Is it a terminal?
    ALLOW(ioctl, 1, SCMP_A1(SCMP_CMP_EQ, TCGETS, 0));
    ALLOW(fcntl, 1, SCMP_A1(SCMP_CMP_EQ, F_GETFL, 0));
    ALLOW(fcntl, 1, SCMP_A1(SCMP_CMP_EQ, F_GETFD, 0));
    ALLOW(fcntl, 1, SCMP_A1(SCMP_CMP_EQ, F_SETFD, 0));
    ALLOW(fcntl, 1, SCMP_A1(SCMP_CMP_EQ, F_DUPFD_CLOEXEC, 0));
    return 0;
}
