/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* RDMA's netlink: devices, their ports and their files, as `rdma` and libibverbs ask for them. Two devices of two ports. */
#include "kit.h"

#include <sys/socket.h>
#include <unistd.h>
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>

#define DUMP (NLM_F_ROOT | NLM_F_MATCH)
#define PORT 4242

static union {
    struct nlmsghdr h;
    uint8_t bytes[8192];
} in, out;
static size_t length; /* of the answer */

static int open_socket(void)
{
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA), on = 1;
    struct sockaddr_nl name = {.nl_family = AF_NETLINK, .nl_pid = PORT};
    socklen_t size = sizeof name;

    CHECK(fd >= 0);
    OK(setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof on));
    OK(bind(fd, (struct sockaddr *)&name, sizeof name));
    name.nl_pid = 0;
    OK(getsockname(fd, (struct sockaddr *)&name, &size));
    EQ(size, sizeof name);
    EQ(name.nl_family, AF_NETLINK);
    EQ(name.nl_pid, PORT);
    return fd;
}

static void make_request(unsigned op, uint16_t flags)
{
    memset(&in, 0, sizeof in);
    in.h = (struct nlmsghdr){.nlmsg_len = NLMSG_HDRLEN, .nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, op),
        .nlmsg_flags = NLM_F_REQUEST | flags, .nlmsg_seq = 77};
}

static void add(uint16_t type, const void *data, size_t size)
{
    struct nlattr *a = (struct nlattr *)(in.bytes + in.h.nlmsg_len);

    a->nla_type = type;
    a->nla_len = (uint16_t)(NLA_HDRLEN + size);
    memcpy(a + 1, data, size);
    in.h.nlmsg_len += NLA_ALIGN(a->nla_len);
}

static void add_number(uint16_t type, uint32_t value)
{
    add(type, &value, sizeof value);
}

/* Sends it in the way of libmnl or of libnl, and takes the whole answer. */
static void ask(int fd, bool as_libnl)
{
    struct sockaddr_nl from = {0}, to = {.nl_family = AF_NETLINK};
    struct iovec piece = {.iov_base = &in, .iov_len = in.h.nlmsg_len};
    struct msghdr m = {.msg_name = &to, .msg_namelen = sizeof to, .msg_iov = &piece, .msg_iovlen = 1};
    ssize_t n;

    if (as_libnl) {
        EQ(sendmsg(fd, &m, 0), in.h.nlmsg_len);
    } else {
        EQ(sendto(fd, &in, in.h.nlmsg_len, 0, (struct sockaddr *)&to, sizeof to), in.h.nlmsg_len);
    }
    piece = (struct iovec){.iov_base = &out, .iov_len = sizeof out};
    m.msg_name = &from;
    m.msg_namelen = sizeof from;
    n = recvmsg(fd, &m, MSG_DONTWAIT);
    CHECK(n >= NLMSG_HDRLEN);
    EQ(m.msg_namelen, sizeof from);
    EQ(from.nl_family, AF_NETLINK);
    EQ(from.nl_pid, 0);
    length = (size_t)n;
}

/* The n-th message, which must be there. */
static struct nlmsghdr *message(unsigned n)
{
    struct nlmsghdr *h = &out.h;
    int left = (int)length;

    while (n--)
        h = NLMSG_NEXT(h, left);
    CHECK(NLMSG_OK(h, (unsigned)left));
    EQ(h->nlmsg_seq, 77);
    EQ(h->nlmsg_pid, PORT);
    return h;
}

static const void *attribute(const struct nlmsghdr *h, uint16_t type, size_t size)
{
    const uint8_t *at = (const uint8_t *)NLMSG_DATA(h), *end = (const uint8_t *)h + h->nlmsg_len;

    while (at < end) {
        const struct nlattr *a = (const struct nlattr *)at;

        CHECK(a->nla_len >= NLA_HDRLEN && at + a->nla_len <= end);
        if (a->nla_type == type) {
            CHECK(!size || a->nla_len == NLA_HDRLEN + size);
            return a + 1;
        }
        at += NLA_ALIGN(a->nla_len);
    }
    return NULL;
}

