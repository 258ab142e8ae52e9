/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The kernel's side of DevX: which commands it lets through, for which objects, and memory that commands may name. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../core/frames.h"
#include "devx.h"

#define HEADER 16 /* bytes that every mailbox has at least */

static struct mlx5_ctx *hw(struct sim_cmd *cmd)
{
    return cmd->ctx->hw;
}

int mlx5_devx_open(struct sim_cmd *cmd, bool wanted)
{
    static uint16_t last_uid;

    if (!wanted)
        return 0;
    if (sim_config.no_devx)
        return EINVAL; /* as of a device that has none: the library asks again without */
    if (!++last_uid)
        ++last_uid;
    hw(cmd)->devx_uid = last_uid;
    return 0;
}

struct devx_object *devx_find(struct sim_context *ctx, uint16_t opcode, uint32_t id)
{
    for (uint32_t h = 0; h < ctx->n_objs; h++) {
        struct devx_object *o = (struct devx_object *)ctx->obj[h];

        if (o && o->obj.type == SIM_DEVX_OBJECT && o->opcode == opcode && o->id == id)
            return o;
    }
    return NULL;
}

/* -- what the kernel lets through -------------------------------------------------------------- */

static bool is_one_of(uint16_t opcode, const uint16_t *list)
{
    for (; *list; list++)
        if (*list == opcode)
            return true;
    return false;
}

/* Those that only ask, of anyone; the others need a context that was opened with DevX. */
static const uint16_t for_all[] = {0x100, 0x752, 0x762, 0};
static const uint16_t general[] = {0x100, 0x762, 0x752, 0x750, 0x101, 0x10a, 0x754, 0x760, 0x76f, 0x770, 0x80a, 0x80d,
    0x822, 0x824, 0x826, 0x842, 0};
static const uint16_t creates[] = {0xa00, 0x200, 0x400, 0x800, 0x816, 0x90c, 0x904, 0x908, 0x916, 0x900, 0x912, 0x771,
    0x930, 0x933, 0x939, 0x93d, 0x940, 0x782, 0x827, 0x829, 0x500, 0x700, 0x705, 0x710, 0x717, 0x806, 0x80e, 0};
static const uint16_t modifies[] = {0xa01, 0x403, 0x90d, 0x905, 0x909, 0x917, 0x901, 0x913, 0x93c, 0x785, 0x827, 0x829,
    0x502, 0x503, 0x50e, 0x504, 0x505, 0x506, 0x507, 0x50a, 0x708, 0x703, 0x714, 0x71a, 0x726, 0x729, 0x72a, 0};
static const uint16_t queries[] = {0xa02, 0x201, 0x402, 0x90f, 0x907, 0x90b, 0x919, 0x903, 0x915, 0x773, 0x932, 0x935,
    0x937, 0x93b, 0x942, 0x784, 0x82a, 0x50b, 0x702, 0x707, 0x713, 0x719, 0x725, 0x727, 0x93f, 0};

static bool is_general(uint16_t opcode)
{
    return is_one_of(opcode, general) || (opcode >= 0xb00 && opcode < 0xd00);
}

static bool is_create(const uint8_t *in)
{
    uint16_t opcode = devx_opcode(in);

    if (opcode == 0x936) /* a flow table entry: set and change are one command */
        return devx_get(in, 0x30, 16) == 0;
    if (opcode == 0x600) /* CREATE_PSV, of one */
        return devx_get(in, 0x40, 4) == 1;
    return is_one_of(opcode, creates);
}

static bool is_modify(const uint8_t *in)
{
    return devx_opcode(in) == 0x936 ? devx_get(in, 0x30, 16) == 1 : is_one_of(devx_opcode(in), modifies);
}

/* -- mailboxes --------------------------------------------------------------------------------- */

struct mailbox {
    uint8_t *in, *out;
    size_t in_length, out_length;
    uint64_t out_at;
};

static void drop_mailbox(struct mailbox *m)
{
    free(m->in);
    free(m->out);
}

