/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0
 *
 * In the guest, on the network 'pair': what libibverbs itself sees of the kernel's rdma_rxe where that departs from the rules
 * of the conformance kit. Prints a line for each: the rule, a tab, what was seen.
 *   cc -o deviations deviations.c -libverbs
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "device.h"

#define BYTES 8192
#define GID_INDEX 1
#define ALL (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_MW_BIND)

struct side {
  struct ibv_context *context;
  struct ibv_pd *pd;
  struct ibv_cq *cq;
  struct ibv_qp *qp;
  struct ibv_mr *mr;
  union ibv_gid gid;
  char *memory;
};

static void make(struct side *s, const char *device) {
  s->context = open_device(device);
  must(s->context && (s->pd = ibv_alloc_pd(s->context)) != NULL, "pd");
  s->memory = calloc(1, BYTES);
  must((s->mr = ibv_reg_mr(s->pd, s->memory, BYTES, ALL)) != NULL, "mr");
  must((s->cq = ibv_create_cq(s->context, 16, NULL, NULL, 0)) != NULL, "cq");
  struct ibv_qp_init_attr init = {.send_cq = s->cq, .recv_cq = s->cq, .qp_type = IBV_QPT_RC,
    .cap = {.max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1}};
  must((s->qp = ibv_create_qp(s->pd, &init)) != NULL, "qp");
  must(!ibv_query_gid(s->context, 1, GID_INDEX, &s->gid), "gid");
}

static int to_init(struct side *s, int pkey_index) {
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1, .pkey_index = pkey_index, .qp_access_flags = ALL & ~1};
  return ibv_modify_qp(s->qp, &attr, IBV_QP_STATE | IBV_QP_PORT | IBV_QP_PKEY_INDEX | IBV_QP_ACCESS_FLAGS);
}

static void to_rtr(struct side *s, struct side *other) {
  must(!to_init(s, 0), "init");
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = other->qp->qp_num,
    .max_dest_rd_atomic = 1, .min_rnr_timer = 1,
    .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.dgid = other->gid, .sgid_index = GID_INDEX, .hop_limit = 64}}};
  must(!ibv_modify_qp(s->qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
    IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER), "rtr");
}

static void to_rts(struct side *s) {
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTS, .timeout = 16, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1};
  must(!ibv_modify_qp(s->qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
    IBV_QP_MAX_QP_RD_ATOMIC), "rts");
}

static void connect_to(struct side *s, struct side *other) {
  to_rtr(s, other);
  to_rts(s);
}

static struct side a, b;

static void start(void) {
  make(&a, "rxe0");
  make(&b, "rxe1");
  connect_to(&a, &b);
  connect_to(&b, &a);
}

static void post_recv(struct side *s, struct ibv_mr *mr, int length) {
  struct ibv_sge sge = {.addr = (uintptr_t)mr->addr, .length = length, .lkey = mr->lkey};
  struct ibv_recv_wr *bad, wr = {.sg_list = &sge, .num_sge = 1};
  must(!ibv_post_recv(s->qp, &wr, &bad), "post_recv");
}

static void post(struct side *s, int opcode, uint32_t lkey, int length, uint64_t remote, uint32_t rkey) {
  struct ibv_sge sge = {.addr = (uintptr_t)s->memory, .length = length, .lkey = lkey};
  struct ibv_send_wr *bad, wr = {.sg_list = &sge, .num_sge = 1, .opcode = opcode, .send_flags = IBV_SEND_SIGNALED,
    .wr.rdma = {.remote_addr = remote, .rkey = rkey}};
  must(!ibv_post_send(s->qp, &wr, &bad), "post_send");
}

/* The next completion's status, or what else there is. */
static const char *next(struct side *s) {
  struct ibv_wc wc;
  time_t end = time(NULL) + 2;
  while (time(NULL) <= end) {
    int n = ibv_poll_cq(s->cq, 1, &wc);
    if (n < 0) return "poll failed";
    if (n) return ibv_wc_status_str(wc.status);
    usleep(1000);
  }
  return "no completion";
}

/* A connected pair of queue pairs, the second on a shared receive queue. */
static struct ibv_qp *other_qp(struct side *s, int type, struct ibv_srq *srq) {
  struct ibv_qp_init_attr init = {.send_cq = s->cq, .recv_cq = s->cq, .qp_type = type, .srq = srq,
    .cap = {.max_send_wr = 5, .max_recv_wr = 5, .max_send_sge = 1, .max_recv_sge = 1}};
  struct ibv_qp *qp = ibv_create_qp(s->pd, &init);
  must(qp != NULL, "qp");
  return qp;
}

