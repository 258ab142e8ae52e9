/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The command interface: which commands this device has, how long their mailboxes are, and which bits mean something.
 * All the others must be zero: a bit that lands in the wrong place is told, where hardware may go on with something else.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "steering.h"

struct field {
    uint16_t at, width; /* in bits; width 0 ends a list */
};

#define OP_MOD {0x30, 16}
#define NUMBER {0x48, 24}
#define END {0, 0}

static const struct field none[] = {END};
static const struct field number[] = {NUMBER, END};
static const struct field end_qp[] = {OP_MOD, NUMBER, END};
static const struct field hca_cap[] = {OP_MOD, {0x40, 1}, {0x50, 16}, END};

static const struct field create_mkey[] = {
    {0x60, 2}, /* pg_access, umem_valid */
    {0x81, 1}, {0x83, 3}, {0x8d, 1}, {0x8f, 9}, /* free, mode, orderings, rights, mode */
    {0xa0, 24}, {0xb8, 8}, /* qpn, the key's last byte */
    {0xe0, 3}, {0xe5, 1}, {0xe7, 1}, {0xe8, 24}, /* length64, bsf_en, sync_umr, sigerr count, en_rinval, pd */
    {0x100, 64}, {0x140, 64}, {0x180, 32}, {0x220, 32}, /* start, length, sizes in octowords */
    {0x259, 1}, {0x25b, 5}, {0x263, 2}, /* ordering, log_page_size, crypto */
    {0x300, 32}, {0x320, 32}, {0x340, 64}, END, /* actual octowords, umem, offset in it */
};

#define CQ_CONTEXT \
    {0x80, 4}, {0x86, 1}, {0x88, 3}, {0x8b, 1}, {0x8d, 8}, {0x94, 4}, /* status, sizes, flags, state */ \
    {0xa0, 32}, {0xd4, 6}, {0xde, 2}, {0xe3, 5}, {0xe8, 24}, /* umem of the record, log size, register page */ \
    {0x104, 12}, {0x110, 16}, {0x138, 8}, {0x143, 5}, /* moderation, eqn, log_page_size */ \
    {0x240, 64}, {0x280, 64}, {0x2c0, 32}, {0x2e0, 1} /* record, offset in the umem, umem, its validity */

static const struct field create_cq[] = {CQ_CONTEXT, END};
static const struct field modify_cq[] = {OP_MOD, NUMBER, {0x60, 32}, CQ_CONTEXT, END};

#define TIS_CONTEXT {0x100, 2}, {0x104, 4}, {0x10c, 4}, {0x228, 24}, {0x248, 24}, {0x268, 24}

static const struct field create_tir[] = { /* the way, queue, tunnels, table, hash, loopback, domain, key, fields */
    {0x120, 4}, {0x1e8, 24}, {0x202, 1}, {0x208, 24}, {0x220, 4}, {0x226, 2}, {0x228, 24}, {0x240, 320}, {0x380, 64},
    END,
};
static const struct field create_tis[] = {TIS_CONTEXT, END};
static const struct field modify_tis[] = {NUMBER, {0xbd, 3}, TIS_CONTEXT, END};
static const struct field alloc_flow_counter[] = {{0x78, 8}, END};
static const struct field query_flow_counter[] = {{0xc0, 1}, {0xd0, 16}, {0xe0, 32}, END};
static const struct field query_q_counter[] = {{0xc0, 1}, {0xf8, 8}, END};
static const struct field general[] = {{0x30, 16}, {0x40, 32}, {0x63, 5}, {0x80, 1024}, END};
static const struct field query_mkey[] = {NUMBER, {0x60, 1}, END};
static const struct field create_psv[] = {{0x40, 4}, NUMBER, END};
static const struct field modify_qp[] = {NUMBER, {0x80, 32}, {0xc0, 0x740}, {0x840, 64}, END};

static const struct field change_qp[] = {{0x40, 1}, NUMBER, {0x80, 32}, {0xc0, 0x740}, {0x840, 64}, END};

static const struct field create_qp[] = {{0x80, 32}, {0xc0, 0x740}, {0x800, 64}, {0x840, 33}, END};
static const struct field create_dct[] = {{0x80, 512}, END};
static const struct field create_rmp[] = {
    {0x108, 4}, {0x120, 1}, /* state, kind of receives */
    {0x280, 8}, {0x2b0, 16}, {0x2c8, 24}, {0x2e8, 24}, {0x300, 64}, /* type and flags, limit, pd, register page, record */
    {0x38c, 4}, {0x393, 5}, {0x39b, 5}, {0x3a0, 2}, /* sizes, validity of the umems */
    {0x3c0, 32}, {0x3e0, 32}, {0x400, 64}, END, /* umems of the record and of the ring, offset in it */
};

