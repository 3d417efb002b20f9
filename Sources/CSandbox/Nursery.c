#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CSandbox.h"
#include "Filters.h"
#include "Nursery.h"

/// Replaces a standard stream with /dev/null or the like.
static void detach(int stream) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0) _exit(1);
    if (nothing != stream) {
        dup2(nothing, stream);
        close(nothing);
    }
}

int32_t CSandbox_nursery_begin(int32_t *ours) {
    int pair[2];
    if (CSandbox_threads() != 1) {
        errno = EBUSY;
        return -1;
    }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return -1;
    pid_t parent = getpid();
    pid_t nursery = fork();
    if (nursery != 0) {
        int cause = errno;
        close(pair[1]);
        if (nursery < 0) close(pair[0]);
        *ours = pair[0];
        errno = cause;
        return nursery;
    }
    if (CSandbox_die_with(parent) != 0) _exit(1);
    close(pair[0]);
    *ours = pair[1];
    // The parent's standard streams carry requests and answers.
    detach(STDIN_FILENO);
    detach(STDOUT_FILENO);
    prctl(PR_SET_NAME, "decoder-nursery");
    mallopt(M_ARENA_MAX, 1);
    return 0;
}

static void tell(int socket, const CSandboxNurseryState *state) {
    ssize_t sent = write(socket, state, sizeof *state);
    if (sent != sizeof *state) _exit(1);
}

void CSandbox_nursery_fail(int32_t socket, const char *reason) {
    CSandboxNurseryState state = {0};
    snprintf(state.failure, sizeof state.failure, "%s", reason);
    tell(socket, &state);
    _exit(1);
}

static _Noreturn void fail(const struct nursery *nursery, const char *part) {
    char reason[256];
    snprintf(reason, sizeof reason, "the sandbox can't be set up: %s: %s", part, strerror(errno));
    CSandbox_nursery_fail(nursery->socket, reason);
}

/// Sets up a descriptor that reports when children end.
static void hear_of_endings(struct nursery *nursery) {
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    if (sigprocmask(SIG_BLOCK, &children, &nursery->signals) != 0) fail(nursery, "signals");
    nursery->ended = signalfd(-1, &children, SFD_CLOEXEC);
    if (nursery->ended < 0) fail(nursery, "signals");
}

/// Applies the nursery's filter, without counting its children's calls if the kernel, or the
/// container's own listener, doesn't allow that.
static void filter(struct nursery *nursery) {
    int result = CSandbox_make_child_filter(&nursery->filter);
    if (result == 0) result = CSandbox_filter_nursery(true);
    nursery->wishes = result;
    // libseccomp's error doesn't say reliably why it failed. If it was for another reason, it
    // fails again.
    if (result < 0 && nursery->filter.filter != NULL) result = CSandbox_filter_nursery(false);
    if (result >= 0) return;
    errno = -result;
    fail(nursery, "seccomp");
}

/// Fails if children could not be limited to their own descriptors.
static void check_descriptors(const struct nursery *nursery) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) fail(nursery, "resource limits");
    if (files.rlim_cur >= CSandbox_most_places + 2) return;
    errno = EMFILE;
    fail(nursery, "a decoder has to be allowed 18 descriptors");
}

static void close_sandbox(struct nursery *nursery) {
    CSandboxNurseryState state = {0};
    nursery->threads = opendir("/proc/self/task");
    if (nursery->threads == NULL) fail(nursery, "/proc/self/task");
    hear_of_endings(nursery);
    CSandboxLimits limits = *nursery->limits;
    if (CSandbox_emulate() != 0) fail(nursery, "signals");
    if (CSandbox_no_new_privileges() != 0) fail(nursery, "no_new_privs");
    if (CSandbox_limit(&limits) != 0) fail(nursery, "resource limits");
    check_descriptors(nursery);
    if (CSandbox_count_threads(nursery->threads) != 1) {
        errno = EBUSY;
        fail(nursery, "there is more than one thread");
    }
    // Children may not open anything anywhere.
    state.landlock = CSandbox_landlock(NULL, 0, NULL);
    if (state.landlock < 0) fail(nursery, "Landlock");
    // Anything that a library printed would be a stranger's words.
    if (dup2(STDIN_FILENO, STDERR_FILENO) < 0) fail(nursery, "standard error");
    filter(nursery);
    state.counts = nursery->wishes >= 0;
    tell(nursery->socket, &state);
}

/// Receives an order with its two descriptors; returns false at the end.
static bool take(int socket, CSandboxOrder *order, int descriptors[2]) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec data = {order, sizeof *order};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t size;
    do size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (size < 0 && errno == EINTR);
    if (size == 0) return false;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (size != sizeof *order || header == NULL || header->cmsg_type != SCM_RIGHTS
        || header->cmsg_len != CMSG_LEN(2 * sizeof(int))) {
        _exit(1);
    }
    memcpy(descriptors, CMSG_DATA(header), 2 * sizeof(int));
    return true;
}

void CSandbox_nursery_serve(
    int32_t socket, const CSandboxLimits *limits, CSandboxBody body, const void *context) {
    struct nursery nursery = {.socket = socket, .limits = limits, .body = body, .context = context};
    close_sandbox(&nursery);
    CSandboxOrder order;
    int descriptors[2];
    while (take(socket, &order, descriptors)) {
        CSandboxEnding ending = {0};
        pid_t child = CSandbox_bear(&nursery, &order, descriptors[0], descriptors[1]);
        if (child < 0) ending.failure = errno;
        close(descriptors[0]);
        close(descriptors[1]);
        if (child > 0 && !CSandbox_watch(&nursery, child, &order, &ending)) break;
        if (write(socket, &ending, sizeof ending) != sizeof ending) break;
    }
    _exit(0);
}
