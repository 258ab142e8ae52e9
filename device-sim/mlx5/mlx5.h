/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What the simulated mlx5 device keeps of its contexts, queue pairs and completion queues. */
#ifndef SIM_MLX5_H
#define SIM_MLX5_H

#include <endian.h>

#include "../core/sim.h"

#include <infiniband/mlx5dv.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>

#define PAGE 4096
#define UAR_PAGES 1023
#define FIRST_UAR_ID 1 /* no register page of a device has the number 0 */
#define VAR_PAGES 16
#define TLP_VAR_PAGES 4 /* of those of transaction layer packets */
#define CLOCK_PAGE 0
#define CLOCK_INFO_PAGE 1
#define FIRST_UAR 2
#define FIRST_VAR (FIRST_UAR + UAR_PAGES)
#define FIRST_TLP_VAR (FIRST_VAR + VAR_PAGES)
#define PAGES (FIRST_TLP_VAR + TLP_VAR_PAGES)
#define UAR_SLOTS 4 /* two registers of two halves a page, which the library uses in turn */
#define UAR_SLOT_SIZE 256
#define UAR_FIRST_SLOT 0x800
#define UAR_WITHOUT_RECORD 0x600 /* doorbells of queue pairs that have no records of them */

#define MAX_SEND_WQE 1024
#define LOG_MAX_COPY 20 /* of memory to memory */
#define MAX_COPY (1u << LOG_MAX_COPY)
#define NEVER_ARMED 0xffffffffu

/* One file in memory holds the clock and the register pages; the process maps parts of it, and we all of it. */
struct mlx5_ctx {
    int memfd;
    uint8_t *map;
    bool used[UAR_PAGES];
    unsigned highest; /* used page */
    bool timed; /* whether a completion queue was ever to wait for a time */
    struct sim_qp *users[UAR_PAGES]; /* the queue pairs of each, linked by next_user and back by previous_user */
    uint16_t devx_uid; /* 0: the context was opened without DevX */
    bool var_used[VAR_PAGES], tlp_var_used[TLP_VAR_PAGES];
    int uar_fd[UAR_PAGES]; /* of those in use: a file of its own, so that it can be exported alone */
};

/* What the process holds of a page of the device: registers, or doorbells of virtio emulation. */
struct mlx5_page {
    struct sim_obj obj;
    bool *used;
};

struct mlx5_cq {
    uint8_t *buf;
    uint32_t *db; /* [0] what the process has consumed, [1] how it wants to be told */
    uint32_t n, size; /* a power of two; bytes of an entry */
    bool pad; /* entries of 64 bytes in places of 128: the rest is written, too */
    uint32_t pi;
    unsigned uar;
    uint32_t arm_seen; /* the record's last word that was acted on */
    bool armed, solicited_only;
    uint32_t arm_ci;
    unsigned next_sn;
    uint32_t solicited_pi; /* one behind the last completion that counts as solicited */
    bool any_solicited;
    uint16_t period, max_count; /* an event waits for so many completions, but for so many microseconds at most */
    uint32_t told_pi; /* what was there at the last event */
    uint64_t due; /* clock, ns: when the event comes that waits; 0: none does, or without a time */
};

struct mlx5_qp {
    uint8_t *rq, *sq;
    uint32_t *db; /* [0] receives posted, [1] send WQE blocks posted */
    uint32_t rq_n, sq_n;
    unsigned rq_shift;
    unsigned uar;
    struct sim_qp *next_user, *previous_user; /* of the same page */
    int bfreg; /* which register of the page it rings, -1 until it has */
    uint32_t uidx, flags;
    uint32_t tisn, tirn, rqn; /* of raw packets: the numbers of what it sends by, and receives by */
    unsigned lag_port; /* which of the bonded ports it sends through */
    uint16_t udp_sport; /* 0: as the device likes */
    uint32_t requester_group, responder_group; /* of queues, that are scheduled together; 0: none */
    uint16_t sq_ci, rung_to, rq_ci;
    uint16_t rq_enabled; /* where others let it receive: up to this one */
    bool out_of_order; /* receives are not taken in their order */
    bool left_one; /* the receive before the last one that was taken is still there */
    bool rung;
    bool drains, stops; /* at a wrong signature: it is to, and is about to */
    bool recordless; /* its doorbells say all, there is no record */
    bool copies; /* it may copy memory to memory */
    struct mlx5_rendezvous *rendezvous; /* that tags have begun: the first is under way */
    bool remarked; /* on what its descriptors have and the device does not look at: said once */
};

