// Things that the sandbox should refuse, tried from inside: the only proof
// that counts, on this kernel, in this unit, in this container.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CSandbox.h"

/// 0 for what could be done; what a failed call left in errno else.
static int outcome(long result) { return result < 0 ? errno : 0; }

static int opened(const char *path, int flags) {
    int file = open(path, flags | O_CLOEXEC, 0600);
    if (file < 0) return errno;
    close(file);
    return 0;
}

/// A path beside a file.
static void beside(const char *inside, char path[4096]) {
    snprintf(path, 4096, "%s.probe", inside);
}

static int read_outside(const char *inside) {
    (void)inside;
    return opened("/etc/passwd", O_RDONLY);
}

static int list_outside(const char *inside) {
    (void)inside;
    return opened("/etc", O_RDONLY | O_DIRECTORY);
}

static int read_memory(const char *inside) {
    (void)inside;
    return opened("/proc/self/mem", O_RDONLY);
}

static int write_inside(const char *inside) { return opened(inside, O_WRONLY); }

static int append_inside(const char *inside) { return opened(inside, O_RDWR | O_APPEND); }

static int truncate_inside(const char *inside) { return outcome(truncate(inside, 0)); }

static int create(const char *inside) {
    char path[4096];
    beside(inside, path);
    return opened(path, O_WRONLY | O_CREAT);
}

static int create_folder(const char *inside) {
    char path[4096];
    beside(inside, path);
    return outcome(mkdir(path, 0700));
}

static int link_file(const char *inside) {
    char path[4096];
    beside(inside, path);
    return outcome(link(inside, path));
}

static int rename_file(const char *inside) {
    char path[4096];
    beside(inside, path);
    return outcome(rename(inside, path));
}

static int remove_file(const char *inside) { return outcome(unlink(inside)); }

static int change_mode(const char *inside) { return outcome(chmod(inside, 0777)); }

static int connect_tcp(const char *inside) {
    (void)inside;
    return outcome(socket(AF_INET, SOCK_STREAM, 0));
}

static int connect_unix(const char *inside) {
    (void)inside;
    return outcome(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int make_socket_pair(const char *inside) {
    (void)inside;
    int pair[2];
    return outcome(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
}

static int run_program(const char *inside) {
    (void)inside;
    char *const arguments[] = {"true", NULL};
    char *const environment[] = {NULL};
    return outcome(execve("/bin/true", arguments, environment));
}

static int make_process(const char *inside) {
    (void)inside;
    pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, 0);
    return outcome(child);
}

static int make_process_vfork(const char *inside) {
    (void)inside;
    long child = syscall(SYS_clone, (unsigned long)SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    return outcome(child);
}

static int call_clone3(const char *inside) {
    (void)inside;
    return outcome(syscall(SYS_clone3, NULL, 0));
}

static int call_openat2(const char *inside) {
    (void)inside;
    return outcome(syscall(SYS_openat2, AT_FDCWD, "/", NULL, 0));
}

static int trace(const char *inside) {
    (void)inside;
    return outcome(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static int signal_parent(const char *inside) {
    (void)inside;
    return outcome(kill(getppid(), 0));
}

static int run_memory(const char *inside) {
    (void)inside;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? errno : 0;
}

static int make_memory_runnable(const char *inside) {
    (void)inside;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return errno;
    return outcome(mprotect(page, 4096, PROT_READ | PROT_EXEC));
}

static int make_memory_file(const char *inside) {
    (void)inside;
    return outcome(memfd_create("probe", 0));
}

static int take_memory(const char *inside) {
    (void)inside;
    // More than any limit that we set; untouched, so it costs nothing where there is none.
    void *memory = mmap(NULL, 64ULL << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return errno;
    munmap(memory, 64ULL << 30);
    return 0;
}

static int raise_limit(const char *inside) {
    (void)inside;
    struct rlimit limit = {.rlim_cur = 0, .rlim_max = 0};
    return outcome(setrlimit(RLIMIT_CORE, &limit));
}

static int dump_core(const char *inside) {
    (void)inside;
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) != 0) return 0;
    return limit.rlim_max == 0 ? EPERM : 0;
}

static int gain_privileges(const char *inside) {
    (void)inside;
    // Said by the kernel itself; reading it back through prctl is refused too.
    return outcome(setuid(0));
}

static int make_ring(const char *inside) {
    (void)inside;
    return outcome(syscall(SYS_io_uring_setup, 1, NULL));
}

static int read_process(const char *inside) {
    (void)inside;
    return outcome(syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0));
}

static int make_namespace(const char *inside) {
    (void)inside;
    return outcome(syscall(SYS_unshare, 0));
}

struct probe {
    const char *name;
    int (*run)(const char *inside);
};

static const struct probe probes[] = {
    {"read a file outside", read_outside},
    {"list a folder outside", list_outside},
    {"read a process's memory through /proc", read_memory},
    {"write to a file inside", write_inside},
    {"append to a file inside", append_inside},
    {"truncate a file inside", truncate_inside},
    {"make a file", create},
    {"make a folder", create_folder},
    {"make a link", link_file},
    {"rename a file", rename_file},
    {"remove a file", remove_file},
    {"change a file's mode", change_mode},
    {"open a TCP socket", connect_tcp},
    {"open a unix socket", connect_unix},
    {"make a pair of sockets", make_socket_pair},
    {"run a program", run_program},
    {"make a process", make_process},
    {"make a process by clone", make_process_vfork},
    {"call clone3", call_clone3},
    {"call openat2", call_openat2},
    {"be traced", trace},
    {"send a signal", signal_parent},
    {"map memory to run", run_memory},
    {"make memory runnable", make_memory_runnable},
    {"make a file in memory", make_memory_file},
    {"take 64 GiB of memory", take_memory},
    {"set a resource limit", raise_limit},
    {"leave a core dump", dump_core},
    {"change the user", gain_privileges},
    {"make an I/O ring", make_ring},
    {"read another process's memory", read_process},
    {"leave a namespace", make_namespace},
};

size_t CSandbox_probe_count(void) { return sizeof probes / sizeof *probes; }

const char *CSandbox_probe_name(size_t probe) { return probes[probe].name; }

int CSandbox_probe(size_t probe, const char *inside) { return probes[probe].run(inside); }
