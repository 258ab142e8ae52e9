/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Files by their names. Programs that look for RDMA devices by themselves read /sys/class/infiniband, whatever SYSFS_PATH says,
 * and ask whether they may open /dev/infiniband/uverbsN: for them both lie in the tree that `run` has made.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "interpose.h"

#define UVERBS "/dev/infiniband/uverbs"
#define RDMA_CM "/dev/infiniband/rdma_cm"

struct sim_device *sim_device_of(const char *path, bool *node)
{
    int index, end = 0;
    char theirs[64];

    if (!path || strncmp(path, "/dev/", 5))
        return NULL;
    *node = strncmp(path, UVERBS, sizeof UVERBS - 1);
    if (!*node) {
        if (sscanf(path + sizeof UVERBS - 1, "%d%n", &index, &end) != 1 || path[sizeof UVERBS - 1 + (size_t)end])
            return NULL;
        sim_configure();
        return index >= 0 && index < sim_config.n_devices ? &sim_devices[index] : NULL;
    }
    if (strncmp(path, "/dev/accel/", 11))
        return NULL;
    sim_configure();
    for (int i = 0; i < sim_config.n_devices; i++)
        if (sim_devices[i].vendor->node &&
            snprintf(theirs, sizeof theirs, sim_devices[i].vendor->node, i) > 0 && !strcmp(path, theirs))
            return &sim_devices[i];
    return NULL;
}

bool sim_is_cm(const char *path)
{
    if (!path || strcmp(path, RDMA_CM))
        return false;
    sim_configure();
    return !sim_config.no_cm;
}

/* What of these begins the path, as a name of its own or with more of a name behind it. */
static bool is_in_tree(const char *path)
{
    static const char *const whole[] = {"/sys/class/infiniband", "/sys/class/infiniband_verbs", "/dev/infiniband"};
    static const char *const part[] = {"/sys/devices/pci" SIM_PCI_DOMAIN ":", "/sys/bus/pci/devices/" SIM_PCI_DOMAIN ":",
        "/sys/class/net/sim", "/sys/class/misc/rdma_cm"};

    for (unsigned i = 0; i < sizeof whole / sizeof *whole; i++) {
        size_t n = strlen(whole[i]);

        if (!strncmp(path, whole[i], n) && (!path[n] || path[n] == '/'))
            return true;
    }
    for (unsigned i = 0; i < sizeof part / sizeof *part; i++)
        if (!strncmp(path, part[i], strlen(part[i])))
            return true;
    return false;
}

const char *sim_path(const char *path, char room[PATH_MAX])
{
    const char *tree;
    bool node;
    int n;

    if (!path || (strncmp(path, "/sys/", 5) && strncmp(path, "/dev/", 5)))
        return path;
    if (sim_device_of(path, &node))
        return "/dev/null";
    tree = getenv("SYSFS_PATH");
    if (!tree || !is_in_tree(path))
        return path;
    n = snprintf(room, PATH_MAX, "%s%s", tree, path + (path[1] == 's' ? strlen("/sys") : 0));
    return n > 0 && n < PATH_MAX ? room : path;
}

/* -- what there is ----------------------------------------------------------------------------- */

/*
 * A device's file has a number of its own, by its name and by its descriptor. The connection manager's descriptors are of
 * another kind.
 */
static int number(const char *path, int fd, dev_t *to, mode_t *mode)
{
    bool node = false;
    const struct sim_context *ctx = path ? NULL : sim_fd_get(fd, SIM_FD_CONTEXT);
    const struct sim_device *dev = path ? sim_device_of(path, &node) : ctx ? ctx->dev : NULL;

    if (dev && !node)
        *to = makedev(SIM_DEVICE_MAJOR, SIM_DEVICE_MINOR + (unsigned)dev->index);
    if (path ? sim_is_cm(path) : sim_fd_get(fd, SIM_FD_CM) != NULL) {
        *to = makedev(SIM_CM_MAJOR, SIM_CM_MINOR);
        *mode = S_IFCHR | 0666;
    }
    return 0;
}

EXPORT int stat(const char *restrict path, struct stat *restrict to)
{
    char room[PATH_MAX];

    return NEXT(stat)(sim_path(path, room), to) ? -1 : number(path, -1, &to->st_rdev, &to->st_mode);
}

