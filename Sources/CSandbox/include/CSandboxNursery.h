// Processes that each read one input from a stranger and then end. They are forked by a process of
// their own, the nursery, which has one thread and has never read a stranger's byte: so what one of
// them does to its memory is gone with it, and none finds anything of another's.
#ifndef CSANDBOX_NURSERY_H
#define CSANDBOX_NURSERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CSandbox.h"

#pragma clang assume_nonnull begin

/// What a child does: reads `input`, writes to `output`, and gives back its exit status.
/// `order` is the asker's number.
typedef int32_t (*CSandboxBody)(
    const void *_Nullable context, int32_t input, int32_t output, uint32_t order);

/// What the nursery says once: that it is ready, or why it isn't.
typedef struct CSandboxNurseryState {
    /// The version of Landlock that binds the children; 0 where the kernel has none.
    int32_t landlock;
    /// Whether threads and refused openings of the children are counted (see seccomp_unotify(2)).
    bool counts;
    /// Why there is no nursery; empty when there is one.
    char failure[256];
} CSandboxNurseryState;

/// What a child is started for.
typedef struct CSandboxOrder {
    /// Goes to the child's body.
    uint32_t order;
    /// After so many milliseconds the child is killed.
    uint32_t milliseconds;
} CSandboxOrder;

/// How a child has ended.
typedef struct CSandboxEnding {
    /// The signal that has ended it; 0 where it ended by itself.
    int32_t signal;
    /// Its exit status, where it ended by itself.
    int32_t status;
    /// Whether it was killed because its time was over.
    bool timed_out;
    /// How many files it tried to open; none was opened.
    uint32_t refused_opens;
    /// How many threads it tried to have beyond ``CSandbox_most_threads``.
    uint32_t refused_threads;
    /// Why there was no child; 0 where there was one.
    int32_t failure;
} CSandboxEnding;

/// The exit status of a child that couldn't be bound, and so has read nothing.
static const int32_t CSandbox_not_begun = 125;

/// How many threads a child may have at once beside its first.
extern const uint32_t CSandbox_most_threads;

/// Forks the nursery, which dies with its parent: gives back 0 in it, its number in the parent, and
/// -1 with errno set when that failed. `socket` joins the two.
///
/// The caller has one thread. The nursery has neither standard input nor output, and one malloc
/// arena, for another would be sized by a file in /proc.
int32_t CSandbox_nursery_begin(int32_t *socket);

/// In the nursery: says why there is none, and ends it.
_Noreturn void CSandbox_nursery_fail(int32_t socket, const char *reason);

/// In the nursery: closes its sandbox and bears a child for each order until the parent ends.
/// `limits` are those of each child.
_Noreturn void CSandbox_nursery_serve(
    int32_t socket, const CSandboxLimits *limits, CSandboxBody body, const void *_Nullable context);

/// Waits until the nursery has said how it is.
int CSandbox_nursery_await(int32_t socket, CSandboxNurseryState *state);

/// Has a child made, which gets `input` and the end of a pipe; gives back the other end, which the
/// caller reads and closes, or -1.
int32_t CSandbox_nursery_order(int32_t socket, const CSandboxOrder *order, int32_t input);

/// Waits until that child has ended.
int CSandbox_nursery_ending(int32_t socket, CSandboxEnding *ending);

/// Ends the nursery and waits for it.
void CSandbox_nursery_end(int32_t socket, int32_t nursery);

#pragma clang assume_nonnull end
#endif
