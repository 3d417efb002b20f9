#ifndef CLINUX_H
#define CLINUX_H

#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

// Functions that Swift's Glibc module lacks. Every symbol has the target's name as a prefix.
// Functions return -1 and set errno as the underlying system calls do.

// Renames without ever replacing a file: EEXIST if `to` exists (renameat2 with RENAME_NOREPLACE),
// EINVAL if the file system can't do that. Directories are descriptors or AT_FDCWD.
int CLinux_rename_noreplace(int from_dir, const char *_Nonnull from, int to_dir, const char *_Nonnull to);

// Gives a file another name and takes the old one away, without ever replacing a file: EEXIST if `to`
// exists, EPERM if the file system has no hard links (linkat(2), unlinkat(2)). What a crash leaves in
// between is one file under both names. Directories are descriptors or AT_FDCWD.
int CLinux_move_by_link(int from_dir, const char *_Nonnull from, int to_dir, const char *_Nonnull to);

// The first place of bytes in others (memmem(3)); null if they aren't there.
const void *_Nullable CLinux_find(
    const void *_Nonnull bytes, size_t count, const void *_Nonnull needle, size_t needle_count);

// Has a process that is to be started close all its descriptors from `lowest` on
// (posix_spawn_file_actions_addclosefrom_np(3)). Returns 0 or the number of an error.
int CLinux_add_close_from(posix_spawn_file_actions_t *_Nonnull actions, int lowest);

// Creates a directory and its missing parents, like `mkdir -p`: the umask applies to the mode,
// and existing directories stay as they are. After -1, `failed` is the length of the part of the
// path that names the directory which could not be created.
int CLinux_make_directories(const char *_Nonnull path, mode_t mode, size_t *_Nonnull failed);

// Returns when an open file was made, in nanoseconds since 1970; 0 where its file system doesn't know
// (statx(2)).
int64_t CLinux_birth_time(int file);

// Returns the magic number of an open file's file system; 0 if it can't be had (statfs(2)).
uint32_t CLinux_file_system(int file);

// Makes the kernel begin to write a part of a file to the disk (up to its end if the length is 0)
// without waiting (sync_file_range(2)). Errors of the disk are left for fsync to report.
int CLinux_begin_writing(int file, off_t offset, off_t length);

// The process at the other end of a connected unix socket, as of the time it connected: the value
// of the socket option below (SO_PEERCRED, unix(7)).
typedef struct CLinux_peer {
    pid_t process;
    uid_t user;
    gid_t group;
} CLinux_peer;

enum {
    CLinux_SO_PEERCRED = SO_PEERCRED,
    // The supplementary groups of the other end, an array of gid_t; ERANGE if there are more than
    // fit.
    CLinux_SO_PEERGROUPS = SO_PEERGROUPS,
};

// Opens a socket on which the kernel can be asked about other sockets (sock_diag(7)).
int CLinux_open_socket_diagnosis(void);

// Asks the kernel for the user of the one TCP socket of this machine whose own end is `from` and whose other end
// is `to`. Addresses are those of IPv6 in network order, with IPv4 inside (RFC 4291 section 2.5.5.2), and ports
// in the order of the machine. After -1, errno is ENOENT where there is no such socket, or nobody holds it any
// more. It never waits; one thread at a time.
int CLinux_find_tcp_user(
    int diagnosis, const uint8_t *_Nonnull from, uint16_t from_port, const uint8_t *_Nonnull to, uint16_t to_port,
    uid_t *_Nonnull user);

// The sight of a connected TCP socket: its own port and the other end, an address of IPv6 in network order, with
// IPv4 inside (RFC 4291 section 2.5.5.2); the bytes that came over it so far, and those of them that nobody has
// read; the shortest round trip in microseconds (tcpi_min_rtt); and whether the other end has closed it.
typedef struct CLinux_connection {
    uint8_t peer[16];
    uint16_t own_port;
    uint16_t peer_port;
    uint64_t received;
    uint64_t unread;
    uint32_t shortest_round_trip;
    int is_closed;
} CLinux_connection;

// Looks at a connected TCP socket (tcp(7)). After -1, it is no such socket (any more), or the kernel is too old.
int CLinux_look_at_connection(int socket, CLinux_connection *_Nonnull sight);

// Returns how many descriptors the process may have open (RLIMIT_NOFILE), or LONG_MAX where that isn't
// limited or known.
long CLinux_descriptor_limit(void);

// Names the calling thread for top and perf, cut to 15 bytes (pthread_setname_np(3)), and lowers
// its priority (nice(2), which applies to a thread on Linux, pthreads(7)); 0 leaves it. This
// never fails: a thread without a name or with its old priority works as well.
void CLinux_begin_thread(const char *_Nonnull name, int niceness);

// Create a bell that any thread can ring (eventfd(2)), and an alarm clock that runs on while the
// machine is suspended and that nobody sets (timerfd_create(2) with CLOCK_BOOTTIME). They return
// descriptors, or -1 on failure.
int CLinux_make_bell(void);
int CLinux_make_alarm(void);

// Rings a bell. This never blocks; ringing twice is the same as once.
void CLinux_ring(int bell);

// Waits until the bell has been rung, or for a number of microseconds; without a limit if that is
// negative. It may return earlier, and without a bell does so often.
void CLinux_wait(int bell, int alarm, int64_t microseconds);

// Creates a file in memory that has no name and goes with its last descriptor (memfd_create(2)), which is
// closed when another program is run. It can never be run itself: a system may refuse any other kind.
int CLinux_make_memory_file(void);

// Writes all that belongs to the file system of an open file to the disk, and says whether that could be
// done (syncfs(2), which tells of errors since Linux 5.8).
int CLinux_sync_file_system(int file);

// Lets each arena of the heap keep up to `bytes` of freed memory for reuse, instead of returning
// it to the kernel and getting it back one page fault at a time (M_TRIM_THRESHOLD, mallopt(3)). It is
// meant for a process that allocates and frees buffers all the time. What takes more than a sixty-fourth
// of that is mapped by itself and so goes back at once (M_MMAP_THRESHOLD): malloc_trim(3) doesn't return
// the free end of any arena but the first.
void CLinux_keep_freed_memory(size_t bytes);

// Returns memory that the process doesn't need for now: free heap (malloc_trim(3)), and the pages
// of programs and libraries that were only mapped by what has run so far. Those are clean copies
// of files that remain in the page cache. Whatever runs next maps its own pages again, by a read
// only if the kernel has needed the memory meanwhile.
void CLinux_release_memory(void);

// Whether the kernel knows the wall clock to be synchronized (adjtimex(2)): 1 or 0, or -1.
int CLinux_clock_is_synchronized(void);

#endif
