#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
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

int CLinux_nameless_file(const char *beside) {
    char *path = NULL;
    if (asprintf(&path, "%s-XXXXXX", beside) < 0) return -1;
    int file = mkostemp(path, O_CLOEXEC);
    if (file >= 0) unlink(path);
    int number = errno;
    free(path);
    errno = number;
    return file;
}

const void *CLinux_find(const void *bytes, size_t count, const void *needle, size_t needle_count) {
    return memmem(bytes, count, needle, needle_count);
}

const void *CLinux_find_last(const void *bytes, size_t count, uint8_t byte) { return memrchr(bytes, byte, count); }

int CLinux_add_close_from(posix_spawn_file_actions_t *actions, int lowest) {
    return posix_spawn_file_actions_addclosefrom_np(actions, lowest);
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
