// What the filters of the three kinds of process have in common: who looks at pixels, the nursery,
// and its children.
#ifndef FILTERS_H
#define FILTERS_H

#include <linux/filter.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>

/// What reading bytes into pixels needs, whatever the arguments: reading and writing what is open,
/// memory, waiting, time, and asking about oneself.
extern const int CSandbox_working_calls[];
extern const size_t CSandbox_working_count;

/// What no decoder calls: programs, sockets, other processes, the kernel's own matters.
extern const int CSandbox_deadly_calls[];
extern const size_t CSandbox_deadly_count;

/// The flags of clone(2) by which glibc makes a thread, and a process.
extern const scmp_datum_t CSandbox_thread_flags;
extern const scmp_datum_t CSandbox_process_flags;

/// One answer to many calls; 0, or an errno, negative.
int CSandbox_answer(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t count);

/// Allows what is harmless with some arguments only: memory that can't be run, asking for a limit,
/// a thread's name, flags of a descriptor.
int CSandbox_allow_harmless(scmp_filter_ctx filter);

/// Binds the nursery. Where `counts` is asked for, gives back the descriptor that tells of what its
/// children wish; else 0. Negative when it failed.
int CSandbox_filter_nursery(bool counts);

/// Makes the children's filter, to be loaded by CSandbox_load_child_filter.
int CSandbox_make_child_filter(struct sock_fprog *program);

/// Binds a child, for good.
int CSandbox_load_child_filter(struct sock_fprog *program);

/// Has calls answered whose answers say nothing of the machine; see Emulation.c.
int CSandbox_emulate(void);

#endif