/* Both sides of a command, copied from the process. out_id 0: there is no answer to write now. */
static int take_mailbox(struct sim_cmd *cmd, uint16_t in_id, uint16_t out_id, size_t out_length, struct mailbox *m)
{
    struct ib_uverbs_attr *in = sim_attr(cmd, in_id), *out = out_id ? sim_attr(cmd, out_id) : NULL;

    memset(m, 0, sizeof *m);
    if (!in || (out_id && !out))
        return EINVAL;
    m->in_length = in->len;
    m->out_length = out ? out->len : out_length;
    m->out_at = out ? out->data : 0;
    if (m->in_length < HEADER || m->out_length < HEADER)
        return EINVAL;
    m->in = calloc(1, m->in_length + DEVX_SPARE);
    m->out = calloc(1, m->out_length);
    if (!m->in || !m->out || !sim_mem_read(m->in, in->data, m->in_length)) {
        int error = m->in && m->out ? EFAULT : ENOMEM;

        drop_mailbox(m);
        return error;
    }
    return 0;
}

/* Only commands for all may come from a context without DevX, and not from there to objects. */
static int check_uid(struct sim_cmd *cmd, const uint8_t *in)
{
    return hw(cmd)->devx_uid || is_one_of(devx_opcode(in), for_all) ? 0 : EINVAL;
}

/* What the device said goes back also where it refused. */
static int run_mailbox(struct sim_cmd *cmd, struct mailbox *m, struct sim_obj *target, struct devx_object **made)
{
    struct devx_call c = {.ctx = cmd->ctx, .in = m->in, .out = m->out, .in_length = m->in_length,
        .out_length = m->out_length, .target = target};
    int error = devx_execute(&c);

    if (made)
        *made = c.made;
    if ((!error || error == EREMOTEIO) && !sim_mem_write(m->out_at, m->out, m->out_length))
        error = EFAULT;
    return error;
}

static int other(struct sim_cmd *cmd)
{
    struct mailbox m;
    int error = take_mailbox(cmd, MLX5_IB_ATTR_DEVX_OTHER_CMD_IN, MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT, 0, &m);

    if (error)
        return error;
    error = check_uid(cmd, m.in);
    if (!error && !is_general(devx_opcode(m.in)))
        error = EINVAL;
    if (!error)
        error = run_mailbox(cmd, &m, NULL, NULL);
    drop_mailbox(&m);
    return error;
}

/* -- objects ----------------------------------------------------------------------------------- */

static int obj_create(struct sim_cmd *cmd)
{
    struct mailbox m;
    struct devx_object *made = NULL;
    int error = take_mailbox(cmd, MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN, MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT, 0, &m);

    if (error)
        return error;
    error = check_uid(cmd, m.in);
    if (!error && (devx_get(m.in, 0x20, 16) || !is_create(m.in)))
        error = EINVAL;
    if (!error)
        error = run_mailbox(cmd, &m, NULL, &made);
    if (!error)
        sim_out_obj(cmd, MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE, &made->obj);
    else if (made)
        devx_object_free(made);
    drop_mailbox(&m);
    return error;
}

static bool is_used(const struct devx_object *o)
{
    if ((o->srq && o->srq->obj.users) || (o->cq && o->cq->obj.users) || (o->qp && o->qp->obj.users) || o->obj.users)
        return true; /* by queue pairs, or by rules */
    for (uint32_t h = 0; h < o->obj.ctx->n_objs; h++) {
        const struct devx_object *other = (struct devx_object *)o->obj.ctx->obj[h];

        if (!other || other->obj.type != SIM_DEVX_OBJECT)
            continue;
        for (unsigned i = 0; i < sizeof o->uses / sizeof *o->uses; i++)
            if (other->uses[i] == o)
                return true;
    }
    return false;
}

static int destroy(struct sim_cmd *cmd, uint16_t id, bool umem)
{
    struct devx_object *o = sim_in_obj(cmd, id, SIM_DEVX_OBJECT);

    if (!o || (o->opcode == OP_CREATE_UMEM) != umem)
        return EINVAL;
    if (is_used(o))
        return EBUSY; /* what the kernel makes of the status RES_BUSY */
    if (o->qp)
        mlx5_look_at_doorbells(cmd->ctx); /* its last ones, before they are nobody's */
    devx_object_free(o);
    return 0;
}

