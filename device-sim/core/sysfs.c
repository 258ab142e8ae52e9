/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the directory tree that stands for /sys: libibverbs reads it where SYSFS_PATH says. As in the kernel's, devices lie in
 * PCI functions below devices/, and what is below class/ are links.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "netdev.h"

static char path[4096];

static int make_dirs(void)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(path, 0755) && errno != EEXIST)
            return errno;
        *slash = '/';
    }
    return 0;
}

/* Makes the path of a file, and the folders above it. */
static int begin(const char *fmt, va_list args)
{
    int n = vsnprintf(path, sizeof path, fmt, args);

    if (n < 0 || (size_t)n >= sizeof path)
        return ENAMETOOLONG;
    return make_dirs();
}

/* The last argument but the text are parts of the file's path. */
static int put(const char *text, const char *fmt, ...)
{
    va_list args;
    FILE *file;
    int error;

    va_start(args, fmt);
    error = begin(fmt, args);
    va_end(args);
    if (error)
        return error;
    file = fopen(path, "w");
    if (!file)
        return errno;
    fprintf(file, "%s\n", text);
    return fclose(file) ? errno : 0;
}

/* A link to `to`, which is relative to where the link is. */
static int put_link(const char *to, const char *fmt, ...)
{
    va_list args;
    int error;

    va_start(args, fmt);
    error = begin(fmt, args);
    va_end(args);
    if (error)
        return error;
    return symlink(to, path) ? errno : 0;
}

static int put_number(unsigned long value, const char *format, const char *folder, const char *name)
{
    char text[32];

    snprintf(text, sizeof text, format, value);
    return put(text, "%s/%s", folder, name);
}

static const char *guid_text(uint64_t guid)
{
    static char text[24];

    snprintf(text, sizeof text, "%04x:%04x:%04x:%04x", (unsigned)(guid >> 48) & 0xffff, (unsigned)(guid >> 32) & 0xffff,
        (unsigned)(guid >> 16) & 0xffff, (unsigned)guid & 0xffff);
    return text;
}

static int put_port(const char *folder, const struct sim_device *dev, int p)
{
    const struct sim_port *port = &dev->port[p];
    bool roce = dev->link_layer == IBV_LINK_LAYER_ETHERNET && !port->internal;
    int bad = 0;
    char text[48];

    for (unsigned n = 0; n < port->n_gids; n++) {
        char *to = text;

        for (int i = 0; i < 16; i += 2)
            to += sprintf(to, "%s%02x%02x", i ? ":" : "", port->gid[n][i], port->gid[n][i + 1]);
        bad |= put(text, "%s/gids/%u", folder, n);
        if (!roce)
            continue;
        bad |= put(n & 1 ? "RoCE v2" : "IB/RoCE v1", "%s/gid_attrs/types/%u", folder, n);
        sim_netdev_name(dev, p, text);
        bad |= put(text, "%s/gid_attrs/ndevs/%u", folder, n);
    }
    for (unsigned n = 0; n < sim_empty_gids(dev); n++) /* they have no type, the kernel answers EINVAL for that */
        bad |= put("0000:0000:0000:0000:0000:0000:0000:0000", "%s/gids/%u", folder, port->n_gids + n);
    bad |= put("0xffff", "%s/pkeys/0", folder);
    bad |= put(port->state == IBV_PORT_ACTIVE ? "4: ACTIVE" : "1: DOWN", "%s/state", folder);
    bad |= put(port->state == IBV_PORT_ACTIVE ? "5: LinkUp" : "3: Disabled", "%s/phys_state", folder);
    bad |= put("100 Gb/sec (4X EDR)", "%s/rate", folder);
    bad |= put(dev->link_layer == IBV_LINK_LAYER_INFINIBAND ? "InfiniBand" :
        dev->link_layer == IBV_LINK_LAYER_ETHERNET ? "Ethernet" : "Unspecified", "%s/link_layer", folder);
    bad |= put_number(port->lid, "0x%lx", folder, "lid");
    bad |= put_number(port->lid, "0x%lx", folder, "sm_lid");
    return bad;
}

/* The PCI function. */
static int put_function(const char *root, const char *folder, const struct sim_device *dev, const char *slot)
{
    char target[128];
    int bad = put(dev->modalias, "%s/modalias", folder);

    bad |= put_number(dev->vendor->pci_vendor, "0x%04lx", folder, "vendor");
    bad |= put_number(dev->part_id, "0x%04lx", folder, "device");
    bad |= put_number(dev->vendor->pci_vendor, "0x%04lx", folder, "subsystem_vendor");
    bad |= put_number(dev->part_id, "0x%04lx", folder, "subsystem_device");
    bad |= put_number(dev->vendor->pci_class, "0x%06lx", folder, "class");
    bad |= put("-1", "%s/numa_node", folder);
    bad |= put_link("../../../bus/pci", "%s/subsystem", folder);
    snprintf(target, sizeof target, "../../../bus/pci/drivers/%s", dev->vendor->driver);
    bad |= put_link(target, "%s/driver", folder);
    snprintf(target, sizeof target, "../../../../devices/pci" SIM_PCI_DOMAIN ":00/%s", slot);
    bad |= put_link(target, "%s/bus/pci/drivers/%s/%s", root, dev->vendor->driver, slot);
    bad |= put_link(target + strlen("../"), "%s/bus/pci/devices/%s", root, slot);
    return bad;
}

