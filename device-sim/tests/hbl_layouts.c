/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The seven layouts of libhbl, each in a run of its own: which functions there are, how much of a structure is written, which bytes
 * are read, and collectives where there are some. DEVICE_SIM_LIBHBL says which, DEVICE_SIM_LIBHBL_LOG names the log.
 */
#include "hbl_kit.h"

#include <dlfcn.h>

static const struct layout {
    const char *name;
    unsigned device, qp, coll, resources; /* bytes; 0: not there */
    bool counts_ports; /* not a mask */
    bool migrate, migrate_two, temp;
} layouts[] = {
    {"upstream", 16, 48, 0, 0, false, false, false, false},
    {"1.16.1", 16, 48, 1, 4104, false, false, false, false},
    {"1.17", 24, 48, 1, 4104, false, false, false, false},
    {"1.18", 32, 48, 1, 8200, false, false, false, false},
    {"1.19", 32, 56, 1, 8200, false, true, true, true},
    {"1.20", 32, 56, 1, 8200, true, true, false, false},
    {"1.21", 32, 56, 16, 8200, true, true, false, false},
};

static const struct layout *now(void)
{
    const char *name = getenv("DEVICE_SIM_LIBHBL");

    for (unsigned i = 0; i < 7; i++)
        if (!strcmp(layouts[i].name, name && strcmp(name, "none") ? name : "upstream"))
            return &layouts[i];
    fail(__FILE__, __LINE__, "no layout %s", name);
}

static void *function(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

/* The last line of the log that begins so; the rest of it. */
static const char *logged(const char *begin)
{
    static char found[40000], line[40000];
    const char *path = getenv("DEVICE_SIM_LIBHBL_LOG");
    FILE *file = SOME(fopen(path ? path : "", "r"));

    found[0] = 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, begin, strlen(begin)))
            strcpy(found, line + strlen(begin));
    }
    fclose(file);
    return found;
}

/* Byte `at` of a structure in the log. */
static unsigned byte_of(const char *hex, unsigned at)
{
    char two[3] = {hex[2 * at], hex[2 * at + 1], 0};

    CHECK(strlen(hex) > 2 * at + 1);
    return (unsigned)strtoul(two, NULL, 16);
}

static void functions(void)
{
    static const char *const all[] = {"is_supported", "open_device", "set_port_ex", "query_port", "modify_qp", "create_usr_fifo",
        "destroy_usr_fifo", "create_cq", "query_cq", "query_qp", "create_encap", "destroy_encap", "query_device"};
    static const char *const inside[] = {"get_device_list", "get_device_name", "free_device_list", "close_device", "alloc_pd",
        "dealloc_pd", "destroy_cq", "create_qp", "modify_qp", "destroy_qp", "query_qp", "query_port", "query_gid",
        "query_gid_type", "get_async_event", "ack_async_event"};
    const struct layout *l = now();
    char name[64];

    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        snprintf(name, sizeof name, "hbldv_%s", all[i]);
        CHECK(function(name));
    }
    for (unsigned i = 0; i < sizeof inside / sizeof *inside; i++) {
        snprintf(name, sizeof name, "hlibv_%s", inside[i]);
        EQ(!!function(name), l->coll != 0);
    }
    EQ(!!function("hbldv_reserve_coll_qps"), l->coll != 0);
    EQ(!!function("hbldv_reserve_coll_sched_resources"), l->resources != 0);
    EQ(!!function("hbldv_migrate_qp"), l->migrate);
    EQ(!!function("hbldv_query_device_temp"), l->temp);
    CHECK(dlvsym(RTLD_DEFAULT, "hbldv_query_device", "HBL_1.0"));
}

/* What was overwritten of a pattern is how a program tells the layouts. */
static void device(void)
{
    const struct layout *l = now();
    struct card c = open_card(0, NULL);
    uint8_t bytes[64], temp[64];
    uint64_t word[8];

    memset(bytes, 0xa5, sizeof bytes);
    OK(hbldv_query_device(c.ctx, bytes));
    for (unsigned i = l->device; i < sizeof bytes; i++)
        EQ(bytes[i], 0xa5);
    memcpy(word, bytes, sizeof word);
    EQ(word[0], l->coll ? 3 : 1);
    EQ(l->counts_ports ? bytes[8] : word[1], l->counts_ports ? 4 : 30);
    if (l->device >= 24)
        EQ(word[2], 16); /* port 4 is external */
    if (l->device >= 32)
        EQ(word[3], 0x154); /* each second of the hardware's */
    EQ(strlen(logged("hbldv_query_device out ")) > 2 * l->device, 1);
    if (l->temp) {
        int (*query)(struct ibv_context *, void *) = (int (*)(struct ibv_context *, void *))function("hbldv_query_device_temp");

        memset(temp, 0xa5, sizeof temp);
        OK(query(c.ctx, temp));
        EQ(temp[8], 4);
        EQ(temp[32], 0xa5);
    }
    close_card(&c);
}

