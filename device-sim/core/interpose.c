/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of the C library that the simulator stands in front of. Each one asks whether the call is about a
 * device of ours, and otherwise hands it on. Nothing here is on the path of a post or a poll.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/netlink.h>

#include "interpose.h"
#include "netdev.h"

#define MAX_FD 65536

static struct {
    enum sim_fd_kind kind;
    void *what;
} fds[MAX_FD];

static pid_t process; /* that the devices are of */

void sim_fd_forked(void)
{
    process = getpid();
}

void sim_fd_set(int fd, enum sim_fd_kind kind, void *what)
{
    if (fd < 0 || fd >= MAX_FD)
        return;
    if (!process)
        process = getpid();
    fds[fd].what = what;
    __atomic_store_n(&fds[fd].kind, kind, __ATOMIC_RELEASE);
}

/* A child of vfork, which shares our memory, closes what it inherited before exec: that is no business of the device. */
void *sim_fd_get(int fd, enum sim_fd_kind kind)
{
    if (fd < 0 || fd >= MAX_FD || __atomic_load_n(&fds[fd].kind, __ATOMIC_ACQUIRE) != kind || process != getpid())
        return NULL;
    return fds[fd].what;
}

void *sim_next(const char *name)
{
    void *f = dlsym(RTLD_NEXT, name);

    if (!f) {
        fprintf(stderr, "device-sim: no %s behind us\n", name);
        abort();
    }
    return f;
}

static int open_device(struct sim_device *dev, bool node)
{
    /* it is a character device, too, and swallows what is not ours */
    int fd = NEXT(open)("/dev/null", O_RDWR | O_CLOEXEC);
    void *ctx;

    if (fd < 0)
        return -1;
    sim_enter();
    ctx = fd >= MAX_FD ? NULL : node ? (void *)dev->vendor->open_node(dev) : sim_context_open(dev);
    if (ctx)
        sim_fd_set(fd, node ? SIM_FD_NODE : SIM_FD_CONTEXT, ctx);
    sim_leave();
    if (!ctx) {
        NEXT(close)(fd);
        errno = node ? EBUSY : EMFILE;
        return -1;
    }
    return fd;
}

static int open_cm(void)
{
    struct cm_file *file;
    int fd;

    sim_enter();
    file = sim_cm_open(&fd);
    if (file && fd < MAX_FD)
        sim_fd_set(fd, SIM_FD_CM, file);
    sim_leave();
    errno = file ? errno : EMFILE;
    return file ? fd : -1;
}

/* False where the path names none of what is simulated. */
static bool open_ours(const char *path, int *fd)
{
    bool node;
    struct sim_device *dev = sim_device_of(path, &node);
    bool cm = sim_is_cm(path);

    if (cm)
        *fd = open_cm();
    else if (dev)
        *fd = open_device(dev, node);
    return cm || dev;
}

#define OPEN_MODE(flags) ({ mode_t m = 0; if ((flags) & (O_CREAT | __O_TMPFILE)) { va_list a; va_start(a, flags); \
    m = va_arg(a, mode_t); va_end(a); } m; })

EXPORT int open(const char *path, int flags, ...)
{
    mode_t mode = OPEN_MODE(flags);
    char room[PATH_MAX];
    int fd;

    return open_ours(path, &fd) ? fd : NEXT(open)(sim_path(path, room), flags, mode);
}

EXPORT int open64(const char *path, int flags, ...)
{
    mode_t mode = OPEN_MODE(flags);
    char room[PATH_MAX];
    int fd;

    return open_ours(path, &fd) ? fd : NEXT(open64)(sim_path(path, room), flags, mode);
}

EXPORT int openat(int dir, const char *path, int flags, ...)
{
    mode_t mode = OPEN_MODE(flags);
    char room[PATH_MAX];
    int fd;

    return open_ours(path, &fd) ? fd : NEXT(openat)(dir, sim_path(path, room), flags, mode);
}

EXPORT int openat64(int dir, const char *path, int flags, ...)
{
    mode_t mode = OPEN_MODE(flags);
    char room[PATH_MAX];
    int fd;

    return open_ours(path, &fd) ? fd : NEXT(openat64)(dir, sim_path(path, room), flags, mode);
}

/* What the compiler makes of calls without a mode where the flags are not known to it. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);

EXPORT int __open_2(const char *path, int flags)
{
    return open(path, flags);
}

EXPORT int __open64_2(const char *path, int flags)
{
    return open64(path, flags);
}

EXPORT int __openat_2(int dir, const char *path, int flags)
{
    return openat(dir, path, flags);
}

EXPORT int __openat64_2(int dir, const char *path, int flags)
{
    return openat64(dir, path, flags);
}

/* -- RDMA's netlink -- */

