/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Methods of the vendor's own: ports are set up and asked, FIFOs and encapsulations come and go. */
#include <errno.h>
#include <string.h>

#include "hbl.h"

static bool power_of_two(uint32_t n)
{
    return n && !(n & (n - 1));
}

/* -- ports ------------------------------------------------------------------------------------- */

static bool good_array(const struct hbl_array *a)
{
    if (!a->queues && !a->elements)
        return true;
    return a->queues >= 2 && a->queues <= HBL_QPS && power_of_two(a->elements) && a->elements >= 16 && a->elements <= 32768 &&
        (a->memory == HBL_MEM_HOST || a->memory == HBL_MEM_DEVICE) && a->granularity <= 1;
}

int hbl_prepare_port(struct hbl_port *p, const struct hbl_set_port *in)
{
    uint32_t sum = 0;

    for (unsigned i = 0; i < 5; i++) {
        if (!good_array(&in->array[i]))
            return EINVAL;
        sum += in->array[i].queues;
    }
    if (sum < 2)
        return EINVAL;
    p->set = true;
    p->advanced = in->advanced;
    p->queues = in->array[0].queues;
    p->elements = in->array[0].elements;
    p->device_memory = in->array[0].memory == HBL_MEM_DEVICE;
    p->granularity = in->array[0].granularity;
    return 0;
}

static int set_port(struct sim_cmd *cmd)
{
    struct hbl_set_port in;
    uint32_t offsets[16] = {0};
    bool pressure = false;
    int port, error;

    if (!sim_in(cmd, HBL_ATTR_FIRST, &in, sizeof in))
        return EINVAL;
    error = hbl_usable_port(cmd->ctx, in.port, &port);
    if (error != EPERM)
        return error ? error : EPERM; /* once is all */
    if (cmd->ctx->dev->port[port].state != IBV_PORT_ACTIVE)
        return ENODEV;
    if (sim_fault_take(0, DEVICE_SIM_FAULT_PORT_BUSY, NULL))
        return EAGAIN;
    if (in.n_pressure > 16 || in.advanced > 1 || in.adaptive > 1)
        return EINVAL;
    if (in.n_pressure && !sim_mem_read(offsets, in.pressure, in.n_pressure * sizeof *offsets))
        return EFAULT;
    for (unsigned i = 0; i < 16; i++)
        pressure |= offsets[i];
    if (pressure && !in.advanced)
        return EINVAL;
    return hbl_prepare_port(&hbl_of(cmd->ctx)->port[port], &in);
}

static int query_port(struct sim_cmd *cmd)
{
    struct hbl_port_told r = {
        .max_qps = HBL_QPS, .cq_size = HBL_MAX_CQE * HBL_CQE, .max_scale_out = HBL_COLLECTIVES,
        .max_collective = HBL_COLLECTIVES, .base_scale_out = HBL_BASE_SCALE_OUT, .base_collective = HBL_BASE_COLLECTIVE,
        .max_cqs = HBL_LAST_CQ - HBL_FIRST_CQ + 1, .max_fifos = HBL_LAST_FIFO - HBL_FIRST_FIFO + 1, .max_encaps = HBL_ENCAPS,
    };
    const struct hbl_port *p;
    uint32_t number;
    int port, error;

    if (!sim_in(cmd, HBL_ATTR_FIRST, &number, sizeof number))
        return EINVAL;
    error = hbl_usable_port(cmd->ctx, number, &port);
    if (error)
        return error;
    p = &hbl_of(cmd->ctx)->port[port];
    for (uint32_t n = 1; n < HBL_QPS; n++)
        if (p->qp[n]) {
            r.qps++;
            r.highest_qp = n;
        }
    r.offset = hbl_collective_offset(port);
    r.advanced = p->advanced;
    r.macro = (uint8_t)(port / 2); /* two ports are one macro */
    r.lane = (uint8_t)(port % 2);
    sim_out(cmd, HBL_ATTR_SECOND, &r, sizeof r);
    return 0;
}

/* -- objects ----------------------------------------------------------------------------------- */

int hbl_register_page(struct sim_context *ctx, int port, unsigned page)
{
    int *area = &hbl_of(ctx)->port[port].page[page];

    if (*area < 0)
        *area = sim_lend(ctx, SIM_PAGE, true, SIM_WATCH_REGISTERS);
    return *area;
}

static struct hbl_object *new_object(struct sim_cmd *cmd, bool encap, int port, unsigned number)
{
    struct hbl_object *o = sim_obj_new(cmd->ctx, SIM_VENDOR_OBJECT, sizeof *o);

    if (!o)
        return NULL;
    o->encap = encap;
    o->port = port;
    o->number = number;
    sim_out_obj(cmd, HBL_ATTR_THIRD, &o->obj);
    return o;
}

