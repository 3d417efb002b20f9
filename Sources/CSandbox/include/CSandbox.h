// What a detector does to itself before it looks at bytes from strangers.
// Every function returns 0, or -1 with errno set, unless it says otherwise.
#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Lets everything else on the machine go first: nice 10, batch scheduling, idle disk priority;
/// and goes first itself where the kernel needs memory.
int CSandbox_lower_priority(void);

/// Ends this process with SIGKILL when the thread that started it ends; fails
/// with ESRCH when that has happened already. `parent` is who should be there.
int CSandbox_die_with(int32_t parent);

/// How many threads this process has; -1 when that can't be told.
int CSandbox_threads(void);

/// Starts this program anew with the environment as it now is; returns only when that failed.
int CSandbox_start_anew(char *_Nullable const *_Nonnull arguments);

/// What the process may take; see setrlimit(2).
typedef struct CSandboxLimits {
    /// Bytes of address space beyond what is in use now.
    uint64_t further_memory;
    /// Seconds of CPU time, all pictures together.
    uint64_t cpu_seconds;
    /// Open files.
    uint64_t files;
} CSandboxLimits;

/// Sets resource limits; there are no core dumps, which would hold people's pictures.
int CSandbox_limit(const CSandboxLimits *limits);

/// No program that this process starts can gain privileges (prctl(2), PR_SET_NO_NEW_PRIVS).
int CSandbox_no_new_privileges(void);

/// The version of Landlock that the kernel has (landlock_create_ruleset(2)); below 1 where it has none.
int CSandbox_landlock_version(void);

/// Binds the calling thread, and those it starts later, to a few places in the
/// file system, without TCP and without signals to others (landlock(7)).
///
/// `readable` are files and folders to read, folders with all beneath them;
/// what doesn't exist is left out. `writable` is a folder for new files.
/// Gives back the version of Landlock, 0 where the kernel has none.
int CSandbox_landlock(
    const char *_Nonnull const *_Nullable readable, size_t count, const char *_Nullable writable);

/// Binds all threads to the system calls that decoding needs (seccomp(2)): no sockets, no programs,
/// no other processes, no executable memory, and files opened for reading only unless `may_write`.
int CSandbox_filter(bool may_write);

/// How many things ``CSandbox_probe`` can try.
size_t CSandbox_probe_count(void);

/// A thing to try, as words for a person: "read a file outside".
const char *CSandbox_probe_name(size_t probe);

/// Whether a process that decodes should have it refused.
bool CSandbox_probe_is_for_decoder(size_t probe);

/// Whether a process that decodes should be able to do it.
bool CSandbox_probe_is_harmless(size_t probe);

/// Whether a process that opens pictures and looks at pixels should have it refused.
bool CSandbox_probe_is_for_looker(size_t probe);

/// Tries it; 0 when it could be done, else the errno it was refused with.
/// `inside` is a file within the readable places.
int CSandbox_probe(size_t probe, const char *inside);

#pragma clang assume_nonnull end

#include "CSandboxNursery.h"
#endif
