#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ioprio.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int CLinux_rename_noreplace(int from_dir, const char *from, int to_dir, const char *to) {
    return renameat2(from_dir, from, to_dir, to, RENAME_NOREPLACE);
}

int CLinux_rename_exchange(int from_dir, const char *from, int to_dir, const char *to) {
    return renameat2(from_dir, from, to_dir, to, RENAME_EXCHANGE);
}

int CLinux_begin_writing(int file, off_t offset, off_t length) {
    return sync_file_range(file, offset, length, SYNC_FILE_RANGE_WRITE);
}

_Static_assert(sizeof(CLinux_peer) == sizeof(struct ucred), "CLinux_peer is the kernel's struct ucred");

void CLinux_begin_thread(const char *name, int niceness) {
    char cut[16];
    snprintf(cut, sizeof cut, "%s", name);
    pthread_setname_np(pthread_self(), cut);
    if (niceness > 0) {
        int now = getpriority(PRIO_PROCESS, 0);
        setpriority(PRIO_PROCESS, 0, now + niceness);
    }
}

void CLinux_run_when_idle(void) {
    struct sched_param none = {0};
    // Of the thread, not the process (pthreads(7)).
    sched_setscheduler(0, SCHED_IDLE, &none);
}

int CLinux_ioprio_set_idle(void) {
    return (int)syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 0));
}

int CLinux_ioprio_set_best_effort(int level) {
    if (level < 0 || level > 7) {
        errno = EINVAL;
        return -1;
    }
    return (int)syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, level));
}
