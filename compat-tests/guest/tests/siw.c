/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0
 *
 * In the guest, on the network 'siw': what libibverbs itself answers where the kernel's siw does not have what two rules of the conformance kit ask
 * about. Prints a line for each: the rule, a tab, what was seen.
 *   cc -o siw siw.c -libverbs
 */
#include <errno.h>

#include "device.h"

static const char *answer(int error) {
  return !error ? "success" : error == EOPNOTSUPP ? "EOPNOTSUPP" : strerror(error);
}

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_cq *cq;

/* Memory windows of type 1: whether there are any, and what a bind answers that gets as far as the driver. */
static void windows(void) {
  struct ibv_device_attr attr;
  struct ibv_qp_init_attr init = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC,
    .cap = {.max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1}};
  struct ibv_qp *qp = ibv_create_qp(pd, &init);
  static char memory[64];
  struct ibv_mr *mr = ibv_reg_mr(pd, memory, sizeof(memory), IBV_ACCESS_LOCAL_WRITE);
  must(qp && mr && !ibv_query_device(context, &attr), "queue pair, region, device");
  errno = 0;
  struct ibv_mw *allocated = ibv_alloc_mw(pd, IBV_MW_TYPE_1);
  int refused = errno;
  struct ibv_mw mw = {.context = context, .pd = pd, .type = IBV_MW_TYPE_1};
  struct ibv_mw_bind bind = {.bind_info = {.mr = mr, .addr = (uintptr_t)memory, .length = 8}};
  printf("R2.14\tmax_mw %d, alloc_mw: %s, bind_mw: %s\n", attr.max_mw, answer(allocated ? 0 : refused), answer(ibv_bind_mw(qp, &mw, &bind)));
}

static const char *made_for(uint64_t operations) {
  struct ibv_qp_init_attr_ex init = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC, .pd = pd,
    .cap = {.max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1},
    .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, .send_ops_flags = operations};
  errno = 0;
  return answer(ibv_create_qp_ex(context, &init) ? 0 : errno);
}

int main(void) {
  context = open_device("siw0");
  must(context && (pd = ibv_alloc_pd(context)) && (cq = ibv_create_cq(context, 16, NULL, NULL, 0)), "siw0");
  windows();
  printf("R2.20\tcreate_qp_ex for BIND_MW: %s, for SEND: %s\n", made_for(IBV_QP_EX_WITH_BIND_MW), made_for(IBV_QP_EX_WITH_SEND));
  return 0;
}
