/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * A peer for connection managers, by librdmacm: what events, statuses and private data the kernel's has for a program.
 *
 *   cmpeer serve ADDRESS PORT tcp|udp REQUESTS
 *   cmpeer connect SOURCE ADDRESS PORT tcp|udp COUNT [HEX...]
 *
 * The private data of a request tells the server what to do: "aN" accepts and "rN" rejects with N bytes of 0x5a (N is a byte, 'a' and 'r' are
 * letters), "wN" accepts after N tenths of a second, "n" does nothing; what else is there is accepted with nothing. It ends after so many REQUESTS, when all
 * connections are gone.
 * The client sends each HEX as private data, once COUNT is done: COUNT connections that are made, established and taken down one after another.
 *
 * io.verbs4j.compat.guest.cm.CmPeer is the same in Java, and prints the same lines.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct rdma_event_channel *channel;
static enum rdma_port_space space;

static void die(const char *what)
{
	printf("failed: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void check(int failed, const char *what)
{
	if (failed)
		die(what);
}

static struct sockaddr *address(const char *host, const char *port)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST }, *found;

	if (getaddrinfo(host, port, &hints, &found)) {
		printf("failed: no address %s\n", host);
		exit(1);
	}
	return found->ai_addr;
}

/* Bytes without the zeros behind them. */
static void print_data(const struct rdma_cm_event *event)
{
	const unsigned char *data = event->param.conn.private_data;
	int length = event->param.conn.private_data_len, some = data ? length : 0;

	while (some && !data[some - 1])
		some--;
	printf("%d bytes ", length);
	for (int i = 0; i < some; i++)
		printf("%02x", data[i]);
	printf("\n");
}

static struct ibv_pd *pd;
static struct ibv_cq *cq;