void mlx5_devx_free_objects(struct sim_context *ctx)
{
    bool more = true;

    while (more) {
        more = false;
        for (uint32_t h = 0; h < ctx->n_objs; h++) {
            struct sim_obj *obj = ctx->obj[h];

            if (obj && obj->type == SIM_DEVX_OBJECT && !is_used((struct devx_object *)obj)) {
                devx_object_free((struct devx_object *)obj);
                more = true;
            }
        }
    }
}

/* Where commands that ask about or change an object have its number: at bit 0x48, but for these. */
static uint32_t number_in(const uint8_t *in)
{
    switch (devx_opcode(in)) {
    case OP_MODIFY_GENERAL_OBJECT:
    case OP_QUERY_GENERAL_OBJECT:
        return (uint32_t)devx_get(in, 0x40, 32);
    case OP_QUERY_Q_COUNTER:
        return (uint32_t)devx_get(in, 0xf8, 8);
    case OP_QUERY_FLOW_TABLE:
        return (uint32_t)devx_get(in, 0xa8, 24);
    case OP_QUERY_FLOW_COUNTER:
        return (uint32_t)devx_get(in, 0xe0, 32);
    }
    return (uint32_t)devx_get(in, 0x48, 24);
}

/* The command that makes what this one is about. */
static uint16_t creator(uint16_t opcode)
{
    static const struct {
        uint16_t from, to, creator;
    } ranges[] = {
        {0x201, 0x201, OP_CREATE_MKEY}, {0x402, 0x403, OP_CREATE_CQ}, {0x502, 0x50e, OP_CREATE_QP},
        {0x702, 0x702, OP_CREATE_SRQ}, {0x703, 0x703, OP_CREATE_RQ}, {0x707, 0x708, OP_CREATE_XRC_SRQ}, {0x713, 0x714, 0x710},
        {0x773, 0x773, OP_ALLOC_Q_COUNTER}, {0x901, 0x903, 0x900}, {0x905, 0x907, 0x904}, {0x909, 0x90b, OP_CREATE_RQ},
        {0x90d, 0x90f, OP_CREATE_RMP}, {0x913, 0x915, OP_CREATE_TIS}, {0x917, 0x919, 0x916},
        {0x932, 0x932, OP_CREATE_FLOW_TABLE}, {0x93b, 0x93b, OP_ALLOC_FLOW_COUNTER},
        {0xa01, 0xa02, OP_CREATE_GENERAL_OBJECT}, {0},
    };

    for (unsigned i = 0; ranges[i].from; i++)
        if (opcode >= ranges[i].from && opcode <= ranges[i].to)
            return ranges[i].creator;
    return 0;
}

/* The object of the handle must be the one that the mailbox names, and of the kind that the command is for. */
bool devx_names(const uint8_t *in, struct sim_obj *obj)
{
    uint16_t made_by = creator(devx_opcode(in));
    uint32_t number = number_in(in);

    switch ((int)obj->type) {
    case SIM_CQ:
        return made_by == OP_CREATE_CQ && number == ((struct sim_cq *)obj)->cqn;
    case SIM_QP:
        if (((struct sim_qp *)obj)->type == IB_UVERBS_QPT_RAW_PACKET) { /* whose sends and receives are objects apart */
            const struct mlx5_qp *h = ((struct sim_qp *)obj)->hw;

            return number && ((number == h->tisn && made_by == OP_CREATE_TIS) ||
                (number == h->rqn && made_by == OP_CREATE_RQ));
        }
        return number == ((struct sim_qp *)obj)->qpn &&
            made_by == (((struct sim_qp *)obj)->dc == SIM_DC_TARGET ? OP_CREATE_DCT : OP_CREATE_QP);
    case SIM_WQ:
        return made_by == OP_CREATE_RQ && number == ((struct sim_wq *)obj)->wqn;
    case SIM_SRQ: /* today's devices keep the usual kind as "receive memory pool" */
        return number == ((struct sim_srq *)obj)->srqn && made_by ==
            (((struct sim_srq *)obj)->type == IB_UVERBS_SRQT_XRC ? OP_CREATE_XRC_SRQ : OP_CREATE_RMP);
    case SIM_DEVX_OBJECT: {
        struct devx_object *o = (struct devx_object *)obj;

        if (made_by == OP_CREATE_GENERAL_OBJECT && devx_get(in, 0x30, 16) != o->type)
            return false;
        return o->opcode == made_by && o->id == number;
    }
    }
    return false;
}

