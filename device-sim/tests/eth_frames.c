/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Raw packet queue pairs: frames from port to port, and what the devices do to them on the way. */
#include "eth_kit.h"

#include <endian.h>
#include <sys/wait.h>
#include <unistd.h>

static uint8_t frame[20000], other[20000], payload[20000];

static size_t udp(const struct frame_of *more, size_t size)
{
    struct frame_of f = more ? *more : (struct frame_of){0};

    fill(payload, size, 3);
    f.payload = payload;
    f.size = size;
    return build(frame, &f);
}

/* -- where frames go --------------------------------------------------------------------------- */

static void port_to_port(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1}),
        *c = open_end(&(struct end_how){.device = 1, .port = 2, .with = b}),
        *d = open_end(&(struct end_how){.device = 1, .with = b});
    struct ibv_flow *f = to_mac(b, unicast, 3), *g = to_mac(c, other_unicast, 3);
    struct got got;

    for (size_t size = 0; size < 1400; size += 97) {
        size_t n = udp(NULL, size);

        send_frame(a, frame, n, 0);
        got = wants_frame(b, frame, n);
        EQ(got.tag, 0);
        none_of(c);
        none_of(d); /* on the same port, without a rule */
        memcpy(frame, other_unicast, 6);
        send_frame(a, frame, n, 0);
        wants_frame(c, frame, n);
        none_of(b);
    }
    none_of(a);
    no_violations();
    drop_rule(f);
    send_frame(a, frame, udp(NULL, 9), 0);
    none_of(b);
    drop_rule(g);
    close_end(c);
    close_end(d);
    close_end(a);
    close_end(b);
}

/* What is to many comes back to its own port, what is to one does not. */
static void own_port(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.with = a}),
        *quiet = open_end(&(struct end_how){.with = a, .flags = IBV_QP_CREATE_BLOCK_SELF_MCAST_LB}),
        *loop = open_end(&(struct end_how){.with = a, .dv_flags = MLX5DV_QP_CREATE_TIR_ALLOW_SELF_LOOPBACK_UC});
    struct ibv_flow *f[] = {everything(a), everything(b), everything(quiet), everything(loop)};
    size_t n = udp(&(struct frame_of){.dmac = multicast}, 50);

    send_frame(a, frame, n, 0);
    wants_frame(a, frame, n);
    wants_frame(b, frame, n);
    wants_frame(quiet, frame, n);
    wants_frame(loop, frame, n);
    send_frame(quiet, frame, n, 0);
    wants_frame(a, frame, n);
    wants_frame(b, frame, n);
    wants_frame(loop, frame, n);
    none_of(quiet);
    n = udp(NULL, 51);
    send_frame(a, frame, n, 0);
    wants_frame(loop, frame, n);
    none_of(a);
    none_of(b);
    none_of(quiet);
    for (int i = 0; i < 4; i++)
        drop_rule(f[i]);
    no_violations();
    close_end(loop);
    close_end(quiet);
    close_end(b);
    close_end(a);
}

/* Frames are lost where there is no receive, before the queue pair is ready, and while a port is down. */
static void lost(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1, .receives = -1}), *u = open_end(
        &(struct end_how){.device = 1, .unready = true, .with = b});
    struct ibv_flow *f = everything(b), *g = everything(u);
    size_t n = udp(NULL, 60);

    send_frame(a, frame, n, 0);
    none_of(b);
    none_of(u);
    post_slot(b, 0, SLOT);
    none_of(b);
    OK(device_sim_port_state(1, 1, IBV_PORT_DOWN));
    send_frame(a, frame, n, 0);
    none_of(b);
    OK(device_sim_port_state(1, 1, IBV_PORT_ACTIVE));
    OK(device_sim_fault(a->qp->qp_num, DEVICE_SIM_FAULT_DROP, 0, 1));
    send_frame(a, frame, n, 0);
    none_of(b);
    OK(device_sim_fault(b->qp->qp_num, DEVICE_SIM_FAULT_RNR, 0, 1));
    send_frame(a, frame, n, 0);
    none_of(b);
    frame[20] ^= 1;
    send_frame(a, frame, n, 0);
    wants_frame(b, frame, n);
    drop_rule(f);
    drop_rule(g);
    no_violations();
    close_end(u);
    close_end(a);
    close_end(b);
}

