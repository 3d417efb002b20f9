// Processes that each read one input from a stranger and then end. They are forked by a process
// of its own, the nursery, which has one thread and has never read a stranger's byte. Whatever an
// input does to a process's memory is gone with that process, and none finds anything of
// another's.
#ifndef CSANDBOX_NURSERY_H
#define CSANDBOX_NURSERY_H

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

/// The nursery's first message: that it is ready, or why it isn't.
typedef struct CSandboxNurseryState {
    /// The version of Landlock that confines the children; 0 if the kernel has none.
    int32_t landlock;
    /// True if the children's threads and refused attempts to open files are counted (see
    /// seccomp_unotify(2)).
    bool counts;
    /// The reason why there is no nursery; empty if there is one.
    char failure[256];
} CSandboxNurseryState;

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
} CSandboxEnding;

/// The exit status of a child that could not be confined, and so has read nothing.
static const int32_t CSandbox_not_begun = 125;

/// The most threads that a child may have besides its first.
extern const uint32_t CSandbox_most_threads;

/// Forks the nursery, which dies with its parent.
///
/// Returns 0 in the nursery, its process id in the parent, and -1 with errno set on failure.
/// `socket` connects the two.
///
/// The caller must have a single thread. The nursery has neither standard input nor output, and
/// only one malloc arena, since deciding on more would mean reading a file in /proc.
int32_t CSandbox_nursery_begin(int32_t *socket);

/// Called in the nursery: reports why there is none, and ends it.
_Noreturn void CSandbox_nursery_fail(int32_t socket, const char *reason);

/// Called in the nursery: closes its sandbox and forks a child for each order until the parent
/// ends.
///
/// `limits` are those of each child.
_Noreturn void CSandbox_nursery_serve(
    int32_t socket, const CSandboxLimits *limits, CSandboxBody body, const void *_Nullable context);

/// Waits for the nursery's first message.
int CSandbox_nursery_await(int32_t socket, CSandboxNurseryState *state);

/// Has a child started with `input` and one end of a pipe; returns the other end, which the
/// caller reads and closes, or -1.
int32_t CSandbox_nursery_order(int32_t socket, const CSandboxOrder *order, int32_t input);

/// Waits until that child has ended.
int CSandbox_nursery_ending(int32_t socket, CSandboxEnding *ending);

/// Ends the nursery and waits for it.
void CSandbox_nursery_end(int32_t socket, int32_t nursery);

#pragma clang assume_nonnull end
#endif
