/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0
 *
 * Tells what a C program is answered by the verbs about memory and domains: a line each, a name and an errno or a number. What a
 * release lacks it can't call, and tells as EOPNOTSUPP. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <infiniband/verbs.h>

static void told(const char *name, long value)
{
	printf("%s %ld\n", name, value);
}

/* What made it: 0, or why it was not made. */
#define MADE(name, pointer) ({ errno = 0; __typeof__(pointer) p_ = (pointer); told(name, p_ ? 0 : errno ? errno : EINVAL); p_; })

static const char *kind(uint64_t type)
{
	static const char *const names[] = {"?", "QP", "RWQ", "DBR", "SRQ", "CQ"};
	return type >> 32 == 1 && (uint32_t)type < 6 ? names[(uint32_t)type] : "?";
}

static char arena[1 << 20] __attribute__((aligned(4096)));
static size_t used;
static int answer; /* 0 memory, 1 none, 2 the driver's own */

static void *give(struct ibv_pd *pd, void *context, size_t size, size_t alignment, uint64_t type)
{
	printf("alloc %zu %zu %s\n", size, alignment, kind(type));
	if (answer)
		return answer == 1 ? NULL : (void *)-1;
	used = (used + alignment - 1) / alignment * alignment;
	char *at = arena + used;
	memset(at, 0, size);
	used += size;
	return at;
}

static void take(struct ibv_pd *pd, void *context, void *at, uint64_t type)
{
	printf("free %s\n", kind(type));
}

static void device_memory(struct ibv_context *context, struct ibv_pd *pd, uint64_t most)
{
	struct ibv_alloc_dm_attr attr = {.length = most + 1};
	char bytes[200];

	MADE("dm.long", ibv_alloc_dm(context, &attr));
	attr.length = sizeof bytes;
	attr.log_align_req = 13;
	MADE("dm.alignment", ibv_alloc_dm(context, &attr));
	attr.log_align_req = 6;
	struct ibv_dm *dm = MADE("dm.alloc", ibv_alloc_dm(context, &attr));
	attr.length = most;
	MADE("dm.noMore", ibv_alloc_dm(context, &attr));
	memset(bytes, 7, sizeof bytes);
	told("dm.to", ibv_memcpy_to_dm(dm, 0, bytes, sizeof bytes));
	told("dm.from", ibv_memcpy_from_dm(bytes, dm, 196, 4));
	told("dm.offset", ibv_memcpy_to_dm(dm, 2, bytes, 4));
	told("dm.length", ibv_memcpy_to_dm(dm, 0, bytes, 6));
	told("dm.beyond", ibv_memcpy_to_dm(dm, 196, bytes, 8));
	struct ibv_mr *mr = MADE("dm.region", ibv_reg_dm_mr(pd, dm, 8, 64, IBV_ACCESS_ZERO_BASED | IBV_ACCESS_LOCAL_WRITE));
	told("dm.region.length", mr->length);
	told("dm.busy", ibv_free_dm(dm));
	told("dm.region.close", ibv_dereg_mr(mr));
	int (*export)(struct ibv_dm *) = dlsym(RTLD_DEFAULT, "ibv_dm_export_dmabuf_fd");
	int fd = export ? export(dm) : -EOPNOTSUPP;
	told("dm.export", fd >= 0 ? 0 : export ? errno : -fd);
	if (fd >= 0)
		close(fd);
	told("dm.free", ibv_free_dm(dm));
}

static void descriptors(struct ibv_pd *pd)
{
	struct ibv_mr *(*reg)(struct ibv_pd *, uint64_t, size_t, uint64_t, int, int) = dlsym(RTLD_DEFAULT, "ibv_reg_dmabuf_mr");
	int fd = memfd_create("memory", 0);
	if (ftruncate(fd, 3 * 4096))
		abort();
	struct { const char *name; uint64_t offset, length, iova; int fd; } cases[] = {
		{"fd.good", 4096, 8192, 0x10000, fd},
		{"fd.inPage", 4096 + 8, 100, 0x10008, fd},
		{"fd.otherPlaceInPage", 4096 + 8, 100, 0x10000, fd},
		{"fd.beyond", 4096, 8193, 0x10000, fd},
		{"fd.none", 0, 4096, 0, 999},
	};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ibv_mr *mr = NULL;
		errno = EOPNOTSUPP;
		if (reg)
			mr = reg(pd, cases[i].offset, cases[i].length, cases[i].iova, cases[i].fd, IBV_ACCESS_LOCAL_WRITE);
		told(cases[i].name, mr ? 0 : errno);
		if (mr)
			ibv_dereg_mr(mr);
	}
	close(fd);
}

