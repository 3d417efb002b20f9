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
#include "ForkServer.h"

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGQUIT};

/// Replaces a standard stream with /dev/null or the like.
static void detach(int stream) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0) _exit(1);
    if (nothing != stream) {
        dup2(nothing, stream);
        close(nothing);
    }
}

int32_t CSandbox_fork_server_begin(int32_t *ours) {
    int pair[2];
    if (CSandbox_threads() != 1) {
        errno = EBUSY;
        return -1;
    }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return -1;
    pid_t parent = getpid();
    pid_t server = fork();
    if (server != 0) {
        int cause = errno;
        close(pair[1]);
        if (server < 0) close(pair[0]);
        *ours = pair[0];
        errno = cause;
        return server;
    }
    if (CSandbox_die_with(parent) != 0) _exit(1);
    close(pair[0]);
    *ours = pair[1];
    // The parent's standard streams carry requests and answers.
    detach(STDIN_FILENO);
    detach(STDOUT_FILENO);
    prctl(PR_SET_NAME, "fork-server");
    // For children, too: who wants no more of what a child writes closes the pipe, and the child ends by itself.
    signal(SIGPIPE, SIG_IGN);
    // A crash ends a child by its signal: Swift's runtime would start a debugger, which is what attackers do.
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
    mallopt(M_ARENA_MAX, 1);
    return 0;
}

static void tell(int socket, const CSandboxForkServerState *state) {
    ssize_t sent = write(socket, state, sizeof *state);
    if (sent != sizeof *state) _exit(1);
}

void CSandbox_fork_server_fail(int32_t socket, const char *reason) {
    CSandboxForkServerState state = {0};
    snprintf(state.failure, sizeof state.failure, "%s", reason);
    tell(socket, &state);
    _exit(1);
}

static _Noreturn void fail(const struct fork_server *server, const char *part) {
    char reason[256];
    snprintf(reason, sizeof reason, "the sandbox can't be set up: %s: %s", part, strerror(errno));
    CSandbox_fork_server_fail(server->socket, reason);
}

/// Sets up a descriptor that reports when children end.
static void hear_of_endings(struct fork_server *server) {
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    if (sigprocmask(SIG_BLOCK, &children, &server->signals) != 0) fail(server, "signals");
    server->ended = signalfd(-1, &children, SFD_CLOEXEC);
    if (server->ended < 0) fail(server, "signals");
}

/// Applies the fork server's filter, without counting its children's calls if the kernel, or the
/// container's own listener, doesn't allow that.
static void filter(struct fork_server *server) {
    int result = CSandbox_make_child_filter(&server->filter);
    if (result == 0) result = CSandbox_filter_fork_server(true);
    server->wishes = result;
    // libseccomp's error doesn't say reliably why it failed. If it was for another reason, it
    // fails again.
    if (result < 0 && server->filter.filter != NULL) result = CSandbox_filter_fork_server(false);
    if (result >= 0) return;
    errno = -result;
    fail(server, "seccomp");
}

/// Fails if children could not be limited to their own descriptors.
static void check_descriptors(const struct fork_server *server) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) fail(server, "resource limits");
    if (files.rlim_cur >= CSandbox_most_places + 2) return;
    errno = EMFILE;
    fail(server, "a decoder has to be allowed 18 descriptors");
}

static void close_sandbox(struct fork_server *server) {
    CSandboxForkServerState state = {0};
    server->threads = opendir("/proc/self/task");
    if (server->threads == NULL) fail(server, "/proc/self/task");
    hear_of_endings(server);
    CSandboxLimits limits = *server->limits;
    if (CSandbox_emulate() != 0) fail(server, "signals");
    if (CSandbox_no_new_privileges() != 0) fail(server, "no_new_privs");
    if (CSandbox_limit(&limits) != 0) fail(server, "resource limits");
    server->room = CSandbox_room();
    check_descriptors(server);
    if (CSandbox_count_threads(server->threads) != 1) {
        errno = EBUSY;
        fail(server, "there is more than one thread");
    }
    // Children may not open anything anywhere.
    state.landlock = CSandbox_landlock(NULL, 0, NULL);
    if (state.landlock < 0) fail(server, "Landlock");
    // Anything that a library printed would be a stranger's words.
    if (dup2(STDIN_FILENO, STDERR_FILENO) < 0) fail(server, "standard error");
    filter(server);
    state.counts = server->wishes >= 0;
    tell(server->socket, &state);
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

void CSandbox_fork_server_serve(
    int32_t socket, const CSandboxLimits *limits, CSandboxBody body, const void *context) {
    struct fork_server server = {.socket = socket, .limits = limits, .body = body, .context = context};
    close_sandbox(&server);
    CSandboxOrder order;
    int descriptors[2];
    while (take(socket, &order, descriptors)) {
        CSandboxEnding ending = {.room = server.room};
        pid_t child = CSandbox_fork_child(&server, &order, descriptors[0], descriptors[1]);
        if (child < 0) ending.failure = errno;
        close(descriptors[0]);
        close(descriptors[1]);
        if (child > 0 && !CSandbox_watch(&server, child, &order, &ending)) break;
        if (write(socket, &ending, sizeof ending) != sizeof ending) break;
    }
    _exit(0);
}