/* The bytes of each structure as they came, each field at its place. */
static void bytes(void)
{
    const struct layout *l = now();
    struct card c = open_card(0, &(struct hbl_making){.ports = 2});
    struct hbldv_port_ex_attr port = port_attr(3, &(struct hbl_making){.wqs = 0x11, .wqes = 0x40});
    struct hbldv_usr_fifo_attr fifo = {.port_num = 4, .usr_fifo_num_hint = 9};
    struct hbldv_encap_attr encap = {.tnl_hdr_size = 0, .ipv4_addr = 0x01020304, .port_num = 4, .udp_dst_port = 0x1122, .encap_type = 2};
    struct line line = make_line(&c, 1, 16);
    struct hbldv_qp_attr init = {.wq_type = HBLDV_WQ_WRITE, .priority = 3, .local_key = 0x0a0b0c0d};
    struct hbldv_usr_fifo *f;
    struct hbldv_encap *e;
    char size[32];
    const char *hex;

    EQ(byte_of(logged("hbldv_open_device in 16 "), 8), (unsigned)c.accel);
    set_up(&c, 4, &(struct hbl_making){0});
    port.qp_wq_bp_offs[15] = 0;
    OK(hbldv_set_port_ex(c.ctx, &port));
    hex = logged("hbldv_set_port_ex in 168 ");
    EQ(byte_of(hex, 0), 0x11);
    EQ(byte_of(hex, 4), 0x40);
    EQ(byte_of(hex, 8), 1);
    EQ(byte_of(hex, 160), 3);
    f = SOME(hbldv_create_usr_fifo(c.ctx, &fifo));
    hex = logged("hbldv_create_usr_fifo in 24 ");
    EQ(byte_of(hex, 0), 4);
    EQ(byte_of(hex, 12), 9);
    EQ(byte_of(logged("hbldv_create_usr_fifo out 32 "), 20), 9);
    EQ(byte_of(logged("hbldv_create_cq in 8 "), 0), 4);
    e = SOME(hbldv_create_encap(c.ctx, &encap));
    hex = logged("hbldv_create_encap in 32 ");
    EQ(byte_of(hex, 12), 4);
    EQ(byte_of(hex, 16), 4);
    EQ(byte_of(hex, 20), 0x22);
    EQ(byte_of(hex, 24), 2);
    OK(to_init_hbl(&line, &init));
    snprintf(size, sizeof size, "hbldv_modify_qp in %u ", l->qp);
    hex = logged(size);
    EQ(byte_of(hex, 8), 0x0d);
    EQ(byte_of(hex, 28), 1);
    EQ(byte_of(hex, 36), 3);
    EQ(byte_of(hex, 39), 0);
    EQ(strlen(hex), 2 * l->qp);
    EQ(byte_of(logged("hbldv_query_qp out 24 "), 0), line.at.qp_num);
    OK(hbldv_destroy_usr_fifo(f));
    OK(hbldv_destroy_encap(e));
    destroy_line(&line);
    close_card(&c);
}

/* The five words about collectives are not written where they mean nothing. */
static void port(void)
{
    const struct layout *l = now();
    struct card c = open_card(0, NULL);
    struct hbldv_query_port_attr attr;

    memset(&attr, 0xa5, sizeof attr);
    OK(hbldv_query_port(c.ctx, 2, &attr));
    EQ(attr.max_num_of_qps, 8192);
    EQ(attr.max_num_of_scale_out_coll_qps, l->coll ? 64 : 0xa5a5a5a5);
    EQ(attr.coll_qps_offset, l->coll ? 128 : 0xa5a5a5a5);
    EQ(attr.nic_phys_port_idx, 1);
    close_card(&c);
}

static void a_write(struct line *a, struct line *b, uint32_t tag)
{
    memcpy(a->card->buf, &tag, 4);
    put_write(a, &(struct write){.from = a->card->dva, .to = b->card->dva + 64, .size = 4, .tag = tag});
    announce_lines(a);
    done(a, tag, 4);
    CHECK(!memcmp(b->card->buf + 64, &tag, 4));
}

