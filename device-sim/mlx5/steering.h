/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Steering by software: a library writes entries of tables (STEs) to memory of the device (ICM) itself. Entries lead to
 * each other, and to what the device has, by addresses in that memory; the format is the one of ConnectX-5.
 */
#ifndef SIM_STEERING_H
#define SIM_STEERING_H

#include "../core/frames.h"
#include "devx.h"

/* What lies at the device's own addresses: a kind, and the number of an object. */
enum mlx5_icm_kind { ICM_DROP_RX = 0x80, ICM_DROP_TX, ICM_ALLOW_TX, ICM_RECEIVER, ICM_TABLE, ICM_SAMPLER, ICM_METER };

#define ICM_KIND_SHIFT 32
#define ICM_NUMBER_SHIFT 6
#define ICM_STE 64 /* bytes */
#define ICM_LOG_STEERING 28 /* bytes of memory for entries */
#define ICM_STEERING 0x1000000000ull
#define ICM_LOG_REWRITES 22 /* of memory for changes of headers */
#define ICM_REWRITES 0x2000000000ull
#define ICM_REWRITE_LINE 64 /* changes begin at multiples of so many bytes */
#define MAX_TABLE_LEVEL 240
#define MAX_REFORMAT 128 /* bytes of headers that are put in front */

static inline uint64_t mlx5_icm_of(enum mlx5_icm_kind kind, uint32_t number)
{
    return (uint64_t)kind << ICM_KIND_SHIFT | (uint64_t)number << ICM_NUMBER_SHIFT;
}

/* The device's number in entries. */
static inline uint16_t mlx5_gvmi(const struct sim_device *dev)
{
    return (uint16_t)(dev->index + 1);
}

/* What a rule is made of, by its place. */
enum { RULE_MATCHER, RULE_COUNTER, RULE_ACTIONS = SIM_RULE_CHANGES, RULE_TABLE = 4 };

/* icm.c */
int mlx5_icm_alloc(struct sim_cmd *cmd, uint64_t type);
void mlx5_icm_free(struct sim_dm *dm);
/* So many bytes at an address, or NULL. */
const uint8_t *mlx5_icm_at(const struct sim_device *dev, uint64_t address, uint64_t size);

/* ste.c */
/* From the entry at this address on. Whether the frame goes on: never where it has arrived. */
bool mlx5_walk(struct sim_flight *f, uint64_t address);

/* ste_tags.c */
#define STE_TAG 16 /* bytes */
/* What entries of a kind compare: false where there is no such kind. */
bool mlx5_ste_tag(const struct sim_flight *f, unsigned kind, uint8_t tag[STE_TAG]);

/* rewrites.c */
/* Changes in the form that entries point to; what is wrong with them, or NULL. */
const char *mlx5_rewrite(struct sim_flight *f, const uint8_t *changes, unsigned n);
/* Those of commands, which name fields in another way; `change` false: they are only judged. */
const char *mlx5_rewrite_command(struct sim_flight *f, const uint8_t *changes, unsigned n, bool change);

/* reformats.c */
/* Bytes of the Ethernet header with its tags. */
size_t mlx5_l2_size(const struct sim_flight *f);
/* These say whether the frame was of a kind that this can be done with. */
bool mlx5_push_tag(struct sim_flight *f, uint32_t tag);
bool mlx5_pop_tag(struct sim_flight *f);
bool mlx5_encapsulate(struct sim_flight *f, const uint8_t *header, size_t size, bool without_l2);
/* Ends with `room` bytes for an Ethernet header where the tunnel carries a network packet; 0: it carries Ethernet. */
bool mlx5_decapsulate(struct sim_flight *f, size_t room);

/* flow_actions.c */
int mlx5_flow_action_method(struct sim_cmd *cmd);
/* Whether it is of frames that are sent. */
bool mlx5_flow_action_is(const struct sim_obj *action, bool egress);
bool mlx5_carry_out(const struct sim_rule *r, struct sim_flight *f);

/* anchors.c: places among the rules of ports that tables may lead to */
int mlx5_anchor_method(struct sim_cmd *cmd);
/* Whether there is one of this number; the order of the first rule behind it. */
bool mlx5_anchor(const struct sim_device *dev, uint32_t number, unsigned *order);

/* flow_tables.c: tables, groups and entries of DevX */
int devx_create_flow_table(struct devx_call *c);
int devx_create_flow_group(struct devx_call *c);
int devx_create_flow_entry(struct devx_call *c);
int devx_query_flow_table(struct devx_call *c);
int devx_alloc_reformat(struct devx_call *c);
/* The table of this number, of any context of the device; NULL. */
struct devx_object *mlx5_flow_table(const struct sim_device *dev, uint32_t number);
bool mlx5_into_table(struct sim_flight *f, const struct devx_object *table);
/* Of those that look at frames, or at packets of queue pairs; as they are sent, or arrive. */
unsigned mlx5_table_type(bool egress, bool rdma);
/* Of any context of the device. */
struct devx_object *mlx5_devx_anywhere(const struct sim_device *dev, uint16_t opcode, uint32_t number);
/* Counts a frame by the number of a flow counter. False where there is none. */
bool mlx5_count_flow(const struct sim_flight *f, uint32_t counter);
struct sim_qp *mlx5_receiver(const struct sim_device *dev, uint32_t number);

/* meters.c: samplers and meters */
int mlx5_judge_sampler(struct devx_call *c);
int mlx5_judge_meter(struct devx_call *c);
void mlx5_begin_steering_object(struct devx_object *o);
int mlx5_change_meter(struct devx_call *c, struct devx_object *o);
/* Of any context of the device; NULL. */
struct devx_object *mlx5_steering_object(const struct sim_device *dev, uint32_t number, uint16_t type);
bool mlx5_sample(struct sim_flight *f, struct devx_object *sampler);
bool mlx5_meter(struct sim_flight *f, struct devx_object *meter);

/* steering_caps.c */
void mlx5_flow_table_caps(const struct sim_device *dev, uint8_t *to);
void mlx5_roce_caps(uint8_t *to);
void mlx5_steering_caps(const struct sim_device *dev, uint8_t *to);
void mlx5_icm_caps(uint8_t *to);
int devx_query_nic_vport(struct devx_call *c);

#endif
