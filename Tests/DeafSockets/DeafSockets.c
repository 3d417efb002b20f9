#include "DeafSockets.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// How many connections can be watched: a program has its first ones at low numbers.
#define MOST_SOCKETS 4096
#define MOST_POLLED 1024

// The bytes that may still be read of each, and one more; 0 for no limit.
static atomic_long left[MOST_SOCKETS];
// How many further connections are to become deaf.
static atomic_int connections;
static int deaf_port;
static long deaf_after;

__attribute__((constructor)) static void read_rule(void) {
    const char *rule = getenv(DEAF_SOCKETS);
    int count = 0;
    if (rule != NULL && sscanf(rule, "%d %ld %d", &deaf_port, &deaf_after, &count) == 3)
        atomic_store(&connections, count);
}

static bool is_watched(int file) { return file >= 0 && file < MOST_SOCKETS; }

static bool is_deaf(int file) { return is_watched(file) && atomic_load(&left[file]) == 1; }

static void forget(int file) {
    if (is_watched(file)) atomic_store(&left[file], 0);
}

static int port_of(const struct sockaddr *end) {
    if (end->sa_family == AF_INET) return ntohs(((const struct sockaddr_in *)end)->sin_port);
    if (end->sa_family == AF_INET6) return ntohs(((const struct sockaddr_in6 *)end)->sin6_port);
    return 0;
}

int connect(int file, const struct sockaddr *end, socklen_t length) {
    forget(file);
    if (is_watched(file) && port_of(end) == deaf_port && atomic_load(&connections) > 0 &&
        atomic_fetch_sub(&connections, 1) > 0)
        atomic_store(&left[file], deaf_after + 1);
    return (int)syscall(SYS_connect, file, end, length);
}

int close(int file) {
    forget(file);
    return (int)syscall(SYS_close, file);
}

int shutdown(int file, int how) {
    forget(file);
    return (int)syscall(SYS_shutdown, file, how);
}

ssize_t recv(int file, void *bytes, size_t count, int flags) {
    long limit = is_watched(file) ? atomic_load(&left[file]) : 0;
    if (limit == 1) {
        errno = EAGAIN;
        return -1;
    }
    if (limit > 0 && count > (size_t)limit - 1) count = (size_t)limit - 1;
    ssize_t result = syscall(SYS_recvfrom, file, bytes, count, flags, NULL, NULL);
    if (limit > 0 && result > 0 && (flags & MSG_PEEK) == 0) atomic_store(&left[file], limit - result);
    return result;
}

static int wait_for(struct pollfd *files, nfds_t count, int timeout) {
    struct timespec time = {.tv_sec = timeout / 1000, .tv_nsec = (long)(timeout % 1000) * 1000000};
    // Not poll, which arm64 doesn't have.
    return (int)syscall(SYS_ppoll, files, count, timeout < 0 ? NULL : &time, NULL, 0);
}

int poll(struct pollfd *files, nfds_t count, int timeout) {
    bool has_deaf = false;
    for (nfds_t place = 0; place < count; place++) has_deaf = has_deaf || is_deaf(files[place].fd);
    if (!has_deaf || count > MOST_POLLED) return wait_for(files, count, timeout);
    struct pollfd heard[MOST_POLLED];
    memcpy(heard, files, count * sizeof *files);
    for (nfds_t place = 0; place < count; place++) {
        if (!is_deaf(heard[place].fd)) continue;
        heard[place].events &= POLLOUT;
        // Its end is told even to those who ask for nothing.
        if (heard[place].events == 0) heard[place].fd = -1;
    }
    int result = wait_for(heard, count, timeout);
    for (nfds_t place = 0; place < count; place++) files[place].revents = heard[place].revents;
    return result;
}

// What programs call that were built with _FORTIFY_SOURCE.
ssize_t __recv_chk(int file, void *bytes, size_t count, size_t room, int flags) {
    if (count > room) abort();
    return recv(file, bytes, count, flags);
}

int __poll_chk(struct pollfd *files, nfds_t count, int timeout, size_t room) {
    if (count > room / sizeof *files) abort();
    return poll(files, count, timeout);
}