static struct sim_obj *any_object(struct sim_cmd *cmd, uint16_t id)
{
    struct ib_uverbs_attr *a = sim_attr(cmd, id);

    return a && a->data < cmd->ctx->n_objs ? cmd->ctx->obj[a->data] : NULL;
}

static int modify_or_query(struct sim_cmd *cmd, bool modify)
{
    struct sim_obj *target = any_object(cmd, modify ? MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE :
        MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE);
    struct mailbox m;
    int error = take_mailbox(cmd, modify ? MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN : MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN,
        modify ? MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_OUT : MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT, 0, &m);

    if (error)
        return error;
    error = check_uid(cmd, m.in);
    if (!error && (!target || devx_get(m.in, 0x20, 16) || !devx_names(m.in, target) ||
        !(modify ? is_modify(m.in) : is_one_of(devx_opcode(m.in), queries))))
        error = EINVAL;
    if (!error)
        error = run_mailbox(cmd, &m, target, NULL);
    drop_mailbox(&m);
    return error;
}

static int query_async(struct sim_cmd *cmd)
{
    struct sim_obj *target = any_object(cmd, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE);
    uint64_t length = sim_in_u64(cmd, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN, 0);
    struct mailbox m;
    int error = length > UINT16_MAX ? EINVAL : take_mailbox(cmd, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN, 0,
        (size_t)length, &m);

    if (error)
        return error;
    error = check_uid(cmd, m.in);
    if (!error && (!target || devx_get(m.in, 0x20, 16) || !is_one_of(devx_opcode(m.in), queries) ||
        !devx_names(m.in, target)))
        error = EINVAL;
    if (!error)
        error = devx_query_later(cmd, &(struct devx_call){.ctx = cmd->ctx, .in = m.in, .in_length = m.in_length,
            .out_length = m.out_length, .target = target});
    drop_mailbox(&m);
    return error;
}

/* -- the rest ---------------------------------------------------------------------------------- */

static int query_eqn(struct sim_cmd *cmd)
{
    uint32_t eqn = DEVX_EQN;

    if (sim_in_u64(cmd, MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC, 99) != 0)
        return ENOENT;
    sim_out(cmd, MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN, &eqn, sizeof eqn);
    return 0;
}

/* The pages that the first n have; here each was allocated by itself, and its number told then. */
static int query_uar(struct sim_cmd *cmd)
{
    return sim_refuse(cmd->ctx, EINVAL, "the number of a register page that was not allocated in advance");
}

/* Whole pages are pinned; so they must be there, and writable unless the device only reads. */
static bool is_mapped(uint64_t addr, uint64_t length, bool write)
{
    uint64_t last = addr + length - 1;

    for (uint64_t at = addr; ; at = (at & ~(uint64_t)(PAGE - 1)) + PAGE) {
        if (at > last)
            return true;
        if (!sim_mem_mapped(at, write))
            return false;
    }
}

