/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* A descriptor of a device that is duplicated stands for the same context, which is open until the last one is closed. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

#include "interpose.h"

static int shares(int of, int fd)
{
    struct sim_context *ctx = fd < 0 || fd == of ? NULL : sim_fd_get(of, SIM_FD_CONTEXT);
    struct cm_file *file = fd < 0 || fd == of ? NULL : sim_fd_get(of, SIM_FD_CM);

    if (ctx) {
        sim_enter();
        sim_fd_set(fd, SIM_FD_CONTEXT, ctx);
        ctx->descriptors++;
        sim_leave();
    } else if (file) {
        sim_enter();
        sim_fd_set(fd, SIM_FD_CM, file);
        sim_cm_shared(file);
        sim_leave();
    }
    return fd;
}

EXPORT int dup(int fd)
{
    return shares(fd, NEXT(dup)(fd));
}

/* What the number stood for is closed, where there is something to put in its place. */
static void replace(int of, int fd)
{
    if (of != fd && NEXT(fcntl)(of, F_GETFD) >= 0)
        sim_fd_close(fd);
}

EXPORT int dup2(int of, int fd)
{
    replace(of, fd);
    return shares(of, NEXT(dup2)(of, fd));
}

EXPORT int dup3(int of, int fd, int flags)
{
    replace(of, fd);
    return shares(of, NEXT(dup3)(of, fd, flags));
}

#define ARGUMENT(from) ({ va_list a; void *arg; va_start(a, from); arg = va_arg(a, void *); va_end(a); arg; })

static int told(int fd, int cmd, int answer)
{
    return cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC ? shares(fd, answer) : answer;
}

EXPORT int fcntl(int fd, int cmd, ...)
{
    return told(fd, cmd, NEXT(fcntl)(fd, cmd, ARGUMENT(cmd)));
}

EXPORT int fcntl64(int fd, int cmd, ...)
{
    return told(fd, cmd, NEXT(fcntl64)(fd, cmd, ARGUMENT(cmd)));
}
