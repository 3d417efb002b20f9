#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "Filters.h"
#include "ForkServer.h"

// The child's only descriptors, besides three that lead nowhere.
enum { input_place = 3, output_place = 4, places = 5, most_places = CSandbox_most_places };

/// Closes all of the child's descriptors but its input and its output.
static int keep_only(int input, int output) {
    // Each may be in the other's place.
    int high_input = fcntl(input, F_DUPFD_CLOEXEC, most_places);
    int high_output = fcntl(output, F_DUPFD_CLOEXEC, most_places);
    if (high_input < 0 || high_output < 0) return -1;
    if (dup2(high_input, input_place) < 0 || dup2(high_output, output_place) < 0) return -1;
    if (close_range(places, ~0U, 0) == 0) return 0;
    // An older kernel, or an outer filter that doesn't know close_range.
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return -1;
    for (int place = places; place < (int)files.rlim_cur; place++) close(place);
    return 0;
}

/// Sets the limits that the fork server doesn't already have.
static int limit(const CSandboxOrder *order) {
    if (CSandbox_lower_limit(RLIMIT_CPU, order->milliseconds / 1000 + 2) != 0) return -1;
    // A second before it is killed, it ends by a signal that says why; one limit for both would only kill it.
    struct rlimit processor;
    if (getrlimit(RLIMIT_CPU, &processor) != 0) return -1;
    if (processor.rlim_cur > 1) processor.rlim_cur--;
    if (setrlimit(RLIMIT_CPU, &processor) != 0) return -1;
    if (CSandbox_lower_limit(RLIMIT_FSIZE, 0) != 0) return -1;
    return CSandbox_lower_limit(RLIMIT_NOFILE, most_places);
}

static _Noreturn void live(
    struct fork_server *server, pid_t parent, const CSandboxOrder *order, int input, int output) {
    if (CSandbox_die_with(parent) != 0 || keep_only(input, output) != 0) _exit(CSandbox_not_begun);
    prctl(PR_SET_NAME, "decoder");
    if (sigprocmask(SIG_SETMASK, &server->signals, NULL) != 0) _exit(CSandbox_not_begun);
    if (limit(order) != 0) _exit(CSandbox_not_begun);
    if (CSandbox_load_child_filter(&server->filter) != 0) _exit(CSandbox_not_begun);
    _exit(server->body(server->context, input_place, output_place, order->order));
}

pid_t CSandbox_fork_child(struct fork_server *server, const CSandboxOrder *order, int input, int output) {
    // A lock held by another thread would stay locked in the child for ever.
    if (CSandbox_count_threads(server->threads) != 1) {
        errno = EBUSY;
        return -1;
    }
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) live(server, parent, order, input, output);
    return child;
}