static void writes(void)
{
    struct card one = open_card(0, NULL), two = open_card(1, NULL);
    struct line a = make_line(&one, 1, 16), b = make_line(&two, 1, 16);

    join(&a, &b, NULL);
    for (uint32_t n = 1; n < 40; n++)
        a_write(&a, &b, n);
    no_violations();
    destroy_line(&a);
    destroy_line(&b);
    close_card(&one);
    close_card(&two);
}

/* -- collectives ------------------------------------------------------------------------------- */

typedef int reserve_function(struct ibv_pd *, void *, struct hbldv_coll_qp *);

static int reserve(struct card *c, bool scale_out, uint64_t ports, uint32_t *id)
{
    struct hbldv_coll_qp_attr attr = {.is_scale_out = scale_out, .ports_mask = ports};
    struct hbldv_coll_qp qp = {0};
    int error = ((reserve_function *)function("hbldv_reserve_coll_qps"))(c->pd, &attr, &qp);

    *id = qp.qp_num;
    return error;
}

/* One number on three ports, the offset apart; a hint that was not reserved is refused; a number that is given back is busy once. */
static void collectives(void)
{
    struct hbldv_qp_attr init = {.wq_type = HBLDV_WQ_WRITE, .caps = HBLDV_QP_CAP_COLL};
    struct hbldv_query_port_attr port;
    struct line l[3], wrong;
    struct card c;
    uint32_t id, other;

    if (!now()->coll)
        skip("this layout has none");
    c = open_card(0, NULL);
    wrong = make_line(&c, 1, 16);
    OK(hbldv_query_port(c.ctx, 1, &port));
    init.qp_num_hint = port.base_coll_qp_num + port.coll_qps_offset;
    EQ(to_init_hbl(&wrong, &init), EINVAL);
    OK(reserve(&c, false, 0xe, &id));
    EQ(id, port.base_coll_qp_num);
    OK(reserve(&c, false, 0xe, &other));
    EQ(other, id + 1);
    for (uint32_t p = 1; p <= 3; p++) {
        l[p - 1] = make_line(&c, p, 16);
        OK(hbldv_query_port(c.ctx, p, &port));
        init.qp_num_hint = id + port.coll_qps_offset;
        OK(to_init_hbl(&l[p - 1], &init));
        EQ(l[p - 1].at.qp_num, id + port.coll_qps_offset);
    }
    wrong.port = 1;
    init.qp_num_hint = l[0].at.qp_num; /* it is taken */
    EQ(to_init_hbl(&wrong, &init), EINVAL);
    OK(reserve(&c, true, 1 << 4, &other));
    OK(hbldv_query_port(c.ctx, 4, &port));
    EQ(other, port.base_scale_out_coll_qp_num);
    for (uint32_t p = 1; p <= 3; p++)
        destroy_line(&l[p - 1]);
    EQ(reserve(&c, false, 0xe, &other), EBUSY);
    OK(reserve(&c, false, 0xe, &other));
    EQ(other, id);
    destroy_line(&wrong);
    close_card(&c);
}

/* Writes go between queue pairs of collective numbers as between any. */
static void collective_writes(void)
{
    struct hbldv_qp_attr init = {.wq_type = HBLDV_WQ_WRITE, .caps = HBLDV_QP_CAP_COLL};
    struct hbldv_query_port_attr port;
    struct line a, b;
    struct card one, two;
    uint32_t id;

    if (!now()->coll)
        skip("this layout has none");
    one = open_card(0, NULL);
    two = open_card(1, NULL);
    a = make_line(&one, 1, 16);
    b = make_line(&two, 1, 16);
    OK(hbldv_query_port(one.ctx, 1, &port));
    OK(reserve(&one, false, 0xe, &id));
    init.qp_num_hint = id + port.coll_qps_offset;
    OK(to_init_hbl(&a, &init));
    OK(reserve(&two, false, 0xe, &id));
    OK(to_init_hbl(&b, &init));
    join(&a, &b, NULL);
    for (uint32_t n = 1; n < 40; n++)
        a_write(&a, &b, n);
    no_violations();
    destroy_line(&a);
    destroy_line(&b);
    close_card(&one);
    close_card(&two);
}