static const struct field create_flow_table[] = { /* type; changes of headers, owner, end, miss, level, size, roots */
    {0x80, 8}, {0xc0, 16}, {0xd8, 8}, {0x180, 128}, END,
};
static const struct field query_flow_table[] = {{0x80, 8}, {0xa8, 24}, END};
static const struct field create_flow_entry[] = { /* group, tag, actions, kind and number of what follows */
    {0x80, 8}, {0xa8, 24}, {0x220, 32}, {0x248, 24}, {0x270, 16}, {0x280, 1}, {0x288, 24}, {0x2a8, 24}, END,
};
static const struct field alloc_reformat[] = {{0xe5, 3}, {0xf6, 10}, {0x110, 16}, END};

static int done(struct devx_call *c)
{
    (void)c;
    return 0;
}

static int query_issi(struct devx_call *c)
{
    devx_set(c->out, 0x50, 16, 1); /* in use; the list of those that there are begins with bit 0 at the end */
    devx_set(c->out, 0x370, 32, 3);
    return 0;
}

#define MORE 1 /* the input may be longer: a list follows */
#define OWN 2 /* by what the object is, which judges it */

static const struct command {
    uint16_t opcode;
    const char *name;
    uint16_t in, out; /* bytes, at least */
    int flags;
    const struct field *fields;
    int (*run)(struct devx_call *c);
} commands[] = {
    {OP_QUERY_HCA_CAP, "QUERY_HCA_CAP", 16, 16, 0, hca_cap, devx_query_caps},
    {OP_QUERY_ISSI, "QUERY_ISSI", 16, 112, 0, none, query_issi},
    {OP_NOP, "NOP", 16, 16, 0, none, done},
    {OP_QUERY_LAG, "QUERY_LAG", 16, 16, 0, none, devx_query_lag},
    {OP_CREATE_MKEY, "CREATE_MKEY", 272, 16, MORE, create_mkey, devx_create_mkey},
    {OP_QUERY_MKEY, "QUERY_MKEY", 16, 80, 0, query_mkey, devx_query_body},
    {OP_CREATE_CQ, "CREATE_CQ", 272, 16, 0, create_cq, devx_create_cq},
    {OP_QUERY_CQ, "QUERY_CQ", 16, 80, 0, number, devx_query_cq},
    {OP_MODIFY_CQ, "MODIFY_CQ", 272, 16, 0, modify_cq, devx_modify_cq},
    {OP_ALLOC_PD, "ALLOC_PD", 16, 16, 0, none, devx_alloc},
    {OP_ALLOC_TRANSPORT_DOMAIN, "ALLOC_TRANSPORT_DOMAIN", 16, 16, 0, none, devx_alloc},
    {OP_ALLOC_XRCD, "ALLOC_XRCD", 16, 16, 0, none, devx_alloc},
    {OP_ALLOC_Q_COUNTER, "ALLOC_Q_COUNTER", 16, 16, 0, none, devx_alloc},
    {OP_QUERY_Q_COUNTER, "QUERY_Q_COUNTER", 32, 256, 0, query_q_counter, devx_query_counters},
    {OP_ALLOC_FLOW_COUNTER, "ALLOC_FLOW_COUNTER", 16, 16, 0, alloc_flow_counter, devx_alloc},
    {OP_QUERY_FLOW_COUNTER, "QUERY_FLOW_COUNTER", 32, 32, 0, query_flow_counter, devx_query_counters},
    {OP_QUERY_NIC_VPORT, "QUERY_NIC_VPORT_CONTEXT", 16, 272, 0, none, devx_query_nic_vport},
    {OP_SYNC_STEERING, "SYNC_STEERING", 32, 16, 0, none, done},
    {OP_CREATE_FLOW_TABLE, "CREATE_FLOW_TABLE", 64, 16, 0, create_flow_table, devx_create_flow_table},
    {OP_QUERY_FLOW_TABLE, "QUERY_FLOW_TABLE", 64, 64, 0, query_flow_table, devx_query_flow_table},
    {OP_CREATE_FLOW_GROUP, "CREATE_FLOW_GROUP", 1024, 16, 0, query_flow_table, devx_create_flow_group},
    {OP_SET_FLOW_ENTRY, "SET_FLOW_TABLE_ENTRY", 832, 16, MORE, create_flow_entry, devx_create_flow_entry},
    {OP_ALLOC_REFORMAT, "ALLOC_PACKET_REFORMAT_CONTEXT", 36, 16, MORE, alloc_reformat, devx_alloc_reformat},
    {OP_CREATE_TIR, "CREATE_TIR", 272, 16, 0, create_tir, devx_create_tir},
    {OP_CREATE_TIS, "CREATE_TIS", 192, 16, 0, create_tis, devx_create_tis},
    {OP_MODIFY_TIS, "MODIFY_TIS", 192, 16, 0, modify_tis, devx_modify_tis},
    {OP_QUERY_TIS, "QUERY_TIS", 16, 176, 0, number, devx_query_body},
    {OP_CREATE_GENERAL_OBJECT, "CREATE_GENERAL_OBJECT", 32, 16, OWN, general, devx_create_general},
    {OP_MODIFY_GENERAL_OBJECT, "MODIFY_GENERAL_OBJECT", 32, 16, OWN, general, devx_modify_general},
    {OP_QUERY_GENERAL_OBJECT, "QUERY_GENERAL_OBJECT", 16, 32, OWN, general, devx_query_body},
    {OP_CREATE_RMP, "CREATE_RMP", 272, 16, MORE, create_rmp, devx_create_rmp},
    {OP_CREATE_QP, "CREATE_QP", 272, 16, MORE, create_qp, devx_create_qp},
    {OP_CREATE_DCT, "CREATE_DCT", 128, 16, MORE, create_dct, devx_create_dct},
    {OP_CREATE_PSV, "CREATE_PSV", 16, 32, 0, create_psv, devx_create_psv},
    {OP_RST2INIT_QP, "RST2INIT_QP", 272, 16, MORE, modify_qp, devx_bring_up_qp},
    {OP_INIT2RTR_QP, "INIT2RTR_QP", 272, 16, MORE, modify_qp, devx_bring_up_qp},
    {OP_RTR2RTS_QP, "RTR2RTS_QP", 272, 16, MORE, modify_qp, devx_bring_up_qp},
    {OP_QUERY_QP, "QUERY_QP", 16, 256, 0, number, devx_query_qp},
    {OP_QUERY_DCT, "QUERY_DCT", 16, 80, 0, number, devx_query_dct},
    {OP_2ERR_QP, "2ERR_QP", 16, 16, 0, end_qp, devx_modify_qp},
    {OP_2RST_QP, "2RST_QP", 16, 16, 0, end_qp, devx_modify_qp},
    {OP_RTS2RTS_QP, "RTS2RTS_QP", 272, 16, MORE, change_qp, devx_modify_qp},
    {OP_INIT2INIT_QP, "INIT2INIT_QP", 272, 16, MORE, change_qp, devx_modify_qp},
    {OP_QUERY_XRC_SRQ, "QUERY_XRC_SRQ", 16, 80, 0, number, devx_query_srq},
    {OP_QUERY_RQ, "QUERY_RQ", 16, 272, 0, number, devx_query_rq},
    {OP_QUERY_RMP, "QUERY_RMP", 16, 272, 0, number, devx_query_srq},
};

