// The side of the process that gives orders to a fork server.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CSandbox.h"

/// Receives a message of known size.
static int receive(int socket, void *message, size_t size) {
    struct iovec data = {message, size};
    struct msghdr header = {.msg_iov = &data, .msg_iovlen = 1};
    ssize_t received;
    do received = recvmsg(socket, &header, 0);
    while (received < 0 && errno == EINTR);
    if (received == (ssize_t)size) return 0;
    if (received >= 0) errno = ECONNRESET;
    return -1;
}

int CSandbox_fork_server_await(int32_t socket, CSandboxForkServerState *state) {
    int result = receive(socket, state, sizeof *state);
    state->failure[sizeof state->failure - 1] = '\0';
    return result;
}

/// Sends an order with its two descriptors.
static int send_order(int socket, const CSandboxOrder *order, const int descriptors[2]) {
    enum { size = 2 * sizeof(int) };
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(size)];
    } control;
    memset(&control, 0, sizeof control);
    struct iovec data = {(void *)order, sizeof *order};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(header), descriptors, size);
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == sizeof *order ? 0 : -1;
}

int32_t CSandbox_fork_server_order(int32_t socket, const CSandboxOrder *order, int32_t input) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    // As large as anyone may have (pipe(7), pipe-max-size), or less if others use much already.
    fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
    const int descriptors[2] = {input, ends[1]};
    int result = send_order(socket, order, descriptors);
    int cause = errno;
    close(ends[1]);
    if (result == 0) return ends[0];
    close(ends[0]);
    errno = cause;
    return -1;
}

int CSandbox_fork_server_ending(int32_t socket, CSandboxEnding *ending) {
    return receive(socket, ending, sizeof *ending);
}

void CSandbox_fork_server_end(int32_t socket, int32_t server) {
    close(socket);
    while (waitpid(server, NULL, 0) < 0 && errno == EINTR) continue;
}