static void capacities(void) {
  struct ibv_qp_init_attr init = {.send_cq = a.cq, .recv_cq = a.cq, .qp_type = IBV_QPT_RC,
    .cap = {.max_send_wr = 5, .max_recv_wr = 5, .max_send_sge = 1, .max_recv_sge = 1}}, told;
  struct ibv_qp_attr attr;
  must(!ibv_query_qp(ibv_create_qp(a.pd, &init), &attr, 0, &told), "query_qp");
  printf("R2.06\tqueue pair made with %u, query tells %u\n", init.cap.max_send_wr, told.cap.max_send_wr);
  struct ibv_srq_init_attr asked = {.attr = {.max_wr = 5, .max_sge = 1}};
  struct ibv_srq_attr answer;
  must(!ibv_query_srq(ibv_create_srq(a.pd, &asked), &answer), "query_srq");
  printf("R8.04\tshared receive queue made with %u, query tells %u\n", asked.attr.max_wr, answer.max_wr);
}

/* Whether a context tells an event within 1.5 s; others are passed over. */
static const char *event_of(struct side *s, enum ibv_event_type type) {
  fcntl(s->context->async_fd, F_SETFL, O_NONBLOCK);
  struct ibv_async_event event;
  for (int i = 0; i < 15; i++, usleep(100000))
    while (!ibv_get_async_event(s->context, &event)) {
      ibv_ack_async_event(&event);
      if (event.event_type == type) return ibv_event_type_str(type);
    }
  return "no event";
}

static void last_request(void) {
  start();
  struct ibv_srq_init_attr asked = {.attr = {.max_wr = 5, .max_sge = 1}};
  b.qp = other_qp(&b, IBV_QPT_RC, ibv_create_srq(b.pd, &asked));
  connect_to(&b, &a);
  struct ibv_qp_attr error = {.qp_state = IBV_QPS_ERR};
  must(!ibv_modify_qp(b.qp, &error, IBV_QP_STATE), "err");
  printf("R8.06\tERR with a shared receive queue: %s\n", event_of(&b, IBV_EVENT_QP_LAST_WQE_REACHED));
}

/* The first request comes while the receiver is in RTR. */
static void communication(void) {
  make(&a, "rxe0");
  make(&b, "rxe1");
  to_rtr(&b, &a);
  connect_to(&a, &b);
  post(&a, IBV_WR_RDMA_WRITE, a.mr->lkey, 8, (uintptr_t)b.memory, b.mr->rkey);
  printf("RTR\twrite to a queue pair in RTR: %s", next(&a));
  printf(", %s\n", event_of(&b, IBV_EVENT_COMM_EST));
}

/* A write is posted while the send queue is drained, and is due when it goes on. */
static void drained(void) {
  start();
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_SQD, .en_sqd_async_notify = 1};
  must(!ibv_modify_qp(a.qp, &attr, IBV_QP_STATE | IBV_QP_EN_SQD_ASYNC_NOTIFY), "sqd");
  printf("SQD\t%s", event_of(&a, IBV_EVENT_SQ_DRAINED));
  post(&a, IBV_WR_RDMA_WRITE, a.mr->lkey, 8, (uintptr_t)b.memory, b.mr->rkey);
  usleep(30000);
  attr.qp_state = IBV_QPS_RTS;
  must(!ibv_modify_qp(a.qp, &attr, IBV_QP_STATE), "rts again");
  printf(", then posted and RTS again: %s\n", next(&a));
}

static void to_datagrams(struct side *s) {
  s->qp = other_qp(s, IBV_QPT_UD, NULL);
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = 1};
  must(!ibv_modify_qp(s->qp, &attr, IBV_QP_STATE | IBV_QP_PORT | IBV_QP_PKEY_INDEX | IBV_QP_QKEY), "init");
  attr.qp_state = IBV_QPS_RTR;
  must(!ibv_modify_qp(s->qp, &attr, IBV_QP_STATE), "rtr");
  attr.qp_state = IBV_QPS_RTS;
  must(!ibv_modify_qp(s->qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN), "rts");
}

