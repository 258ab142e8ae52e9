/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Two bonded ports, and the source port of RoCEv2, as libmlx5 changes them: by commands to the device. */
#include "kit.h"

#include <infiniband/mlx5dv.h>

static void ports(void)
{
    struct mlx5dv_context dv = {.comp_mask = MLX5DV_CONTEXT_MASK_NUM_LAG_PORTS};
    struct pair *p = make_pair(NULL);
    uint8_t a, b, active;

    OK(mlx5dv_query_device(p->ctx, &dv));
    CHECK(dv.comp_mask & MLX5DV_CONTEXT_MASK_NUM_LAG_PORTS);
    EQ(dv.num_lag_ports, 2);
    OK(mlx5dv_query_qp_lag_port(p->a.qp, &a, &active));
    EQ(active, a);
    OK(mlx5dv_query_qp_lag_port(p->b.qp, &b, &active));
    EQ(a + b, 3); /* the device gives them out in turn */
    OK(mlx5dv_modify_qp_lag_port(p->a.qp, b));
    OK(mlx5dv_query_qp_lag_port(p->a.qp, &a, &active));
    EQ(a, b);
    CHECK(mlx5dv_modify_qp_lag_port(p->a.qp, 3));
    OK(mlx5dv_query_qp_lag_port(p->a.qp, &a, &active));
    EQ(a, b);
    free_pair(p);
}

static void not_before_rts(void)
{
    struct pair *p = make_pair(&(struct making){.unconnected = true});

    EQ(mlx5dv_modify_qp_lag_port(p->a.qp, 1), EOPNOTSUPP);
    EQ(mlx5dv_modify_qp_udp_sport(p->a.qp, 50000), EOPNOTSUPP);
    free_pair(p);
}

static void source_port(void)
{
    struct pair *p = make_pair(NULL), *ud = make_pair(&(struct making){.type = IBV_QPT_UD});
    uint32_t in[4] = {htobe32(0x50b << 16), 0, htobe32(p->a.qp->qp_num), 0}, out[68] = {0};

    OK(mlx5dv_modify_qp_udp_sport(p->a.qp, 0xc123));
    OK(mlx5dv_devx_qp_query(p->a.qp, in, sizeof in, out, sizeof out));
    EQ(be32toh(out[0x290 / 32]) & 0xffff, 0xc123);
    EQ(mlx5dv_modify_qp_udp_sport(ud->a.qp, 50000), EOPNOTSUPP);
    free_pair(p);
    free_pair(ud);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"ports", ports}, {"not-before-rts", not_before_rts}, {"source-port", source_port}, {0},
    };

    return run_cases("lag", cases, argc, argv);
}