static int umem_reg(struct sim_cmd *cmd)
{
    uint64_t addr = sim_in_u64(cmd, MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR, 0);
    uint64_t length = sim_in_u64(cmd, MLX5_IB_ATTR_DEVX_UMEM_REG_LEN, 0);
    uint64_t access = sim_in_u64(cmd, MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS, 0);
    uint64_t sizes = sim_in_u64(cmd, MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP, ~0ull), largest = PAGE;
    const struct ib_uverbs_attr *fd = sim_attr(cmd, MLX5_IB_ATTR_DEVX_UMEM_REG_DMABUF_FD);
    struct sim_mapping behind = {NULL};
    struct devx_object *o;
    int error;

    if (!hw(cmd)->devx_uid)
        return EINVAL;
    if (access & ~7ull || (access & IB_UVERBS_ACCESS_REMOTE_WRITE && !(access & IB_UVERBS_ACCESS_LOCAL_WRITE)))
        return EINVAL;
    if (!length || addr + length < addr)
        return EINVAL;
    if (length > 1ull << 40)
        return ENOMEM; /* no machine can lock that */
    while (largest < length)
        largest *= 2;
    if (!(sizes & (2 * largest - 1) & ~(uint64_t)(PAGE - 1))) /* no page size of the list is possible */
        return EINVAL;
    if (!fd && !is_mapped(addr, length, access & IB_UVERBS_ACCESS_LOCAL_WRITE))
        return EFAULT;
    error = fd ? sim_map_behind((int)fd->data_s64, addr, length, &behind) : 0;
    if (error)
        return error;
    o = sim_obj_new(cmd->ctx, SIM_DEVX_OBJECT, sizeof *o);
    if (!o) {
        if (behind.map)
            munmap(behind.map, behind.size);
        return ENOMEM;
    }
    o->opcode = OP_CREATE_UMEM;
    o->id = ++cmd->ctx->dev->next_number;
    o->addr = fd ? (uintptr_t)behind.at : addr; /* by a descriptor, an address is an offset in it */
    o->behind = behind;
    o->length = length;
    o->access = (uint32_t)access;
    sim_out(cmd, MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID, &o->id, sizeof o->id);
    sim_out_obj(cmd, MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE, &o->obj);
    return 0;
}

/* The pools of attributes are those that the kernel knows; a further mandatory one is refused there. */
static bool knows(struct sim_cmd *cmd, unsigned n)
{
    for (unsigned i = 0; i < cmd->hdr->num_attrs; i++) {
        unsigned index = cmd->hdr->attrs[i].attr_id - (1u << UVERBS_ID_NS_SHIFT);

        if (cmd->hdr->attrs[i].flags & UVERBS_ATTR_F_MANDATORY && index >= n)
            return false;
    }
    return true;
}

static int obj_destroy(struct sim_cmd *cmd)
{
    return destroy(cmd, MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE, false);
}

static int umem_dereg(struct sim_cmd *cmd)
{
    return destroy(cmd, MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE, true);
}

static int obj_modify(struct sim_cmd *cmd)
{
    return modify_or_query(cmd, true);
}

static int obj_query(struct sim_cmd *cmd)
{
    return modify_or_query(cmd, false);
}

int mlx5_devx_method(struct sim_cmd *cmd)
{
    static const struct {
        uint16_t object, method;
        unsigned attributes;
        int (*run)(struct sim_cmd *cmd);
    } methods[] = {
        {MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_OTHER, 2, other},
        {MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_QUERY_UAR, 2, query_uar},
        {MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_QUERY_EQN, 2, query_eqn},
        {MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT, 5, devx_subscribe},
        {MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_CREATE, 3, obj_create},
        {MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_DESTROY, 1, obj_destroy},
        {MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_MODIFY, 3, obj_modify},
        {MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_QUERY, 3, obj_query},
        {MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY, 5, query_async},
        {MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_REG, 7, umem_reg},
        {MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_DEREG, 1, umem_dereg},
        {MLX5_IB_OBJECT_DEVX_ASYNC_CMD_FD, MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC, 1, devx_command_fd},
        {MLX5_IB_OBJECT_DEVX_ASYNC_EVENT_FD, MLX5_IB_METHOD_DEVX_ASYNC_EVENT_FD_ALLOC, 2, devx_event_fd},
    };

    for (unsigned i = 0; i < sizeof methods / sizeof *methods; i++)
        if (cmd->hdr->object_id == methods[i].object && cmd->hdr->method_id == methods[i].method)
            return knows(cmd, methods[i].attributes) ? methods[i].run(cmd) : EPROTONOSUPPORT;
    return -1;
}
