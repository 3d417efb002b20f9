// Processes that each read one input from a stranger and then end. They are forked by a process
// of its own, the fork server, which has one thread and has never read a stranger's byte. Whatever an
// input does to a process's memory is gone with that process, and none finds anything of
// another's.
#ifndef CSANDBOX_FORK_SERVER_H
#define CSANDBOX_FORK_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CSandbox.h"

#pragma clang assume_nonnull begin

/// The work of a child, which reads `input`, writes to `output` and returns its exit status.
///
/// `order` is a number from the giver of the order.
typedef int32_t (*CSandboxBody)(
    const void *_Nullable context, int32_t input, int32_t output, uint32_t order);

/// The fork server's first message: that it is ready, or why it isn't.
typedef struct CSandboxForkServerState {
    /// The version of Landlock that confines the children; 0 if the kernel has none.
    int32_t landlock;
    /// True if the children's threads and refused attempts to open files are counted (see
    /// seccomp_unotify(2)).
    bool counts;
    /// The reason why there is no fork server; empty if there is one.
    char failure[256];
} CSandboxForkServerState;

/// An order to start a child.
typedef struct CSandboxOrder {
    /// A number that is passed to the child's body.
    uint32_t order;
    /// The time limit in milliseconds, after which the child is killed.
    uint32_t milliseconds;
} CSandboxOrder;

/// The way a child has ended.
typedef struct CSandboxEnding {
    /// The signal that ended it; 0 if it exited by itself.
    int32_t signal;
    /// Its exit status, if it exited by itself.
    int32_t status;
    /// True if it was killed at its time limit.
    bool timed_out;
    /// The number of files that it tried to open, none of which was opened.
    uint32_t refused_opens;
    /// The number of threads that it tried to start beyond ``CSandbox_most_threads``.
    uint32_t refused_threads;
    /// The errno if no child could be started; 0 if there was one.
    int32_t failure;
    /// The bytes that it could map.
    uint64_t room;
    /// The most bytes that it held.
    uint64_t held;
} CSandboxEnding;

/// The exit status of a child that could not be confined, and so has read nothing.
static const int32_t CSandbox_not_begun = 125;

/// The most threads that a child may have besides its first.
extern const uint32_t CSandbox_most_threads;

/// Forks the fork server, which dies with its parent.
///
/// Returns 0 in the fork server, its process id in the parent, and -1 with errno set on failure.
/// `socket` connects the two.
///
/// The caller must have a single thread. The fork server has neither standard input nor output, and
/// only one malloc arena, since deciding on more would mean reading a file in /proc.
int32_t CSandbox_fork_server_begin(int32_t *socket);

/// Called in the fork server: reports why there is none, and ends it.
_Noreturn void CSandbox_fork_server_fail(int32_t socket, const char *reason);

/// Called in the fork server: closes its sandbox and forks a child for each order until the parent
/// ends.
///
/// `limits` are those of each child.
_Noreturn void CSandbox_fork_server_serve(
    int32_t socket, const CSandboxLimits *limits, CSandboxBody body, const void *_Nullable context);

/// Waits for the fork server's first message.
int CSandbox_fork_server_await(int32_t socket, CSandboxForkServerState *state);

/// Has a child started with `input` and one end of a pipe; returns the other end, which the
/// caller reads and closes, or -1.
int32_t CSandbox_fork_server_order(int32_t socket, const CSandboxOrder *order, int32_t input);

/// Waits until that child has ended.
int CSandbox_fork_server_ending(int32_t socket, CSandboxEnding *ending);

/// Ends the fork server and waits for it.
void CSandbox_fork_server_end(int32_t socket, int32_t server);

#pragma clang assume_nonnull end
#endif
