#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "CSandbox.h"
#include "ForkServer.h"

int CSandbox_count_threads(DIR *threads) {
    rewinddir(threads);
    int count = 0;
    for (struct dirent *entry = readdir(threads); entry != NULL; entry = readdir(threads)) {
        if (entry->d_name[0] != '.') count++;
    }
    return count;
}

int CSandbox_threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) return -1;
    int count = CSandbox_count_threads(tasks);
    closedir(tasks);
    return count;
}

int CSandbox_start_anew(char *_Nullable const *_Nonnull arguments) {
    return execv("/proc/self/exe", arguments);
}

/// Returns the bytes of address space in use; 0 if unknown.
static uint64_t address_space(void) {
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL) return 0;
    unsigned long pages = 0;
    if (fscanf(file, "%lu", &pages) != 1) pages = 0;
    fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

int CSandbox_lower_limit(int resource, uint64_t value) {
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit) != 0) return -1;
    if (limit.rlim_max < value) value = limit.rlim_max;
    limit.rlim_cur = value;
    limit.rlim_max = value;
    return setrlimit((__rlimit_resource_t)resource, &limit);
}

int CSandbox_limit(const CSandboxLimits *limits) {
    if (CSandbox_lower_limit(RLIMIT_AS, address_space() + limits->further_memory) != 0) return -1;
    if (CSandbox_lower_limit(RLIMIT_CPU, limits->cpu_seconds) != 0) return -1;
    if (CSandbox_lower_limit(RLIMIT_NOFILE, limits->files) != 0) return -1;
    if (CSandbox_lower_limit(RLIMIT_MEMLOCK, 0) != 0) return -1;
    return CSandbox_lower_limit(RLIMIT_CORE, 0);
}

uint64_t CSandbox_room(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0) return 0;
    uint64_t used = address_space();
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

int CSandbox_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
