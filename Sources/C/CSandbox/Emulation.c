// System calls that a child's libraries make for harmless reasons, but that would reveal more
// than the child should know. They are answered here, in the child itself, instead of being made.
// An attacker who controls the child can change the answers, and gains nothing by that.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "Filters.h"

/// The registers of a system call, by processor (syscall(2)).
#if defined(__x86_64__)
#define ARGUMENT_1(c) ((c)->uc_mcontext.gregs[REG_RDI])
#define ARGUMENT_2(c) ((c)->uc_mcontext.gregs[REG_RSI])
#define ARGUMENT_3(c) ((c)->uc_mcontext.gregs[REG_RDX])
#define ARGUMENT_4(c) ((c)->uc_mcontext.gregs[REG_R10])
#define RESULT(c) ((c)->uc_mcontext.gregs[REG_RAX])
#elif defined(__aarch64__)
#define ARGUMENT_1(c) ((c)->uc_mcontext.regs[0])
#define ARGUMENT_2(c) ((c)->uc_mcontext.regs[1])
#define ARGUMENT_3(c) ((c)->uc_mcontext.regs[2])
#define ARGUMENT_4(c) ((c)->uc_mcontext.regs[3])
#define RESULT(c) ((c)->uc_mcontext.regs[0])
#else
#error "unknown processor"
#endif

/// glibc asks about a descriptor with an empty path (stat(2), AT_EMPTY_PATH), and no filter can
/// see whether a path is empty.
static long describe(int descriptor, const char *path, void *status, int flags) {
    if ((flags & AT_EMPTY_PATH) == 0 || path == NULL || *path != '\0') return -EPERM;
    return syscall(SYS_fstat, descriptor, status) == 0 ? 0 : -errno;
}

/// Reports a single processor, because libraries that start a thread for each would get in each
/// other's way: there is one process for each already.
static long name_processors(size_t size, unsigned char *set) {
    if (size < sizeof(long) || set == NULL) return -EINVAL;
    for (size_t i = 0; i < sizeof(long); i++) set[i] = i == 0;
    return sizeof(long);
}

static void answer(int signal, siginfo_t *call, void *opaque) {
    (void)signal;
    ucontext_t *context = opaque;
    int before = errno;
    long result = -EPERM;
    if (call->si_syscall == SYS_newfstatat) {
        result = describe(
            (int)ARGUMENT_1(context), (const char *)ARGUMENT_2(context), (void *)ARGUMENT_3(context),
            (int)ARGUMENT_4(context));
    } else if (call->si_syscall == SYS_sched_getaffinity) {
        result = name_processors((size_t)ARGUMENT_2(context), (unsigned char *)ARGUMENT_3(context));
    }
    RESULT(context) = result;
    errno = before;
}

int CSandbox_emulate(void) {
    struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_RESTART};
    return sigaction(SIGSYS, &action, NULL);
}
