#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <sys/types.h>

// What Swift's Glibc module lacks. Every symbol carries the target's name.
// Functions answer -1 and set errno as the system calls below them do.

// Renames without ever replacing: EEXIST where `to` exists (renameat2 with
// RENAME_NOREPLACE). EINVAL where the file system can't do that.
// Directories are descriptors or AT_FDCWD.
int CLinux_rename_noreplace(int from_dir, const char *_Nonnull from, int to_dir, const char *_Nonnull to);

// Swaps two files in one step (renameat2 with RENAME_EXCHANGE).
int CLinux_rename_exchange(int from_dir, const char *_Nonnull from, int to_dir, const char *_Nonnull to);

// Who is at the other end of a connected unix socket, as of its connect
// (SO_PEERCRED, unix(7)).
int CLinux_peer_credentials(int socket, pid_t *_Nonnull pid, uid_t *_Nonnull uid, gid_t *_Nonnull gid);

// The supplementary groups of the other end (SO_PEERGROUPS). Answers how many
// there are; fills in at most `capacity` of them. ERANGE where more are there.
int CLinux_peer_groups(int socket, gid_t *_Nullable groups, size_t capacity);

// Puts the calling thread into the idle class of the I/O scheduler
// (ioprio_set(2)): it reads and writes when nobody else does.
int CLinux_ioprio_set_idle(void);

// Sets the best-effort class with a level, 0 (first) to 7 (last), for the calling thread.
int CLinux_ioprio_set_best_effort(int level);

#endif
