/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0
 *
 * Beside fakeverbs.c, for a library of release 35 or later: imports, as the man pages have them. A context's descriptor is of
 * /dev/null for fake0 and of /dev/zero for fake1. A driver that has begun with a descriptor, and fails, closes it: here with that
 * of /dev/urandom, and with that of /dev/random for a kernel that does not know the request. Each call writes a line.
 * FAKE_WITHOUT_IMPORTS is a driver that has none. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { MEMORY = 1, NULL_MINOR = 3, ZERO_MINOR = 5, RANDOM_MINOR = 8, URANDOM_MINOR = 9, NOBODYS = 404, DM_BYTES = 256 };

static char bytes[DM_BYTES];

static void say(const char *what, unsigned number)
{
	printf("%s %u\n", what, number);
	fflush(stdout);
}

struct ibv_context *ibv_import_device(int fd)
{
	struct stat st;
	struct ibv_device **list;
	struct ibv_context *context;

	if (fstat(fd, &st) || !S_ISCHR(st.st_mode)) {
		errno = EINVAL;
		return NULL;
	}
	if (major(st.st_rdev) == MEMORY && (minor(st.st_rdev) == URANDOM_MINOR || minor(st.st_rdev) == RANDOM_MINOR)) {
		close(fd);
		errno = minor(st.st_rdev) == URANDOM_MINOR ? EIO : ENOTTY;
		return NULL;
	}
	if (major(st.st_rdev) != MEMORY || (minor(st.st_rdev) != NULL_MINOR && minor(st.st_rdev) != ZERO_MINOR)) {
		errno = ENODEV;
		return NULL;
	}
	list = ibv_get_device_list(&(int){0});
	context = ibv_open_device(list[minor(st.st_rdev) == ZERO_MINOR]);
	ibv_free_device_list(list);
	close(context->cmd_fd);
	context->cmd_fd = fd;
	return context;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct ibv_pd *pd = calloc(1, sizeof *pd);
	pd->context = context;
	pd->handle = 31;
	return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd)
{
	say("dealloc_pd", pd->handle);
	free(pd);
	return 0;
}

struct ibv_pd *ibv_import_pd(struct ibv_context *context, uint32_t handle)
{
	struct ibv_pd *pd = NULL;
	if (getenv("FAKE_WITHOUT_IMPORTS")) {
		errno = EOPNOTSUPP;
	} else if (handle == NOBODYS || handle == UINT32_MAX) {
		errno = ENOENT;
	} else {
		pd = calloc(1, sizeof *pd);
		pd->context = context;
		pd->handle = handle;
		say("import_pd", handle);
	}
	return pd;
}

void ibv_unimport_pd(struct ibv_pd *pd)
{
	say("unimport_pd", pd->handle);
	free(pd);
}

struct ibv_mr *ibv_import_mr(struct ibv_pd *pd, uint32_t handle)
{
	struct ibv_mr *mr = NULL;
	if (handle == NOBODYS) {
		errno = EOPNOTSUPP;
	} else {
		mr = calloc(1, sizeof *mr);
		*mr = (struct ibv_mr){ .context = pd->context, .pd = pd, .length = 4096, .handle = handle, .lkey = 0x11,
			.rkey = 0x22 };
		say("import_mr", handle);
	}
	return mr;
}

void ibv_unimport_mr(struct ibv_mr *mr)
{
	say("unimport_mr", mr->handle);
	free(mr);
}

static int copy_to(struct ibv_dm *dm, uint64_t offset, const void *from, size_t length)
{
	if (offset + length > DM_BYTES)
		return EFAULT;
	memcpy(bytes + offset, from, length);
	return 0;
}

static int copy_from(void *to, struct ibv_dm *dm, uint64_t offset, size_t length)
{
	if (offset + length > DM_BYTES)
		return EFAULT;
	memcpy(to, bytes + offset, length);
	return 0;
}

struct ibv_dm *ibv_import_dm(struct ibv_context *context, uint32_t handle)
{
	struct ibv_dm *dm = calloc(1, sizeof *dm);
	*dm = (struct ibv_dm){ .context = context, .memcpy_to_dm = copy_to, .memcpy_from_dm = copy_from, .handle = handle };
	say("import_dm", handle);
	return dm;
}

void ibv_unimport_dm(struct ibv_dm *dm)
{
	say("unimport_dm", dm->handle);
	free(dm);
}
