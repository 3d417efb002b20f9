#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

int CLinux_rename_noreplace(int from_dir, const char *from, int to_dir, const char *to) {
    return renameat2(from_dir, from, to_dir, to, RENAME_NOREPLACE);
}

int CLinux_move_by_link(int from_dir, const char *from, int to_dir, const char *to) {
    if (linkat(from_dir, from, to_dir, to, 0) != 0) return -1;
    if (unlinkat(from_dir, from, 0) == 0) return 0;
    int number = errno;
    (void)unlinkat(to_dir, to, 0);
    errno = number;
    return -1;
}

const void *CLinux_find(const void *bytes, size_t count, const void *needle, size_t needle_count) {
    return memmem(bytes, count, needle, needle_count);
}

int CLinux_add_close_from(posix_spawn_file_actions_t *actions, int lowest) {
    return posix_spawn_file_actions_addclosefrom_np(actions, lowest);
}

int64_t CLinux_birth_time(int file) {
    struct statx status;
    if (statx(file, "", AT_EMPTY_PATH, STATX_BTIME, &status) != 0) return 0;
    if ((status.stx_mask & STATX_BTIME) == 0) return 0;
    return (int64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
}

uint32_t CLinux_file_system(int file) {
    struct statfs status;
    return fstatfs(file, &status) == 0 ? (uint32_t)status.f_type : 0;
}

int CLinux_make_directories(const char *path, mode_t mode, size_t *failed) {
    size_t length = strlen(path);
    *failed = length;
    char part[PATH_MAX];
    if (length >= sizeof part) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(part, path, length + 1);
    // Up, cutting the last name off each time, to one that is there or can be made.
    while (mkdir(part, mode) != 0 && errno != EEXIST) {
        char *slash = strrchr(part, '/');
        if (errno != ENOENT || slash == NULL || slash == part) return -1;
        *slash = '\0';
        *failed = (size_t)(slash - part);
    }
    // And down again: each cut that is undone shows the next name.
    while (*failed < length) {
        part[*failed] = '/';
        *failed = strlen(part);
        if (mkdir(part, mode) != 0 && errno != EEXIST) return -1;
    }
    return 0;
}

int CLinux_make_memory_file(void) {
    // MFD_NOEXEC_SEAL, which Linux has from 6.3 on.
    const unsigned never_run = 8;
    int file = memfd_create("facefetch", MFD_CLOEXEC | never_run);
    if (file < 0 && errno == EINVAL) file = memfd_create("facefetch", MFD_CLOEXEC);
    return file;
}

int CLinux_sync_file_system(int file) { return syncfs(file); }

int CLinux_make_bell(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

int CLinux_make_alarm(void) {
    return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

void CLinux_ring(int bell) {
    (void)eventfd_write(bell, 1);
}

void CLinux_wait(int bell, int alarm, int64_t microseconds) {
    struct pollfd files[] = {{.fd = bell, .events = POLLIN}, {.fd = alarm, .events = POLLIN}};
    int timeout = -1;
    if (bell < 0) timeout = 20;
    if (microseconds == 0) return;
    if (microseconds > 0) {
        struct itimerspec time = {
            .it_value = {.tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000},
        };
        // Without the alarm clock, in steps: poll(2) doesn't count the time of a suspension.
        if (timerfd_settime(alarm, 0, &time, NULL) != 0 && timeout < 0)
            timeout = microseconds < 1000000 ? (int)(microseconds / 1000) + 1 : 1000;
    } else {
        // Of a wait that the bell ended.
        files[1].fd = -1;
    }
    (void)poll(files, 2, timeout);
    // Emptied, so that it can ring again.
    uint64_t count;
    (void)eventfd_read(bell, &count);
}

int CLinux_begin_writing(int file, off_t offset, off_t length) {
    return sync_file_range(file, offset, length, SYNC_FILE_RANGE_WRITE);
}

_Static_assert(sizeof(CLinux_peer) == sizeof(struct ucred), "CLinux_peer is the kernel's struct ucred");

int CLinux_open_socket_diagnosis(void) {
    return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
}

// IPv4 as it stands inside of IPv6.
static const uint8_t mapped[12] = {[10] = 0xFF, [11] = 0xFF};

// Whether an address that the kernel tells, of whichever family, is this one.
static bool is_address(const __be32 told[4], uint8_t family, const uint8_t address[16]) {
    if (family == AF_INET6) return memcmp(told, address, 16) == 0;
    return memcmp(address, mapped, sizeof mapped) == 0 && memcmp(told, address + sizeof mapped, 4) == 0;
}

int CLinux_find_tcp_user(
    int diagnosis, const uint8_t *from, uint16_t from_port, const uint8_t *to, uint16_t to_port, uid_t *user) {
    static _Atomic uint32_t sequence = 0;
    // A socket of IPv6 that talks to an address of IPv4 is found by that family, too.
    const bool is_old = memcmp(from, mapped, sizeof mapped) == 0 && memcmp(to, mapped, sizeof mapped) == 0;
    struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 body;
    } request = {
        .head = {
            .nlmsg_len = sizeof request,
            .nlmsg_type = SOCK_DIAG_BY_FAMILY,
            .nlmsg_flags = NLM_F_REQUEST,
            .nlmsg_seq = ++sequence,
        },
        .body = {
            .sdiag_family = is_old ? AF_INET : AF_INET6,
            .sdiag_protocol = IPPROTO_TCP,
            .idiag_states = UINT32_MAX,
            .id = {
                .idiag_sport = htons(from_port),
                .idiag_dport = htons(to_port),
                .idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE},
            },
        },
    };
    memcpy(request.body.id.idiag_src, is_old ? from + sizeof mapped : from, is_old ? 4 : 16);
    memcpy(request.body.id.idiag_dst, is_old ? to + sizeof mapped : to, is_old ? 4 : 16);
    const struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    if (sendto(diagnosis, &request, sizeof request, 0, (const struct sockaddr *)&kernel, sizeof kernel) < 0) return -1;

    // The answer is there when the request has been sent. One to an earlier question, which nobody took, is passed by.
    for (;;) {
        _Alignas(struct nlmsghdr) char bytes[4096];
        struct sockaddr_nl sender = {0};
        socklen_t length = sizeof sender;
        ssize_t count = recvfrom(diagnosis, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr *)&sender, &length);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return -1;
        const struct nlmsghdr *head = (const struct nlmsghdr *)bytes;
        if (sender.nl_pid != 0 || count < (ssize_t)sizeof *head || head->nlmsg_seq != request.head.nlmsg_seq) continue;
        if (head->nlmsg_type == NLMSG_ERROR && count >= (ssize_t)NLMSG_LENGTH(sizeof(struct nlmsgerr))) {
            errno = -((const struct nlmsgerr *)NLMSG_DATA(head))->error;
            return -1;
        }
        if (head->nlmsg_type != SOCK_DIAG_BY_FAMILY || count < (ssize_t)NLMSG_LENGTH(sizeof(struct inet_diag_msg))) {
            errno = EPROTO;
            return -1;
        }
        const struct inet_diag_msg *told = NLMSG_DATA(head);
        // Where there is no such connection, the kernel looks for a socket that listens at its end.
        if (told->idiag_state == TCP_LISTEN || told->idiag_inode == 0 || told->id.idiag_sport != htons(from_port)
            || told->id.idiag_dport != htons(to_port) || !is_address(told->id.idiag_src, told->idiag_family, from)
            || !is_address(told->id.idiag_dst, told->idiag_family, to)) {
            errno = ENOENT;
            return -1;
        }
        *user = told->idiag_uid;
        return 0;
    }
}

