/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* A descriptor of a send ring while it is judged. */
#ifndef MLX5_WQE_H
#define MLX5_WQE_H

#include "mlx5.h"

struct wqe {
    struct sim_qp *qp;
    struct sim_wr *wr;
    uint8_t bytes[MAX_SEND_WQE];
    size_t length, at;
};

static inline uint16_t be16(const uint8_t *p)
{
    return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t be32(const uint8_t *p)
{
    return (uint32_t)be16(p) << 16 | be16(p + 2);
}

static inline uint64_t be64(const uint8_t *p)
{
    return (uint64_t)be32(p) << 32 | be32(p + 4);
}

/* wqe.c: what no correct library writes, which is always false; the next `size` bytes, or NULL and a verdict where it ends before */
bool wqe_bad(struct wqe *w, size_t at, size_t width, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
const uint8_t *wqe_part(struct wqe *w, size_t size, const char *name);

/* ethernet_wqe.c: what is in front of a frame's data */
bool wqe_ethernet(struct wqe *w, bool segments);

/* What is wrong with a key or its bounds is told, and refuses the request. */
void wqe_check_key(struct wqe *w, size_t at, const struct sim_sge *s, bool write);

/* tags.c: an operation on a list of tags */
bool wqe_tags(struct wqe *w);

/* signatures.c: which signatures a key has; what they begin with */
bool wqe_bsf(struct wqe *w);
bool wqe_set_psv(struct wqe *w);

/* umr.c: a change of a memory key */
bool wqe_umr(struct wqe *w);

#endif