/* A child of fork has devices of its own: no frame of theirs goes to what it inherited. */
static void inherited(void)
{
    struct end *b = open_end(&(struct end_how){.device = 1}), *a;
    struct ibv_flow *f = everything(b);
    struct ibv_poll_cq_attr attr = {0};
    pid_t pid = fork();
    int status;

    if (!pid) {
        a = open_end(NULL);
        send_frame(a, frame, udp(NULL, 60), 0);
        device_sim_pump(-1);
        _exit(ibv_start_poll(b->cqx, &attr) == ENOENT ? 0 : 1);
    }
    EQ(waitpid(pid, &status, 0), pid);
    EQ(status, 0);
    drop_rule(f);
    close_end(b);
}

/* -- errors ------------------------------------------------------------------------------------ */

static void bad_send(struct end *a, uint32_t length, int status)
{
    struct ibv_sge sge = {.addr = (uintptr_t)a->buf + 1000, .length = length, .lkey = a->mr->lkey};
    struct ibv_send_wr wr = request(IBV_WR_SEND, 5, &sge);
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET};
    struct ibv_qp_init_attr init;

    post(a->qp, &wr);
    EQ(completion(a->scq).status, status);
    OK(ibv_query_qp(a->qp, &attr, IBV_QP_STATE, &init));
    EQ(attr.qp_state, IBV_QPS_SQE);
    post(a->qp, &wr);
    EQ(completion(a->scq).status, IBV_WC_WR_FLUSH_ERR);
    attr.qp_state = IBV_QPS_RESET;
    OK(ibv_modify_qp(a->qp, &attr, IBV_QP_STATE));
    attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_INIT, .port_num = 1};
    OK(ibv_modify_qp(a->qp, &attr, IBV_QP_STATE | IBV_QP_PORT));
    attr.qp_state = IBV_QPS_RTR;
    OK(ibv_modify_qp(a->qp, &attr, IBV_QP_STATE));
    attr.qp_state = IBV_QPS_RTS;
    OK(ibv_modify_qp(a->qp, &attr, IBV_QP_STATE));
}

static void bad_sends(void)
{
    struct end *a = open_end(&(struct end_how){.receives = -1}), *b = open_end(&(struct end_how){.device = 1});
    struct ibv_flow *f = everything(b);

    bad_send(a, 13, IBV_WC_LOC_LEN_ERR);
    bad_send(a, 9217, IBV_WC_LOC_LEN_ERR);
    a->mr->lkey ^= 0x100;
    bad_send(a, 60, IBV_WC_LOC_PROT_ERR);
    a->mr->lkey ^= 0x100;
    none_of(b);
    send_frame(a, frame, 14, 0);
    wants_frame(b, frame, 14);
    fill(frame, 9216, 9);
    send_frame(a, frame, 9216, 0);
    wants_frame(b, frame, 9216);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 0);
    EQ(device_sim_count(DEVICE_SIM_COUNT_KEY_ERRORS), 1);
    drop_rule(f);
    close_end(a);
    close_end(b);
}

static void short_receive(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1, .receives = -1});
    struct ibv_flow *f = everything(b);
    struct got got;
    size_t n = udp(NULL, 60);

    post_slot(b, 0, (uint32_t)n);
    post_slot(b, 1, (uint32_t)n - 1);
    post_slot(b, 2, SLOT);
    send_frame(a, frame, n, 0);
    wants_frame(b, frame, n);
    send_frame(a, frame, n, 0);
    got = next_of(b);
    EQ(got.id, 1001);
    EQ(got.status, IBV_WC_LOC_LEN_ERR);
    got = next_of(b);
    EQ(got.id, 1002);
    EQ(got.status, IBV_WC_WR_FLUSH_ERR);
    drop_rule(f);
    close_end(a);
    close_end(b);
}

