// The parts of a fork server, which forks a child (Child.c) and watches it until it has ended
// (Watching.c).
#ifndef FORK_SERVER_H
#define FORK_SERVER_H

#include <dirent.h>
#include <linux/filter.h>
#include <signal.h>
#include <sys/types.h>

#include "CSandbox.h"

struct fork_server {
    /// The socket to the process that gives orders.
    int socket;
    /// Becomes readable when a child has ended.
    int ended;
    /// Reports a child's counted calls; negative if the kernel can't.
    int wishes;
    /// The directory of the fork server's own threads (proc(5), /proc/self/task).
    DIR *threads;
    /// The filter for the children's system calls.
    struct sock_fprog filter;
    /// The signals blocked in children: those blocked at the start.
    sigset_t signals;
    /// The bytes that a child may map besides what the fork server has mapped.
    uint64_t room;
    const CSandboxLimits *limits;
    CSandboxBody body;
    const void *context;
};

/// The most descriptors that a child may have; while it is being set up it needs two more.
enum { CSandbox_most_places = 16 };

/// Sets both limits of a resource (setrlimit(2)), unless the hard limit is lower already.
int CSandbox_lower_limit(int resource, uint64_t value);

/// Returns how many bytes the calling process may still map.
uint64_t CSandbox_room(void);

/// Counts the entries of a directory of threads, from its beginning.
int CSandbox_count_threads(DIR *threads);

/// Forks a child for an order; returns -1 with errno set on failure.
pid_t CSandbox_fork_child(struct fork_server *server, const CSandboxOrder *order, int input, int output);

/// Waits until a child has ended, killing it if it takes too long; returns false if nobody waits
/// for it any more.
bool CSandbox_watch(
    const struct fork_server *server, pid_t child, const CSandboxOrder *order, CSandboxEnding *ending);

#endif