/* The network's netlink: the kernel's, with what rtnetlink.c adds. */
static int open_route(int type)
{
    int fd = NEXT(socket)(AF_NETLINK, type, NETLINK_ROUTE);
    struct sim_route *r = fd >= 0 && fd < MAX_FD ? sim_route_open(fd) : NULL;

    if (r) {
        sim_enter();
        sim_fd_set(fd, SIM_FD_ROUTE, r);
        sim_leave();
    }
    return fd;
}

static bool route_takes(int fd, const void *data, size_t size)
{
    struct sim_route *r = sim_fd_get(fd, SIM_FD_ROUTE);
    bool takes;

    if (!r)
        return false;
    sim_enter();
    takes = sim_route_take(r, data, size);
    sim_leave();
    return takes;
}

static ssize_t route_gives(int fd, const struct iovec *to, size_t n, int flags, int *told)
{
    struct sim_route *r = sim_fd_get(fd, SIM_FD_ROUTE);
    ssize_t given;

    if (!r)
        return -1;
    sim_enter();
    given = sim_route_give(r, to, n, flags, told);
    sim_leave();
    return given;
}

EXPORT int socket(int domain, int type, int protocol)
{
    struct sim_netlink *n;
    int fd;

    if (domain == AF_NETLINK && protocol == NETLINK_ROUTE)
        return open_route(type);
    if (domain != AF_NETLINK || protocol != NETLINK_RDMA)
        return NEXT(socket)(domain, type, protocol);
    sim_configure();
    sim_enter();
    n = sim_netlink_open(type, &fd);
    if (n)
        sim_fd_set(fd, SIM_FD_NETLINK, n);
    sim_leave();
    errno = n ? errno : EPROTONOSUPPORT; /* then libibverbs looks for devices in sysfs */
    return n ? fd : -1;
}

static void *netlink(int fd)
{
    return sim_fd_get(fd, SIM_FD_NETLINK);
}

EXPORT int bind(int fd, const struct sockaddr *address, socklen_t size)
{
    union sim_address room;

    if (!netlink(fd))
        return NEXT(bind)(fd, sim_netdev_reach(fd, address, size, &room), size);
    sim_netlink_bind(netlink(fd), address, size);
    return 0;
}

EXPORT int getsockname(int fd, struct sockaddr *restrict to, socklen_t *restrict size)
{
    if (!netlink(fd))
        return NEXT(getsockname)(fd, to, size);
    sim_netlink_address(netlink(fd), to, *size, size);
    return 0;
}

EXPORT int setsockopt(int fd, int level, int option, const void *value, socklen_t size)
{
    return netlink(fd) && level == SOL_NETLINK ? 0 : NEXT(setsockopt)(fd, level, option, value, size);
}

static ssize_t take_request(int fd, const void *data, size_t size)
{
    sim_enter();
    sim_netlink_take(netlink(fd), data, size);
    sim_leave();
    return (ssize_t)size;
}

EXPORT ssize_t send(int fd, const void *data, size_t size, int flags)
{
    if (route_takes(fd, data, size))
        return (ssize_t)size;
    return netlink(fd) ? take_request(fd, data, size) : NEXT(send)(fd, data, size, flags);
}

EXPORT ssize_t sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t length)
{
    if (route_takes(fd, data, size))
        return (ssize_t)size;
    return netlink(fd) ? take_request(fd, data, size) : NEXT(sendto)(fd, data, size, flags, to, length);
}

/* Those who send requests have them in one piece. */
EXPORT ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
    if (m->msg_iovlen == 1 && route_takes(fd, m->msg_iov[0].iov_base, m->msg_iov[0].iov_len))
        return (ssize_t)m->msg_iov[0].iov_len;
    if (!netlink(fd))
        return NEXT(sendmsg)(fd, m, flags);
    return m->msg_iovlen ? take_request(fd, m->msg_iov[0].iov_base, m->msg_iov[0].iov_len) : 0;
}