EXPORT int lstat(const char *restrict path, struct stat *restrict to)
{
    char room[PATH_MAX];

    return NEXT(lstat)(sim_path(path, room), to) ? -1 : number(path, -1, &to->st_rdev, &to->st_mode);
}

EXPORT int stat64(const char *restrict path, struct stat64 *restrict to)
{
    char room[PATH_MAX];

    return NEXT(stat64)(sim_path(path, room), to) ? -1 : number(path, -1, &to->st_rdev, &to->st_mode);
}

EXPORT int lstat64(const char *restrict path, struct stat64 *restrict to)
{
    char room[PATH_MAX];

    return NEXT(lstat64)(sim_path(path, room), to) ? -1 : number(path, -1, &to->st_rdev, &to->st_mode);
}

EXPORT int fstatat(int dir, const char *restrict path, struct stat *restrict to, int flags)
{
    char room[PATH_MAX];

    return NEXT(fstatat)(dir, sim_path(path, room), to, flags) ? -1 : number(path, -1, &to->st_rdev, &to->st_mode);
}

EXPORT int fstatat64(int dir, const char *restrict path, struct stat64 *restrict to, int flags)
{
    char room[PATH_MAX];

    return NEXT(fstatat64)(dir, sim_path(path, room), to, flags) ? -1 : number(path, -1, &to->st_rdev, &to->st_mode);
}

EXPORT int fstat(int fd, struct stat *to)
{
    return NEXT(fstat)(fd, to) ? -1 : number(NULL, fd, &to->st_rdev, &to->st_mode);
}

EXPORT int fstat64(int fd, struct stat64 *to)
{
    return NEXT(fstat64)(fd, to) ? -1 : number(NULL, fd, &to->st_rdev, &to->st_mode);
}

EXPORT int statx(int dir, const char *restrict path, int flags, unsigned mask, struct statx *restrict to)
{
    char room[PATH_MAX];

    return NEXT(statx)(dir, sim_path(path, room), flags, mask, to);
}

/* What stat was called inside the C library before 2.33; libraries built then still ask for these. */
int __xstat(int version, const char *path, struct stat *to);
int __lxstat(int version, const char *path, struct stat *to);
int __xstat64(int version, const char *path, struct stat64 *to);
int __lxstat64(int version, const char *path, struct stat64 *to);
int __fxstat(int version, int fd, struct stat *to);
int __fxstat64(int version, int fd, struct stat64 *to);

EXPORT int __xstat(int version, const char *path, struct stat *to)
{
    char room[PATH_MAX];

    return NEXT(__xstat)(version, sim_path(path, room), to) ? -1 : number(path, -1, &to->st_rdev, &to->st_mode);
}

EXPORT int __lxstat(int version, const char *path, struct stat *to)
{
    char room[PATH_MAX];

    return NEXT(__lxstat)(version, sim_path(path, room), to) ? -1 : number(path, -1, &to->st_rdev, &to->st_mode);
}

EXPORT int __xstat64(int version, const char *path, struct stat64 *to)
{
    char room[PATH_MAX];

    return NEXT(__xstat64)(version, sim_path(path, room), to) ? -1 : number(path, -1, &to->st_rdev, &to->st_mode);
}

EXPORT int __lxstat64(int version, const char *path, struct stat64 *to)
{
    char room[PATH_MAX];

    return NEXT(__lxstat64)(version, sim_path(path, room), to) ? -1 : number(path, -1, &to->st_rdev, &to->st_mode);
}

EXPORT int __fxstat(int version, int fd, struct stat *to)
{
    return NEXT(__fxstat)(version, fd, to) ? -1 : number(NULL, fd, &to->st_rdev, &to->st_mode);
}

EXPORT int __fxstat64(int version, int fd, struct stat64 *to)
{
    return NEXT(__fxstat64)(version, fd, to) ? -1 : number(NULL, fd, &to->st_rdev, &to->st_mode);
}

EXPORT int access(const char *path, int mode)
{
    char room[PATH_MAX];

    return NEXT(access)(sim_path(path, room), mode);
}