/* Pieces of a frame: from several places, and to several. */
static void pieces(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1, .receives = -1});
    struct ibv_flow *f = everything(b);
    struct ibv_sge from[3], to[2];
    struct ibv_send_wr wr = request(IBV_WR_SEND, 5, from);
    struct ibv_recv_wr rr = {.wr_id = 1000, .sg_list = to, .num_sge = 2}, *first_bad;
    size_t n = udp(NULL, 300), at = 0;

    for (int i = 0; i < 3; i++) {
        size_t part = i == 0 ? 5 : i == 1 ? 30 : n - 35;

        memcpy(a->buf + i * 5000, frame + at, part);
        from[i] = (struct ibv_sge){(uintptr_t)a->buf + (unsigned)i * 5000, (uint32_t)part, a->mr->lkey};
        at += part;
    }
    wr.num_sge = 3;
    to[0] = (struct ibv_sge){(uintptr_t)b->buf, 17, b->mr->lkey};
    to[1] = (struct ibv_sge){(uintptr_t)b->buf + 17, 5000, b->mr->lkey};
    OK(ibv_post_recv(b->qp, &rr, &first_bad));
    post(a->qp, &wr);
    EQ(completion(a->scq).status, 0);
    wants_frame(b, frame, n);
    no_violations();
    drop_rule(f);
    close_end(a);
    close_end(b);
}

/* The whole frame in the descriptor. */
static void inline_data(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1});
    struct ibv_flow *f = everything(b);

    for (uint32_t n = 14; n <= 64; n++) {
        struct ibv_sge sge = {.addr = (uintptr_t)frame, .length = n};
        struct ibv_send_wr wr = request(IBV_WR_SEND, 5, &sge);

        fill(frame, n, n);
        wr.send_flags |= IBV_SEND_INLINE;
        post(a->qp, &wr);
        EQ(completion(a->scq).status, 0);
        wants_frame(b, frame, n);
        post_slot(b, (n - 14) % SLOTS, SLOT);
    }
    no_violations();
    drop_rule(f);
    close_end(a);
    close_end(b);
}

/* -- checksums --------------------------------------------------------------------------------- */

/* The entry that the last completion came from, and the one before it. */
static const uint8_t *entry(struct end *e, unsigned nth)
{
    struct mlx5dv_cq cq;
    struct mlx5dv_obj obj = {.cq = {.in = e->cq, .out = &cq}};

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ));
    return (uint8_t *)cq.buf + (nth % cq.cqe_cnt) * cq.cqe_size + cq.cqe_size - 64;
}

static const struct {
    struct frame_of f;
    uint8_t types; /* of the headers, as the completion tells them */
    size_t size;
} kinds[] = {
    {{0}, 2 << 4 | 2 << 2, 201},
    {{.proto = 6, .tcp_flags = 0x10}, 4 << 4 | 2 << 2, 200},
    {{.proto = 6, .tcp_flags = 0x12}, 3 << 4 | 2 << 2, 0},
    {{.proto = 6, .tcp_flags = 0x02}, 1 << 4 | 2 << 2, 33},
    {{.ip = 6}, 2 << 4 | 1 << 2, 199},
    {{.ip = 6, .proto = 6, .tcp_flags = 0x18}, 4 << 4 | 1 << 2, 1},
    {{.proto = 1}, 2 << 2, 77},
    {{.ip = -1, .type = 0x88f7}, 0, 77},
};

static void checksums(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1});
    struct ibv_flow *f = everything(b);

    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct frame_of bare = kinds[i].f;
        bool v4 = bare.ip == 0, l4 = bare.ip != -1 && bare.proto != 1;
        size_t n = udp(&kinds[i].f, kinds[i].size);
        const uint8_t *e;
        struct got got;

        memcpy(other, frame, n); /* with right checksums, by the test's own reckoning */
        bare.no_sums = true;
        udp(&bare, kinds[i].size);
        send_frame(a, frame, n, IBV_SEND_IP_CSUM);
        got = wants_frame(b, other, n);
        EQ(got.flags & IBV_WC_IP_CSUM_OK, v4 && l4 ? IBV_WC_IP_CSUM_OK : 0);
        EQ(got.flags & ~IBV_WC_IP_CSUM_OK, 0);
        e = entry(b, 2 * i);
        EQ(e[29] & 0x7d, kinds[i].types);
        EQ(e[28] & 7, 1 | (kinds[i].f.ip == -1 ? 0 : 2) | (l4 ? 4 : 0));
        EQ(e[20] << 8 | e[21], (uint16_t)~checksum(other + 14, n - 14, 0));
        if (l4)
            EQ(transport_check(got.bytes), 0);
        send_frame(a, frame, n, 0); /* as it is: nothing is filled in, and nothing is right */
        got = wants_frame(b, frame, n);
        EQ(got.flags & IBV_WC_IP_CSUM_OK, 0);
        e = entry(b, 2 * i + 1);
        EQ(e[28] & 2, kinds[i].f.ip == 6 ? 2 : 0);
        EQ(e[28] & 4, !v4 || !l4 || kinds[i].f.proto == 6 ? 0 : 4); /* UDP of IPv4 may have none */
    }
    drop_rule(f);
    no_violations();
    close_end(a);
    close_end(b);
}

