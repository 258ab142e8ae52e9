/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Commands of the connection manager by hand: those of older libraries, wrong ones, and answers with too little room. */
#include "kit.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <rdma/rdma_user_cm.h>
#include <unistd.h>

#define FILE_NAME "/dev/infiniband/rdma_cm"
#define UID 0x77

static struct {
    struct rdma_ucm_cmd_hdr h;
    uint8_t body[400];
} __attribute__((aligned(8))) out;
static int file;

/* Writes a command; 0 or the errno. */
static int command(uint32_t cmd, const void *body, size_t size, size_t room)
{
    ssize_t n;

    out.h = (struct rdma_ucm_cmd_hdr){.cmd = cmd, .in = (uint16_t)size, .out = (uint16_t)room};
    memcpy(out.body, body, size);
    n = write(file, &out, sizeof out.h + size);
    if (n >= 0)
        EQ(n, sizeof out.h + size);
    return n < 0 ? errno : 0;
}

#define COMMAND(cmd, body, room) command(RDMA_USER_CM_CMD_##cmd, &(body), sizeof(body), room)

static uint32_t create(uint16_t ps)
{
    struct rdma_ucm_create_id_resp r = {0};
    struct rdma_ucm_create_id c = {.uid = UID, .response = (uintptr_t)&r, .ps = ps, .qp_type = IBV_QPT_RC};

    OK(COMMAND(CREATE_ID, c, sizeof r));
    CHECK(r.id);
    return r.id;
}

static void destroy(uint32_t id, uint32_t reported)
{
    struct rdma_ucm_destroy_id_resp r = {.events_reported = 99};
    struct rdma_ucm_destroy_id c = {.response = (uintptr_t)&r, .id = id};

    EQ(COMMAND(DESTROY_ID, c, 0), ENOSPC);
    OK(COMMAND(DESTROY_ID, c, sizeof r));
    EQ(r.events_reported, reported);
    EQ(COMMAND(DESTROY_ID, c, sizeof r), ENOENT);
}

static struct rdma_ucm_event_resp event(uint32_t id, uint32_t type)
{
    struct rdma_ucm_event_resp r = {0};
    struct rdma_ucm_get_event c = {.response = (uintptr_t)&r};

    EQ(COMMAND(GET_EVENT, c, 16), ENOSPC);
    OK(COMMAND(GET_EVENT, c, sizeof r));
    EQ(r.id, id);
    EQ(r.event, type);
    return r;
}

static void put_address(struct sockaddr_in6 *to, const char *host, uint16_t port)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};

    EQ(inet_pton(AF_INET, host, &a.sin_addr), 1);
    memset(to, 0xee, sizeof *to); /* librdmacm leaves there what was there */
    memcpy(to, &a, sizeof a);
}

