/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The functions that all layouts have, but those of queues (dvq.c). 0 or an errno; creators NULL. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "libhbl.h"

static bool ours(const struct ibv_context *context)
{
    return is_ours(context->device);
}

EXPORT bool hbldv_is_supported(struct ibv_device *device)
{
    return device && is_ours(device);
}

EXPORT struct ibv_context *hbldv_open_device(struct ibv_device *device, struct hbldv_ucontext_attr *attr)
{
    struct ibv_context *context;

    if (!device || !is_ours(device)) {
        errno = EOPNOTSUPP;
        return NULL;
    }
    if (attr) /* else it is ibv_open_device */
        log_bytes("hbldv_open_device", "in", attr, sizeof *attr);
    context = CALL(struct ibv_context *(*)(struct ibv_device *, void *), "verbs_open_device", device, attr);
    return context;
}

/* External ports have a table of GIDs; the internal ones' has one entry. */
static uint64_t external(struct ibv_context *context)
{
    uint64_t mask = 0, ports = to_context(context)->ports;

    for (uint8_t p = 1; p < 64; p++) {
        struct ibv_port_attr attr;

        if (ports >> p & 1 && !ibv_query_port(context, p, &attr) && attr.gid_tbl_len > 1)
            mask |= 1ull << p;
    }
    return mask;
}

/* Numbers of ports are dense; the hardware's are not: here each second one is there. */
static uint64_t hardware(uint64_t ports)
{
    uint64_t mask = 0;

    for (unsigned p = 1; p < 32; p++)
        if (ports >> p & 1)
            mask |= 1ull << (2 * p);
    return mask;
}

/* As far as this layout goes, and not a byte more. */
EXPORT int hbldv_query_device(struct ibv_context *context, void *attr)
{
    struct hbldv_device_attr a = {.caps = HBLDV_DEVICE_ATTR_CAP_CC | (HAS_COLLECTIVES ? HBLDV_DEVICE_ATTR_CAP_COLL : 0)};
    uint64_t ports;

    if (!context || !ours(context))
        return answer(EOPNOTSUPP);
    if (!attr)
        return answer(EINVAL);
    ports = to_context(context)->ports;
    if (DEVICE_COUNTS_PORTS)
        a.num_ports = (uint8_t)__builtin_popcountll(ports);
    else
        memcpy((char *)&a + 8, &ports, sizeof ports);
    a.ext_ports_mask = external(context);
    a.hw_ports_mask = hardware(ports);
    memcpy(attr, &a, DEVICE_ATTR_SIZE);
    log_bytes("hbldv_query_device", "out", attr, DEVICE_ATTR_SIZE);
    return 0;
}

#if HAS_DEVICE_TEMP
EXPORT int hbldv_query_device_temp(struct ibv_context *context, struct hbldv_device_attr *attr)
{
    struct hbldv_device_attr a = {.caps = HBLDV_DEVICE_ATTR_CAP_CC | HBLDV_DEVICE_ATTR_CAP_COLL};

    if (!context || !ours(context))
        return answer(EOPNOTSUPP);
    if (!attr)
        return answer(EINVAL);
    a.num_ports = (uint8_t)__builtin_popcountll(to_context(context)->ports);
    a.ext_ports_mask = external(context);
    a.hw_ports_mask = hardware(to_context(context)->ports);
    *attr = a;
    log_bytes("hbldv_query_device_temp", "out", attr, sizeof *attr);
    return 0;
}
#endif

EXPORT int hbldv_set_port_ex(struct ibv_context *context, struct hbldv_port_ex_attr *attr)
{
    struct hbl_set_port in = {0};
    struct field field[] = {IN(HBL_ATTR_FIRST, &in)};

    if (!context || !ours(context))
        return answer(EOPNOTSUPP);
    if (!attr)
        return answer(EINVAL);
    log_bytes("hbldv_set_port_ex", "in", attr, sizeof *attr);
    for (unsigned i = 0; i < HBLDV_WQ_ARRAY_TYPE_MAX; i++) {
        in.array[i].queues = attr->wq_arr_attr[i].max_num_of_wqs;
        in.array[i].elements = attr->wq_arr_attr[i].max_num_of_wqes_in_wq;
        in.array[i].memory = (uint8_t)attr->wq_arr_attr[i].mem_id;
        in.array[i].granularity = (uint8_t)attr->wq_arr_attr[i].swq_granularity;
    }
    in.pressure = (uintptr_t)attr->qp_wq_bp_offs;
    in.n_pressure = HBLDV_PRESSURES;
    in.port = attr->port_num;
    in.advanced = attr->caps & HBLDV_PORT_CAP_ADVANCED ? 1 : 0;
    in.adaptive = HBL_LAYOUT < 118 && attr->caps & HBLDV_PORT_CAP_ADAPTIVE_TIMEOUT ? 1 : 0;
    return answer(command(context->cmd_fd, HBL_OBJECT_SET_PORT, HBL_METHOD_FIRST, field, 1));
}

