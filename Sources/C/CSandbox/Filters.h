// The common part of the filters for the three kinds of process: the one that looks at pixels,
// the fork server, and its children.
#ifndef FILTERS_H
#define FILTERS_H

#include <linux/filter.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>

/// The calls that decoding needs, with any arguments: reading and writing open descriptors,
/// memory, waiting, time, and asking about the process itself.
extern const int CSandbox_working_calls[];
extern const size_t CSandbox_working_count;

/// The calls that no decoder makes: programs, sockets, other processes, and the kernel's own
/// affairs.
extern const int CSandbox_deadly_calls[];
extern const size_t CSandbox_deadly_count;

/// The flags of clone(2) with which glibc starts a thread, and a process.
extern const scmp_datum_t CSandbox_thread_flags;
extern const scmp_datum_t CSandbox_process_flags;

/// Sets one action for many calls; returns 0 or a negative errno.
int CSandbox_answer(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t count);

/// Allows calls that are harmless with certain arguments: memory that isn't executable, reading a
/// limit, a thread's name, flags of a descriptor.
int CSandbox_allow_harmless(scmp_filter_ctx filter);

/// Applies the fork server's filter.
///
/// If `counts` is set, returns the descriptor that reports its children's counted calls;
/// otherwise 0. Returns a negative value on failure.
int CSandbox_filter_fork_server(bool counts);

/// Builds the children's filter, to be loaded by CSandbox_load_child_filter.
int CSandbox_make_child_filter(struct sock_fprog *program);

/// Applies the filter to a child for good.
int CSandbox_load_child_filter(struct sock_fprog *program);

/// Installs the handler for calls that are answered without revealing anything about the machine;
/// see Emulation.c.
int CSandbox_emulate(void);

#endif
