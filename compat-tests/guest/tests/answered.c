/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0
 *
 * In the guest, on the network 'wire': the kernel's end of atomic writes and flushes, by libibverbs 45 or newer; the other end is
 * AnsweredMain on the embedded device. What both tell each other goes as lines over TCP, as AnsweredMain's Talk does.
 *   answered DEVICE GID_INDEX MODE
 * MODE: writes (atomic writes, both ways); asked (by the embedded end alone); asking (by the kernel alone, over a link that loses packets: what
 * it sends again names address 0); flushes (both ways, with writes before them).
 */
#include <arpa/inet.h>
#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PORT 18516
#define BYTES (1 << 20)
#define LENGTH 5000
#define WORD 8192
#define WRITES 300
#define FLUSHES 50
#define RIGHTS (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_FLUSH_GLOBAL)

static FILE *talk, *heard; /* two, as one can't go back and forth on a socket */
static struct ibv_qp *qp;
static struct ibv_qp_ex *qx;
static struct ibv_cq *cq;
static unsigned long long remote_addr;
static int remote_key;

static void must(int holds, const char *what) {
  if (!holds) {
    perror(what);
    if (talk) fprintf(talk, "C: %s\n", what);
    exit(1);
  }
}

/* Tells a line and waits for the other's. */
static char *swap_lines(const char *mine) {
  static char line[1024];
  fprintf(talk, "%s\n", mine);
  fflush(talk);
  must(fgets(line, sizeof line, heard) != NULL, "the other process has ended");
  line[strcspn(line, "\r\n")] = 0;
  return line;
}

static void meet(void) {
  const char *theirs = swap_lines("");
  if (*theirs) {
    fprintf(stderr, "the other side: %s\n", theirs);
    exit(1);
  }
}

static void serve(void) {
  int one = 1, s = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(PORT)};
  setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  must(!bind(s, (struct sockaddr *)&a, sizeof a) && !listen(s, 1), "listen");
  int c = accept(s, NULL, NULL);
  must(c >= 0, "accept");
  talk = fdopen(c, "w");
  heard = fdopen(dup(c), "r");
}

static int completed(int opcode) {
  struct ibv_wc wc;
  time_t end = time(NULL) + 60;
  int n;
  while ((n = ibv_poll_cq(cq, 1, &wc)) == 0) must(time(NULL) < end, "no completion in time");
  must(n == 1, "poll");
  if (wc.status == IBV_WC_SUCCESS && (int)wc.opcode != opcode) {
    printf("opcode %d, not %d\n", wc.opcode, opcode);
    must(0, "opcode");
  }
  return wc.status;
}

static void atomic_write(unsigned long long value) {
  ibv_wr_start(qx);
  qx->wr_id = 1;
  qx->wr_flags = IBV_SEND_SIGNALED;
  ibv_wr_atomic_write(qx, remote_key, remote_addr + WORD, &value);
  must(!ibv_wr_complete(qx), "atomic write");
}

static void flush(unsigned long long offset, size_t length, int level) {
  ibv_wr_start(qx);
  qx->wr_id = 2;
  qx->wr_flags = IBV_SEND_SIGNALED;
  ibv_wr_flush(qx, remote_key, remote_addr + offset, length, IBV_FLUSH_GLOBAL, level);
  must(!ibv_wr_complete(qx), "flush");
}

static void fill(unsigned char *memory, int seed) {
  for (int i = 0; i < LENGTH; i++) memory[i] = (unsigned char)(i * 7 + seed);
}