EXPORT ssize_t recvfrom(int fd, void *restrict to, size_t room, int flags, struct sockaddr *restrict from,
    socklen_t *restrict length)
{
    struct iovec one = {.iov_base = to, .iov_len = room};
    int told;
    ssize_t n = route_gives(fd, &one, 1, flags, &told);

    if (n >= 0) {
        if (from && length)
            sim_netlink_address(NULL, from, *length, length);
        return n;
    }
    if (!netlink(fd))
        return NEXT(recvfrom)(fd, to, room, flags, from, length);
    n = NEXT(recvfrom)(fd, to, room, flags, NULL, NULL);
    if (n >= 0 && from && length)
        sim_netlink_address(NULL, from, *length, length);
    return n;
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
    void *from = m->msg_name;
    socklen_t room = m->msg_namelen;
    int told = 0;
    ssize_t n = route_gives(fd, m->msg_iov, m->msg_iovlen, flags, &told);

    if (n >= 0) {
        m->msg_flags = told;
        m->msg_controllen = 0;
        if (from)
            sim_netlink_address(NULL, from, room, &m->msg_namelen);
        return n;
    }
    n = NEXT(recvmsg)(fd, m, flags);
    if (n >= 0 && netlink(fd) && from)
        sim_netlink_address(NULL, m->msg_name = from, room, &m->msg_namelen);
    return n;
}

/* -- commands -- */

EXPORT int ioctl(int fd, unsigned long request, ...)
{
    struct sim_context *ctx = sim_fd_get(fd, SIM_FD_CONTEXT);
    va_list args;
    void *arg;
    int error;

    va_start(args, request);
    arg = va_arg(args, void *);
    va_end(args);
    if (sim_fd_get(fd, SIM_FD_NODE)) {
        struct sim_node *node = sim_fd_get(fd, SIM_FD_NODE);

        sim_enter();
        error = node->dev->vendor->node_ioctl(node, request, arg);
        sim_leave();
        errno = error ? error : errno;
        return error ? -1 : 0;
    }
    if (!ctx) {
        error = sim_netdev_ioctl(fd, request, arg);
        errno = error > 0 ? error : errno;
        return error < 0 ? NEXT(ioctl)(fd, request, arg) : error ? -1 : 0;
    }
    if (request != RDMA_VERBS_IOCTL) {
        errno = sim_refuse(ctx, ENOTTY, "ioctl 0x%lx is not known", request);
        return -1;
    }
    sim_enter();
    error = sim_ioctl(ctx, arg);
    sim_leave();
    errno = error ? error : errno;
    return error ? -1 : 0;
}

/* The old way of commands. /dev/null would swallow them without a word. */
EXPORT ssize_t write(int fd, const void *from, size_t length)
{
    struct sim_context *ctx = sim_fd_get(fd, SIM_FD_CONTEXT);
    struct cm_file *cm = sim_fd_get(fd, SIM_FD_CM);
    int error;

    if (cm) {
        error = sim_cm_write(cm, fd, from, length);
        errno = error ? error : errno;
        return error ? -1 : (ssize_t)length;
    }
    if (!ctx)
        return NEXT(write)(fd, from, length);
    errno = sim_refuse(ctx, EINVAL, "a command by write(), where ioctl is wanted");
    return -1;
}

EXPORT ssize_t read(int fd, void *to, size_t room)
{
    return sim_fd_get(fd, SIM_FD_MESSAGES) ? sim_messages_read(fd, to, room) : NEXT(read)(fd, to, room);
}

EXPORT int close(int fd)
{
    sim_fd_close(fd);
    return NEXT(close)(fd);
}

void sim_fd_close(int fd)
{
    struct sim_context *ctx = sim_fd_get(fd, SIM_FD_CONTEXT);
    struct sim_channel *ch = sim_fd_get(fd, SIM_FD_CHANNEL);
    struct sim_messages *m = sim_fd_get(fd, SIM_FD_MESSAGES);
    struct sim_node *node = sim_fd_get(fd, SIM_FD_NODE);
    struct sim_netlink *n = netlink(fd);
    struct sim_route *r = sim_fd_get(fd, SIM_FD_ROUTE);
    struct cm_file *cm = sim_fd_get(fd, SIM_FD_CM);

    if (ctx || ch || m || node || n || r || cm) {
        sim_enter();
        sim_fd_set(fd, SIM_FD_NONE, NULL);
        if (ctx) {
            if (!--ctx->descriptors)
                sim_context_close(ctx);
        } else if (ch)
            sim_channel_closed(ch);
        else if (node)
            node->dev->vendor->close_node(node);
        else if (n)
            sim_netlink_close(n);
        else if (r)
            sim_route_close(r);
        else if (cm)
            sim_cm_closed(cm);
        else
            sim_messages_closed(m);
        sim_leave();
    }
}