// Writes the address of a socket's end as one of IPv6, and its port; -1 for any other kind of socket.
static int read_end(const struct sockaddr_storage *end, uint8_t *address, uint16_t *port) {
    if (end->ss_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)end;
        memcpy(address, &six->sin6_addr, 16);
        *port = ntohs(six->sin6_port);
        return 0;
    }
    if (end->ss_family != AF_INET) {
        errno = EAFNOSUPPORT;
        return -1;
    }
    const struct sockaddr_in *four = (const struct sockaddr_in *)end;
    memset(address, 0, 10);
    memset(address + 10, 0xFF, 2);
    memcpy(address + 12, &four->sin_addr, 4);
    *port = ntohs(four->sin_port);
    return 0;
}

// glibc's tcp_info ends before the kernel's, and Linux's own header can't be included beside glibc's.
enum { offset_of_bytes_received = 128, offset_of_min_rtt = 148 };

int CLinux_look_at_connection(int socket, CLinux_connection *sight) {
    struct sockaddr_storage end;
    socklen_t length = sizeof end;
    uint8_t own[16];
    if (getsockname(socket, (struct sockaddr *)&end, &length) != 0) return -1;
    if (read_end(&end, own, &sight->own_port) != 0) return -1;
    length = sizeof end;
    if (getpeername(socket, (struct sockaddr *)&end, &length) != 0) return -1;
    if (read_end(&end, sight->peer, &sight->peer_port) != 0) return -1;
    uint8_t info[offset_of_min_rtt + sizeof(uint32_t)];
    length = sizeof info;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, info, &length) != 0) return -1;
    if (length < sizeof info) {
        errno = ENOSYS;
        return -1;
    }
    memcpy(&sight->received, info + offset_of_bytes_received, sizeof(uint64_t));
    uint32_t round_trip;
    memcpy(&round_trip, info + offset_of_min_rtt, sizeof round_trip);
    // The kernel's largest number says that there is none yet.
    sight->shortest_round_trip = round_trip == UINT32_MAX ? 0 : round_trip;
    int unread = 0;
    if (ioctl(socket, FIONREAD, &unread) != 0) return -1;
    sight->unread = unread > 0 ? (uint64_t)unread : 0;
    uint8_t state = info[0];
    sight->is_closed = state == TCP_CLOSE || state == TCP_CLOSE_WAIT || state == TCP_LAST_ACK || state == TCP_CLOSING;
    return 0;
}

