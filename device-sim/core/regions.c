/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions that come by an ioctl: of what lies behind a descriptor, of memory on the device. And that memory itself. For a
 * dma-buf any file stands that can be mapped, a memfd for instance.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <rdma/ib_user_ioctl_cmds.h>

#include "sim.h"

#define PAGE 4096ull

/* A region without memory yet, or NULL and the errno. */
static struct sim_mr *make(struct sim_cmd *cmd, uint16_t pd_attr, uint32_t access, int *error)
{
    struct sim_pd *pd = sim_in_obj(cmd, pd_attr, SIM_PD);
    struct sim_mr *mr;

    *error = pd ? sim_check_access(cmd->ctx->dev, access) : EINVAL;
    if (*error)
        return NULL;
    *error = ENOMEM;
    mr = sim_obj_new(cmd->ctx, SIM_MR, sizeof *mr);
    if (!mr)
        return NULL;
    mr->mkey = sim_mkey_new(cmd->ctx->dev, pd);
    if (!mr->mkey) {
        sim_obj_drop(&mr->obj);
        return NULL;
    }
    mr->mkey->access = access;
    mr->mkey->bound = true;
    *error = 0;
    return mr;
}

static int tell(struct sim_cmd *cmd, struct sim_mr *mr, int error, uint16_t handle, uint16_t lkey, uint16_t rkey)
{
    if (error) {
        sim_obj_drop(&mr->obj);
        return error;
    }
    sim_out(cmd, lkey, &mr->mkey->key, sizeof mr->mkey->key);
    sim_out(cmd, rkey, &mr->mkey->key, sizeof mr->mkey->key);
    sim_out_obj(cmd, handle, &mr->obj);
    return 0;
}

/* -- behind a descriptor ----------------------------------------------------------------------- */

#define DMABUF_ACCESS (IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_READ | \
    IB_UVERBS_ACCESS_REMOTE_ATOMIC | IB_UVERBS_ACCESS_RELAXED_ORDERING)

struct dmabuf {
    int fd;
    uint64_t offset, length, iova;
    uint32_t access;
};

int sim_map_behind(int fd, uint64_t offset, uint64_t length, struct sim_mapping *m)
{
    uint64_t into = offset % PAGE;
    struct stat st;
    void *map;

    if (fcntl(fd, F_GETFD) < 0)
        return EBADF;
    if (fstat(fd, &st) || !length || offset > (uint64_t)st.st_size || length > (uint64_t)st.st_size - offset)
        return EINVAL;
    map = mmap(NULL, length + into, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)(offset - into));
    if (map == MAP_FAILED)
        return EINVAL; /* as of a descriptor that is none of a dma-buf */
    m->map = map;
    m->size = length + into;
    m->at = (uint8_t *)map + into;
    return 0;
}

static int map_dmabuf(struct sim_mr *mr, const struct dmabuf *d)
{
    struct sim_mapping m;
    int error;

    if (d->access & ~(uint32_t)DMABUF_ACCESS || d->iova % PAGE != d->offset % PAGE)
        return fcntl(d->fd, F_GETFD) < 0 ? EBADF : EINVAL;
    error = sim_map_behind(d->fd, d->offset, d->length, &m);
    if (error)
        return error;
    mr->mapped = m.map;
    mr->mapped_size = m.size;
    mr->mkey->start = (uintptr_t)m.at;
    mr->mkey->length = d->length;
    mr->mkey->iova = d->iova;
    return 0;
}

int sim_reg_dmabuf(struct sim_cmd *cmd)
{
    struct dmabuf d = {
        .fd = (int)sim_in_u64(cmd, UVERBS_ATTR_REG_DMABUF_MR_FD, 0),
        .offset = sim_in_u64(cmd, UVERBS_ATTR_REG_DMABUF_MR_OFFSET, 0),
        .length = sim_in_u64(cmd, UVERBS_ATTR_REG_DMABUF_MR_LENGTH, 0),
        .iova = sim_in_u64(cmd, UVERBS_ATTR_REG_DMABUF_MR_IOVA, 0),
        .access = (uint32_t)sim_in_u64(cmd, UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS, 0),
    };
    int error;
    struct sim_mr *mr = make(cmd, UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE, d.access, &error);

    return mr ? tell(cmd, mr, map_dmabuf(mr, &d), UVERBS_ATTR_REG_DMABUF_MR_HANDLE, UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY,
        UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY) : error;
}

