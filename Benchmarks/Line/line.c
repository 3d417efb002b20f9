/* A line with delay, a rate and losses, for kernels without netem: carries packets between two TUN devices.
 *
 * usage: line NAME_A NAME_B DELAY_MS RATE_MBIT LOSS_PERCENT BUFFER_MS
 *
 * DELAY_MS is for one way; RATE_MBIT 0 is for no limit. BUFFER_MS is how long a packet may wait for its turn before it is dropped. Each direction has
 * a rate, a buffer and losses of its own, the same in every run. Makes both devices, says "ready", and carries on until
 * it is killed, or whoever started it is gone. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { slots = 1 << 15, longest = 2048, burst = 256 };

static const int64_t second = 1000000000, millisecond = 1000000;

struct packet {
    int64_t due; /* in nanoseconds of the monotonic clock, as all times here */
    uint16_t length;
    unsigned char bytes[longest];
};

/* One direction: a ring of packets that are under way, in the order in which they come out. */
struct way {
    int from, to;
    struct packet *ring;
    unsigned head, tail;
    int64_t free_at; /* when the last packet has been sent in full */
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * second + time.tv_nsec;
}

/* A number from 0 to 1 (xorshift, Marsaglia 2003). */
static double chance(void) {
    static uint64_t state = 88172645463325252;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static int device(const char *name) {
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    snprintf(request.ifr_name, IFNAMSIZ, "%s", name);
    int file = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 || ioctl(file, TUNSETIFF, &request) < 0) {
        perror(name);
        exit(1);
    }
    return file;
}

/* Lets out what is due; returns when the next one is. */
static int64_t deliver(struct way *way, int64_t time) {
    for (; way->head != way->tail; way->head++) {
        struct packet *packet = &way->ring[way->head % slots];
        if (packet->due > time) return packet->due;
        /* A device that is down, or full, loses what comes, as lines do. */
        if (write(way->to, packet->bytes, packet->length) < 0) continue;
    }
    return INT64_MAX;
}

int main(int count, char **words) {
    if (count != 7) {
        fprintf(stderr, "usage: line NAME_A NAME_B DELAY_MS RATE_MBIT LOSS_PERCENT BUFFER_MS\n");
        return 2;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int a = device(words[1]), b = device(words[2]);
    double delay = atof(words[3]) * millisecond, rate = atof(words[4]) * 1e6, loss = atof(words[5]) / 100;
    int64_t buffer = (int64_t)(atof(words[6]) * millisecond);
    struct way ways[] = {{.from = a, .to = b}, {.from = b, .to = a}};
    for (int i = 0; i < 2; i++) {
        ways[i].ring = malloc(slots * sizeof(struct packet));
        if (!ways[i].ring) return 1;
    }
    puts("ready");
    fflush(stdout);
    for (;;) {
        int64_t time = now(), there = deliver(&ways[0], time), back = deliver(&ways[1], time);
        int64_t next = there < back ? there : back, wait = next == INT64_MAX ? second : next - now();
        if (wait < 0) wait = 0;
        struct timespec limit = {wait / second, wait % second};
        struct pollfd polls[] = {{.fd = a, .events = POLLIN}, {.fd = b, .events = POLLIN}};
        if (ppoll(polls, 2, &limit, NULL) < 0 && errno != EINTR) return 1;
        for (int i = 0; i < 2; i++) {
            struct way *way = &ways[i];
            for (int n = 0; n < burst; n++) {
                /* Read into its place, which is nobody's if the ring is full or it is lost. */
                static unsigned char spare[longest];
                int is_full = way->tail - way->head == slots;
                struct packet *packet = &way->ring[way->tail % slots];
                ssize_t length = read(way->from, is_full ? spare : packet->bytes, longest);
                if (length <= 0) break;
                int64_t came = now(), begun = way->free_at > came ? way->free_at : came;
                if (is_full || chance() < loss || begun - came > buffer) continue;
                way->free_at = begun + (rate > 0 ? (int64_t)(length * 8 * second / rate) : 0);
                packet->due = way->free_at + (int64_t)delay;
                packet->length = (uint16_t)length;
                way->tail++;
            }
        }
    }
}
