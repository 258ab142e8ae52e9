/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The network devices of Ethernet ports, as the C library, its ioctls and the network's netlink tell of them. Two devices of two ports. */
#include "kit.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netpacket/packet.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/rtnetlink.h>

#define NUMBER 5101 /* of sim0p2 */

static void the_list(void)
{
    struct ifaddrs *all, *i;
    unsigned ours = 0, others = 0;
    char text[64];

    OK(getifaddrs(&all));
    for (i = all; i; i = i->ifa_next) {
        others += !strcmp(i->ifa_name, "lo");
        if (strcmp(i->ifa_name, "sim0p2"))
            continue;
        ours++;
        CHECK(i->ifa_flags & IFF_UP);
        switch (i->ifa_addr->sa_family) {
        case AF_INET:
            inet_ntop(AF_INET, &((struct sockaddr_in *)i->ifa_addr)->sin_addr, text, sizeof text);
            CHECK(!strcmp(text, "192.0.2.2"));
            inet_ntop(AF_INET, &((struct sockaddr_in *)i->ifa_netmask)->sin_addr, text, sizeof text);
            CHECK(!strcmp(text, "255.255.255.0"));
            break;
        case AF_INET6:
            inet_ntop(AF_INET6, &((struct sockaddr_in6 *)i->ifa_addr)->sin6_addr, text, sizeof text);
            CHECK(!strcmp(text, "fe80::200:0:51:2"));
            EQ(((struct sockaddr_in6 *)i->ifa_addr)->sin6_scope_id, NUMBER);
            break;
        default:
            EQ(((struct sockaddr_ll *)i->ifa_addr)->sll_ifindex, NUMBER);
            CHECK(!memcmp(((struct sockaddr_ll *)i->ifa_addr)->sll_addr, "\2\0\0\x51\0\2", 6));
        }
    }
    freeifaddrs(all);
    EQ(ours, 3);
    CHECK(others);
}

static void names_and_numbers(void)
{
    char name[IF_NAMESIZE];

    EQ(if_nametoindex("sim0p2"), NUMBER);
    EQ(if_nametoindex("sim0p3"), 0);
    CHECK(!strcmp(SOME(if_indextoname(NUMBER, name)), "sim0p2"));
    CHECK(!if_indextoname(NUMBER + 1, name));
    CHECK(if_nametoindex("lo"));
}

static void ioctls(void)
{
    struct ifreq r = {.ifr_name = "sim1p1"}, list[64];
    struct ifconf c = {.ifc_len = sizeof list, .ifc_req = list};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    unsigned found = 0;

    OK(ioctl(fd, SIOCGIFINDEX, &r));
    EQ(r.ifr_ifindex, 5104);
    OK(ioctl(fd, SIOCGIFADDR, &r));
    EQ(ntohl(((struct sockaddr_in *)&r.ifr_addr)->sin_addr.s_addr), 0xc0000205);
    OK(ioctl(fd, SIOCGIFBRDADDR, &r));
    EQ(ntohl(((struct sockaddr_in *)&r.ifr_addr)->sin_addr.s_addr), 0xc00002ff);
    OK(ioctl(fd, SIOCGIFMTU, &r));
    EQ(r.ifr_mtu, 1500);
    OK(ioctl(fd, SIOCGIFFLAGS, &r));
    CHECK(r.ifr_flags & IFF_RUNNING);
    OK(ioctl(fd, SIOCGIFHWADDR, &r));
    CHECK(!memcmp(r.ifr_hwaddr.sa_data, "\2\0\0\x51\1\1", 6));
    r.ifr_ifindex = NUMBER;
    OK(ioctl(fd, SIOCGIFNAME, &r));
    CHECK(!strcmp(r.ifr_name, "sim0p2"));
    strcpy(r.ifr_name, "sim0p9");
    EQ(ioctl(fd, SIOCGIFINDEX, &r), -1);
    EQ(errno, ENODEV);
    OK(ioctl(fd, SIOCGIFCONF, &c));
    for (unsigned i = 0; i < (unsigned)c.ifc_len / sizeof list[0]; i++)
        found += !strncmp(list[i].ifr_name, "sim", 3);
    EQ(found, 4);
    found = (unsigned)c.ifc_len;
    c = (struct ifconf){0};
    OK(ioctl(fd, SIOCGIFCONF, &c));
    EQ(c.ifc_len, found);
    close(fd);
}

/* -- netlink ----------------------------------------------------------------------------------- */

static struct {
    struct nlmsghdr h;
    union {
        struct ifinfomsg link;
        struct ifaddrmsg address;
    } u;
    struct rtattr a;
    char name[16];
} ask;
static uint8_t answer[65536] __attribute__((aligned(8)));

static ssize_t take_answer(int fd)
{
    struct sockaddr_nl from = {.nl_pid = 1};
    struct iovec none = {0}, all = {.iov_base = answer, .iov_len = sizeof answer};
    struct msghdr m = {.msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &none, .msg_iovlen = 1};
    ssize_t size = recvmsg(fd, &m, MSG_PEEK | MSG_TRUNC); /* as `ip` looks how long it is */

    CHECK(m.msg_flags & MSG_TRUNC);
    m = (struct msghdr){.msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &all, .msg_iovlen = 1};
    EQ(recvmsg(fd, &m, 0), size);
    EQ(from.nl_pid, 0);
    EQ(from.nl_family, AF_NETLINK);
    return size;
}