/* Newer than the headers this may be built with. */
enum { REG_HANDLE, REG_PD, REG_DMAH, REG_IOVA, REG_ADDR, REG_LENGTH, REG_ACCESS, REG_FD, REG_FD_OFFSET, REG_LKEY, REG_RKEY };

int sim_reg_mr(struct sim_cmd *cmd)
{
    uint32_t access = (uint32_t)sim_in_u64(cmd, REG_ACCESS, 0);
    uint64_t length = sim_in_u64(cmd, REG_LENGTH, 0), iova = sim_in_u64(cmd, REG_IOVA, 0);
    uint64_t addr = sim_in_u64(cmd, REG_ADDR, 0);
    struct ib_uverbs_attr *fd = sim_attr(cmd, REG_FD);
    struct sim_obj *hints = sim_in_obj(cmd, REG_DMAH, SIM_DMA_HANDLE);
    struct sim_mr *mr;
    int error;

    if (!fd == !sim_attr(cmd, REG_ADDR) || !sim_attr(cmd, REG_IOVA))
        return EINVAL;
    if (sim_attr(cmd, REG_DMAH) && !hints)
        return EINVAL;
    if (hints && access & IB_UVERBS_ACCESS_ON_DEMAND)
        return EOPNOTSUPP;
    mr = make(cmd, REG_PD, access, &error);
    if (!mr)
        return error;
    if (fd) {
        struct dmabuf d = {.fd = (int)fd->data_s64, .offset = sim_in_u64(cmd, REG_FD_OFFSET, 0), .length = length,
            .iova = iova, .access = access};

        error = map_dmabuf(mr, &d);
    } else {
        error = addr % PAGE == iova % PAGE ? sim_set_region(mr->mkey, addr, length, iova) : EINVAL;
    }
    if (hints && !error) {
        mr->of = hints;
        hints->users++;
    }
    return tell(cmd, mr, error, REG_HANDLE, REG_LKEY, REG_RKEY);
}

/* -- advice ------------------------------------------------------------------------------------ */

/* Nothing is paged in or out here: what is asked for is judged. */
static int advise(struct sim_cmd *cmd, const struct sim_pd *pd, uint64_t advice, const struct ib_uverbs_sge *sge)
{
    const struct sim_mkey *m = sim_mkey_find(cmd->ctx->dev, sge->lkey);

    if (!m || !(m->access & IB_UVERBS_ACCESS_ON_DEMAND))
        return ENOENT; /* it looks among those that are paged on demand */
    if (m->pd != pd)
        return EPERM;
    if (advice == IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE && !(m->access & IB_UVERBS_ACCESS_LOCAL_WRITE))
        return EPERM;
    if (sge->addr < m->iova || sge->addr - m->iova > m->length || sge->length > m->length - (sge->addr - m->iova))
        return EFAULT;
    return 0;
}

int sim_advise_mr(struct sim_cmd *cmd)
{
    struct sim_pd *pd = sim_in_obj(cmd, UVERBS_ATTR_ADVISE_MR_PD_HANDLE, SIM_PD);
    uint64_t advice = sim_in_u64(cmd, UVERBS_ATTR_ADVISE_MR_ADVICE, 99);
    uint64_t flags = sim_in_u64(cmd, UVERBS_ATTR_ADVISE_MR_FLAGS, 0);
    struct ib_uverbs_attr *list = sim_attr(cmd, UVERBS_ATTR_ADVISE_MR_SGE_LIST);
    const struct ib_uverbs_sge *sge = list ? (void *)(uintptr_t)list->data : NULL;
    int error = 0;

    if (!pd || !list || !list->len || list->len % sizeof *sge || flags & ~1ull)
        return EINVAL;
    if (advice > 2)
        return EOPNOTSUPP;
    for (size_t i = 0; !error && i < list->len / sizeof *sge; i++)
        error = advise(cmd, pd, advice, &sge[i]);
    return error;
}

/* -- memory on the device ---------------------------------------------------------------------- */

static unsigned free_index(struct sim_context *ctx)
{
    unsigned index = 0;

    while (sim_dm_find(ctx, index))
        index++;
    return index;
}