/* Where the sum is 0, UDP has the other zero, as 0 is for none; TCP has it. */
static void zero_checksums(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1});
    struct ibv_flow *f = everything(b);

    for (int tcp = 0; tcp < 2; tcp++) {
        struct frame_of of = {.proto = tcp ? 6 : 17, .payload = "\0\0", .size = 2, .no_sums = true};
        size_t n = build(frame, &of), at = tcp ? 50 : 40;
        uint16_t sum = transport_check(frame);
        struct got got;

        frame[n - 2] = (uint8_t)(sum >> 8);
        frame[n - 1] = (uint8_t)sum;
        send_frame(a, frame, n, IBV_SEND_IP_CSUM);
        got = next_of(b);
        EQ(got.bytes[at] << 8 | got.bytes[at + 1], tcp ? 0 : 0xffff);
        EQ(got.flags & IBV_WC_IP_CSUM_OK, IBV_WC_IP_CSUM_OK);
    }
    drop_rule(f);
    close_end(a);
    close_end(b);
}

/* What lies behind the IP packet, to make the frame longer, belongs to no checksum of its headers. */
static void padding(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1});
    struct ibv_flow *f = everything(b);

    for (int i = 0; i < 4; i++) {
        struct frame_of of = {.ip = i & 1 ? 6 : 4, .proto = i & 2 ? 6 : 17, .payload = "abc", .size = 3};
        size_t n = build(frame, &of);

        memcpy(other, frame, n);
        memcpy(frame + n, "padding", 7);
        memcpy(other + n, "padding", 7);
        frame[14 + (i & 1 ? 40 : 20) + (i & 2 ? 16 : 6)] ^= 0x55; /* the checksum, which the device fills in */
        send_frame(a, frame, n + 7, IBV_SEND_IP_CSUM);
        wants_frame(b, other, n + 7);
        EQ(entry(b, (unsigned)i)[28] & 7, 7);
    }
    drop_rule(f);
    close_end(a);
    close_end(b);
}

/* One bit is wrong at a time, in each byte that a checksum is of. */
static void wrong_checksums(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1});
    struct ibv_flow *f = everything(b);
    size_t n = udp(&(struct frame_of){.proto = 6}, 6);

    for (size_t i = 16; i < n; i++) {
        struct got got;

        if (i == 20 || i == 21 || (i >= 16 && i < 18) || i == 23 || i == 46)
            continue; /* lengths, fragments and the protocol make another frame of it */
        frame[i] ^= 1;
        send_frame(a, frame, n, 0);
        got = wants_frame(b, frame, n);
        EQ(got.flags & IBV_WC_IP_CSUM_OK, 0);
        frame[i] ^= 1;
        post_slot(b, (unsigned)(got.id - 1000), SLOT);
    }
    send_frame(a, frame, n, 0);
    EQ(wants_frame(b, frame, n).flags & IBV_WC_IP_CSUM_OK, IBV_WC_IP_CSUM_OK);
    /* of fragments the device knows no transport checksum */
    n = udp(&(struct frame_of){.fragment = 0x2000}, 60);
    frame[40] ^= 1;
    memcpy(other, frame, n);
    send_frame(a, frame, n, IBV_SEND_IP_CSUM);
    EQ(wants_frame(b, other, n).flags & IBV_WC_IP_CSUM_OK, 0);
    drop_rule(f);
    close_end(a);
    close_end(b);
}

