/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The kernel has no connection manager for EFA, whose ports have no network device: there librdmacm finds no device. */
#include "cm_kit.h"

#include <net/if.h>
#include <unistd.h>

static void no_device(void)
{
    struct rdma_event_channel *ch = SOME(rdma_create_event_channel());
    struct sockaddr_in a = at(FIRST, 7471);
    struct rdma_cm_id *id = new_id(ch, RDMA_PS_TCP);

    EQ(if_nametoindex("sim0p1"), 0);
    CHECK(access("/sys/class/net/sim0p1", F_OK));
    EQ(rdma_bind_addr(id, any(&a)), -1);
    EQ(errno, EADDRNOTAVAIL);
    OK(rdma_resolve_addr(id, NULL, any(&a), 100));
    take(ch, RDMA_CM_EVENT_ADDR_ERROR, -ENODEV);
    drop(id);
    id = new_id(ch, RDMA_PS_TCP);
    a = at("0.0.0.0", 7471);
    OK(rdma_bind_addr(id, any(&a)));
    OK(rdma_listen(id, 1));
    CHECK(!id->verbs);
    drop(id);
    rdma_destroy_event_channel(ch);
    no_violations();
}

static const struct test_case cases[] = {{"no-device", no_device}, {0}};

int main(int argc, char **argv)
{
    return run_cases("efa_cm", cases, argc, argv);
}