struct mlx5_wq {
    uint8_t *rq;
    uint32_t *db;
    uint32_t n;
    unsigned shift, skip; /* segments in front of a receive's pieces: its signature */
    uint32_t uidx;
    uint16_t ci;
};

#define MLX5_MAX_TAGS 127
#define MLX5_MAX_RENDEZVOUS 64 /* bytes of a message that asks for one */

struct mlx5_srq {
    struct mlx5_tags *tags; /* NULL: it matches none */
    uint8_t *buf;
    uint32_t *db;
    uint32_t n;
    unsigned shift;
    uint32_t uidx, flags;
    bool cyclic; /* receives are in the order of the ring; else a list */
    uint16_t head, consumed;
};

/* device.c: where the rings and the doorbell record of a queue pair are */
struct mlx5_rings {
    uint8_t *rq, *sq;
    uint32_t *db;
    uint32_t rq_n, sq_n;
    unsigned rq_shift, uar; /* uar UAR_PAGES: it has no sends */
    uint32_t uidx, flags;
    bool recordless;
};

void mlx5_put_rings(struct sim_qp *qp, const struct mlx5_rings *r);

/* pages.c */
int mlx5_page_method(struct sim_cmd *cmd);
int mlx5_page_at(const struct mlx5_ctx *m, uint64_t page, off_t *at);
int mlx5_page_export(const struct mlx5_ctx *m, uint64_t page);
void mlx5_pages_free(const struct mlx5_ctx *m);

/* pacing.c */
int mlx5_pacing_method(struct sim_cmd *cmd);

/* devx_ethernet.c */
void mlx5_name_parts(struct sim_qp *qp, struct mlx5_ib_create_qp_resp *r);
void mlx5_name_receiver(struct sim_qp *qp, struct mlx5_ib_create_qp_resp *r);

/* matchers.c */
int mlx5_matcher_method(struct sim_cmd *cmd);

/* dm.c */
int mlx5_dm_method(struct sim_cmd *cmd);
int mlx5_dm_map(struct sim_context *ctx, unsigned page, size_t length, int *fd, off_t *at);
#define MLX5_DM_SIZES 0xf /* of what is operated on: 1, 2, 4, 8 bytes */
enum { MLX5_DM_INCREMENT, MLX5_DM_TEST_AND_SET, MLX5_DM_OPERATIONS };
int mlx5_dm_map_operation(struct sim_cmd *cmd);
struct sim_dm *mlx5_dm_of_operation(struct sim_context *ctx, unsigned index);
enum sim_watch mlx5_watch(const struct sim_context *ctx, off_t offset);
void mlx5_operate(struct sim_context *ctx, off_t area, size_t at, uint64_t *value, unsigned size, bool write);

/* dma_handles.c */
int mlx5_dma_handle_method(struct sim_cmd *cmd);

/* doorbells.c */
void mlx5_look_at_doorbells(struct sim_context *ctx);
void mlx5_look_at_page_of(struct sim_qp *qp);
void mlx5_check_idle(struct sim_context *ctx);

/* wqe.c */
bool mlx5_has_send(struct sim_qp *qp);
bool mlx5_next_send(struct sim_qp *qp, struct sim_wr *wr);
int mlx5_next_recv(struct sim_qp *qp, struct sim_srq *srq, struct sim_recv *recv);
unsigned mlx5_srq_posted(struct sim_srq *srq);
const uint8_t *mlx5_send_block(const struct mlx5_qp *h, uint16_t index);

int mlx5_take_list(struct sim_device *dev, const char *what, const uint8_t *b, unsigned segments, struct sim_recv *recv);