long CLinux_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > LONG_MAX) return LONG_MAX;
    return (long)limit.rlim_cur;
}

void CLinux_begin_thread(const char *name, int niceness) {
    char cut[16];
    snprintf(cut, sizeof cut, "%s", name);
    pthread_setname_np(pthread_self(), cut);
    if (niceness > 0) {
        int now = getpriority(PRIO_PROCESS, 0);
        setpriority(PRIO_PROCESS, 0, now + niceness);
    }
}

// Whether the dynamic linker has written into pages that aren't writable.
static bool has_text_relocations(const struct dl_phdr_info *object) {
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + header->p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_TEXTREL) return true;
            if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0) return true;
        }
    }
    return false;
}

static int release_object(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    (void)context;
    // Code that the kernel brings is no file's.
    if (strncmp(object->dlpi_name, "linux-vdso", 10) == 0 || has_text_relocations(object)) return 0;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || (header->p_flags & PF_W) != 0) continue;
        // Whole pages only: the first and the last might be shared with what is writable.
        const uintptr_t start = object->dlpi_addr + header->p_vaddr;
        const uintptr_t begin = (start + page - 1) & ~(page - 1);
        const uintptr_t end = (start + header->p_memsz) & ~(page - 1);
        if (begin < end) madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
    return 0;
}

void CLinux_keep_freed_memory(size_t bytes) {
    // Setting one of them ends their own adjustment (mallopt(3)), so both are set.
    mallopt(M_TRIM_THRESHOLD, (int)bytes);
    mallopt(M_MMAP_THRESHOLD, (int)(bytes / 64));
}

void CLinux_release_memory(void) {
    malloc_trim(0);
    dl_iterate_phdr(release_object, NULL);
}

int CLinux_clock_is_synchronized(void) {
    // Without a mode nothing is changed, so anybody may ask.
    struct timex clock = {0};
    int state = adjtimex(&clock);
    return state == -1 ? -1 : state != TIME_ERROR && !(clock.status & STA_UNSYNC);
}