static void create_qp(struct rdma_cm_id *id)
{
	struct ibv_qp_init_attr attr = {
		.cap = { .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = space == RDMA_PS_TCP ? IBV_QPT_RC : IBV_QPT_UD,
	};

	if (!pd) {
		check(!(pd = ibv_alloc_pd(id->verbs)), "ibv_alloc_pd");
		check(!(cq = ibv_create_cq(id->verbs, 16, NULL, NULL, 0)), "ibv_create_cq");
	}
	attr.send_cq = attr.recv_cq = cq;
	check(rdma_create_qp(id, pd, &attr), "rdma_create_qp");
}

static int open_ids;

static void destroy(struct rdma_cm_id *id)
{
	open_ids--;
	if (id->qp)
		rdma_destroy_qp(id);
	check(rdma_destroy_id(id), "rdma_destroy_id");
}

static struct rdma_cm_event *next(void)
{
	struct rdma_cm_event *event;

	check(rdma_get_cm_event(channel, &event), "rdma_get_cm_event");
	return event;
}

/* -- the server */

static void answer(struct rdma_cm_id *id, const unsigned char *asked)
{
	unsigned char data[256];
	struct rdma_conn_param param = { .private_data = data, .responder_resources = 1, .initiator_depth = 1, .rnr_retry_count = 7 };

	memset(data, 0x5a, sizeof(data));
	open_ids++;
	if (asked[0] == 'n')
		return;
	if (asked[0] == 'r') {
		check(rdma_reject(id, data, asked[1]), "rdma_reject");
		destroy(id);
		return;
	}
	if (asked[0] == 'w')
		usleep(asked[1] * 100000);
	if (asked[0] == 'a')
		param.private_data_len = asked[1];
	create_qp(id);
	param.qp_num = id->qp->qp_num;
	int failed = rdma_accept(id, &param);

	if (failed)
		printf("accept: %s\n", strerror(errno));
	if (failed || space == RDMA_PS_UDP)
		destroy(id);
}

static void serve(const char *host, const char *port, int requests)
{
	struct rdma_cm_id *listener;

	check(rdma_create_id(channel, &listener, NULL, space), "rdma_create_id");
	check(rdma_bind_addr(listener, address(host, port)), "rdma_bind_addr");
	check(rdma_listen(listener, 0), "rdma_listen");
	printf("listening\n");
	while (requests > 0 || open_ids > 0) {
		struct rdma_cm_event *event = next();
		struct rdma_cm_id *id = event->id;
		enum rdma_cm_event_type type = event->event;
		unsigned char asked[2] = { 0, 0 };

		if (type == RDMA_CM_EVENT_CONNECT_REQUEST) {
			printf("request: ");
			print_data(event);
			if (event->param.conn.private_data_len >= sizeof(asked)) /* by iWARP there may be none */
				memcpy(asked, event->param.conn.private_data, sizeof(asked));
			rdma_ack_cm_event(event);
			answer(id, asked);
			requests--;
			continue;
		}
		printf("%s: %d\n", rdma_event_str(type) + strlen("RDMA_CM_EVENT_"), event->status);
		rdma_ack_cm_event(event);
		if (type == RDMA_CM_EVENT_DISCONNECTED)
			rdma_disconnect(id);
		if (type != RDMA_CM_EVENT_ESTABLISHED)
			destroy(id);
	}
	check(rdma_destroy_id(listener), "rdma_destroy_id");
}

/* -- the client */

static struct rdma_cm_event *expect(enum rdma_cm_event_type type)
{
	struct rdma_cm_event *event = next();

	if (event->event != type) {
		printf("failed: %s: %d\n", rdma_event_str(event->event), event->status);
		exit(1);
	}
	return event;
}

static struct rdma_cm_id *resolved(const char *source, const char *host, const char *port)
{
	struct rdma_cm_id *id;

	check(rdma_create_id(channel, &id, NULL, space), "rdma_create_id");
	check(rdma_resolve_addr(id, address(source, "0"), address(host, port), 2000), "rdma_resolve_addr");
	rdma_ack_cm_event(expect(RDMA_CM_EVENT_ADDR_RESOLVED));
	check(rdma_resolve_route(id, 2000), "rdma_resolve_route");
	rdma_ack_cm_event(expect(RDMA_CM_EVENT_ROUTE_RESOLVED));
	create_qp(id);
	return id;
}

static void ask(struct rdma_cm_id *id, const char *hex)
{
	unsigned char data[256];
	struct rdma_conn_param param = {
		.private_data = data, .private_data_len = strlen(hex) / 2,
		.responder_resources = 1, .initiator_depth = 1, .retry_count = 7, .rnr_retry_count = 7
	};
	struct rdma_cm_event *event;

	for (int i = 0; i < param.private_data_len; i++)
		sscanf(hex + 2 * i, "%2hhx", &data[i]);
	printf("connect with %d bytes: ", param.private_data_len);
	if (rdma_connect(id, &param)) {
		printf("%s\n", strerror(errno));
		return;
	}
	event = next();
	printf("%s: %d: ", rdma_event_str(event->event) + strlen("RDMA_CM_EVENT_"), event->status);
	print_data(event);
	int connected = space == RDMA_PS_TCP && event->event == RDMA_CM_EVENT_ESTABLISHED;

	rdma_ack_cm_event(event);
	if (connected) { /* an id that is destroyed says so once, and that may be lost */
		check(rdma_disconnect(id), "rdma_disconnect");
		rdma_ack_cm_event(expect(RDMA_CM_EVENT_DISCONNECTED));
	}
}

static void churn(const char *source, const char *host, const char *port, int count)
{
	struct rdma_conn_param param = { .responder_resources = 1, .initiator_depth = 1, .retry_count = 7, .rnr_retry_count = 7 };
	struct timespec begin, end;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (int i = 0; i < count; i++) {
		struct rdma_cm_id *id = resolved(source, host, port);

		check(rdma_connect(id, &param), "rdma_connect");
		rdma_ack_cm_event(expect(RDMA_CM_EVENT_ESTABLISHED));
		check(rdma_disconnect(id), "rdma_disconnect");
		rdma_ack_cm_event(expect(RDMA_CM_EVENT_DISCONNECTED));
		destroy(id);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	double seconds = end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) / 1e9;

	printf("%d connections, %.0f a second\n", count, count / seconds);
}

int main(int argc, char **argv)
{
	int serves = argc == 6 && !strcmp(argv[1], "serve");

	if (!serves && (argc < 7 || strcmp(argv[1], "connect"))) {
		fprintf(stderr, "see the head of cmpeer.c\n");
		return 2;
	}
	setlinebuf(stdout);
	space = strcmp(argv[serves ? 4 : 5], "tcp") ? RDMA_PS_UDP : RDMA_PS_TCP;
	check(!(channel = rdma_create_event_channel()), "rdma_create_event_channel");
	if (serves) {
		serve(argv[2], argv[3], atoi(argv[5]));
		printf("done\n");
		return 0;
	}
	if (atoi(argv[6]))
		churn(argv[2], argv[3], argv[4], atoi(argv[6]));
	for (int i = 7; i < argc; i++) {
		struct rdma_cm_id *id = resolved(argv[2], argv[3], argv[4]);

		ask(id, argv[i]);
		destroy(id);
	}
	printf("done\n");
	return 0;
}