static uint64_t value(const struct nlmsghdr *h, uint16_t type, size_t size)
{
    uint64_t to = 0;

    memcpy(&to, SOME(attribute(h, type, size)), size);
    return to;
}

static void devices(void)
{
    int fd = open_socket();

    for (unsigned way = 0; way < 2; way++) {
        make_request(RDMA_NLDEV_CMD_GET, DUMP | NLM_F_ACK);
        ask(fd, way);
        for (unsigned i = 0; i < 2; i++) {
            struct nlmsghdr *h = message(i);
            struct ibv_context *ctx = open_nth((int)i);

            EQ(h->nlmsg_type, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET));
            EQ(h->nlmsg_flags, NLM_F_MULTI);
            EQ(value(h, RDMA_NLDEV_ATTR_DEV_INDEX, 4), i);
            CHECK(!strcmp(attribute(h, RDMA_NLDEV_ATTR_DEV_NAME, 0), ibv_get_device_name(ctx->device)));
            EQ(value(h, RDMA_NLDEV_ATTR_PORT_INDEX, 4), 2);
            EQ(htobe64(value(h, RDMA_NLDEV_ATTR_NODE_GUID, 8)), ibv_get_device_guid(ctx->device));
            EQ(value(h, RDMA_NLDEV_ATTR_DEV_NODE_TYPE, 1), 1);
            OK(ibv_close_device(ctx));
        }
        EQ(message(2)->nlmsg_type, NLMSG_DONE);
    }
    make_request(RDMA_NLDEV_CMD_GET, 0);
    add_number(RDMA_NLDEV_ATTR_DEV_INDEX, 1);
    ask(fd, true);
    CHECK(!strcmp(attribute(message(0), RDMA_NLDEV_ATTR_DEV_NAME, 0), "mlx5_1"));
    EQ(message(0)->nlmsg_len, length); /* no other, as no ack was asked for */
    close(fd);
}

static void ports(void)
{
    int fd = open_socket();

    make_request(RDMA_NLDEV_CMD_PORT_GET, NLM_F_ACK);
    add_number(RDMA_NLDEV_ATTR_DEV_INDEX, 1);
    add_number(RDMA_NLDEV_ATTR_PORT_INDEX, 2);
    ask(fd, false);
    EQ(value(message(0), RDMA_NLDEV_ATTR_PORT_INDEX, 4), 2);
    EQ(value(message(0), RDMA_NLDEV_ATTR_PORT_STATE, 1), IBV_PORT_ACTIVE);
    EQ(value(message(0), RDMA_NLDEV_ATTR_PORT_PHYS_STATE, 1), 5);
    EQ(value(message(0), RDMA_NLDEV_ATTR_NDEV_INDEX, 4), 5105);
    CHECK(!strcmp(attribute(message(0), RDMA_NLDEV_ATTR_NDEV_NAME, 0), "sim1p2"));
    EQ(message(1)->nlmsg_type, NLMSG_ERROR); /* the ack */
    EQ(((struct nlmsgerr *)NLMSG_DATA(message(1)))->error, 0);
    make_request(RDMA_NLDEV_CMD_PORT_GET, DUMP);
    add_number(RDMA_NLDEV_ATTR_DEV_INDEX, 0);
    ask(fd, false);
    EQ(value(message(0), RDMA_NLDEV_ATTR_PORT_INDEX, 4), 1);
    EQ(value(message(1), RDMA_NLDEV_ATTR_PORT_INDEX, 4), 2);
    EQ(message(2)->nlmsg_type, NLMSG_DONE);
    device_sim_port_state(0, 2, IBV_PORT_DOWN);
    ask(fd, false); /* which sent the same bytes again */
    device_sim_port_state(0, 2, IBV_PORT_ACTIVE);
    EQ(value(message(1), RDMA_NLDEV_ATTR_PORT_STATE, 1), IBV_PORT_DOWN);
    close(fd);
}