/* The frame's own checksum, behind it: all bytes together then leave a residue that the standard tells. */
static void frame_checksum(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1, .flags = IBV_QP_CREATE_SCATTER_FCS});
    struct ibv_flow *f = everything(b);
    size_t n = udp(NULL, 123);
    uint32_t rest = 0xffffffff;
    struct got got;

    send_frame(a, frame, n, 0);
    got = next_of(b);
    EQ(got.length, n + 4);
    CHECK(!memcmp(got.bytes, frame, n));
    for (size_t i = 0; i < n + 4; i++)
        for (int bit = 0; bit < 8; bit++)
            rest = rest >> 1 ^ ((rest ^ got.bytes[i] >> bit) & 1 ? 0xedb88320 : 0);
    EQ(rest, 0xdebb20e3);
    drop_rule(f);
    close_end(a);
    close_end(b);
}

/* -- tags -------------------------------------------------------------------------------------- */

static void stripped(void)
{
    struct end *a = open_end(NULL), *b = open_end(&(struct end_how){.device = 1,
        .flags = IBV_QP_CREATE_CVLAN_STRIPPING}), *plain = open_end(&(struct end_how){.device = 1, .with = b});
    struct ibv_flow *f = everything(b), *g = everything(plain);
    size_t n = udp(&(struct frame_of){.vlan = 0x1a123}, 123), bare;
    struct got got;

    send_frame(a, frame, n, 0);
    wants_frame(plain, frame, n);
    EQ(entry(plain, 0)[29] & 1, 0);
    bare = build(other, &(struct frame_of){.payload = payload, .size = 123});
    EQ(bare, n - 4);
    got = wants_frame(b, other, bare);
    EQ(got.cvlan, 0xa123);
    EQ(got.flags & IBV_WC_IP_CSUM_OK, IBV_WC_IP_CSUM_OK);
    EQ(entry(b, 0)[29] & 1, 1);
    /* what has no customer's tag stays as it is */
    send_frame(a, other, bare, 0);
    wants_frame(b, other, bare);
    EQ(entry(b, 1)[29] & 1, 0);
    wants_frame(plain, other, bare);
    frame[12] = 0x88;
    frame[13] = 0xa8;
    send_frame(a, frame, n, 0);
    wants_frame(b, frame, n);
    drop_rule(f);
    drop_rule(g);
    no_violations();
    close_end(plain);
    close_end(a);
    close_end(b);
}

/* -- segments ---------------------------------------------------------------------------------- */

static void post_tso(struct end *a, const uint8_t *header, size_t size, unsigned mss, uint32_t length, unsigned flags)
{
    struct ibv_sge sge = {.addr = (uintptr_t)a->buf + BUFFER * 3 / 4, .length = length, .lkey = a->mr->lkey};
    struct ibv_send_wr wr = request(IBV_WR_TSO, 5, &sge);

    memcpy(a->buf + BUFFER * 3 / 4, payload, length < sizeof payload ? length : sizeof payload);
    wr.tso.hdr = (void *)(uintptr_t)header;
    wr.tso.hdr_sz = (uint16_t)size;
    wr.tso.mss = (uint16_t)mss;
    wr.send_flags |= flags;
    post(a->qp, &wr);
}

/* What segment `nth` of the payload is: built anew, with all that differs. */
static size_t segment(const struct frame_of *whole, unsigned nth, unsigned mss, uint32_t length)
{
    struct frame_of f = *whole;
    uint32_t before = nth * mss;

    f.no_sums = false;
    f.seq += before;
    f.id = (uint16_t)(f.id + nth);
    f.payload = payload + before;
    f.size = length - before < mss ? length - before : mss;
    if (before + f.size < length)
        f.tcp_flags &= (uint8_t)~0x09;
    if (nth)
        f.tcp_flags &= (uint8_t)~0x80;
    return build(other, &f);
}

static void segments_of(int ip, uint32_t length, unsigned mss)
{
    struct end *a = open_end(&(struct end_how){.max_tso = 200}), *b = open_end(&(struct end_how){.device = 1});
    struct ibv_flow *f = everything(b);
    struct frame_of whole = {.ip = ip, .proto = 6, .tcp_flags = 0x99, .seq = 0xfffffff0, .id = 0xfffe, .no_sums = true};
    size_t size = build(frame, &whole);

    fill(payload, sizeof payload, 8);
    post_tso(a, frame, size, mss, length, IBV_SEND_IP_CSUM);
    good(a->scq, 5, IBV_WC_TSO);
    for (unsigned nth = 0; nth == 0 || nth * mss < length; nth++) {
        size_t n = segment(&whole, nth, mss, length);

        wants_frame(b, other, n);
    }
    none_of(b);
    no_violations();
    drop_rule(f);
    close_end(a);
    close_end(b);
}

