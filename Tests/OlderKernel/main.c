// Runs a program as an older kernel would, or a stricter one: one system call answers with an error,
// for the program and for all that it starts (seccomp). For tests of what is made of that. Instead of
// an error's number: "kill" ends whoever makes the call, and "listen" has a listener for it, beside
// which there can be no other. "pipe2/1=524288" is the call with that as its argument 1, counted from 0.
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Reads a call, and takes off the argument that it is to have.
static int read_call(char *text, struct scmp_arg_cmp *argument) {
    char *rest = strchr(text, '/');
    if (rest != NULL) {
        *rest = '\0';
        argument->op = SCMP_CMP_EQ;
        if (sscanf(rest + 1, "%u=%lu", &argument->arg, &argument->datum_a) != 2) exit(2);
    }
    return seccomp_syscall_resolve_name(text);
}

int main(int count, char **arguments) {
    if (count < 4) {
        fprintf(
            stderr, "usage: %s SYSTEM-CALL ERROR-NUMBER|kill|listen PROGRAM [ARGUMENT...]\n", arguments[0]);
        return 2;
    }
    struct scmp_arg_cmp argument = {0};
    int call = read_call(arguments[1], &argument);
    uint32_t answer = SCMP_ACT_ERRNO((uint16_t)atoi(arguments[2]));
    if (strcmp(arguments[2], "kill") == 0) answer = SCMP_ACT_KILL_PROCESS;
    if (strcmp(arguments[2], "listen") == 0) answer = SCMP_ACT_NOTIFY;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int result = filter == NULL ? -ENOMEM : seccomp_rule_add_array(filter, answer, call, argument.op != 0, &argument);
    if (result == 0) result = seccomp_load(filter);
    if (result != 0) {
        errno = -result;
        perror("seccomp");
        return 1;
    }
    // Whoever listens has to stay.
    if (answer == SCMP_ACT_NOTIFY && fcntl(seccomp_notify_fd(filter), F_SETFD, 0) != 0) return 1;
    execv(arguments[3], arguments + 3);
    perror(arguments[3]);
    return 1;
}