static const char *datagram(int length) {
  static struct ibv_ah *ah;
  struct ibv_ah_attr to = {.is_global = 1, .port_num = 1, .grh = {.dgid = b.gid, .sgid_index = GID_INDEX, .hop_limit = 64}};
  must((ah = ibv_create_ah(a.pd, &to)) != NULL, "ah");
  struct ibv_sge sge = {.addr = (uintptr_t)a.memory, .length = length, .lkey = a.mr->lkey};
  struct ibv_send_wr *bad, wr = {.sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED,
    .wr.ud = {.ah = ah, .remote_qpn = b.qp->qp_num, .remote_qkey = 1}};
  int errno_of_post = ibv_post_send(a.qp, &wr, &bad);
  return errno_of_post ? strerror(errno_of_post) : next(&a);
}

static void datagrams(void) {
  start();
  to_datagrams(&a);
  to_datagrams(&b);
  printf("UD-large\tdatagram of 4097 bytes: %s\n", datagram(4097));
  start();
  to_datagrams(&a);
  to_datagrams(&b);
  post_recv(&b, b.mr, 49);
  printf("UD-small\tdatagram of 10 bytes: %s", datagram(10));
  printf(", received into 49: %s\n", next(&b));
}

/* Writes to memory that is paged in on demand, and says how many bytes have not arrived. */
static void on_demand(void) {
  start();
  char *pages = mmap(NULL, 4 * BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  must(pages != MAP_FAILED, "mmap");
  char *there = pages + 16; /* so that it begins and ends within a page */
  struct ibv_mr *mr = ibv_reg_mr(b.pd, there, BYTES, ALL | IBV_ACCESS_ON_DEMAND);
  if (!mr) {
    printf("R18.06\tmemory that is paged in on demand: refused\n");
    return;
  }
  memset(a.memory, 0x5a, BYTES);
  post(&a, IBV_WR_RDMA_WRITE, a.mr->lkey, BYTES, (uintptr_t)there, mr->rkey);
  printf("R18.06\twrite of %d bytes to memory that is paged in on demand: %s", BYTES, next(&a));
  int lost = 0;
  for (int i = 0; i < BYTES; i++) lost += there[i] != 0x5a;
  printf(", lost: %s (%d)\n", lost ? "some" : "none", lost);
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);

  start();
  printf("R3.08\tmodify to INIT with P_Key index 1: %d\n", to_init(&(struct side){.qp = ({
    struct ibv_qp_init_attr init = {.send_cq = a.cq, .recv_cq = a.cq, .qp_type = IBV_QPT_RC,
      .cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1}};
    ibv_create_qp(a.pd, &init); })}, 1));

  start();
  post(&a, IBV_WR_SEND, a.mr->lkey ^ 0x5a5a5a, 8, 0, 0);
  printf("R7.01\tsend with a wrong local key: %s\n", next(&a));

  start();
  post_recv(&b, b.mr, 99);
  post(&a, IBV_WR_SEND, a.mr->lkey, 100, 0, 0);
  printf("R7.09\treceive of 99 bytes for 100: %s", next(&b));
  printf(", sender: %s\n", next(&a));

  start();
  struct ibv_mr *read_only = ibv_reg_mr(b.pd, b.memory, BYTES, 0);
  must(read_only != NULL, "mr");
  post_recv(&b, read_only, 64);
  post(&a, IBV_WR_SEND, a.mr->lkey, 8, 0, 0);
  printf("R7.10\treceive into memory that may not be written: %s\n", next(&b));

  start();
  struct ibv_mw *mw = ibv_alloc_mw(b.pd, IBV_MW_TYPE_1);
  must(mw != NULL, "mw");
  struct ibv_mw_bind bind = {.send_flags = IBV_SEND_SIGNALED, .bind_info = {.mr = b.mr, .addr = (uintptr_t)b.memory,
    .length = 100, .mw_access_flags = IBV_ACCESS_REMOTE_WRITE}};
  must(!ibv_bind_mw(b.qp, mw, &bind), "bind");
  printf("R7.11\tbind: %s", next(&b));
  post(&a, IBV_WR_RDMA_WRITE, a.mr->lkey, 101, (uintptr_t)b.memory, mw->rkey);
  printf(", write of 101 bytes to a window of 100: %s\n", next(&a));

  start();
  struct ibv_qp_attr error = {.qp_state = IBV_QPS_ERR};
  must(!ibv_modify_qp(a.qp, &error, IBV_QP_STATE), "err");
  usleep(100000); /* it flushes what was posted in a moment */
  post_recv(&a, a.mr, 10);
  printf("R10.02\treceive posted in ERR: %s", next(&a));
  post(&a, IBV_WR_SEND, a.mr->lkey, 10, 0, 0);
  printf(", send posted in ERR: %s\n", next(&a));

  capacities();
  last_request();
  communication();
  drained();
  datagrams();
  on_demand();
  return 0;
}