static void segments(void)
{
    segments_of(4, 10000, 1460);
    segments_of(6, 10000, 1440);
    segments_of(4, 2920, 1460);
    segments_of(4, 1, 1000);
    segments_of(6, 19999, 700);
}

/*
 * Headers of many sizes around the ring, by the builder and by the list. libmlx5 (44, and the newest) writes the data
 * segment 32 bytes too far behind a header that lies around the ring's end. That is left out here: eth_checker has such
 * headers, by hand.
 */
static bool splits(const struct mlx5dv_qp *ring, unsigned *at, unsigned header)
{
    unsigned blocks = (3 + (header - 2 + 15) / 16 + 3) / 4, end = ring->sq.wqe_cnt;
    bool split = *at % end * 64 + 30 + header > end * 64;

    *at += split ? 1 : blocks;
    return split;
}

static void around_the_ring(void)
{
    struct end *a = open_end(&(struct end_how){.max_tso = 130,
        .send_ops = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_TSO}), *b = open_end(&(struct end_how){.device = 1});
    struct ibv_qp_ex *x = ibv_qp_to_qp_ex(a->qp);
    struct ibv_flow *f = everything(b);
    struct frame_of whole = {.proto = 6, .tcp_flags = 0x10, .seq = 9, .no_sums = true};
    size_t size = build(frame, &whole);
    struct mlx5dv_qp ring;
    struct mlx5dv_obj obj = {.qp = {.in = a->qp, .out = &ring}};
    struct ibv_sge sge = {.length = 500, .lkey = a->mr->lkey};
    unsigned at = 0, sent = 0;

    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
    fill(payload, sizeof payload, 8);
    for (unsigned i = 0; i < 1600; i++) {
        /* options make the header longer */
        unsigned options = i % 11 * 4;
        struct got got;

        if (splits(&ring, &at, (unsigned)size + options)) {
            send_frame(a, payload, 14, 0); /* of one block */
            got = wants_frame(b, payload, 14);
            post_slot(b, (unsigned)(got.id - 1000), SLOT);
            continue;
        }
        sent++;
        frame[16] = 0;
        frame[17] = 0;
        frame[14 + 20 + 12] = (uint8_t)((5 + options / 4) << 4);
        for (unsigned o = 0; o < options; o++)
            frame[size + o] = (uint8_t)(i + o);
        if (i & 1) {
            ibv_wr_start(x);
            x->wr_id = 5;
            x->wr_flags = IBV_SEND_SIGNALED | IBV_SEND_IP_CSUM;
            ibv_wr_send_tso(x, frame, (uint16_t)(size + options), 300);
            sge.addr = (uintptr_t)memcpy(a->buf + BUFFER * 3 / 4, payload, 500);
            ibv_wr_set_sge_list(x, 1, &sge); /* ibv_wr_set_sge writes behind the ring where the header ends with it */
            OK(ibv_wr_complete(x));
        } else {
            post_tso(a, frame, size + options, 300, 500, IBV_SEND_IP_CSUM);
        }
        EQ(completion(a->scq).status, 0);
        for (int part = 0; part < 2; part++) {
            size_t n = size + options + (part ? 200 : 300);

            got = next_of(b);
            EQ(got.length, n);
            EQ(got.flags & IBV_WC_IP_CSUM_OK, IBV_WC_IP_CSUM_OK);
            CHECK(!memcmp(got.bytes + size, frame + size, options));
            CHECK(!memcmp(got.bytes + size + options, payload + 300 * part, n - size - options));
            post_slot(b, (unsigned)(got.id - 1000), SLOT);
        }
    }
    CHECK(at > 3 * ring.sq.wqe_cnt && sent > 1500);
    no_violations();
    drop_rule(f);
    close_end(a);
    close_end(b);
}

