/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What programs find that look for devices by themselves: below /sys and /dev, by the functions of the C library. */
#include "kit.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define CLASS "/sys/class/infiniband"
#define FUNCTION "/sys/devices/pci0051:00/0051:00:01.0"

static bool is(const char *path, const char *wanted)
{
    FILE *file = SOME(fopen(path, "r"));
    char line[256] = "";

    SOME(fgets(line, sizeof line, file));
    fclose(file);
    line[strcspn(line, "\n")] = 0;
    if (strcmp(line, wanted))
        fail(__FILE__, __LINE__, "%s has '%s', wanted '%s'", path, line, wanted);
    return true;
}

/* How UCX asks, and libfabric. */
static void device_files(void)
{
    struct stat st;

    OK(access("/dev/infiniband/uverbs0", R_OK | W_OK));
    OK(access("/dev/infiniband/uverbs1", F_OK));
    OK(euidaccess("/dev/infiniband/uverbs1", R_OK | W_OK));
    OK(faccessat(AT_FDCWD, "/dev/infiniband/uverbs1", R_OK, 0));
    CHECK(access("/dev/infiniband/uverbs2", F_OK) && errno == ENOENT); /* there are two */
    CHECK(access("/dev/infiniband/uverbs", F_OK) && errno == ENOENT);
    OK(stat("/dev/infiniband", &st));
    CHECK(S_ISDIR(st.st_mode));
    OK(stat("/dev/infiniband/uverbs1", &st));
    CHECK(S_ISCHR(st.st_mode) && major(st.st_rdev) == 231 && minor(st.st_rdev) == 193);
    OK(lstat("/dev/infiniband/uverbs1", &st));
    CHECK(S_ISCHR(st.st_mode));
    is(CLASS "_verbs/uverbs1/ibdev", "mlx5_1");
    is(CLASS "_verbs/uverbs1/dev", "231:193");
}

static unsigned entries(const char *path, const char *begin)
{
    DIR *dir = SOME(opendir(path));
    unsigned n = 0;

    for (struct dirent *e; (e = readdir(dir));)
        n += !strncmp(e->d_name, begin, strlen(begin));
    closedir(dir);
    return n;
}

static void below_sys(void)
{
    struct dirent **list;
    struct stat st;
    char to[PATH_MAX];
    int fd;

    EQ(entries(CLASS, "mlx5_"), 2);
    EQ(entries(CLASS "/", "mlx5_"), 2);
    EQ(entries("/dev/infiniband", "uverbs"), 2);
    EQ(scandir(CLASS "_verbs", &list, NULL, alphasort), 5); /* . and .., abi_version, two devices */
    for (int i = 0; i < 5; i++)
        free(list[i]);
    free(list);
    is(CLASS "/mlx5_1/node_type", "1");
    is(CLASS "/mlx5_1/device/vendor", "0x15b3");
    is(CLASS "/mlx5_1/ports/2/gid_attrs/types/1", "RoCE v2");
    is(CLASS "/mlx5_1/ports/2/gid_attrs/ndevs/1", "sim1p2");
    fd = open(CLASS "/mlx5_1/device/class", O_RDONLY);
    CHECK(fd >= 0);
    EQ(read(fd, to, sizeof to), 9);
    CHECK(!memcmp(to, "0x020700\n", 9));
    close(fd);
    OK(lstat(CLASS "/mlx5_1", &st));
    CHECK(S_ISLNK(st.st_mode));
    OK(stat(CLASS "/mlx5_1", &st));
    CHECK(S_ISDIR(st.st_mode));
    CHECK(stat(CLASS "/mlx5_2", &st) && errno == ENOENT);
    snprintf(to, sizeof to, "%s/class/infinibandx", getenv("SYSFS_PATH"));
    OK(mkdir(to, 0700));
    CHECK(stat(CLASS "x", &st) && errno == ENOENT); /* another name, which is none of ours */
    OK(rmdir(to));
}

/* A device lies in its PCI function, which has a driver. */
static void pci_function(void)
{
    char to[PATH_MAX], own[PATH_MAX];
    ssize_t n = readlink(CLASS "/mlx5_1", to, sizeof to);

    CHECK(n > 0);
    to[n] = 0;
    CHECK(!strcmp(to, "../../devices/pci0051:00/0051:00:01.0/infiniband/mlx5_1"));
    CHECK(!strcmp(SOME(realpath(CLASS "/mlx5_1", to)), FUNCTION "/infiniband/mlx5_1"));
    CHECK(!strcmp(SOME(realpath(CLASS "_verbs/uverbs1/device", to)), FUNCTION));
    is("/sys/bus/pci/devices/0051:00:01.0/device", "0x1017");
    is(FUNCTION "/infiniband/mlx5_1/node_desc", "mlx5_1");
    n = readlink(FUNCTION "/driver", to, sizeof to);
    CHECK(n > 0);
    to[n] = 0;
    CHECK(!strcmp(strrchr(to, '/'), "/mlx5_core"));
    OK(access(FUNCTION "/driver/0051:00:01.0/vendor", R_OK));
    /* who asks by the tree's own name gets the tree's own name: it can be opened without us */
    snprintf(to, sizeof to, "%s/class/infiniband/mlx5_1", getenv("SYSFS_PATH"));
    SOME(realpath(to, own));
    CHECK(strncmp(own, "/sys", 4));
    CHECK(strstr(own, "/devices/pci0051:00/0051:00:01.0/infiniband/mlx5_1"));
}

static void others_stay(void)
{
    char to[PATH_MAX];

    CHECK(!strcmp(SOME(realpath("/sys/class/.", to)), "/sys/class"));
    OK(access("/dev/null", W_OK));
    OK(access("/sys/class", R_OK));
    CHECK(access("/devx", F_OK) && errno == ENOENT);
}

static const struct test_case cases[] = {
    {"device-files", device_files}, {"below-sys", below_sys}, {"pci-function", pci_function}, {"others-stay", others_stay},
    {0},
};

int main(int argc, char **argv)
{
    return run_cases("paths", cases, argc, argv);
}