int main(int argc, char **argv) {
  must(argc == 4, "usage: answered DEVICE GID_INDEX MODE");
  const char *mode = argv[3];
  struct ibv_device **list = ibv_get_device_list(NULL);
  struct ibv_context *context = NULL;
  for (int i = 0; list[i]; i++)
    if (!strcmp(ibv_get_device_name(list[i]), argv[1])) context = ibv_open_device(list[i]);
  must(context != NULL, "device");
  struct ibv_pd *pd = ibv_alloc_pd(context);
  unsigned char *memory = aligned_alloc(4096, BYTES);
  memset(memory, 0, BYTES);
  struct ibv_mr *mr = ibv_reg_mr(pd, memory, BYTES, RIGHTS);
  must(mr != NULL, "mr");
  cq = ibv_create_cq(context, 64, NULL, NULL, 0);
  struct ibv_qp_init_attr_ex init = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC, .pd = pd,
    .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
    .send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_FLUSH | IBV_QP_EX_WITH_ATOMIC_WRITE,
    .cap = {.max_send_wr = 16, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1}};
  must((qp = ibv_create_qp_ex(context, &init)) != NULL, "qp");
  qx = ibv_qp_to_qp_ex(qp);
  union ibv_gid gid;
  must(!ibv_query_gid(context, 1, atoi(argv[2]), &gid), "gid");
  serve();
  char mine[256], theirs_gid[64];
  for (int i = 0; i < 16; i++) sprintf(mine + 2 * i, "%02x", gid.raw[i]);
  sprintf(mine + 32, " %u 1000 %llu %d", qp->qp_num, (unsigned long long)(uintptr_t)memory, (int)mr->rkey);
  unsigned qpn, psn;
  must(sscanf(swap_lines(mine), "%63s %u %u %llu %d", theirs_gid, &qpn, &psn, &remote_addr, &remote_key) == 5, "line");
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = RIGHTS & ~IBV_ACCESS_LOCAL_WRITE};
  must(!ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PORT | IBV_QP_PKEY_INDEX | IBV_QP_ACCESS_FLAGS), "init");
  struct ibv_qp_attr rtr = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = qpn, .rq_psn = psn,
    .max_dest_rd_atomic = 4, .min_rnr_timer = 12,
    .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.sgid_index = atoi(argv[2]), .hop_limit = 64}}};
  for (int i = 0; i < 16; i++) sscanf(theirs_gid + 2 * i, "%2hhx", &rtr.ah_attr.grh.dgid.raw[i]);
  must(!ibv_modify_qp(qp, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
    | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER), "rtr");
  struct ibv_qp_attr rts = {.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 6, .rnr_retry = 7, .sq_psn = 1000,
    .max_rd_atomic = 4};
  must(!ibv_modify_qp(qp, &rts, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN
    | IBV_QP_MAX_QP_RD_ATOMIC), "rts");
  meet();
  if (!strcmp(mode, "asking")) {
    int n = 0, status = 0;
    while (n < WRITES && !status) {
      atomic_write(n++);
      status = completed(IBV_WC_ATOMIC_WRITE);
    }
    printf("kernel requests: the last of %d atomic writes: %s\n", n, ibv_wc_status_str(status));
    meet();
    return 0;
  }
  meet(); /* the embedded end has asked */
  if (!strcmp(mode, "flushes")) {
    for (int i = 0; i < FLUSHES; i++) {
      flush(i % 2 ? 0 : 64 * i, i % 3 ? 64 : LENGTH, i % 2 ? IBV_FLUSH_MR : IBV_FLUSH_RANGE);
      must(completed(IBV_WC_FLUSH) == 0, "flush completed");
    }
    printf("kernel requests: %d flushes\n", FLUSHES);
    meet();
    return 0;
  }
  unsigned long long word;
  memcpy(&word, memory + WORD, sizeof word);
  must(word == 0x1122334455667788ULL + WRITES - 1, "the word");
  printf("embedded requests: %d atomic writes\n", WRITES);
  if (!strcmp(mode, "asked")) return 0;
  fill(memory + 65536, 5);
  for (int i = 0; i < WRITES; i++) {
    ibv_wr_start(qx);
    qx->wr_id = 3;
    qx->wr_flags = IBV_SEND_SIGNALED;
    memory[65536] = (unsigned char)i;
    ibv_wr_rdma_write(qx, remote_key, remote_addr);
    ibv_wr_set_sge(qx, mr->lkey, (uintptr_t)memory + 65536, LENGTH);
    must(!ibv_wr_complete(qx), "write");
    atomic_write(0x8877665544332211ULL + i);
    must(completed(IBV_WC_RDMA_WRITE) == 0, "write completed");
    must(completed(IBV_WC_ATOMIC_WRITE) == 0, "atomic write completed");
  }
  meet();
  printf("kernel requests: %d atomic writes\n", WRITES);
  meet(); /* the embedded end has looked */
  return 0;
}