static void wrong_header(const uint8_t *header, size_t size, unsigned mss, int status, const char *why)
{
    struct end *a = open_end(&(struct end_how){.max_tso = 200}), *b = open_end(&(struct end_how){.device = 1});
    struct ibv_flow *f = everything(b);

    post_tso(a, header, size, mss, 3000, IBV_SEND_IP_CSUM);
    EQ(completion(a->scq).status, status);
    none_of(b);
    if (why)
        expect_message(why);
    drop_rule(f);
    close_end(a);
    close_end(b);
}

static void wrong_headers(void)
{
    size_t size = build(frame, &(struct frame_of){.proto = 6});

    wrong_header(frame, 20, 1000, IBV_WC_LOC_PROT_ERR, "no IP header");
    wrong_header(frame, size - 1, 1000, IBV_WC_LOC_PROT_ERR, "no whole TCP header");
    wrong_header(frame, size + 1, 1000, IBV_WC_LOC_PROT_ERR, "does not end with TCP's");
    wrong_header(frame, size, 9217 - 54, IBV_WC_LOC_LEN_ERR, NULL);
    size = build(frame, &(struct frame_of){0});
    wrong_header(frame, size, 1000, IBV_WC_LOC_PROT_ERR, "no whole TCP header");
}

/* -- what the devices say of themselves -------------------------------------------------------- */

static void capabilities(void)
{
    struct end *a = open_end(NULL);
    struct ibv_device_attr_ex attr;
    struct mlx5dv_context dv = {.comp_mask = MLX5DV_CONTEXT_MASK_TUNNEL_OFFLOADS};

    OK(ibv_query_device_ex(a->ctx, NULL, &attr));
    EQ(attr.raw_packet_caps, IBV_RAW_PACKET_CAP_CVLAN_STRIPPING | IBV_RAW_PACKET_CAP_SCATTER_FCS |
        IBV_RAW_PACKET_CAP_IP_CSUM);
    EQ(attr.device_cap_flags_ex & (IBV_DEVICE_RAW_IP_CSUM | IBV_DEVICE_MANAGED_FLOW_STEERING |
        IBV_DEVICE_RAW_SCATTER_FCS), IBV_DEVICE_RAW_IP_CSUM | IBV_DEVICE_MANAGED_FLOW_STEERING |
        IBV_DEVICE_RAW_SCATTER_FCS);
    EQ(attr.device_cap_flags_ex & (IBV_DEVICE_UD_IP_CSUM | IBV_DEVICE_RC_IP_CSUM | IBV_DEVICE_PCI_WRITE_END_PADDING),
        0);
    EQ(attr.tso_caps.max_tso, 262144);
    EQ(attr.tso_caps.supported_qpts, 1 << IBV_QPT_RAW_PACKET);
    EQ(attr.rss_caps.supported_qpts, 1 << IBV_QPT_RAW_PACKET);
    EQ(attr.rss_caps.max_rwq_indirection_tables, 1024);
    EQ(attr.rss_caps.max_rwq_indirection_table_size, 128);
    EQ(attr.rss_caps.rx_hash_fields_mask, 0x800000ff);
    EQ(attr.rss_caps.rx_hash_function, IBV_RX_HASH_FUNC_TOEPLITZ);
    EQ(attr.max_wq_type_rq, 16384);
    OK(mlx5dv_query_device(a->ctx, &dv));
    EQ(dv.tunnel_offloads_caps, MLX5DV_RAW_PACKET_CAP_TUNNELED_OFFLOAD_VXLAN |
        MLX5DV_RAW_PACKET_CAP_TUNNELED_OFFLOAD_GRE);
    close_end(a);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"port-to-port", port_to_port}, {"own-port", own_port}, {"lost", lost}, {"inherited", inherited},
            {"bad-sends", bad_sends},
        {"short-receive", short_receive}, {"pieces", pieces}, {"inline-data", inline_data}, {"checksums", checksums},
        {"padding", padding}, {"zero-checksums", zero_checksums}, {"wrong-checksums", wrong_checksums},
        {"frame-checksum", frame_checksum}, {"stripped", stripped}, {"segments", segments},
        {"around-the-ring", around_the_ring}, {"wrong-headers", wrong_headers}, {"capabilities", capabilities}, {0},
    };

    return run_cases("eth_frames", cases, argc, argv);
}
