/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What a device says of steering, so that software may do it: in the format of ConnectX-5. */
#include "steering.h"

enum { GENEVE = 1 << 3, MPLS_GRE = 1 << 4, MPLS_UDP = 1 << 5, ICMP = 1 << 8, ICMP6 = 1 << 9 }; /* parsers */

#define RX 0x200
#define TX 0x800
#define FIELDS 0x100 /* in what is said of a kind of tables */
#define FIELD_MASKS 0x180

/* In the general capabilities. */
void mlx5_steering_caps(const struct sim_device *dev, uint8_t *to)
{
    devx_set(to, 0x30, 16, mlx5_gvmi(dev));
    devx_set(to, 0x1a6, 1, 1); /* flow tables */
    devx_set(to, 0x1a8, 1, 1); /* memory of the device */
    devx_set(to, 0x540, 32, GENEVE | MPLS_GRE | MPLS_UDP | ICMP | ICMP6);
    devx_set(to, 0x6c8, 4, 5); /* which parser looks for what: ICMP, twice, of both kinds */
    devx_set(to, 0x6cc, 4, 4);
    devx_set(to, 0x6d0, 4, 7);
    devx_set(to, 0x6d4, 4, 6);
    devx_set(to, 0x6d8, 4, 1);
    devx_set(to, 0x6dc, 4, 2);
}

/* All but two tags, IPsec, source ports and what is beside headers. */
static void fields(uint8_t *to, unsigned at)
{
    devx_set(to, at, 32, 0xff1ffffcu);
    devx_set(to, at + 0x20, 32, 0xff1ffe00u);
    devx_set(to, at + 0x45, 16, 0xffff);
}

static void tables(uint8_t *to, unsigned at)
{
    devx_set(to, at, 1, 1);
    devx_set(to, at + 0x02, 1, 1); /* counters */
    devx_set(to, at + 0x07, 1, 1); /* headers in front */
    devx_set(to, at + 0x11, 1, 1); /* software may own them */
    devx_set(to, at + 0x22, 6, 16);
    devx_set(to, at + 0x28, 8, 16); /* lists of changes, and how long they are */
    devx_set(to, at + 0x30, 8, 16);
    devx_set(to, at + 0x38, 8, MAX_TABLE_LEVEL);
    devx_set(to, at + 0x78, 8, 16);
    devx_set(to, at + 0x90, 8, 16);
    devx_set(to, at + 0x98, 8, 6);
    devx_set(to, at + 0xb8, 8, 16);
    fields(to, at + FIELDS);
    fields(to, at + FIELD_MASKS);
}

void mlx5_flow_table_caps(const struct sim_device *dev, uint8_t *to)
{
    uint64_t function = (uint64_t)mlx5_gvmi(dev) << 48;

    devx_set(to, 0x20, 1, 1);
    devx_set(to, 0x2b, 5, 12); /* headers that are put in front, and how long */
    devx_set(to, 0x36, 10, MAX_REFORMAT);
    tables(to, RX);
    devx_set(to, RX + 0x01, 1, 1); /* tags of rules */
    devx_set(to, RX + 0x08, 1, 1); /* headers are taken off */
    devx_set(to, RX + 0x0a, 1, 1);
    devx_set(to, RX + 0x12, 1, 1);
    tables(to, TX);
    devx_set(to, TX + 0x0b, 1, 1);
    devx_set(to, TX + 0x13, 1, 1);
    devx_set(to, 0x2000, 64, function | mlx5_icm_of(ICM_DROP_RX, 0));
    devx_set(to, 0x2040, 64, function | mlx5_icm_of(ICM_DROP_TX, 0));
    devx_set(to, 0x2080, 64, function | mlx5_icm_of(ICM_ALLOW_TX, 0));
}

/* A queue pair may be connected to itself without an address, as those are that write to the memory. */
void mlx5_roce_caps(uint8_t *to)
{
    devx_set(to, 0x06, 1, 1);
}

void mlx5_icm_caps(uint8_t *to)
{
    devx_set(to, 0xc0, 64, ICM_STEERING);
    devx_set(to, 0x108, 8, ICM_LOG_REWRITES);
    devx_set(to, 0x112, 6, 12); /* log of the least that is given */
    devx_set(to, 0x118, 8, ICM_LOG_STEERING);
    devx_set(to, 0x140, 64, ICM_REWRITES);
}

int devx_query_nic_vport(struct devx_call *c)
{
    devx_set(c->out, 0x80 + 0x1f, 1, c->ctx->dev->link_layer == IBV_LINK_LAYER_ETHERNET); /* RoCE is on */
    return 0;
}
