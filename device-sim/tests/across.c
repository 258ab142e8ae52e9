/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
#include "across.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int peer; /* the socket to the other process */
bool child;

void exchange(const void *mine, void *other, size_t size)
{
    EQ(write(peer, mine, size), (ssize_t)size);
    for (size_t got = 0; got < size;) {
        ssize_t n = read(peer, (char *)other + got, size - got);

        CHECK(n > 0);
        got += (size_t)n;
    }
}

void meet(void)
{
    char c = 'x';

    EQ(write(peer, &c, 1), 1);
    while (recv(peer, &c, 1, MSG_DONTWAIT) != 1) {
        device_sim_pump(-1);
        usleep(100);
    }
}

struct ibv_wc wait_for(struct ibv_cq *cq)
{
    struct ibv_wc wc;

    for (int i = 0; i < 100000; i++) {
        device_sim_pump(-1);
        if (ibv_poll_cq(cq, 1, &wc))
            return wc;
        usleep(100);
    }
    fail(__FILE__, __LINE__, "no completion");
}

int run_across(const char *program, const struct test_case *cases, int argc, char **argv)
{
    int ends[2], status = 1, mine;
    pid_t pid;

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return 2;
    /* Before any device is opened: a process and its child would else be one and the same to the rendezvous. */
    fflush(stdout);
    pid = fork();
    child = pid == 0;
    peer = ends[child];
    close(ends[!child]);
    if (child)
        freopen("/dev/null", "w", stdout);
    mine = run_cases(program, cases, argc, argv);
    if (child)
        return mine;
    if (mine)
        kill(pid, SIGTERM);
    waitpid(pid, &status, 0);
    if (status)
        printf("%s: the other process failed\n", program);
    return mine || status;
}