static void files(void)
{
    int fd = open_socket();

    make_request(RDMA_NLDEV_CMD_GET_CHARDEV, 0);
    add_number(RDMA_NLDEV_ATTR_DEV_INDEX, 1);
    add(RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs", 7);
    ask(fd, true);
    CHECK(!strcmp(attribute(message(0), RDMA_NLDEV_ATTR_CHARDEV_NAME, 0), "uverbs1"));
    EQ(value(message(0), RDMA_NLDEV_ATTR_CHARDEV_ABI, 8), 1);
    EQ(value(message(0), RDMA_NLDEV_ATTR_CHARDEV, 8), 0xe7c1);
    make_request(RDMA_NLDEV_CMD_GET_CHARDEV, 0);
    add(RDMA_NLDEV_ATTR_CHARDEV_TYPE, "rdma_cm", 8); /* of no device */
    ask(fd, true);
    CHECK(!strcmp(attribute(message(0), RDMA_NLDEV_ATTR_CHARDEV_NAME, 0), "rdma_cm"));
    EQ(value(message(0), RDMA_NLDEV_ATTR_CHARDEV_ABI, 8), 4);
    EQ(value(message(0), RDMA_NLDEV_ATTR_CHARDEV, 8), 0xa79);
    close(fd);
}

static void refused(int fd, int error)
{
    ask(fd, true);
    EQ(message(0)->nlmsg_type, NLMSG_ERROR);
    EQ(((struct nlmsgerr *)NLMSG_DATA(message(0)))->error, -error);
}

static void refusals(void)
{
    int fd = open_socket();

    make_request(RDMA_NLDEV_CMD_PORT_GET, 0);
    add_number(RDMA_NLDEV_ATTR_DEV_INDEX, 2);
    add_number(RDMA_NLDEV_ATTR_PORT_INDEX, 1);
    refused(fd, EINVAL);
    make_request(RDMA_NLDEV_CMD_PORT_GET, 0);
    add_number(RDMA_NLDEV_ATTR_DEV_INDEX, 0);
    add_number(RDMA_NLDEV_ATTR_PORT_INDEX, 3);
    refused(fd, EINVAL);
    make_request(RDMA_NLDEV_CMD_GET, 0); /* of no device */
    refused(fd, EINVAL);
    make_request(RDMA_NLDEV_CMD_GET_CHARDEV, 0);
    add_number(RDMA_NLDEV_ATTR_DEV_INDEX, 0);
    add(RDMA_NLDEV_ATTR_CHARDEV_TYPE, "issm\0\0", 7);
    refused(fd, EOPNOTSUPP);
    make_request(RDMA_NLDEV_CMD_NEWLINK, NLM_F_ACK);
    refused(fd, EOPNOTSUPP);
    in.h.nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_IWCM, 0);
    refused(fd, EINVAL);
    close(fd);
}

/* Cut off messages and attributes are not read beyond their end, and get no answer that is not a message. */
static void nonsense(void)
{
    int fd = open_socket();

    make_request(RDMA_NLDEV_CMD_GET, 0);
    in.h.nlmsg_len = 200;
    EQ(send(fd, &in, 20, 0), 20);
    in.h.nlmsg_len = 3;
    EQ(send(fd, &in, 16, 0), 16);
    EQ(send(fd, &in, 5, 0), 5);
    EQ(recv(fd, &out, sizeof out, MSG_DONTWAIT), -1);
    EQ(errno, EAGAIN);
    make_request(RDMA_NLDEV_CMD_GET, 0);
    add_number(RDMA_NLDEV_ATTR_DEV_INDEX, 0);
    ((struct nlattr *)(in.bytes + NLMSG_HDRLEN))->nla_len = 100;
    refused(fd, EINVAL);
    close(fd);
}

static const struct test_case cases[] = {
    {"devices", devices}, {"ports", ports}, {"files", files}, {"refusals", refusals}, {"nonsense", nonsense}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("netlink", cases, argc, argv);
}
