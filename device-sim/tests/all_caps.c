/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Devices that claim everything. Of that, limited rates: four requests of 1000 bytes each take their time. */
#include "kit.h"

#include <dlfcn.h>
#include <infiniband/mlx5dv.h>

static void write_bytes(struct pair *p, uint32_t length)
{
    struct ibv_sge sge = piece(&p->a, 0, length);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);
    struct ibv_wc wc;

    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    device_sim_pump(-1);
    EQ(ibv_poll_cq(p->a.cq, 1, &wc), 1);
    EQ(wc.status, IBV_WC_SUCCESS);
}

static uint64_t time_of_four(struct pair *p)
{
    uint64_t before = device_sim_clock();

    for (int i = 0; i < 4; i++)
        write_bytes(p, 1000);
    return (device_sim_clock() - before) / 1000;
}

static void limit(struct pair *p, int error, uint32_t rate, uint32_t burst)
{
    struct ibv_qp_rate_limit_attr attr = {.rate_limit = rate, .max_burst_sz = burst};

    EQ(ibv_modify_qp_rate_limit(p->a.qp, &attr), error);
}

static void rates(void)
{
    struct pair *p = make_pair(&(struct making){0});
    uint64_t t;

    CHECK(time_of_four(p) < 20);
    limit(p, 0, 8000, 0);
    t = time_of_four(p);
    CHECK(t >= 3000 && t < 3020);
    limit(p, 0, 8000, 2000);
    t = time_of_four(p);
    CHECK(t >= 1000 && t < 1020);
    t = time_of_four(p);
    CHECK(t >= 3980 && t < 4020); /* the burst is used up */
    limit(p, EINVAL, 1000, 0);
    limit(p, EINVAL, 100000003, 0);
    limit(p, 0, 0, 0);
    CHECK(time_of_four(p) < 20);
    free_pair(p);
}

static void no_bursts(void)
{
    struct pair *p = make_pair(&(struct making){.index = 1});

    limit(p, EINVAL, 8000, 2000);
    limit(p, 0, 8000, 0);
    free_pair(p);
    p = make_pair(&(struct making){.type = IBV_QPT_UC});
    limit(p, EINVAL, 8000, 0);
    free_pair(p);
}

/* What a port is to the switch inside the device. */
static void ports(void)
{
    __typeof__(_mlx5dv_query_port) *query = dlsym(RTLD_DEFAULT, "_mlx5dv_query_port");
    struct ibv_context *ctx = open_nth(0);
    struct mlx5dv_port port;

    if (!query)
        skip("this libmlx5 asks nothing of ports");
    CHECK(mlx5dv_is_supported(ctx->device));
    OK(query(ctx, 2, &port, sizeof port));
    EQ(port.flags, 0x3f);
    EQ(port.vport, 0x6002);
    EQ(port.vport_vhca_id, 0x6102);
    EQ(port.esw_owner_vhca_id, 0x6200);
    EQ(port.vport_steering_icm_rx, 0x6300000002);
    EQ(port.vport_steering_icm_tx, 0x6400000002);
    EQ(port.reg_c0.value, 0x65020000);
    EQ(port.reg_c0.mask, 0xffff0000);
    OK(ibv_close_device(ctx));
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"rates", rates}, {"no-bursts", no_bursts}, {"ports", ports}, {0},
    };

    return run_cases("all_caps", cases, argc, argv);
}