static void open_file(void)
{
    file = open(FILE_NAME, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    CHECK(file >= 0);
    OK(fcntl(file, F_SETFL, O_NONBLOCK));
}

static void close_file(void)
{
    close(file);
    no_violations();
}

/* What librdmacm does where the kernel knows no addresses of InfiniBand. */
static void old_commands(void)
{
    struct rdma_ucm_query_route_resp r = {0};
    struct rdma_ucm_resolve_ip resolve = {.timeout_ms = 100};
    struct rdma_ucm_bind_ip bind_ip = {0};
    struct rdma_ucm_resolve_route route = {.timeout_ms = 100};
    struct rdma_ucm_query q = {.response = (uintptr_t)&r};
    uint32_t id;

    open_file();
    id = create(RDMA_PS_TCP);
    put_address(&resolve.src_addr, "192.0.2.1", 0);
    put_address(&resolve.dst_addr, "192.0.2.5", 18515);
    resolve.id = route.id = q.id = id;
    OK(COMMAND(RESOLVE_IP, resolve, 0));
    EQ(event(id, 0).uid, UID);
    EQ(COMMAND(RESOLVE_IP, resolve, 0), EINVAL);
    OK(COMMAND(QUERY_ROUTE, q, sizeof r));
    EQ(r.num_paths, 0);
    EQ(r.port_num, 1);
    EQ(r.ibdev_index, 0);
    EQ(be64toh(r.node_guid), 0x0200000000510000ull);
    EQ(r.src_addr.sin6_family, AF_INET);
    EQ(((struct sockaddr_in *)&r.dst_addr)->sin_port, htons(18515));
    EQ(r.ib_route[0].sgid[15], 1);
    EQ(r.ib_route[0].dgid[15], 5);
    OK(COMMAND(RESOLVE_ROUTE, route, 0));
    EQ(COMMAND(RESOLVE_ROUTE, route, 0), EINVAL);
    event(id, 2);
    EQ(COMMAND(QUERY_ROUTE, q, 8), ENOSPC);
    OK(COMMAND(QUERY_ROUTE, q, offsetof(struct rdma_ucm_query_route_resp, ibdev_index))); /* as old libraries ask */
    EQ(r.num_paths, 1);
    EQ(r.ib_route[0].mtu, IBV_MTU_1024);
    EQ(r.ib_route[0].packet_life_time, 16);
    destroy(id, 2);
    id = create(RDMA_PS_UDP);
    put_address(&bind_ip.addr, "192.0.2.6", 9);
    bind_ip.id = id;
    OK(COMMAND(BIND_IP, bind_ip, 0));
    EQ(COMMAND(BIND_IP, bind_ip, 0), EINVAL);
    {
        struct rdma_ucm_create_id_resp g = {0};
        struct rdma_ucm_join_ip_mcast join = {.response = (uintptr_t)&g, .uid = 5, .id = id};
        struct rdma_ucm_destroy_id leave = {.response = (uintptr_t)&g};
        struct rdma_ucm_event_resp e;

        put_address(&join.addr, "239.0.0.1", 0);
        OK(COMMAND(JOIN_IP_MCAST, join, sizeof g));
        e = event(g.id, 12);
        EQ(e.uid, 5);
        EQ(e.param.ud.qp_num, 0xffffff);
        leave.id = g.id;
        OK(COMMAND(LEAVE_MCAST, leave, sizeof g));
        EQ(g.id, 1); /* the events that were reported */
        EQ(COMMAND(LEAVE_MCAST, leave, sizeof g), ENOENT);
        destroy(id, 1);
    }
    close_file();
}

static void is_malformed(const char *why, const void *bytes, size_t size)
{
    EQ(write(file, bytes, size), -1);
    EQ(errno, EINVAL);
    expect_message(why);
}

static void malformed(void)
{
    struct {
        struct rdma_ucm_cmd_hdr h;
        struct rdma_ucm_destroy_id c;
    } c = {.h = {.cmd = RDMA_USER_CM_CMD_DESTROY_ID, .in = sizeof c.c, .out = 4}};

    open_file();
    is_malformed("the length in the header is not that of the command", &c, sizeof c - 1);
    c.h.in--;
    is_malformed("the command is too short", &c, sizeof c - 1);
    c.h.in++;
    c.c.reserved = 1;
    is_malformed("reserved bytes are not zero", &c, sizeof c);
    c.h.cmd = 25;
    is_malformed("a command that is not known", &c, sizeof c);
    c.h.cmd = RDMA_USER_CM_CMD_GET_OPTION; /* that the kernel has not either */
    EQ(write(file, &c, sizeof c), -1);
    EQ(errno, ENOSYS);
    EQ(write(file, &c, 3), -1);
    EQ(errno, EINVAL);
    close(file);
}

static void wrong_values(void)
{
    struct rdma_ucm_create_id_resp r;
    struct rdma_ucm_create_id c = {.response = (uintptr_t)&r, .ps = 0x999};
    struct rdma_ucm_bind bind_to = {.addr_size = 16};
    struct rdma_ucm_connect connect_to = {0};
    struct rdma_ucm_reject reject = {.reason = 5};
    struct rdma_ucm_init_qp_attr attr = {.qp_state = IBV_QPS_ERR + 1};
    struct rdma_ucm_get_event get = {.response = 16};
    struct rdma_ucm_set_option option = {.level = 1, .optname = 1, .optlen = 72};
    struct rdma_ucm_migrate_id migrate = {.fd = 0};
    struct ib_uverbs_qp_attr a;
    uint32_t id;

    open_file();
    EQ(COMMAND(CREATE_ID, c, sizeof r), EINVAL);
    c.ps = RDMA_PS_TCP;
    EQ(COMMAND(CREATE_ID, c, 0), ENOSPC);
    id = create(RDMA_PS_TCP);
    bind_to.id = connect_to.id = reject.id = attr.id = option.id = migrate.id = id;
    EQ(COMMAND(BIND, bind_to, 0), EINVAL); /* an address of no family */
    ((struct sockaddr *)&bind_to.addr)->sa_family = AF_INET6;
    EQ(COMMAND(BIND, bind_to, 0), EINVAL); /* and of another length */
    EQ(COMMAND(CONNECT, connect_to, 0), EINVAL); /* without parameters */
    connect_to.conn_param.valid = 1;
    EQ(COMMAND(CONNECT, connect_to, 0), EINVAL); /* without a route */
    EQ(COMMAND(REJECT, reject, 0), EINVAL);
    reject.reason = 0;
    EQ(COMMAND(REJECT, reject, 0), EINVAL); /* nothing to reject */
    EQ(COMMAND(INIT_QP_ATTR, attr, sizeof a), EINVAL);
    attr.qp_state = IBV_QPS_INIT;
    EQ(COMMAND(INIT_QP_ATTR, attr, sizeof a), EINVAL); /* no device */
    EQ(COMMAND(INIT_QP_ATTR, attr, 8), ENOSPC);
    EQ(COMMAND(SET_OPTION, option, 0), EOPNOTSUPP);
    EQ(COMMAND(MIGRATE_ID, migrate, 4), EINVAL); /* that is no file of it */
    EQ(COMMAND(GET_EVENT, get, sizeof(struct rdma_ucm_event_resp)), EAGAIN);
    destroy(id, 0);
    close_file();
}

static const struct test_case cases[] = {
    {"old-commands", old_commands}, {"malformed", malformed}, {"wrong-values", wrong_values}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("cm_raw", cases, argc, argv);
}
