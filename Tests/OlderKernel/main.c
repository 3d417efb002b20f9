// Runs a program as an older kernel would, or a stricter one: one system call answers with an error,
// for the program and for all that it starts (seccomp). For tests of what is made of that.
#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **arguments) {
    if (count < 4) {
        fprintf(stderr, "usage: %s SYSTEM-CALL ERROR-NUMBER PROGRAM [ARGUMENT...]\n", arguments[0]);
        return 2;
    }
    int call = seccomp_syscall_resolve_name(arguments[1]);
    uint32_t answer = SCMP_ACT_ERRNO((uint16_t)atoi(arguments[2]));
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int result = filter == NULL ? -ENOMEM : seccomp_rule_add(filter, answer, call, 0);
    if (result == 0) result = seccomp_load(filter);
    if (result != 0) {
        errno = -result;
        perror("seccomp");
        return 1;
    }
    execv(arguments[3], arguments + 3);
    perror(arguments[3]);
    return 1;
}
