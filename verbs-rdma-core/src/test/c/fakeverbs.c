/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0
 *
 * Not libibverbs: a library that exports what the binding binds, and makes contexts of any size. FAKE_SIZES has the sz of each
 * context that is opened, one after the other: a number, 'none' for no marker, or a number and 'x' where open_xrcd is NULL and the
 * driver has no query_device_ex. Every
 * slot beyond sz holds an address that can't be called. Two devices, fake0 and fake1; the functions that are not here end the
 * process (stubs.c). */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#undef ibv_get_device_list
#undef ibv_query_port

enum { BEFORE = 1024, QUERY_PORT = -320, QUERY_DEVICE_EX = -104, OPEN_XRCD = -32, CLOSE_XRCD = -24 };

/* What a test adds: functions in slots, and capabilities. */
__attribute__((weak)) void fake_slots(struct verbs_context *context);
__attribute__((weak)) void fake_device(struct ibv_device_attr_ex *attr);
/* Of another source, where there is one: fills further slots of a context. */
__attribute__((weak)) void fake_more(struct ibv_context *context);

static struct ibv_device devices[2];
static struct ibv_xrcd domain;

struct ibv_device **ibv_get_device_list(int *count)
{
	struct ibv_device **list = calloc(3, sizeof *list);
	for (int i = 0; i < 2; i++) {
		struct ibv_device *d = &devices[i];
		d->node_type = IBV_NODE_CA;
		d->transport_type = IBV_TRANSPORT_IB;
		snprintf(d->name, sizeof d->name, "fake%d", i);
		snprintf(d->dev_name, sizeof d->dev_name, "uverbs%d", i);
		snprintf(d->ibdev_path, sizeof d->ibdev_path, "/nowhere/fake%d", i);
		list[i] = d;
	}
	*count = 2;
	return list;
}

void ibv_free_device_list(struct ibv_device **list) { free(list); }

__be64 ibv_get_device_guid(struct ibv_device *device) { return device == &devices[0] ? 1 : 2; }

static int slot_query_port(struct ibv_context *c, uint8_t port, struct ibv_port_attr *attr, size_t size)
{
	attr->gid_tbl_len = 222;
	return size == 56 ? 0 : EINVAL;
}

/* As release 33: the last word, which was padding when this was written, stays as it was. */
static int slot_query_device_ex(struct ibv_context *c, const struct ibv_query_device_ex_input *input,
	struct ibv_device_attr_ex *attr, size_t size)
{
	if (input || size != sizeof *attr)
		return EINVAL;
	attr->orig_attr.max_qp = 555;
	attr->orig_attr.device_cap_flags = 1u << 31;
	attr->orig_attr.phys_port_cnt = 2;
	attr->device_cap_flags_ex = 1ull << 31 | 1ull << 40;
	attr->max_dm_size = 666;
	if (fake_device)
		fake_device(attr);
	return 0;
}

static struct ibv_xrcd *slot_open_xrcd(struct ibv_context *c, struct ibv_xrcd_init_attr *attr)
{
	domain.context = c;
	return &domain;
}

static int slot_close_xrcd(struct ibv_xrcd *xrcd) { return xrcd == &domain ? 0 : EINVAL; }

static int unsupported(void) { return EOPNOTSUPP; }

static char *next_size(void)
{
	static char *rest;
	char *all = rest ? rest : getenv("FAKE_SIZES");
	char *size = strsep(&all, ",");
	rest = all ? all : "";
	return size;
}

struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	char *text = next_size();
	long size = atol(text);
	char *memory = calloc(1, BEFORE + sizeof(struct ibv_context));
	struct ibv_context *context = (void *)(memory + BEFORE);
	char *at = (char *)context;

	for (int slot = -24; slot >= -BEFORE; slot -= 8) {
		long within = (long)sizeof *context - slot <= size;
		*(void **)(at + slot) = within ? (void *)unsupported : (void *)0xdead000000000000;
	}
	if ((long)sizeof *context - QUERY_PORT <= size)
		*(void **)(at + QUERY_PORT) = slot_query_port;
	if (size) {
		*(void **)(at + QUERY_DEVICE_EX) = strchr(text, 'x') ? unsupported : (void *)slot_query_device_ex;
		*(void **)(at + OPEN_XRCD) = strchr(text, 'x') ? NULL : slot_open_xrcd;
		*(void **)(at + CLOSE_XRCD) = slot_close_xrcd;
		context->abi_compat = (void *)-1;
		if (fake_more)
			fake_more(context);
	}
	if (fake_slots && size)
		fake_slots((struct verbs_context *)(at - offsetof(struct verbs_context, context)));
	/* Without the marker these bytes are somebody else's. */
	*(long *)(at - 8) = size ? size : 0x7fffffff;
	context->device = device;
	context->cmd_fd = open(device == &devices[0] ? "/dev/null" : "/dev/zero", O_RDWR | O_CLOEXEC);
	context->async_fd = eventfd(0, 0);
	context->num_comp_vectors = 1;
	return context;
}

int ibv_close_device(struct ibv_context *context)
{
	close(context->cmd_fd);
	close(context->async_fd);
	free((char *)context - BEFORE);
	return 0;
}

__attribute__((weak)) int ibv_query_device(struct ibv_context *c, struct ibv_device_attr *attr)
{
	attr->max_qp = 444;
	attr->max_qp_wr = 4096;
	attr->max_sge = 16;
	attr->device_cap_flags = 1u << 31;
	attr->phys_port_cnt = 2;
	return 0;
}

int ibv_query_port(struct ibv_context *c, uint8_t port, struct _compat_ibv_port_attr *attr)
{
	((struct ibv_port_attr *)attr)->gid_tbl_len = 111;
	return 0;
}