/* The network device of a port. */
static int put_netdev(const char *root, const char *folder, const struct sim_device *dev, const char *slot, int p)
{
    uint8_t mac[6];
    char name[16], net[512], text[128];
    int bad;

    sim_netdev_name(dev, p, name);
    snprintf(net, sizeof net, "%s/net/%s", folder, name);
    bad = put_number(sim_netdev_index(dev, p), "%lu", net, "ifindex");
    bad |= put_number((unsigned)p, "%lu", net, "dev_port");
    bad |= put_number(SIM_NETDEV_MTU, "%lu", net, "mtu");
    bad |= put_number(1, "%lu", net, "type");
    bad |= put_number(100000, "%lu", net, "speed");
    bad |= put_number(1, "%lu", net, "carrier");
    bad |= put_number(0x1003, "0x%lx", net, "flags");
    bad |= put("up", "%s/operstate", net);
    sim_netdev_mac(dev, p, mac);
    snprintf(text, sizeof text, "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
    bad |= put(text, "%s/address", net);
    snprintf(text, sizeof text, "../../../%s", slot);
    bad |= put_link(text, "%s/device", net);
    snprintf(text, sizeof text, "../../devices/pci" SIM_PCI_DOMAIN ":00/%s/net/%s", slot, name);
    bad |= put_link(text, "%s/class/net/%s", root, name);
    return bad;
}

/* What RDMA's part of the kernel says of it. */
static int put_device(const char *folder, const struct sim_device *dev, const char *slot)
{
    char text[80];
    int bad = put_number((unsigned)dev->vendor->node_type, "%lu", folder, "node_type");

    bad |= put(guid_text(dev->guid), "%s/node_guid", folder);
    bad |= put(guid_text(dev->guid), "%s/sys_image_guid", folder);
    bad |= put(SIM_FIRMWARE, "%s/fw_ver", folder);
    bad |= put("SIM0000000000", "%s/board_id", folder);
    snprintf(text, sizeof text, "%s%u", dev->vendor == &sim_mlx5 ? "MT" : "", dev->part_id);
    bad |= put(text, "%s/hca_type", folder);
    bad |= put(dev->name, "%s/node_desc", folder);
    snprintf(text, sizeof text, "../../../%s", slot);
    bad |= put_link(text, "%s/device", folder);
    bad |= put_link("../../../../../class/infiniband", "%s/subsystem", folder);
    for (int p = 0; p < dev->n_ports; p++) {
        char port[512];

        snprintf(port, sizeof port, "%s/ports/%d", folder, p + 1);
        bad |= put_port(port, dev, p);
    }
    return bad;
}

/* Its character device. */
static int put_uverbs(const char *folder, const struct sim_device *dev, const char *slot)
{
    char text[80];
    int bad = put(dev->name, "%s/ibdev", folder);

    snprintf(text, sizeof text, "%u:%u", SIM_DEVICE_MAJOR, SIM_DEVICE_MINOR + (unsigned)dev->index);
    bad |= put(text, "%s/dev", folder);
    bad |= put_number((unsigned)dev->vendor->abi_version, "%lu", folder, "abi_version");
    snprintf(text, sizeof text, "../../../%s", slot);
    bad |= put_link(text, "%s/device", folder);
    bad |= put_link("../../../../../class/infiniband_verbs", "%s/subsystem", folder);
    return bad;
}

int sim_write_sysfs(const char *root)
{
    int bad = put("6", "%s/class/infiniband_verbs/abi_version", root);
    char number[32];

    sim_configure();
    if (!sim_config.no_cm) {
        snprintf(number, sizeof number, "%u", SIM_CM_ABI);
        bad |= put(number, "%s/class/misc/rdma_cm/abi_version", root);
        snprintf(number, sizeof number, "%u:%u", SIM_CM_MAJOR, SIM_CM_MINOR);
        bad |= put(number, "%s/class/misc/rdma_cm/dev", root);
        bad |= put_link("/dev/null", "%s/dev/infiniband/rdma_cm", root);
    }
    for (int i = 0; i < sim_config.n_devices; i++) {
        const struct sim_device *dev = &sim_devices[i];
        char slot[32], link[128], function[256], folder[300];

        snprintf(slot, sizeof slot, SIM_PCI_DOMAIN ":00:%02x.0", i);
        if (snprintf(function, sizeof function, "%s/devices/pci" SIM_PCI_DOMAIN ":00/%s", root, slot) >= (int)sizeof function)
            return ENAMETOOLONG;
        bad |= put_function(root, function, dev, slot);
        for (int p = 0; sim_has_netdev(dev) && p < dev->n_ports; p++)
            bad |= put_netdev(root, function, dev, slot, p);
        snprintf(folder, sizeof folder, "%s/infiniband/%s", function, dev->name);
        bad |= put_device(folder, dev, slot);
        snprintf(link, sizeof link, "../../devices/pci" SIM_PCI_DOMAIN ":00/%s/infiniband/%s", slot, dev->name);
        bad |= put_link(link, "%s/class/infiniband/%s", root, dev->name);
        snprintf(folder, sizeof folder, "%s/infiniband_verbs/uverbs%d", function, i);
        bad |= put_uverbs(folder, dev, slot);
        snprintf(link, sizeof link, "../../devices/pci" SIM_PCI_DOMAIN ":00/%s/infiniband_verbs/uverbs%d", slot, i);
        bad |= put_link(link, "%s/class/infiniband_verbs/uverbs%d", root, i);
        bad |= put_link("/dev/null", "%s/dev/infiniband/uverbs%d", root, i); /* which is no part of /sys */
    }
    return bad;
}
