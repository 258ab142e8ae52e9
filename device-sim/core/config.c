/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Which devices there are: from the environment, and always the same for the same settings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

struct sim_config sim_config;
struct sim_device sim_devices[SIM_MAX_DEVICES];
struct sim_context *sim_contexts[SIM_MAX_CONTEXTS];
int sim_n_contexts;

static int number(const char *name, int otherwise, int min, int max)
{
    const char *text = getenv(name);
    char *end;
    long value;

    if (!text || !*text)
        return otherwise;
    value = strtol(text, &end, 10);
    if (*end || value < min || value > max) {
        fprintf(stderr, "device-sim: %s is '%s', wanted a number from %d to %d\n", name, text, min, max);
        exit(2);
    }
    return (int)value;
}

static bool choice(const char *name, const char *otherwise, const char *yes)
{
    const char *text = getenv(name);

    if (!text || !*text || !strcmp(text, otherwise))
        return false;
    if (!strcmp(text, yes))
        return true;
    fprintf(stderr, "device-sim: %s is '%s', wanted %s or %s\n", name, text, otherwise, yes);
    exit(2);
}

/*
 * On Ethernet the table of a port is that of a usual RoCE device: the link-local address and an IPv4 address, each as
 * RoCE v1 (even) and as v2 (odd). On InfiniBand there is one GID, and a LID.
 */
static void set_addresses(struct sim_device *dev, int p)
{
    struct sim_port *port = &dev->port[p];
    uint64_t guid = dev->guid + (uint64_t)p + 1;
    int n;

    port->lid = dev->link_layer == IBV_LINK_LAYER_INFINIBAND ? (uint16_t)(1 + dev->index * SIM_MAX_PORTS + p) : 0;
    port->state = IBV_PORT_ACTIVE;
    port->n_gids = dev->n_gids;
    for (n = 0; n < (int)dev->n_gids; n++) {
        uint8_t *gid = port->gid[n];

        if (n < 2) {
            gid[0] = 0xfe;
            gid[1] = 0x80;
            for (int i = 0; i < 8; i++)
                gid[8 + i] = (uint8_t)(guid >> (56 - 8 * i));
        } else {
            gid[10] = gid[11] = 0xff;
            gid[12] = 192;
            gid[13] = 0;
            gid[14] = 2; /* 192.0.2.0/24 is kept for examples */
            gid[15] = (uint8_t)(1 + dev->index * SIM_MAX_PORTS + p);
        }
    }
}

/* The next of a list with commas; the last one goes on for all devices that follow. */
static const struct sim_vendor *next_vendor(const char **list)
{
    static const struct sim_vendor *const known[] = {&sim_mlx5, &sim_efa, &sim_hbl};
    static const struct sim_vendor *last = &sim_mlx5;
    size_t n;

    if (!*list || !**list)
        return last;
    n = strcspn(*list, ",");
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]->name) == n && !strncmp(known[i]->name, *list, n)) {
            *list += n + ((*list)[n] == ',');
            return last = known[i];
        }
    fprintf(stderr, "device-sim: DEVICE_SIM_VENDORS: '%s', wanted mlx5, efa or hbl\n", *list);
    exit(2);
}

void sim_configure(void)
{
    static bool done;
    const char *vendors;

    if (done)
        return;
    done = true;
    sim_config.n_devices = number("DEVICE_SIM_DEVICES", 1, 1, SIM_MAX_DEVICES);
    sim_config.n_ports = number("DEVICE_SIM_PORTS", 1, 1, SIM_MAX_PORTS);
    sim_config.tick = 1000000 / number("DEVICE_SIM_CLOCK_KHZ", 1000000, 1, 1000000); /* rounded to whole nanoseconds */
    sim_config.thread = choice("DEVICE_SIM_MODE", "pump", "thread");
    sim_config.infiniband = choice("DEVICE_SIM_LINK", "ethernet", "infiniband");
    sim_config.quiet = choice("DEVICE_SIM_QUIET", "0", "1");
    sim_config.no_devx = choice("DEVICE_SIM_DEVX", "on", "off");
    sim_config.no_cm = choice("DEVICE_SIM_CM", "on", "off");
    sim_config.lag = choice("DEVICE_SIM_LAG", "off", "on");
    sim_config.caps = choice("DEVICE_SIM_CAPS", "usual", "all");
    sim_config.watch = choice("DEVICE_SIM_WATCH", "off", "on");
    sim_config.no_watch = getenv("DEVICE_SIM_WATCH") && !sim_config.watch && *getenv("DEVICE_SIM_WATCH");
    sim_config.reorder = (unsigned)number("DEVICE_SIM_REORDER", 0, 0, SIM_MAX_REORDER);
    sim_config.rendezvous = getenv("DEVICE_SIM_RENDEZVOUS");
    if (sim_config.rendezvous && !*sim_config.rendezvous)
        sim_config.rendezvous = NULL;
    sim_config.internal = number("DEVICE_SIM_INTERNAL", sim_config.n_ports - 1, 0, sim_config.n_ports);
    vendors = getenv("DEVICE_SIM_VENDORS");
    for (int i = 0; i < sim_config.n_devices; i++) {
        struct sim_device *dev = &sim_devices[i];

        dev->index = i;
        dev->vendor = next_vendor(&vendors);
        dev->part_id = dev->vendor->part_id;
        if (dev->vendor->configure)
            dev->vendor->configure(dev);
        snprintf(dev->modalias, sizeof dev->modalias, dev->vendor->modalias, dev->part_id, dev->part_id);
        dev->n_ports = sim_config.n_ports;
        dev->link_layer = dev->vendor->own_fabric ? IBV_LINK_LAYER_UNSPECIFIED :
            sim_config.infiniband ? IBV_LINK_LAYER_INFINIBAND : IBV_LINK_LAYER_ETHERNET;
        dev->n_gids = dev->link_layer == IBV_LINK_LAYER_ETHERNET ? SIM_GIDS : 1;
        dev->guid = 0x0200000000510000ull + (uint64_t)i * 0x100;
        snprintf(dev->name, sizeof dev->name, dev->vendor->device_name, i);
        for (int p = 0; p < dev->n_ports; p++) {
            set_addresses(dev, p);
            if (dev->vendor->configure_port)
                dev->vendor->configure_port(dev, p);
        }
    }
}

bool sim_port_has(const struct sim_device *dev, int port, bool by_gid, const uint8_t *gid, uint16_t lid)
{
    const struct sim_port *p = &dev->port[port];

    if (!by_gid)
        return lid != 0 && p->lid == lid;
    for (unsigned n = 0; n < p->n_gids; n++)
        if (!memcmp(p->gid[n], gid, 16))
            return true;
    return false;
}
