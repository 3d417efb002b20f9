#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

// What Swift's Glibc module lacks. Every symbol carries the target's name.
// Functions answer -1 and set errno as the system calls below them do.

// Renames without ever replacing: EEXIST where `to` exists (renameat2 with
// RENAME_NOREPLACE). EINVAL where the file system can't do that.
// Directories are descriptors or AT_FDCWD.
int CLinux_rename_noreplace(int from_dir, const char *_Nonnull from, int to_dir, const char *_Nonnull to);

// Makes a directory and those above it that are missing, like `mkdir -p`: the
// umask applies to the mode, and one that is there stays as it is. After -1,
// so many bytes of the path name the directory that could not be made.
int CLinux_make_directories(const char *_Nonnull path, mode_t mode, size_t *_Nonnull failed);

// Has the kernel begin to write a part of a file to the disk, to its end where
// the length is 0, and doesn't wait until it has (sync_file_range(2)). Errors
// of the disk are left for fsync to tell.
int CLinux_begin_writing(int file, off_t offset, off_t length);

// Who is at the other end of a connected unix socket, as of its connect: the
// value of the socket option below (SO_PEERCRED, unix(7)).
typedef struct CLinux_peer {
    pid_t process;
    uid_t user;
    gid_t group;
} CLinux_peer;

enum {
    CLinux_SO_PEERCRED = SO_PEERCRED,
    // The supplementary groups of the other end, an array of gid_t; ERANGE
    // where there are more than fit.
    CLinux_SO_PEERGROUPS = SO_PEERGROUPS,
};

// Names the calling thread as top and perf show it, cut to 15 bytes
// (pthread_setname_np(3)), and lowers its priority by so much (nice(2), which
// is of a thread on Linux, pthreads(7)); 0 leaves it. Never fails: a
// thread without a name or with its old priority works as well.
void CLinux_begin_thread(const char *_Nonnull name, int niceness);

// A bell that any thread can ring (eventfd(2)), and an alarm clock that goes on
// while the machine is suspended and that nobody sets (timerfd_create(2) with
// CLOCK_BOOTTIME); descriptors, -1 for failure.
int CLinux_make_bell(void);
int CLinux_make_alarm(void);

// Rings a bell. Never waits; once is as good as twice.
void CLinux_ring(int bell);

// Waits until the bell has been rung, or so many microseconds are over; as long
// as it takes where those are negative. May come back earlier; without a bell it
// does so often.
void CLinux_wait(int bell, int alarm, int64_t microseconds);

// Lets each arena of the heap keep up to so many freed bytes for what comes
// next, instead of giving them to the kernel and getting them anew, page fault by
// page fault (M_TRIM_THRESHOLD and M_MMAP_THRESHOLD, mallopt(3)): for a process
// that takes and frees large buffers all the time.
void CLinux_keep_freed_memory(size_t bytes);

// Gives back what the process can do without until it needs it again: free
// heap (malloc_trim(3)), and the pages of programs and libraries that only came
// to be mapped by what has run so far. Those are clean copies of files, in the
// page cache as before; what runs next maps its own again, by a read only where the kernel
// wanted the memory meanwhile.
void CLinux_release_memory(void);

#endif
