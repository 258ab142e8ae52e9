/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0
 *
 * Not librdmacm: ids and events without a kernel, as hard on who uses them as the library is. An event that is acknowledged is
 * overwritten, and destroying an id waits until all of its events are. The test makes events with fake_event; functions that are
 * not used end the process. */
#include <errno.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { DATA = 8 };

struct own_id {
	struct rdma_cm_id id;
	int outstanding;
};

struct own_event {
	struct rdma_cm_event event;
	char data[DATA];
	struct own_event *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t acked = PTHREAD_COND_INITIALIZER;
static struct own_event *queue;
static struct rdma_event_channel *channel;
static struct ibv_device devices[2];
static struct ibv_context contexts[2];
static long ids, unacked, disconnects;
static struct rdma_cm_id *last;

long fake_ids(void) { return ids; }
struct rdma_cm_id *fake_last(void) { return last; }
long fake_unacked(void) { return unacked; }
long fake_channels(void) { return channel != NULL; }
long fake_disconnects(void) { return disconnects; }

struct rdma_event_channel *rdma_create_event_channel(void)
{
	channel = calloc(1, sizeof *channel);
	channel->fd = eventfd(0, EFD_SEMAPHORE);
	return channel;
}

void rdma_destroy_event_channel(struct rdma_event_channel *c)
{
	close(c->fd);
	free(c);
	channel = NULL;
}

int rdma_create_id(struct rdma_event_channel *c, struct rdma_cm_id **out, void *context, enum rdma_port_space ps)
{
	struct own_id *own = calloc(1, sizeof *own);
	own->id.channel = c;
	own->id.ps = ps;
	ids++;
	*out = last = &own->id;
	return 0;
}

int rdma_destroy_id(struct rdma_cm_id *id)
{
	struct own_id *own = (struct own_id *) id;
	pthread_mutex_lock(&lock);
	for (struct own_event **at = &queue; *at;) { /* what nobody has read goes with it */
		uint64_t one;
		if ((*at)->event.id == id)
			*at = (read(channel->fd, &one, sizeof one), (*at)->next);
		else
			at = &(*at)->next;
	}
	while (own->outstanding)
		pthread_cond_wait(&acked, &lock);
	ids--;
	pthread_mutex_unlock(&lock);
	memset(own, 0xee, sizeof *own);
	free(own);
	return 0;
}

/* An event of an id, on device 0 or 1 from then on; a request is of a new id on the listener's channel. */
long fake_event(struct rdma_cm_id *id, long type, long status, long device)
{
	struct own_event *own = calloc(1, sizeof *own);
	struct own_event **at = &queue;
	uint64_t one = 1;
	own->event.event = type;
	own->event.status = status;
	own->event.id = id;
	for (int i = 0; i < 2; i++) {
		strcpy(devices[i].dev_name, i ? "uverbs1" : "uverbs0");
		contexts[i].device = &devices[i];
	}
	if (type == RDMA_CM_EVENT_CONNECT_REQUEST) {
		own->event.listen_id = id;
		rdma_create_id(id->channel, &own->event.id, NULL, id->ps);
	}
	own->event.id->verbs = &contexts[device];
	own->event.id->port_num = 1;
	memset(own->data, 7, DATA);
	own->event.param.conn.private_data = own->data;
	own->event.param.conn.private_data_len = DATA;
	if (id->ps == RDMA_PS_UDP) { /* as in a fabric of InfiniBand */
		struct ibv_ah_attr ah = {
			.grh = {.flow_label = 0xabcde, .sgid_index = 7, .hop_limit = 9, .traffic_class = 10},
			.dlid = 0x1234, .sl = 3, .src_path_bits = 1, .static_rate = 4, .is_global = 0, .port_num = 2,
		};
		own->event.param.ud.ah_attr = ah;
		own->event.param.ud.qp_num = 0x123456;
		own->event.param.ud.qkey = 0x80000001;
	}
	pthread_mutex_lock(&lock);
	while (*at)
		at = &(*at)->next;
	*at = own;
	pthread_mutex_unlock(&lock);
	return write(channel->fd, &one, sizeof one);
}

int rdma_get_cm_event(struct rdma_event_channel *c, struct rdma_cm_event **out)
{
	uint64_t one;
	if (read(c->fd, &one, sizeof one) < 0)
		return -1;
	pthread_mutex_lock(&lock);
	struct own_event *own = queue;
	queue = own->next;
	((struct own_id *) own->event.id)->outstanding++;
	unacked++;
	pthread_mutex_unlock(&lock);
	*out = &own->event;
	return 0;
}

int rdma_ack_cm_event(struct rdma_cm_event *event)
{
	pthread_mutex_lock(&lock);
	((struct own_id *) event->id)->outstanding--;
	unacked--;
	memset(event, 0xee, sizeof(struct own_event));
	pthread_cond_broadcast(&acked);
	pthread_mutex_unlock(&lock);
	return 0; /* not freed: who reads it now shall read nonsense, and not crash */
}

int rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *address)
{
	memcpy(&id->route.addr.src_storage, address, sizeof(struct sockaddr_in));
	errno = EADDRINUSE;
	return ((struct sockaddr_in *) address)->sin_port == htons(7) ? -1 : 0;
}

int rdma_resolve_addr(struct rdma_cm_id *id, struct sockaddr *from, struct sockaddr *to, int timeout) { return 0; }
int rdma_resolve_route(struct rdma_cm_id *id, int timeout) { return 0; }
int rdma_listen(struct rdma_cm_id *id, int backlog) { return 0; }
int rdma_connect(struct rdma_cm_id *id, struct rdma_conn_param *param) { return 0; }

int rdma_disconnect(struct rdma_cm_id *id)
{
	disconnects++;
	return 0;
}

void unused(void) { abort(); }
#define UNUSED(name) __asm__(".globl " #name "\n.set " #name ", unused");
UNUSED(rdma_accept)
UNUSED(rdma_establish)
UNUSED(rdma_init_qp_attr)
UNUSED(rdma_join_multicast)
UNUSED(rdma_leave_multicast)
UNUSED(rdma_notify)
UNUSED(rdma_reject)
UNUSED(rdma_set_option)
