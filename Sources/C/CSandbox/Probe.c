// Attempts at things that the sandbox should refuse, made from inside: the only proof that
// counts, on this kernel, in this unit, in this container.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
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

/// Returns 0 if a call succeeded, otherwise its errno.
static int outcome(long result) { return result < 0 ? errno : 0; }

static int opened(const char *path, int flags) {
    int file = open(path, flags | O_CLOEXEC, 0600);
    if (file < 0) return errno;
    close(file);
    return 0;
}

/// Makes a path next to a file.
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

static int signal_itself(const char *inside) {
    (void)inside;
    // The signal is ignored, so that it does no harm if it can be sent.
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGUSR1, &ignore, NULL);
    return outcome(syscall(SYS_tgkill, getpid(), gettid(), SIGUSR1));
}

static int outlive_abort(const char *inside) {
    (void)inside;
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    if (sigaction(SIGABRT, &ignore, NULL) == 0) return 0;
    // The kernel looks at the lower half of the argument only.
    struct {
        void (*handler)(int);
        unsigned long flags;
        void (*restorer)(void);
        uint64_t mask;
    } raw = {.handler = SIG_IGN};
    return outcome(syscall(SYS_rt_sigaction, SIGABRT | 1ULL << 32, &raw, NULL, sizeof raw.mask));
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
    // More than any limit that we set; it is never touched, so it costs nothing if there is no
    // limit.
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
    // The kernel itself says so; reading the flag through prctl is refused too.
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

static int load_into_kernel(const char *inside) {
    (void)inside;
    return outcome(syscall(SYS_bpf, 0, NULL, 0));
}

/// Looks for a descriptor that isn't meant for a decoder.
static int find_descriptor(const char *inside) {
    (void)inside;
    for (int descriptor = 5; descriptor < 1024; descriptor++) {
        if (fcntl(descriptor, F_GETFD) >= 0) return 0;
    }
    return EBADF;
}

static int read_request(const char *inside) {
    (void)inside;
    char byte;
    ssize_t size = read(STDIN_FILENO, &byte, 1);
    return size > 0 ? 0 : size < 0 ? errno : ENODATA;
}

static int ask_about_path(const char *inside) {
    struct stat status;
    return outcome(stat(inside, &status));
}

static int open_to_write(const char *inside) {
    (void)inside;
    return opened("/proc/self/fd/3", O_RDWR);
}

static void *wait_for_ever(void *nothing) {
    while (true) pause();
    return nothing;
}

static int multiply(const char *inside) {
    (void)inside;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 16);
    for (int count = 0; count < 100; count++) {
        pthread_t thread;
        int cause = pthread_create(&thread, &attributes, wait_for_ever, NULL);
        if (cause != 0) return cause;
    }
    return 0;
}

static void *end_at_once(void *nothing) { return nothing; }

/// This is no attack: pictures with many parts are decoded like this.
static int have_one_by_one(const char *inside) {
    (void)inside;
    for (int count = 0; count < 100; count++) {
        pthread_t thread;
        int cause = pthread_create(&thread, NULL, end_at_once, NULL);
        if (cause != 0) return cause;
        pthread_join(thread, NULL);
    }
    return 0;
}

static int open_without_end(const char *inside) {
    while (true) (void)opened(inside, O_RDONLY);
    return 0;
}

static int sleep_without_end(const char *inside) {
    (void)inside;
    wait_for_ever(NULL);
    return 0;
}

static int work_without_end(const char *inside) {
    for (volatile unsigned long count = 0;; count++) {
        if (inside == NULL) return 0;
    }
}

/// Stays alive after the answer.
static int stay(const char *inside) {
    const int answer = ECANCELED;
    ssize_t written = write(4, &answer, sizeof answer);
    (void)written;
    return sleep_without_end(inside);
}

/// Writes behind the answer, after which nobody reads.
static int write_to_nobody(const char *inside) {
    (void)inside;
    const int answer = 0;
    struct pollfd output = {.fd = 4};
    if (write(4, &answer, sizeof answer) != sizeof answer || poll(&output, 1, -1) != 1) _exit(1);
    _exit(write(4, &answer, sizeof answer) < 0 && errno == EPIPE ? 0 : 1);
}

/// The processes that must be refused an attempt; decoders may do what is harmless.
enum who { decoder = 1, looker = 2, both = decoder | looker, harmless = 4 };

struct probe {
    const char *name;
    int (*run)(const char *inside);
    enum who who;
};

static const struct probe probes[] = {
    {"read a file outside", read_outside, both},
    {"list a folder outside", list_outside, both},
    {"read a process's memory through /proc", read_memory, both},
    {"write to a file inside", write_inside, both},
    {"append to a file inside", append_inside, both},
    {"truncate a file inside", truncate_inside, both},
    {"make a file", create, both},
    {"make a folder", create_folder, both},
    {"make a link", link_file, both},
    {"rename a file", rename_file, both},
    {"remove a file", remove_file, both},
    {"change a file's mode", change_mode, both},
    {"open a TCP socket", connect_tcp, both},
    {"open a unix socket", connect_unix, both},
    {"make a pair of sockets", make_socket_pair, both},
    {"run a program", run_program, both},
    {"make a process", make_process, both},
    {"make a process by clone", make_process_vfork, both},
    {"call clone3", call_clone3, both},
    {"call openat2", call_openat2, both},
    {"be traced", trace, both},
    {"send a signal", signal_parent, both},
    {"map memory to run", run_memory, both},
    {"make memory runnable", make_memory_runnable, both},
    {"make a file in memory", make_memory_file, both},
    {"take 64 GiB of memory", take_memory, both},
    {"set a resource limit", raise_limit, both},
    {"leave a core dump", dump_core, both},
    {"change the user", gain_privileges, both},
    {"make an I/O ring", make_ring, both},
    {"read another process's memory", read_process, both},
    {"leave a namespace", make_namespace, both},
    {"load code into the kernel", load_into_kernel, both},
    {"have another descriptor", find_descriptor, decoder},
    {"read a request", read_request, decoder},
    {"ask about a path", ask_about_path, decoder},
    {"open the picture to write", open_to_write, decoder},
    {"send itself a signal", signal_itself, decoder},
    {"outlive an abort", outlive_abort, both},
    {"have threads without end", multiply, decoder},
    {"have threads one by one", have_one_by_one, harmless},
    {"write what nobody reads", write_to_nobody, harmless},
    {"open files without end", open_without_end, decoder},
    {"sleep without end", sleep_without_end, decoder},
    {"work without end", work_without_end, decoder},
    {"stay after the answer", stay, decoder},
};

size_t CSandbox_probe_count(void) { return sizeof probes / sizeof *probes; }

const char *CSandbox_probe_name(size_t probe) { return probes[probe].name; }

bool CSandbox_probe_is_for_decoder(size_t probe) { return (probes[probe].who & decoder) != 0; }

bool CSandbox_probe_is_harmless(size_t probe) { return (probes[probe].who & harmless) != 0; }

bool CSandbox_probe_is_for_looker(size_t probe) { return (probes[probe].who & looker) != 0; }

int CSandbox_probe(size_t probe, const char *inside) { return probes[probe].run(inside); }