static const char *attribute(const struct nlmsghdr *h, size_t body, unsigned short type)
{
    const struct rtattr *a = (const struct rtattr *)((const uint8_t *)NLMSG_DATA(h) + NLMSG_ALIGN(body));
    int left = (int)(h->nlmsg_len - NLMSG_LENGTH(NLMSG_ALIGN(body)));

    for (; RTA_OK(a, left); a = RTA_NEXT(a, left))
        if (a->rta_type == type)
            return RTA_DATA(a);
    return NULL;
}

static void one_link(void)
{
    struct iovec one = {.iov_base = &ask, .iov_len = sizeof ask};
    struct msghdr m = {.msg_iov = &one, .msg_iovlen = 1};
    const struct nlmsghdr *h = (struct nlmsghdr *)answer;
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

    ask.h = (struct nlmsghdr){.nlmsg_len = sizeof ask, .nlmsg_type = RTM_GETLINK, .nlmsg_flags = NLM_F_REQUEST, .nlmsg_seq = 9};
    ask.a = (struct rtattr){.rta_len = sizeof ask.a + 7, .rta_type = IFLA_IFNAME};
    strcpy(ask.name, "sim0p2");
    EQ(sendmsg(fd, &m, 0), sizeof ask);
    take_answer(fd);
    EQ(h->nlmsg_type, RTM_NEWLINK);
    EQ(h->nlmsg_seq, 9);
    EQ(((struct ifinfomsg *)NLMSG_DATA(h))->ifi_index, NUMBER);
    CHECK(!strcmp(SOME(attribute(h, sizeof(struct ifinfomsg), IFLA_IFNAME)), "sim0p2"));
    CHECK(!memcmp(SOME(attribute(h, sizeof(struct ifinfomsg), IFLA_ADDRESS)), "\2\0\0\x51\0\2", 6));
    strcpy(ask.name, "sim7p1"); /* which the kernel is asked for */
    EQ(sendmsg(fd, &m, 0), sizeof ask);
    take_answer(fd);
    EQ(h->nlmsg_type, NLMSG_ERROR);
    close(fd);
}

/* All addresses: ours, then the machine's, whose last message ends the list. */
static void all_addresses(void)
{
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    unsigned ours = 0, others = 0;
    bool done = false;

    ask.h = (struct nlmsghdr){.nlmsg_len = NLMSG_LENGTH(sizeof ask.u.address), .nlmsg_type = RTM_GETADDR,
        .nlmsg_flags = NLM_F_REQUEST | NLM_F_ROOT | NLM_F_MATCH};
    memset(&ask.u, 0, sizeof ask.u);
    ask.u.address.ifa_family = AF_INET;
    EQ(send(fd, &ask, ask.h.nlmsg_len, 0), ask.h.nlmsg_len);
    while (!done) {
        int left = (int)take_answer(fd);

        for (struct nlmsghdr *h = (struct nlmsghdr *)answer; NLMSG_OK(h, left); h = NLMSG_NEXT(h, left)) {
            done |= h->nlmsg_type == NLMSG_DONE;
            if (h->nlmsg_type != RTM_NEWADDR)
                continue;
            if (((struct ifaddrmsg *)NLMSG_DATA(h))->ifa_index >= 5100)
                ours++;
            else
                others++;
            EQ(((struct ifaddrmsg *)NLMSG_DATA(h))->ifa_family, AF_INET);
        }
    }
    EQ(ours, 4);
    CHECK(others);
    close(fd);
}

/* -- sockets ----------------------------------------------------------------------------------- */

/* TCP reaches an address of ours on this machine, which does not have it itself. */
static void tcp(void)
{
    struct sockaddr_in here = {.sin_family = AF_INET}, there;
    socklen_t size = sizeof here;
    int listener = socket(AF_INET, SOCK_STREAM, 0), fd = socket(AF_INET, SOCK_STREAM, 0);
    struct ifaddrs *all, *i;

    EQ(inet_pton(AF_INET, "192.0.2.5", &here.sin_addr), 1);
    OK(getifaddrs(&all));
    for (i = all; i; i = i->ifa_next)
        if (i->ifa_addr && i->ifa_addr->sa_family == AF_INET && strncmp(i->ifa_name, "sim", 3) &&
            ((struct sockaddr_in *)i->ifa_addr)->sin_addr.s_addr == here.sin_addr.s_addr)
            skip("this machine has the address");
    freeifaddrs(all);
    OK(bind(listener, (struct sockaddr *)&here, sizeof here));
    OK(listen(listener, 1));
    OK(getsockname(listener, (struct sockaddr *)&there, &size));
    here.sin_port = there.sin_port;
    OK(connect(fd, (struct sockaddr *)&here, sizeof here));
    close(fd);
    close(listener);
}

/* Datagrams go where they always went. */
static void udp(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)}, peer;
    socklen_t size = sizeof peer;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);

    EQ(inet_pton(AF_INET, "192.0.2.5", &to.sin_addr), 1);
    if (connect(fd, (struct sockaddr *)&to, sizeof to)) {
        close(fd);
        skip("this machine has no way to other networks");
    }
    OK(getpeername(fd, (struct sockaddr *)&peer, &size));
    EQ(peer.sin_addr.s_addr, to.sin_addr.s_addr);
    close(fd);
}

static const struct test_case cases[] = {
    {"list", the_list}, {"names-and-numbers", names_and_numbers}, {"ioctls", ioctls}, {"one-link", one_link},
    {"all-addresses", all_addresses}, {"tcp", tcp}, {"udp", udp}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("netdev", cases, argc, argv);
}