static unsigned free_fifo(const struct hbl_port *p, uint32_t hint)
{
    if (hint)
        return hint >= HBL_FIRST_FIFO && hint <= HBL_LAST_FIFO && !p->fifo[hint].used ? hint : 0;
    for (unsigned id = HBL_FIRST_FIFO; id <= HBL_LAST_FIFO; id++)
        if (!p->fifo[id].used)
            return id;
    return 0;
}

static int create_fifo(struct sim_cmd *cmd)
{
    struct hbl_make_fifo in;
    struct hbl_made_fifo r = {.size = HBL_FIFO_ENTRIES * HBL_FIFO_ENTRY,
        .threshold = HBL_FIFO_ENTRIES * HBL_FIFO_ENTRY / 2};
    struct hbl_fifo *f;
    struct hbl_port *p;
    int port, error, page, ci;
    unsigned id;

    if (!sim_in(cmd, HBL_ATTR_FIRST, &in, sizeof in))
        return EINVAL;
    error = hbl_usable_port(cmd->ctx, in.port, &port);
    if (error)
        return error;
    if (in.reserved[0] || in.reserved[1])
        return EINVAL;
    if (in.type > 1)
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "a FIFO of type %u", in.type);
    p = &hbl_of(cmd->ctx)->port[port];
    id = free_fifo(p, in.hint);
    if (!id)
        return in.hint > HBL_LAST_FIFO ? EINVAL : in.hint ? EBUSY : ENOSPC;
    page = hbl_register_page(cmd->ctx, port, (id - 1) / 2);
    ci = sim_lend(cmd->ctx, SIM_PAGE, true, SIM_WATCH_NOTHING); /* libhbl asks for it as if it wrote there */
    if (page < 0 || ci < 0 || !new_object(cmd, false, port, id))
        return ENOMEM;
    f = &p->fifo[id];
    memset(f, 0, sizeof *f);
    f->used = true;
    f->type = in.type;
    f->ci = (unsigned)ci;
    r.ci = sim_area_key(cmd->ctx, f->ci);
    r.registers = sim_area_key(cmd->ctx, (unsigned)page);
    r.number = id;
    r.offset = id & 1 ? HBL_AT_FIFO : HBL_AT_FIFO_2;
    sim_out(cmd, HBL_ATTR_SECOND, &r, sizeof r);
    return 0;
}

static int create_encap(struct sim_cmd *cmd)
{
    struct hbl_make_encap in;
    struct hbl_made_encap r = {0};
    struct hbl_port *p;
    int port, error;

    if (!sim_in(cmd, HBL_ATTR_FIRST, &in, sizeof in))
        return EINVAL;
    error = hbl_usable_port(cmd->ctx, in.port, &port);
    if (error)
        return error;
    if (in.type > 2 || in.size > 32 || in.size % 4 || (in.size && !sim_mem_mapped(in.header, false)) ||
        cmd->ctx->dev->port[port].internal)
        return EINVAL;
    p = &hbl_of(cmd->ctx)->port[port];
    while (r.number < HBL_ENCAPS && p->encap[r.number])
        r.number++;
    if (r.number == HBL_ENCAPS)
        return ENOSPC;
    if (!new_object(cmd, true, port, r.number))
        return ENOMEM;
    p->encap[r.number] = true;
    sim_out(cmd, HBL_ATTR_SECOND, &r, sizeof r);
    return 0;
}

static int destroy_object(struct sim_cmd *cmd, bool encap)
{
    struct hbl_object *o = sim_in_obj(cmd, HBL_ATTR_FIRST, SIM_VENDOR_OBJECT);
    struct hbl_port *p;

    if (!o || o->encap != encap)
        return EINVAL;
    p = &hbl_of(cmd->ctx)->port[o->port];
    if (encap) {
        p->encap[o->number] = false;
    } else {
        p->fifo[o->number].used = false;
        sim_take_back_area(cmd->ctx, p->fifo[o->number].ci);
    }
    return sim_obj_destroy(&o->obj);
}

int hbl_method(struct sim_cmd *cmd)
{
    bool first = cmd->hdr->method_id == HBL_METHOD_FIRST, second = cmd->hdr->method_id == HBL_METHOD_SECOND;

    switch (cmd->hdr->object_id) {
    case HBL_OBJECT_FIFO:
        return first ? create_fifo(cmd) : second ? destroy_object(cmd, false) : -1;
    case HBL_OBJECT_SET_PORT:
        return first ? set_port(cmd) : -1;
    case HBL_OBJECT_QUERY_PORT:
        return second ? query_port(cmd) : -1;
    case HBL_OBJECT_COLLECTIVE:
        return hbl_collective(cmd);
    case HBL_OBJECT_ENCAP:
        return first ? create_encap(cmd) : second ? destroy_object(cmd, true) : -1;
    }
    return -1;
}
