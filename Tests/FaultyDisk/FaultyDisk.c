#include "FaultyDisk.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

// Reads a small file or link whole, as text; -1 where that can't be done.
static ssize_t text_of_file(const char *path, char *text, size_t size) {
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (file < 0) return -1;
    ssize_t count = read(file, text, size - 1);
    (void)syscall(SYS_close, file);
    if (count >= 0) text[count] = 0;
    return count;
}

static ssize_t path_of(int file, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = readlink(link, path, size - 1);
    if (count >= 0) path[count] = 0;
    return count;
}

// The number that the rules have for a call on a path, 0 for none.
static int rule(const char *call, const char *path) {
    const char *rules = getenv(FAULTY_DISK_RULES);
    char text[1024];
    int result = 0;
    if (rules != NULL && text_of_file(rules, text, sizeof text) > 0) {
        char *rest = NULL;
        for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
            char name[16];
            char part[256];
            int number = 0;
            if (sscanf(line, "%15s %d %255s", name, &number, part) == 3 && strcmp(name, call) == 0 &&
                strstr(path, part) != NULL) {
                result = number;
                break;
            }
        }
    }
    return result;
}

// The errno that a call is to fail with, 0 for none; below that, after how many such calls the process ends.
static int fault(const char *call, int file) {
    int saved = errno;
    char path[4096];
    int result = path_of(file, path, sizeof path) > 0 ? rule(call, path) : 0;
    errno = saved;
    return result;
}

#define FAIL_BY_RULE(call, file)                                                                         \
    int number = fault(call, file);                                                                      \
    do {                                                                                                 \
        if (number > 0) {                                                                                \
            errno = number;                                                                              \
            return -1;                                                                                   \
        }                                                                                                \
    } while (0)

// Ends the process, as a crash would, once so many writes that a rule is about have been made.
static ssize_t written(ssize_t count, int number) {
    static atomic_int writes;
    if (number < 0 && atomic_fetch_add(&writes, 1) + 1 >= -number) (void)raise(SIGKILL);
    return count;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result != 0 || clock != CLOCK_REALTIME) return result;
    int saved = errno;
    time->tv_sec += rule("clock", "-");
    errno = saved;
    return 0;
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags) {
    FAIL_BY_RULE("rename", to_dir);
    return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}

int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags) {
    FAIL_BY_RULE("link", to_dir);
    return (int)written(syscall(SYS_linkat, from_dir, from, to_dir, to, flags), number);
}

int fsync(int file) {
    FAIL_BY_RULE("sync", file);
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    FAIL_BY_RULE("sync", file);
    return (int)syscall(SYS_fdatasync, file);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    FAIL_BY_RULE("write", file);
    return written(syscall(SYS_pwrite64, file, bytes, count, offset), number);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    FAIL_BY_RULE("write", file);
    return written(syscall(SYS_pwrite64, file, bytes, count, offset), number);
}
