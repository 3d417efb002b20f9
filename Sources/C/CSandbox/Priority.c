#include <errno.h>
#include <fcntl.h>
#include <linux/ioprio.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CSandbox.h"

/// Makes this process the first to be killed when memory runs out, because one picture's result
/// is worth less than anything else that runs (proc(5), oom_score_adj: as if it used half of all
/// memory in addition).
static void go_first_when_memory_runs_out(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t written = write(file, "500", 3);
    (void)written;
    close(file);
}

int CSandbox_lower_priority(void) {
    go_first_when_memory_runs_out();
    if (setpriority(PRIO_PROCESS, 0, 10) != 0) return -1;
    struct sched_param parameters = {.sched_priority = 0};
    if (sched_setscheduler(0, SCHED_BATCH, &parameters) != 0) return -1;
    // glibc has no wrapper for ioprio_set.
    return (int)syscall(
        SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 0));
}

int CSandbox_die_with(int32_t parent) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return -1;
    // The parent may have died before the call above.
    if (getppid() == parent) return 0;
    errno = ESRCH;
    return -1;
}