static void regions(struct ibv_pd *pd, struct ibv_pd *other, char *memory)
{
	struct ibv_mr *mr = MADE("iova.zero", ibv_reg_mr_iova(pd, memory, 8192, 0, IBV_ACCESS_LOCAL_WRITE));
	told("iova.close", ibv_dereg_mr(mr));
	MADE("iova.otherPlaceInPage", ibv_reg_mr_iova(pd, memory + 8, 100, 0, IBV_ACCESS_LOCAL_WRITE));
	mr = MADE("relaxed", ibv_reg_mr(pd, memory, 8192, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_RELAXED_ORDERING));
	told("relaxed.close", ibv_dereg_mr(mr));
	mr = MADE("onDemand", ibv_reg_mr(pd, memory, 8192, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_ON_DEMAND));
	struct ibv_sge sge = {(uintptr_t)memory, 8192, mr->lkey};
	for (int advice = 0; advice < 3; advice++)
		told("advise", ibv_advise_mr(pd, advice, IBV_ADVISE_MR_FLAG_FLUSH, &sge, 1));
	told("advise.otherDomain", ibv_advise_mr(other, 0, 0, &sge, 1));
	sge.length++;
	told("advise.beyond", ibv_advise_mr(pd, 0, 0, &sge, 1));
	sge.lkey = 0xdead00;
	told("advise.noKey", ibv_advise_mr(pd, 0, 0, &sge, 1));
	told("onDemand.close", ibv_dereg_mr(mr));
	mr = MADE("null", ibv_alloc_null_mr(pd));
	told("null.addr", (long)mr->addr);
	told("null.length", (long)mr->length);
	told("null.lkey", mr->lkey);
	told("null.close", ibv_dereg_mr(mr));
}

static void domains(struct ibv_context *context)
{
	struct ibv_pd *pd = ibv_alloc_pd(context);
	struct ibv_td_init_attr none = {0};
	struct ibv_td *td = MADE("td", ibv_alloc_td(context, &none));
	struct ibv_parent_domain_init_attr attr = {.pd = pd, .td = td, .comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS,
		.alloc = give, .free = take};
	struct ibv_pd *parent = MADE("parent", ibv_alloc_parent_domain(context, &attr));
	told("td.busy", ibv_dealloc_td(td));
	told("pd.busy", ibv_dealloc_pd(pd));
	struct ibv_cq_init_attr_ex cqa = {.cqe = 100, .wc_flags = IBV_WC_STANDARD_FLAGS,
		.comp_mask = IBV_CQ_INIT_ATTR_MASK_PD, .parent_domain = parent};
	struct ibv_cq_ex *cq = MADE("cq", ibv_create_cq_ex(context, &cqa));
	struct ibv_srq_init_attr sa = {.attr = {.max_wr = 16, .max_sge = 1}};
	struct ibv_srq *srq = MADE("srq", ibv_create_srq(parent, &sa));
	struct ibv_qp_init_attr qa = {.send_cq = ibv_cq_ex_to_cq(cq), .recv_cq = ibv_cq_ex_to_cq(cq), .qp_type = IBV_QPT_RC,
		.cap = {16, 16, 3, 3, 64}};
	struct ibv_qp *qp = MADE("qp", ibv_create_qp(parent, &qa));
	told("parent.busy", ibv_dealloc_pd(parent));
	told("qp.close", ibv_destroy_qp(qp));
	told("srq.close", ibv_destroy_srq(srq));
	answer = 1;
	MADE("qp.noMemory", ibv_create_qp(parent, &qa));
	MADE("cq.noMemory", ibv_create_cq_ex(context, &cqa));
	answer = 2;
	qp = MADE("qp.default", ibv_create_qp(parent, &qa));
	told("qp.default.close", ibv_destroy_qp(qp));
	told("cq.close", ibv_destroy_cq(ibv_cq_ex_to_cq(cq)));
	told("parent.close", ibv_dealloc_pd(parent));
	told("td.close", ibv_dealloc_td(td));
	told("pd.close", ibv_dealloc_pd(pd));
}

int main(int argc, char **argv)
{
	int count;
	struct ibv_device **list = ibv_get_device_list(&count);
	struct ibv_context *context = argc == 2 && count ? ibv_open_device(list[0]) : NULL;
	char *memory = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ibv_device_attr_ex a = {0};

	if (!context || ibv_query_device_ex(context, NULL, &a))
		return 1;
	struct ibv_pd *pd = ibv_alloc_pd(context), *other = ibv_alloc_pd(context);
	device_memory(context, pd, a.max_dm_size);
	descriptors(pd);
	regions(pd, other, memory);
	domains(context);
	ibv_dealloc_pd(pd);
	ibv_dealloc_pd(other);
	return ibv_close_device(context);
}
