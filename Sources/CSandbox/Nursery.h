// The parts of a nursery: it bears a child (Child.c) and watches it until it has ended (Watching.c).
#ifndef NURSERY_H
#define NURSERY_H

#include <dirent.h>
#include <linux/filter.h>
#include <signal.h>
#include <sys/types.h>

#include "CSandbox.h"

struct nursery {
    /// To who gives orders.
    int socket;
    /// Tells that a child has ended.
    int ended;
    /// Tells what a child wishes; below 0 where the kernel can't.
    int wishes;
    /// The nursery's own threads (proc(5), /proc/self/task).
    DIR *threads;
    /// The children's system calls.
    struct sock_fprog filter;
    /// The signals that are blocked in children: those of the beginning.
    sigset_t signals;
    const CSandboxLimits *limits;
    CSandboxBody body;
    const void *context;
};

/// How many descriptors a child may have at once; while it is made it needs two above that.
enum { CSandbox_most_places = 16 };

/// Sets both limits of a resource (setrlimit(2)), or leaves the hard one that is lower already.
int CSandbox_lower_limit(int resource, uint64_t value);

/// Counts entries of a folder of threads, from its beginning.
int CSandbox_count_threads(DIR *threads);

/// Forks a child for an order; -1 with errno set when there is none.
pid_t CSandbox_bear(struct nursery *nursery, const CSandboxOrder *order, int input, int output);

/// Stays until a child has ended, and kills it where it takes too long; false when nobody waits for
/// it any more.
bool CSandbox_watch(
    const struct nursery *nursery, pid_t child, const CSandboxOrder *order, CSandboxEnding *ending);

#endif
