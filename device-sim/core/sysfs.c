/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Writes the directory tree that stands for /sys: libibverbs reads it where SYSFS_PATH says. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sim.h"

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

/* The last argument but the text are parts of the file's path. */
static int put(const char *text, const char *fmt, ...)
{
    va_list args;
    FILE *file;
    int n;

    va_start(args, fmt);
    n = vsnprintf(path, sizeof path, fmt, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof path)
        return ENAMETOOLONG;
    if (make_dirs())
        return errno;
    file = fopen(path, "w");
    if (!file)
        return errno;
    fprintf(file, "%s\n", text);
    return fclose(file) ? errno : 0;
}

static const char *guid_text(uint64_t guid)
{
    static char text[24];

    snprintf(text, sizeof text, "%04x:%04x:%04x:%04x", (unsigned)(guid >> 48) & 0xffff, (unsigned)(guid >> 32) & 0xffff,
        (unsigned)(guid >> 16) & 0xffff, (unsigned)guid & 0xffff);
    return text;
}

static int put_port(const char *root, const struct sim_device *dev, int p)
{
    const struct sim_port *port = &dev->port[p];
    int bad = 0;
    char text[48];

    for (unsigned n = 0; n < port->n_gids; n++) {
        char *to = text;

        for (int i = 0; i < 16; i += 2)
            to += sprintf(to, "%s%02x%02x", i ? ":" : "", port->gid[n][i], port->gid[n][i + 1]);
        bad |= put(text, "%s/class/infiniband/%s/ports/%d/gids/%u", root, dev->name, p + 1, n);
        if (dev->link_layer == IBV_LINK_LAYER_ETHERNET && !port->internal)
            bad |= put(n & 1 ? "RoCE v2" : "IB/RoCE v1", "%s/class/infiniband/%s/ports/%d/gid_attrs/types/%u", root,
                dev->name, p + 1, n);
    }
    bad |= put("0xffff", "%s/class/infiniband/%s/ports/%d/pkeys/0", root, dev->name, p + 1);
    bad |= put(port->state == IBV_PORT_ACTIVE ? "4: ACTIVE" : "1: DOWN", "%s/class/infiniband/%s/ports/%d/state", root, dev->name, p + 1);
    bad |= put(port->state == IBV_PORT_ACTIVE ? "5: LinkUp" : "3: Disabled", "%s/class/infiniband/%s/ports/%d/phys_state", root, dev->name, p + 1);
    bad |= put("100 Gb/sec (4X EDR)", "%s/class/infiniband/%s/ports/%d/rate", root, dev->name, p + 1);
    bad |= put(dev->link_layer == IBV_LINK_LAYER_INFINIBAND ? "InfiniBand" :
        dev->link_layer == IBV_LINK_LAYER_ETHERNET ? "Ethernet" : "Unspecified",
            "%s/class/infiniband/%s/ports/%d/link_layer", root, dev->name,
        p + 1);
    snprintf(text, sizeof text, "0x%x", port->lid);
    bad |= put(text, "%s/class/infiniband/%s/ports/%d/lid", root, dev->name, p + 1);
    return bad;
}

int sim_write_sysfs(const char *root)
{
    int bad = 0;
    char text[80];

    sim_configure();
    bad |= put("6", "%s/class/infiniband_verbs/abi_version", root);
    for (int i = 0; i < sim_config.n_devices; i++) {
        const struct sim_device *dev = &sim_devices[i];

        bad |= put(dev->name, "%s/class/infiniband_verbs/uverbs%d/ibdev", root, i);
        /* what fstat tells of the descriptor that stands for the device: /dev/null */
        bad |= put("1:3", "%s/class/infiniband_verbs/uverbs%d/dev", root, i);
        snprintf(text, sizeof text, "%d", dev->vendor->abi_version);
        bad |= put(text, "%s/class/infiniband_verbs/uverbs%d/abi_version", root, i);
        bad |= put(dev->modalias, "%s/class/infiniband_verbs/uverbs%d/device/modalias", root, i);
        snprintf(text, sizeof text, "%d", dev->vendor->node_type);
        bad |= put(text, "%s/class/infiniband/%s/node_type", root, dev->name);
        bad |= put(guid_text(dev->guid), "%s/class/infiniband/%s/node_guid", root, dev->name);
        bad |= put(guid_text(dev->guid), "%s/class/infiniband/%s/sys_image_guid", root, dev->name);
        bad |= put(SIM_FIRMWARE, "%s/class/infiniband/%s/fw_ver", root, dev->name);
        bad |= put("SIM0000000000", "%s/class/infiniband/%s/board_id", root, dev->name);
        snprintf(text, sizeof text, "%s%u", dev->vendor == &sim_mlx5 ? "MT" : "", dev->part_id);
        bad |= put(text, "%s/class/infiniband/%s/hca_type", root, dev->name);
        bad |= put(dev->name, "%s/class/infiniband/%s/node_desc", root, dev->name);
        bad |= put(dev->modalias, "%s/class/infiniband/%s/device/modalias", root, dev->name);
        snprintf(text, sizeof text, "0x%04x", dev->vendor->pci_vendor);
        bad |= put(text, "%s/class/infiniband/%s/device/vendor", root, dev->name);
        snprintf(text, sizeof text, "0x%04x", dev->part_id);
        bad |= put(text, "%s/class/infiniband/%s/device/device", root, dev->name);
        for (int p = 0; p < dev->n_ports; p++)
            bad |= put_port(root, dev, p);
    }
    return bad;
}