/* ethernet.c */
#define MLX5_RSS_FIELDS 0xffu /* addresses of IPv4 and IPv6, ports of TCP and UDP */
int mlx5_create_wq(struct sim_cmd *cmd, struct sim_wq *wq);
void mlx5_reset_wq(struct sim_wq *wq);
int mlx5_next_wq_recv(struct sim_wq *wq, struct sim_recv *recv);
int mlx5_rule_counters(struct sim_cmd *cmd, struct sim_counters *counters);
int mlx5_create_rss(struct sim_cmd *cmd, struct sim_qp *qp);
void mlx5_fill_arrival(struct mlx5_cqe64 *e, const struct sim_arrival *a);

/* device.c: as the kernel, which pins both, the ring and the page with its doorbell record */
bool mlx5_is_ring(uint64_t buf, uint64_t size, uint64_t db);

/* cross.c */
int mlx5_cross(struct sim_qp *qp, const char **why);

/* tags.c */
enum { MLX5_TAG_CONSUMED = 1, MLX5_TAG_EXPECTED, MLX5_TAG_UNEXPECTED, MLX5_TAG_NO_TAG, MLX5_TAG_APPENDED, MLX5_TAG_REMOVED,
    MLX5_TAG_SYNCED, MLX5_TAG_CONSUMED_MESSAGE = 10, MLX5_TAG_CANCELED = 12 };
#define MLX5_RENDEZVOUS 0xfe /* in the place of a descriptor's opcode: the device's own request */
int mlx5_tags_make(struct sim_srq *srq);
void mlx5_tags_free(struct sim_srq *srq);
void mlx5_tag_caps(const struct sim_device *dev, struct ib_uverbs_tm_caps *caps);
bool mlx5_match(struct sim_qp *qp, struct sim_srq *srq, const struct sim_packet *p);
void mlx5_tag_unexpected(struct sim_srq *srq);
void mlx5_rendezvous_begin(struct sim_qp *qp);
bool mlx5_rendezvous_waits(const struct mlx5_qp *h);
bool mlx5_rendezvous_next(struct sim_qp *qp, struct sim_wr *wr);
void mlx5_rendezvous_done(const struct sim_completion *c);
void mlx5_rendezvous_drop(struct sim_qp *qp);

/* signatures.c */
void mlx5_signature_failed(const struct sim_access *a, const struct sim_mkey *m, const struct sim_signature_error *e);

/* cqe.c */
struct mlx5_signature_error {
    uint32_t key;
    uint64_t offset, is, wanted;
    uint16_t syndrome;
    bool memory;
};
void mlx5_complete_signature(struct sim_cq *cq, const struct mlx5_signature_error *e);
struct mlx5_tag_done { /* an operation on the list of tags */
    struct sim_qp *qp;
    struct sim_srq *srq;
    uint8_t how;
    bool success;
    uint16_t count; /* of unexpected messages */
};
void mlx5_complete_tags(const struct mlx5_tag_done *d);
unsigned mlx5_completion_room(struct sim_qp *qp, bool responder);
void mlx5_complete(struct sim_cq *cq, const struct sim_completion *c);
void mlx5_arm(struct sim_cq *cq, uint32_t word);
int mlx5_resize(struct sim_cq *cq, uint8_t *buf, uint32_t n);
int mlx5_moderate(struct sim_cq *cq, uint16_t count, uint16_t period);
uint64_t mlx5_next_timer(const struct sim_context *ctx);
void mlx5_run_timers(struct sim_context *ctx);

/* devx.c, devx_events.c */
int mlx5_devx_open(struct sim_cmd *cmd, bool wanted);
int mlx5_devx_method(struct sim_cmd *cmd);
bool mlx5_devx_step(struct sim_device *dev);
void mlx5_devx_tell(struct sim_qp *qp, int event);
void mlx5_devx_tell_cq(struct sim_cq *cq, bool error);
void mlx5_devx_free_objects(struct sim_context *ctx);

static inline uint32_t mlx5_record(const uint32_t *db)
{
    return be32toh(__atomic_load_n(db, __ATOMIC_ACQUIRE));
}

#endif