/* A queue pair of port 2 takes the place of one of port 1: the number is the same but for the offset. */
static void migration(void)
{
    struct hbldv_qp_attr init = {.wq_type = HBLDV_WQ_WRITE, .caps = HBLDV_QP_CAP_COLL}, move = {.caps = HBLDV_QP_CAP_MIGRATE};
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR, .ah_attr = {.is_global = 1, .port_num = 2}};
    int (*migrate)(struct ibv_qp *, struct ibv_qp *) = (int (*)(struct ibv_qp *, struct ibv_qp *))function("hbldv_migrate_qp");
    struct hbldv_query_port_attr first, second;
    struct line a, b, n, m;
    struct card one, two;
    uint32_t id;

    if (!now()->migrate)
        skip("this layout has none");
    one = open_card(0, NULL);
    two = open_card(1, NULL);
    a = make_line(&one, 1, 16);
    b = make_line(&two, 1, 16);
    n = make_line(&one, 4, 16);
    m = make_line(&two, 4, 16);
    OK(hbldv_query_port(one.ctx, 1, &first));
    OK(hbldv_query_port(one.ctx, 4, &second));
    OK(reserve(&one, false, 0xe, &id));
    init.qp_num_hint = id + first.coll_qps_offset;
    OK(to_init_hbl(&a, &init));
    join(&a, &b, NULL);
    a_write(&a, &b, 7);
    OK(to_init_hbl(&n, NULL));
    OK(to_init_hbl(&m, NULL));
    move.qp_to_migrate = a.qp;
    attr.dest_qp_num = m.at.qp_num;
    attr.ah_attr.grh.dgid = gid_of(&two, 4);
    OK(hbldv_modify_qp(n.qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_DEST_QPN, &move));
    attr.qp_state = IBV_QPS_RTS;
    OK(hbldv_modify_qp(n.qp, &attr, IBV_QP_STATE, &move));
    OK(now()->migrate_two ? migrate(a.qp, n.qp) : migrate(n.qp, NULL));
    OK(hbldv_query_qp(n.qp, &n.at));
    EQ(n.at.qp_num, id + second.coll_qps_offset);
    attr = (struct ibv_qp_attr){0};
    OK(to_rtr_hbl(&m, n.at.qp_num, &(union ibv_gid){.raw = {0}}, &(struct joining){0}));
    destroy_line(&m);
    m = make_line(&two, 4, 16);
    OK(to_init_hbl(&m, NULL));
    OK(to_rtr_hbl(&m, n.at.qp_num, &(union ibv_gid){.raw = {0}}, &(struct joining){0}));
    destroy_line(&a);
    destroy_line(&b);
    destroy_line(&n);
    destroy_line(&m);
    close_card(&one);
    close_card(&two);
}

static void resources(void)
{
    int (*query)(struct ibv_context *, void *) = (int (*)(struct ibv_context *, void *))
        function("hbldv_reserve_coll_sched_resources");
    uint8_t *room;
    struct card c;

    if (!now()->resources)
        skip("this layout has none");
    c = open_card(0, NULL);
    room = SOME(malloc(10000));
    memset(room, 0xa5, 10000);
    OK(query(c.ctx, room));
    EQ(room[0], 0);
    EQ(room[now()->resources - 1], 0);
    EQ(room[now()->resources], 0xa5);
    free(room);
    close_card(&c);
}

/* By the names that the shipped libraries have inside. */
static void inside(void)
{
    struct ibv_device **(*list)(int *) = (struct ibv_device **(*)(int *))function("hlibv_get_device_list");
    struct ibv_device **all;
    struct card c;
    int n;

    if (!list)
        skip("this layout has none");
    all = SOME(list(&n));
    EQ(n, 2);
    ((void (*)(struct ibv_device **))function("hlibv_free_device_list"))(all);
    c = open_card(0, NULL);
    OK(((int (*)(struct ibv_context *, uint8_t, struct ibv_port_attr *))function("hlibv_query_port"))(c.ctx, 1,
        &(struct ibv_port_attr){0}));
    OK(((int (*)(struct ibv_context *, uint8_t, unsigned, int *))function("hlibv_query_gid_type"))(c.ctx, 4, 3, &n));
    EQ(n, 1);
    close_card(&c);
}

static const struct test_case cases[] = {
    {"functions", functions}, {"device", device}, {"bytes", bytes}, {"port", port}, {"writes", writes},
    {"collectives", collectives}, {"collective-writes", collective_writes}, {"migration", migration}, {"resources", resources},
    {"inside", inside}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("hbl_layouts", cases, argc, argv);
}