static void answer(struct devx_call *c, unsigned status, uint32_t syndrome)
{
    memset(c->out, 0, c->out_length);
    devx_set(c->out, 0, 8, status);
    devx_set(c->out, 0x20, 32, syndrome);
}

int devx_refuse(struct devx_call *c, enum devx_status status, unsigned at, unsigned width, const char *fmt, ...)
{
    char why[300];
    size_t first = at / 8, bytes = (at % 8 + width + 7) / 8;
    va_list args;

    va_start(args, fmt);
    vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    answer(c, status, (uint32_t)devx_opcode(c->in) << 16 | (at & 0xffff));
    sim_command_error(c->in, c->in_length < 256 ? c->in_length : 256, first, bytes, "%s %s, status 0x%02x: %s",
        c->ctx->dev->name, c->name, status, why);
    return EREMOTEIO;
}

/* The first bit that is set and means nothing, or -1. Opcode and uid are every command's. */
static int first_stray(const struct devx_call *c, const struct command *cmd)
{
    uint8_t *rest = malloc(c->in_length);
    int stray = -1;

    if (!rest)
        return -1;
    memcpy(rest, c->in, c->in_length);
    devx_set(rest, 0, 32, 0);
    for (const struct field *f = cmd->fields; f->width; f++)
        for (unsigned bit = f->at; bit < (unsigned)f->at + f->width && bit / 8 < c->in_length; bit++)
            rest[bit / 8] &= (uint8_t)~(0x80 >> bit % 8);
    if (cmd->flags & MORE && c->in_length > cmd->in)
        memset(rest + cmd->in, 0, c->in_length - cmd->in);
    for (size_t i = 0; i < c->in_length && stray < 0; i++)
        if (rest[i])
            stray = (int)(8 * i) + __builtin_clz(rest[i]) - 24;
    free(rest);
    return stray;
}

int devx_execute(struct devx_call *c)
{
    uint16_t opcode = devx_opcode(c->in);

    for (unsigned i = 0; i < sizeof commands / sizeof *commands; i++) {
        const struct command *cmd = &commands[i];
        int stray;

        if (cmd->opcode != opcode)
            continue;
        c->name = cmd->name;
        if (c->in_length < cmd->in || (c->in_length > cmd->in && !cmd->flags))
            return devx_refuse(c, DEVX_BAD_INP_LEN, 0, 16, "its input has %u bytes, not %zu", cmd->in, c->in_length);
        if (c->out_length < cmd->out)
            return devx_refuse(c, DEVX_BAD_OUTP_LEN, 0, 16, "its output has at least %u bytes, not %zu", cmd->out,
                c->out_length);
        stray = first_stray(c, cmd);
        if (stray >= 0)
            return devx_refuse(c, DEVX_BAD_PARAM, (unsigned)stray, 1, "bit 0x%x is reserved, and set", (unsigned)stray);
        return cmd->run(c);
    }
    sim_refuse(c->ctx, EREMOTEIO, "the DevX command 0x%x", opcode);
    c->name = "?";
    return devx_refuse(c, DEVX_BAD_OP, 0, 16, "the device does not have the command 0x%x", opcode);
}
