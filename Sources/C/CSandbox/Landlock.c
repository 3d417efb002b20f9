// Landlock through its system calls: glibc has no wrappers, and Debian 12's headers stop at
// version 2, so newer constants are defined here (linux/landlock.h).
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CSandbox.h"

/// struct landlock_ruleset_attr as of version 6.
struct ruleset {
    uint64_t fs;
    uint64_t net;
    uint64_t scoped;
};

// Older kernels accept only the part of the structure that they know.
enum { size_before_4 = 8, size_before_6 = 16 };

// From linux/landlock.h: all rights of version 1 (bits 0 to 12), then later ones.
#define FS_VERSION_1 ((1ULL << 13) - 1)
#define FS_REFER (1ULL << 13)      // version 2
#define FS_TRUNCATE (1ULL << 14)   // version 3
#define FS_IOCTL_DEV (1ULL << 15)  // version 5
#define NET_TCP 3ULL               // version 4: bind and connect
#define SCOPE_ALL 3ULL             // version 6: abstract unix sockets and signals

/// Allows access beneath a path, or does nothing if the path doesn't exist.
static int allow(int ruleset, const char *path, uint64_t rights) {
    int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0) return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? 0 : -1;
    struct stat status;
    int result = fstat(place, &status);
    if (result == 0) {
        // Rights for directories can't be granted on a file.
        if (!S_ISDIR(status.st_mode)) rights &= LANDLOCK_ACCESS_FS_READ_FILE;
        struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = place};
        result = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    int cause = errno;
    close(place);
    errno = cause;
    return result;
}

int CSandbox_landlock_version(void) {
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

int CSandbox_landlock(
    const char *_Nonnull const *_Nullable readable, size_t count, const char *_Nullable writable) {
    int version = CSandbox_landlock_version();
    if (version < 0) return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -1;

    struct ruleset rules = {.fs = FS_VERSION_1, .net = NET_TCP, .scoped = SCOPE_ALL};
    if (version >= 2) rules.fs |= FS_REFER;
    if (version >= 3) rules.fs |= FS_TRUNCATE;
    if (version >= 5) rules.fs |= FS_IOCTL_DEV;
    size_t size = version < 4 ? size_before_4 : version < 6 ? size_before_6 : sizeof rules;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (ruleset < 0) return -1;

    int result = 0;
    for (size_t i = 0; i < count && result == 0; i++) {
        result = allow(ruleset, readable[i], LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR);
    }
    if (writable != NULL && result == 0) {
        // A file that is renamed is removed under its old name.
        result = allow(
            ruleset, writable,
            LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE);
    }
    if (result == 0) result = (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
    int cause = errno;
    close(ruleset);
    errno = cause;
    return result == 0 ? (int)version : -1;
}
