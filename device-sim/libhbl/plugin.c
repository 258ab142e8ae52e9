/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The side towards libibverbs: how a provider makes itself known, which is in no public header and differs by release. What is
 * told here are places: which word of a table is what. Functions are looked up by name, so one file serves all releases.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libhbl.h"

#define MAX_OPERATIONS 128

/* How libibverbs names and orders things; the number is that of its interface to providers. */
static const struct release {
    const char *registration;
    struct {
        unsigned char alloc_pd, create_cq, create_qp, create_qp_ex, dealloc_pd, destroy_cq, destroy_qp, free_context, modify_qp,
            query_device_ex, query_port, query_qp;
    } at;
} releases[] = {
    {"verbs_register_driver_33", {5, 15, 19, 20, 26, 31, 34, 39, 46, 57, 59, 60}},
    {"verbs_register_driver_34", {5, 15, 19, 20, 26, 31, 34, 39, 47, 58, 60, 61}},
    {"verbs_register_driver_65", {7, 18, 22, 23, 30, 36, 39, 46, 56, 69, 71, 73}},
};
static const struct release *release;

static void *libibverbs(void)
{
    static void *handle;

    if (!handle)
        handle = dlopen("libibverbs.so.1", RTLD_NOW | RTLD_NOLOAD); /* the one that has loaded us */
    return handle;
}

void *in_libibverbs(const char *name)
{
    void *found = dlsym(libibverbs(), name);

    if (!found) {
        fprintf(stderr, "libhbl (device-sim): this libibverbs has no %s\n", name);
        abort();
    }
    return found;
}

/* -- the table of a provider ------------------------------------------------------------------- */

static bool match(const char *sysfs_device);
static void *make_device(void *sysfs_device);
static void free_device(void *device);

static const struct {
    const char *name;
    uint32_t first_abi, last_abi;
    const void *ids, *others;
    bool (*match)(const char *);
    struct verbs_context *(*open)(struct ibv_device *, int, void *);
    void *import;
    void *(*make)(void *);
    void (*free)(void *);
} table = {.name = "hbl", .first_abi = 1, .last_abi = 1, .match = match, .open = open_context, .make = make_device,
    .free = free_device};

/* Where libibverbs keeps the RDMA device's name. */
#define NAME_OF_SYSFS_DEVICE 112

static bool match(const char *sysfs_device)
{
    return !strncmp(sysfs_device + NAME_OF_SYSFS_DEVICE, "hbl_", 4);
}

/* The public struct, the table, and what libibverbs keeps behind it. */
static void *make_device(void *sysfs_device)
{
    (void)sysfs_device;
    return calloc(1, sizeof(struct ibv_device) + 512);
}

static void free_device(void *device)
{
    free(device);
}

bool is_ours(struct ibv_device *device)
{
    const void *its;

    memcpy(&its, device + 1, sizeof its);
    return its == &table;
}

__attribute__((constructor)) static void make_known(void)
{
    for (unsigned i = 0; libibverbs() && i < sizeof releases / sizeof *releases; i++) {
        void (*enter)(const void *) = (void (*)(const void *))dlsym(libibverbs(), releases[i].registration);

        if (enter) {
            release = &releases[i];
            enter(&table);
            return;
        }
    }
    fprintf(stderr, "libhbl (device-sim): a libibverbs whose interface to providers is not known\n");
}

void set_operations(struct verbs_context *context)
{
    void *all[MAX_OPERATIONS] = {0};

#define SET(name) all[release->at.name] = operations.name
    SET(alloc_pd);
    SET(dealloc_pd);
    SET(create_cq);
    SET(destroy_cq);
    SET(create_qp);
    SET(create_qp_ex);
    SET(destroy_qp);
    SET(modify_qp);
    SET(query_qp);
    SET(query_device_ex);
    SET(query_port);
    SET(free_context);
#undef SET
    CALL(void (*)(struct verbs_context *, const void *), "verbs_set_ops", context, all);
}