EXPORT int euidaccess(const char *path, int mode)
{
    char room[PATH_MAX];

    return NEXT(euidaccess)(sim_path(path, room), mode);
}

EXPORT int faccessat(int dir, const char *path, int mode, int flags)
{
    char room[PATH_MAX];

    return NEXT(faccessat)(dir, sim_path(path, room), mode, flags);
}

/* `ls -l` asks for these. */
EXPORT ssize_t getxattr(const char *path, const char *name, void *to, size_t size)
{
    char room[PATH_MAX];

    return NEXT(getxattr)(sim_path(path, room), name, to, size);
}

EXPORT ssize_t lgetxattr(const char *path, const char *name, void *to, size_t size)
{
    char room[PATH_MAX];

    return NEXT(lgetxattr)(sim_path(path, room), name, to, size);
}

EXPORT int chdir(const char *path)
{
    char room[PATH_MAX];

    return NEXT(chdir)(sim_path(path, room));
}

/* -- what it says ------------------------------------------------------------------------------ */

EXPORT FILE *fopen(const char *restrict path, const char *restrict mode)
{
    char room[PATH_MAX];

    return NEXT(fopen)(sim_path(path, room), mode);
}

EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    char room[PATH_MAX];

    return NEXT(fopen64)(sim_path(path, room), mode);
}

EXPORT DIR *opendir(const char *path)
{
    char room[PATH_MAX];

    return NEXT(opendir)(sim_path(path, room));
}

EXPORT int scandir(const char *restrict path, struct dirent ***restrict to, int (*wanted)(const struct dirent *),
    int (*compare)(const struct dirent **, const struct dirent **))
{
    char room[PATH_MAX];

    return NEXT(scandir)(sim_path(path, room), to, wanted, compare);
}

EXPORT int scandir64(const char *restrict path, struct dirent64 ***restrict to, int (*wanted)(const struct dirent64 *),
    int (*compare)(const struct dirent64 **, const struct dirent64 **))
{
    char room[PATH_MAX];

    return NEXT(scandir64)(sim_path(path, room), to, wanted, compare);
}

EXPORT ssize_t readlink(const char *restrict path, char *restrict to, size_t size)
{
    char room[PATH_MAX];

    return NEXT(readlink)(sim_path(path, room), to, size);
}

EXPORT ssize_t readlinkat(int dir, const char *restrict path, char *restrict to, size_t size)
{
    char room[PATH_MAX];

    return NEXT(readlinkat)(dir, sim_path(path, room), to, size);
}

/* What was asked for by a name below /sys is told by such a name: programs look where in /sys/devices it is. */
static char *told_by_name(const char *path, const char *asked, char *real)
{
    const char *tree = getenv("SYSFS_PATH");
    char room[PATH_MAX];
    size_t n;

    if (!real || asked == path || !tree || strncmp(path, "/sys/", 5) || !realpath(tree, room))
        return real;
    n = strlen(room);
    if (n < strlen("/sys") || strncmp(real, room, n) || real[n] != '/')
        return real;
    memmove(real + strlen("/sys"), real + n, strlen(real + n) + 1);
    memcpy(real, "/sys", strlen("/sys"));
    return real;
}

EXPORT char *realpath(const char *restrict path, char *restrict to)
{
    char room[PATH_MAX];
    const char *asked = sim_path(path, room);

    return told_by_name(path, asked, NEXT(realpath)(asked, to));
}

EXPORT char *canonicalize_file_name(const char *path)
{
    return realpath(path, NULL);
}

/* What the compiler makes of calls where it knows how large the buffer is. */
char *__realpath_chk(const char *path, char *to, size_t size);
ssize_t __readlink_chk(const char *path, char *to, size_t size, size_t room);

EXPORT char *__realpath_chk(const char *path, char *to, size_t size)
{
    char room[PATH_MAX];
    const char *asked = sim_path(path, room);

    return told_by_name(path, asked, NEXT(__realpath_chk)(asked, to, size));
}

EXPORT ssize_t __readlink_chk(const char *path, char *to, size_t size, size_t buffer)
{
    char room[PATH_MAX];

    return NEXT(__readlink_chk)(sim_path(path, room), to, size, buffer);
}
