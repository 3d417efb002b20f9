// What a process does to itself before it looks at bytes from strangers. Functions return 0, or
// -1 with errno set, unless they say otherwise.
#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Gives everything else on the machine precedence: nice 10, batch scheduling, idle disk
/// priority, and the first to be killed when the kernel needs memory.
int CSandbox_lower_priority(void);

/// Makes the kernel kill this process with SIGKILL when the thread that started it ends; fails
/// with ESRCH if that has happened already.
///
/// `parent` is the expected parent's process id.
int CSandbox_die_with(int32_t parent);

/// Returns the number of this process's threads; -1 if unknown.
int CSandbox_threads(void);

/// Executes this program again with the current environment; returns only on failure.
int CSandbox_start_anew(char *_Nullable const *_Nonnull arguments);

/// Limits on the resources of a process; see setrlimit(2).
typedef struct CSandboxLimits {
    /// The bytes of address space beyond those in use now.
    uint64_t further_memory;
    /// The seconds of CPU time, for all pictures together.
    uint64_t cpu_seconds;
    /// The number of open files.
    uint64_t files;
} CSandboxLimits;

/// Sets resource limits and disables core dumps, which would contain people's pictures.
int CSandbox_limit(const CSandboxLimits *limits);

/// Ensures that no program started by this process can gain privileges (prctl(2),
/// PR_SET_NO_NEW_PRIVS).
int CSandbox_no_new_privileges(void);

/// Returns the kernel's version of Landlock (landlock_create_ruleset(2)); below 1 if it has none.
int CSandbox_landlock_version(void);

/// Restricts the calling thread, and those that it starts later, to a few places in the file
/// system, without TCP and without signals to other processes (landlock(7)).
///
/// `readable` are files and directories to read, including everything beneath them; any that
/// don't exist are left out. `writable` is a directory for new files, in which files may be
/// renamed and removed, too. Returns the version of
/// Landlock, 0 if the kernel has none.
int CSandbox_landlock(
    const char *_Nonnull const *_Nullable readable, size_t count, const char *_Nullable writable);

/// Restricts all threads to the system calls that decoding needs (seccomp(2)): no sockets, no
/// programs, no other processes, no executable memory, and files opened for reading only unless
/// `may_write` is set; then they may be synced, locked, renamed and removed as well.
int CSandbox_filter(bool may_write);

/// Returns the number of things that ``CSandbox_probe`` can try.
size_t CSandbox_probe_count(void);

/// Returns a description of a thing to try, such as "read a file outside".
const char *CSandbox_probe_name(size_t probe);

/// Returns whether it must be refused to a process that decodes.
bool CSandbox_probe_is_for_decoder(size_t probe);

/// Returns whether a process that decodes must be able to do it.
bool CSandbox_probe_is_harmless(size_t probe);

/// Returns whether it must be refused to a process that opens pictures and looks at pixels.
bool CSandbox_probe_is_for_looker(size_t probe);

/// Tries it; returns 0 if it could be done, otherwise the errno with which it was refused.
///
/// `inside` is a file within the readable places.
int CSandbox_probe(size_t probe, const char *inside);

#pragma clang assume_nonnull end

#include "CSandboxForkServer.h"
#endif