/* It need not begin where a page does; the real one's does not either. */
static int place(struct sim_dm *dm, uint64_t length, unsigned alignment)
{
    dm->size = (length + PAGE - 1) / PAGE * PAGE;
    dm->start = alignment <= 6 && length + 64 <= dm->size ? 64 : 0;
    dm->length = length;
    dm->memfd = memfd_create("device-sim-dm", MFD_CLOEXEC);
    if (dm->memfd < 0 || ftruncate(dm->memfd, (off_t)dm->size))
        return ENOMEM;
    dm->map = mmap(NULL, dm->size, PROT_READ | PROT_WRITE, MAP_SHARED, dm->memfd, 0);
    if (dm->map == MAP_FAILED) {
        dm->map = NULL;
        return ENOMEM;
    }
    return 0;
}

int sim_alloc_dm(struct sim_cmd *cmd, struct sim_dm **made)
{
    struct sim_device *dev = cmd->ctx->dev;
    uint64_t length = sim_in_u64(cmd, UVERBS_ATTR_ALLOC_DM_LENGTH, 0);
    uint64_t alignment = sim_in_u64(cmd, UVERBS_ATTR_ALLOC_DM_ALIGNMENT, 0);
    unsigned index = free_index(cmd->ctx);
    struct sim_dm *dm;
    int error;

    if (!length || alignment > 12)
        return EINVAL;
    if (length > SIM_DM_SIZE - dev->dm_used)
        return ENOMEM;
    dm = sim_obj_new(cmd->ctx, SIM_DM, sizeof *dm);
    if (!dm)
        return ENOMEM;
    dm->memfd = -1;
    dm->index = index;
    error = place(dm, length, (unsigned)alignment);
    if (error) {
        dm->length = 0;
        sim_obj_drop(&dm->obj);
        return error;
    }
    dev->dm_used += length;
    sim_out_obj(cmd, UVERBS_ATTR_ALLOC_DM_HANDLE, &dm->obj);
    *made = dm;
    return 0;
}

void sim_dm_drop(struct sim_dm *dm)
{
    if (dm->map)
        munmap(dm->map, dm->size);
    if (dm->memfd >= 0)
        close(dm->memfd);
    if (dm->icm)
        dm->obj.ctx->dev->vendor->free_icm(dm);
    else
        dm->obj.ctx->dev->dm_used -= dm->length;
}

struct sim_dm *sim_dm_find(struct sim_context *ctx, unsigned index)
{
    for (uint32_t h = 0; h < ctx->n_objs; h++) {
        struct sim_dm *dm = sim_obj_get(ctx, h, SIM_DM);

        if (dm && dm->index == index)
            return dm;
    }
    return NULL;
}

int sim_free_dm(struct sim_cmd *cmd)
{
    struct sim_dm *dm = sim_in_obj(cmd, UVERBS_ATTR_FREE_DM_HANDLE, SIM_DM);

    return dm ? sim_obj_destroy(&dm->obj) : EINVAL;
}

int sim_reg_dm_mr(struct sim_cmd *cmd)
{
    struct sim_dm *dm = sim_in_obj(cmd, UVERBS_ATTR_REG_DM_MR_DM_HANDLE, SIM_DM);
    uint64_t offset = sim_in_u64(cmd, UVERBS_ATTR_REG_DM_MR_OFFSET, 0);
    uint64_t length = sim_in_u64(cmd, UVERBS_ATTR_REG_DM_MR_LENGTH, 0);
    uint32_t access = (uint32_t)sim_in_u64(cmd, UVERBS_ATTR_REG_DM_MR_ACCESS_FLAGS, 0);
    struct sim_mr *mr;
    int error;

    if (!dm || !(access & IB_UVERBS_ACCESS_ZERO_BASED) || offset > dm->length || length > dm->length - offset)
        return EINVAL;
    mr = make(cmd, UVERBS_ATTR_REG_DM_MR_PD_HANDLE, access, &error);
    if (!mr)
        return error;
    mr->of = &dm->obj;
    dm->obj.users++;
    mr->mkey->start = (uintptr_t)dm->map + dm->start + offset;
    mr->mkey->length = length;
    return tell(cmd, mr, 0, UVERBS_ATTR_REG_DM_MR_HANDLE, UVERBS_ATTR_REG_DM_MR_RESP_LKEY, UVERBS_ATTR_REG_DM_MR_RESP_RKEY);
}
