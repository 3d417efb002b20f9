#include <errno.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ForkServer.h"

// Decoders of HEIF and AVIF use two or three threads, that of WebP one.
const uint32_t CSandbox_most_threads = 16;

/// The number of refusals after which a process is clearly not decoding.
static const uint32_t most_refusals = 1000;

/// The kernel's messages may be longer than those of the headers, but have never needed half of
/// this.
union wish {
    struct seccomp_notif notification;
    char bytes[512];
};
union reply {
    struct seccomp_notif_resp response;
    char bytes[512];
};

static uint64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/// Answers a child's counted call: it gets a thread if it hasn't too many, but never a file.
///
/// A thread counts from its start until it has announced its exit, which it can't take back: both
/// calls are judged by registers alone, so nothing can be changed after it was checked.
static void answer(int wishes, uint32_t *threads, CSandboxEnding *ending) {
    union wish wish;
    union reply reply;
    memset(&wish, 0, sizeof wish);
    memset(&reply, 0, sizeof reply);
    // The child may have died in the meantime.
    if (ioctl(wishes, SECCOMP_IOCTL_NOTIF_RECV, &wish) != 0) return;
    const int call = wish.notification.data.nr;
    reply.response.id = wish.notification.id;
    if (call == SYS_exit || (call == SYS_clone && *threads < CSandbox_most_threads)) {
        reply.response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    } else if (call == SYS_clone) {
        reply.response.error = -EAGAIN;
        ending->refused_threads++;
    } else {
        reply.response.error = -EPERM;
        ending->refused_opens++;
    }
    const int sent = ioctl(wishes, SECCOMP_IOCTL_NOTIF_SEND, &reply);
    if (sent != 0 || reply.response.flags != SECCOMP_USER_NOTIF_FLAG_CONTINUE) return;
    if (call == SYS_clone) ++*threads;
    if (call == SYS_exit && *threads > 0) --*threads;
}

/// Finds out whether the child has ended, and how.
static bool reap(const struct fork_server *server, pid_t child, int flags, CSandboxEnding *ending) {
    struct signalfd_siginfo told;
    if (flags == WNOHANG) {
        ssize_t size = read(server->ended, &told, sizeof told);
        (void)size;
    }
    int status;
    struct rusage usage;
    pid_t who;
    do who = wait4(child, &status, flags, &usage);
    while (who < 0 && errno == EINTR);
    if (who == 0) return false;
    if (who < 0) _exit(1);
    if (WIFSIGNALED(status)) ending->signal = WTERMSIG(status);
    if (WIFEXITED(status)) ending->status = WEXITSTATUS(status);
    ending->held = (uint64_t)usage.ru_maxrss * 1024;
    return true;
}

static void end(const struct fork_server *server, pid_t child, CSandboxEnding *ending) {
    kill(child, SIGKILL);
    reap(server, child, 0, ending);
}

bool CSandbox_watch(
    const struct fork_server *server, pid_t child, const CSandboxOrder *order, CSandboxEnding *ending) {
    const uint64_t deadline = milliseconds() + order->milliseconds;
    uint32_t threads = 0;
    struct pollfd sources[] = {
        {.fd = server->ended, .events = POLLIN},
        // The giver of the order sends nothing until it has been carried out, so it can only have
        // gone.
        {.fd = server->socket, .events = POLLIN},
        {.fd = server->wishes, .events = POLLIN},
    };
    while (true) {
        const uint64_t now = milliseconds();
        if (now >= deadline) ending->timed_out = true;
        if (ending->timed_out || ending->refused_opens + ending->refused_threads > most_refusals) {
            end(server, child, ending);
            return true;
        }
        const uint64_t left = deadline - now;
        if (poll(sources, 3, left > 1000000 ? 1000000 : (int)left) < 0 && errno != EINTR) _exit(1);
        if (sources[2].revents & POLLIN) answer(server->wishes, &threads, ending);
        if (sources[0].revents & POLLIN && reap(server, child, WNOHANG, ending)) return true;
        if (sources[1].revents != 0) {
            end(server, child, ending);
            return false;
        }
    }
}