EXPORT int hbldv_query_port(struct ibv_context *context, uint32_t port, struct hbldv_query_port_attr *attr)
{
    struct hbl_port_told out = {0};
    uint32_t in[2] = {port, 0};
    struct field field[] = {IN(HBL_ATTR_FIRST, &in), OUT(HBL_ATTR_SECOND, &out)};
    int error;

    if (!context || !ours(context))
        return answer(EOPNOTSUPP);
    if (!attr)
        return answer(EINVAL);
    log_call("hbldv_query_port", "port %u", port);
    error = command(context->cmd_fd, HBL_OBJECT_QUERY_PORT, HBL_METHOD_SECOND, field, 2);
    if (error)
        return answer(error);
    attr->max_num_of_qps = out.max_qps;
    attr->num_allocated_qps = out.qps;
    attr->max_allocated_qp_num = out.highest_qp;
    attr->max_cq_size = out.cq_size;
    if (HAS_COLLECTIVES) { /* else reserved, and not written */
        attr->max_num_of_scale_out_coll_qps = out.max_scale_out;
        attr->max_num_of_coll_qps = out.max_collective;
        attr->base_scale_out_coll_qp_num = out.base_scale_out;
        attr->base_coll_qp_num = out.base_collective;
        attr->coll_qps_offset = out.offset;
    }
    attr->advanced = out.advanced;
    attr->max_num_of_cqs = out.max_cqs;
    attr->max_num_of_usr_fifos = out.max_fifos;
    attr->max_num_of_encaps = out.max_encaps;
    attr->nic_macro_idx = out.macro;
    attr->nic_phys_port_idx = out.lane;
    log_bytes("hbldv_query_port", "out", attr, sizeof *attr);
    return 0;
}

/* -- FIFOs and encapsulations ------------------------------------------------------------------ */

EXPORT struct hbldv_usr_fifo *hbldv_create_usr_fifo(struct ibv_context *context, struct hbldv_usr_fifo_attr *attr)
{
    struct hbl_make_fifo in = {0};
    struct hbl_made_fifo out = {0};
    struct field field[] = {IN(HBL_ATTR_FIRST, &in), OUT(HBL_ATTR_SECOND, &out), HANDLE(HBL_ATTR_THIRD, 0)};
    struct fifo *f;
    int error;

    if (!ours(context)) {
        errno = EOPNOTSUPP;
        return NULL;
    }
    log_bytes("hbldv_create_usr_fifo", "in", attr, sizeof *attr);
    in.port = attr->port_num;
    in.hint = attr->usr_fifo_num_hint;
    in.type = (uint8_t)attr->usr_fifo_type;
    f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    error = command(context->cmd_fd, HBL_OBJECT_FIFO, HBL_METHOD_FIRST, field, 3);
    if (error) {
        free(f);
        errno = error;
        return NULL;
    }
    f->context = context;
    f->handle = (uint32_t)field[2].data;
    f->base.ci_cpu_addr = map(context, out.ci, 4096, PROT_READ);
    f->base.regs_cpu_addr = out.registers ? map(context, out.registers, 4096, PROT_WRITE) : MAP_FAILED;
    f->base.regs_offset = out.offset;
    f->base.usr_fifo_num = out.number;
    f->base.size = out.size;
    f->base.bp_thresh = out.threshold;
    log_bytes("hbldv_create_usr_fifo", "out", &f->base, sizeof f->base);
    return &f->base;
}

EXPORT int hbldv_destroy_usr_fifo(struct hbldv_usr_fifo *base)
{
    struct fifo *f = (struct fifo *)base;
    struct field field[] = {HANDLE(HBL_ATTR_FIRST, 0)};
    int error;

    if (!f)
        return answer(EINVAL);
    field[0].data = f->handle;
    log_call("hbldv_destroy_usr_fifo", "fifo %u", base->usr_fifo_num);
    munmap(base->ci_cpu_addr, 4096);
    if (base->regs_cpu_addr != MAP_FAILED)
        munmap(base->regs_cpu_addr, 4096);
    error = command(f->context->cmd_fd, HBL_OBJECT_FIFO, HBL_METHOD_SECOND, field, 1);
    free(f);
    return answer(error);
}

EXPORT struct hbldv_encap *hbldv_create_encap(struct ibv_context *context, struct hbldv_encap_attr *attr)
{
    struct hbl_make_encap in = {0};
    struct hbl_made_encap out = {0};
    struct field field[] = {IN(HBL_ATTR_FIRST, &in), OUT(HBL_ATTR_SECOND, &out), HANDLE(HBL_ATTR_THIRD, 0)};
    struct encap *e;
    int error;

    if (!context || !attr || !ours(context)) {
        errno = context && attr ? EOPNOTSUPP : EINVAL;
        return NULL;
    }
    log_bytes("hbldv_create_encap", "in", attr, sizeof *attr);
    in.header = attr->tnl_hdr_ptr;
    in.size = attr->tnl_hdr_size;
    in.port = attr->port_num;
    in.ipv4 = attr->ipv4_addr;
    in.type = (uint8_t)attr->encap_type;
    if (attr->encap_type == 1) /* one place for both */
        in.ip_protocol = attr->udp_dst_port;
    else
        in.udp_port = attr->udp_dst_port;
    e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    error = command(context->cmd_fd, HBL_OBJECT_ENCAP, HBL_METHOD_FIRST, field, 3);
    if (error) {
        free(e);
        errno = error;
        return NULL;
    }
    e->context = context;
    e->handle = (uint32_t)field[2].data;
    e->base.encap_num = out.number;
    log_bytes("hbldv_create_encap", "out", &e->base, sizeof e->base);
    return &e->base;
}

EXPORT int hbldv_destroy_encap(struct hbldv_encap *base)
{
    struct encap *e = (struct encap *)base;
    struct field field[] = {HANDLE(HBL_ATTR_FIRST, 0)};
    int error;

    if (!e)
        return answer(EINVAL);
    field[0].data = e->handle;
    log_call("hbldv_destroy_encap", "encap %u", base->encap_num);
    error = command(e->context->cmd_fd, HBL_OBJECT_ENCAP, HBL_METHOD_SECOND, field, 1);
    free(e);
    return answer(error);
}
