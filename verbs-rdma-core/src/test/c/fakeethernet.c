/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0
 *
 * Beside fakeverbs.c: a driver with Ethernet, whose functions are in the slots of struct verbs_context, as the header of this
 * machine has it. Each call writes a line with what it was called with. FAKE_WITHOUT_ETHERNET is a device that has nothing of it,
 * while its library has all functions. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FULL = 99, NO_SUCH = 404 };

static struct ibv_async_event pending;
static int is_pending;

static void say(const char *format, ...)
{
	int before = errno;
	va_list list;
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	puts("");
	fflush(stdout);
	errno = before; /* that of the call alone counts */
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct ibv_pd *pd = calloc(1, sizeof *pd);
	pd->context = context;
	pd->handle = 31;
	return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd)
{
	free(pd);
	return 0;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *own, struct ibv_comp_channel *channel, int vector)
{
	struct ibv_cq *cq = calloc(1, sizeof *cq);
	cq->context = context;
	cq->cqe = cqe;
	cq->handle = 32;
	return cq;
}

int ibv_destroy_cq(struct ibv_cq *cq)
{
	free(cq);
	return 0;
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
	say("destroy_qp %u", qp->qp_num);
	free(qp);
	return 0;
}

int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event)
{
	uint64_t count;
	if (!is_pending) {
		errno = EAGAIN;
		return -1;
	}
	read(context->async_fd, &count, sizeof count);
	is_pending = 0;
	*event = pending;
	return 0;
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
	say("ack_async_event %d", event->event_type);
}

/* ---- work queues */

static int post_recv(struct ibv_wq *wq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	for (; wr; wr = wr->next) {
		if (wr->wr_id == FULL) {
			*bad = wr;
			return ENOMEM;
		}
		say("post_recv %u: %lu of %d, %lx %u %x", wq->wq_num, wr->wr_id, wr->num_sge, wr->sg_list->addr,
			wr->sg_list->length, wr->sg_list->lkey);
	}
	return 0;
}

static struct ibv_wq *create_wq(struct ibv_context *context, struct ibv_wq_init_attr *attr)
{
	struct ibv_wq *wq;
	say("create_wq type %d wr %u sge %u pd %u cq %u mask %u flags %u", attr->wq_type, attr->max_wr, attr->max_sge,
		attr->pd->handle, attr->cq->handle, attr->comp_mask, attr->create_flags);
	wq = calloc(1, sizeof *wq);
	wq->context = context;
	wq->wq_num = 0x77 + attr->max_sge;
	wq->post_recv = post_recv;
	attr->max_wr = 128;
	attr->max_sge = 4;
	return wq;
}

static int modify_wq(struct ibv_wq *wq, struct ibv_wq_attr *attr)
{
	uint64_t one = 1;
	say("modify_wq %u: mask %u state %d from %d flags %u of %u", wq->wq_num, attr->attr_mask, attr->wq_state,
		attr->curr_wq_state, attr->flags, attr->flags_mask);
	if ((attr->attr_mask & IBV_WQ_ATTR_FLAGS) && attr->flags_mask == IBV_WQ_FLAGS_PCI_WRITE_END_PADDING)
		return -EOPNOTSUPP;
	if ((attr->attr_mask & IBV_WQ_ATTR_FLAGS) && attr->flags_mask == IBV_WQ_FLAGS_SCATTER_FCS) {
		pending.event_type = IBV_EVENT_WQ_FATAL;
		pending.element.wq = wq;
		is_pending = 1;
		write(wq->context->async_fd, &one, sizeof one);
	}
	return 0;
}

static int destroy_wq(struct ibv_wq *wq)
{
	say("destroy_wq %u", wq->wq_num);
	free(wq);
	return 0;
}

static struct ibv_rwq_ind_table *create_table(struct ibv_context *context, struct ibv_rwq_ind_table_init_attr *attr)
{
	struct ibv_rwq_ind_table *table = calloc(1, sizeof *table);
	printf("create_table mask %u:", attr->comp_mask);
	for (int i = 0; i < 1 << attr->log_ind_tbl_size; i++)
		printf(" %u", attr->ind_tbl[i]->wq_num);
	say("");
	table->context = context;
	table->ind_tbl_num = 55;
	return table;
}

static int destroy_table(struct ibv_rwq_ind_table *table)
{
	say("destroy_table %d", table->ind_tbl_num);
	free(table);
	return 0;
}

static struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	struct ibv_qp *qp = calloc(1, sizeof *qp);
	struct ibv_rx_hash_conf *hash = &attr->rx_hash_conf;
	if (attr->comp_mask & IBV_QP_INIT_ATTR_MAX_TSO_HEADER)
		say("max_tso_header %u", attr->max_tso_header);
	say("create_qp_ex type %d mask %u pd %u flags %u cqs %d caps %u %u", attr->qp_type, attr->comp_mask, attr->pd->handle,
		attr->create_flags, !!attr->send_cq + 2 * !!attr->recv_cq, attr->cap.max_send_wr, attr->cap.max_recv_wr);
	if (attr->comp_mask & IBV_QP_INIT_ATTR_RX_HASH)
		say("spreads by table %d, function %u, key of %u from %u to %u, fields %lx", attr->rwq_ind_tbl->ind_tbl_num,
			hash->rx_hash_function, hash->rx_hash_key_len, hash->rx_hash_key[0],
			hash->rx_hash_key[hash->rx_hash_key_len - 1], hash->rx_hash_fields_mask);
	qp->context = context;
	qp->pd = attr->pd;
	qp->qp_num = 0x123;
	return qp;
}

/* ---- raw packets */

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	if (mask & IBV_QP_STATE)
		qp->state = attr->qp_state;
	return 0;
}

int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init)
{
	attr->qp_state = qp->state;
	return 0;
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, unsigned access)
{
	struct ibv_mr *mr = calloc(1, sizeof *mr);
	*mr = (struct ibv_mr){ .context = pd->context, .pd = pd, .addr = addr, .length = length, .lkey = 0x44, .rkey = 0x44 };
	return mr;
}

int ibv_dereg_mr(struct ibv_mr *mr)
{
	free(mr);
	return 0;
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	for (; wr; wr = wr->next) {
		printf("post_send %lu: opcode %d flags %u, %d of %u", wr->wr_id, wr->opcode, wr->send_flags, wr->num_sge,
			wr->sg_list->length);
		if (wr->opcode == IBV_WR_TSO)
			printf(", header %.*s mss %u", wr->tso.hdr_sz, (char *)wr->tso.hdr, wr->tso.mss);
		say("");
	}
	return 0;
}

/* One completion: a packet of VLAN 0x123, by the flow 0xabcdef. */
static int taken;

static int start_poll(struct ibv_cq_ex *cq, struct ibv_poll_cq_attr *attr)
{
	if (taken)
		return ENOENT;
	taken = 1;
	cq->wr_id = 7;
	cq->status = IBV_WC_SUCCESS;
	return 0;
}

static int next_poll(struct ibv_cq_ex *cq) { return ENOENT; }
static void end_poll(struct ibv_cq_ex *cq) {}
static enum ibv_wc_opcode read_opcode(struct ibv_cq_ex *cq) { return IBV_WC_RECV; }
static uint32_t read_zero(struct ibv_cq_ex *cq) { return 0; }
static uint8_t read_byte(struct ibv_cq_ex *cq) { return 0; }
static unsigned read_flags(struct ibv_cq_ex *cq) { return IBV_WC_IP_CSUM_OK; }
static uint16_t read_cvlan(struct ibv_cq_ex *cq) { return 0x123; }
static uint32_t read_flow_tag(struct ibv_cq_ex *cq) { return 0xabcdef; }

static struct ibv_cq_ex *create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr)
{
	struct ibv_cq_ex *cq = calloc(1, sizeof *cq);
	say("create_cq_ex flags %lx", attr->wc_flags);
	cq->context = context;
	cq->cqe = attr->cqe;
	cq->start_poll = start_poll;
	cq->next_poll = next_poll;
	cq->end_poll = end_poll;
	cq->read_opcode = read_opcode;
	cq->read_vendor_err = cq->read_byte_len = cq->read_qp_num = cq->read_src_qp = cq->read_slid = read_zero;
	cq->read_imm_data = (void *)read_zero;
	cq->read_wc_flags = read_flags;
	cq->read_sl = cq->read_dlid_path_bits = read_byte;
	if (attr->wc_flags & IBV_WC_EX_WITH_CVLAN)
		cq->read_cvlan = read_cvlan;
	if (attr->wc_flags & IBV_WC_EX_WITH_FLOW_TAG)
		cq->read_flow_tag = read_flow_tag;
	taken = 0;
	return cq;
}

/* ---- flows: the specifications are read as each type's struct has them */

static struct { struct ibv_counters c; int used; } known;
static struct ibv_flow_action known_action;

static void say_bytes(const char *name, const void *at, int length)
{
	printf("%s ", name);
	for (int i = 0; i < length; i++)
		printf("%02x", ((const uint8_t *)at)[i]);
}

#define FILTER(type, member) case type: \
	if (spec->hdr.size != sizeof spec->member) \
		return "size of " #member; \
	printf(" " #member "%s", inner); \
	say_bytes("", &spec->member.val, sizeof spec->member.val); \
	say_bytes(" of", &spec->member.mask, sizeof spec->member.mask); \
	break;

static const char *say_spec(struct ibv_flow_spec *spec)
{
	const char *inner = spec->hdr.type & IBV_FLOW_SPEC_INNER ? " inner" : "";
	switch (spec->hdr.type & ~IBV_FLOW_SPEC_INNER) {
	FILTER(IBV_FLOW_SPEC_ETH, eth)
	FILTER(IBV_FLOW_SPEC_IPV4, ipv4)
	FILTER(IBV_FLOW_SPEC_IPV4_EXT, ipv4_ext)
	FILTER(IBV_FLOW_SPEC_IPV6, ipv6)
	FILTER(IBV_FLOW_SPEC_ESP, esp)
	FILTER(IBV_FLOW_SPEC_TCP, tcp_udp)
	FILTER(IBV_FLOW_SPEC_UDP, tcp_udp)
	FILTER(IBV_FLOW_SPEC_VXLAN_TUNNEL, tunnel)
	FILTER(IBV_FLOW_SPEC_GRE, gre)
	FILTER(IBV_FLOW_SPEC_MPLS, mpls)
	case IBV_FLOW_SPEC_ACTION_TAG:
		printf(" tag %x size %u", spec->flow_tag.tag_id, spec->flow_tag.size);
		break;
	case IBV_FLOW_SPEC_ACTION_DROP:
		printf(" drop size %u", spec->drop.size);
		break;
	case IBV_FLOW_SPEC_ACTION_COUNT:
		printf(" count %d size %u", spec->flow_count.counters == &known.c, spec->flow_count.size);
		break;
	case IBV_FLOW_SPEC_ACTION_HANDLE:
		printf(" action %d size %u", spec->handle.action == &known_action, spec->handle.size);
		break;
	default:
		return "unknown type";
	}
	return NULL;
}

static struct ibv_flow *create_flow(struct ibv_qp *qp, struct ibv_flow_attr *attr)
{
	char *at = (char *)(attr + 1);
	struct ibv_flow *flow;
	printf("create_flow %u: mask %u type %d priority %u port %u flags %u:", qp->qp_num, attr->comp_mask, attr->type,
		attr->priority, attr->port, attr->flags);
	for (int i = 0; i < attr->num_of_specs; i++) {
		const char *wrong = say_spec((struct ibv_flow_spec *)at);
		if (wrong)
			printf(" WRONG %s", wrong);
		at += ((struct ibv_flow_spec *)at)->hdr.size;
	}
	say(at == (char *)attr + attr->size ? "." : " WRONG size of all");
	if (attr->priority == NO_SUCH) {
		errno = EINVAL;
		return NULL;
	}
	flow = calloc(1, sizeof *flow);
	flow->context = qp->context;
	flow->handle = 66 + attr->num_of_specs;
	return flow;
}

static int destroy_flow(struct ibv_flow *flow)
{
	say("destroy_flow %u", flow->handle);
	free(flow);
	return 0;
}

static struct ibv_counters *create_counters(struct ibv_context *context, struct ibv_counters_init_attr *attr)
{
	if (getenv("FAKE_WITHOUT_COUNTERS")) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	say("create_counters mask %u", attr->comp_mask);
	known.c.context = context;
	return &known.c;
}

static int destroy_counters(struct ibv_counters *counters)
{
	say("destroy_counters %d", counters == &known.c);
	return 0;
}

static int attach_counters(struct ibv_counters *counters, struct ibv_counter_attach_attr *attr, struct ibv_flow *flow)
{
	say("attach %d: desc %d index %u mask %u flow %u", counters == &known.c, attr->counter_desc, attr->index,
		attr->comp_mask, flow ? flow->handle : 0);
	return flow ? ENOTSUP : 0;
}

static int read_counters(struct ibv_counters *counters, uint64_t *values, uint32_t count, uint32_t flags)
{
	say("read %d: %u flags %u", counters == &known.c, count, flags);
	for (uint32_t i = 0; i < count; i++)
		values[i] = 1000000000000 + i;
	return count > 4 ? EINVAL : 0;
}

/* ---- actions that flows share */

static void say_esp(const char *verb, const struct ibv_flow_action_esp_attr *attr)
{
	printf("%s: mask %u esn %x", verb, attr->comp_mask, attr->esn);
	if (attr->esp_attr)
		printf(" spi %x seq %x pad %u flags %x limit %llx", attr->esp_attr->spi, attr->esp_attr->seq,
			attr->esp_attr->tfc_pad, attr->esp_attr->flags, (unsigned long long)attr->esp_attr->hard_limit_pkts);
	if (attr->keymat_ptr) {
		struct ibv_flow_action_esp_keymat_aes_gcm *key = attr->keymat_ptr;
		printf(" key %d of %zu: iv %llx %d salt %x icv %u of %u", attr->keymat_proto, attr->keymat_len - sizeof *key,
			(unsigned long long)key->iv, key->iv_algo, key->salt, key->icv_len, key->key_len);
		say_bytes("", key->aes_key, sizeof key->aes_key);
	}
	if (attr->replay_ptr) {
		struct ibv_flow_action_esp_replay_bmp *window = attr->replay_ptr;
		printf(" replay %d of %zu: %u", attr->replay_proto, attr->replay_len - sizeof *window, window->size);
	}
	say(" encap %d", attr->esp_encap != NULL);
}

static struct ibv_flow_action *create_action(struct ibv_context *context, struct ibv_flow_action_esp_attr *attr)
{
	say_esp("create_action", attr);
	known_action.context = context;
	return &known_action;
}

static int modify_action(struct ibv_flow_action *action, struct ibv_flow_action_esp_attr *attr)
{
	say_esp(action == &known_action ? "modify_action" : "modify WRONG", attr);
	return attr->esn == NO_SUCH ? EOPNOTSUPP : 0;
}

static int destroy_action(struct ibv_flow_action *action)
{
	say("destroy_action %d", action == &known_action);
	return 0;
}

/* ---- what the device has */

void fake_slots(struct verbs_context *context)
{
	context->create_qp_ex = create_qp_ex;
	context->create_cq_ex = create_cq_ex;
	context->context.ops.post_send = post_send;
	context->create_wq = create_wq;
	context->modify_wq = modify_wq;
	context->destroy_wq = destroy_wq;
	context->create_rwq_ind_table = create_table;
	context->destroy_rwq_ind_table = destroy_table;
	context->ibv_create_flow = create_flow;
	context->ibv_destroy_flow = destroy_flow;
	context->create_counters = create_counters;
	context->destroy_counters = destroy_counters;
	context->attach_counters_point_flow = attach_counters;
	context->read_counters = read_counters;
	context->create_flow_action_esp = create_action;
	context->modify_flow_action_esp = modify_action;
	context->destroy_flow_action = destroy_action;
}

void fake_device(struct ibv_device_attr_ex *attr)
{
	if (getenv("FAKE_WITHOUT_ETHERNET"))
		return;
	attr->device_cap_flags_ex |= IBV_DEVICE_MANAGED_FLOW_STEERING;
	attr->orig_attr.device_cap_flags |= IBV_DEVICE_MANAGED_FLOW_STEERING;
	attr->max_wq_type_rq = 1024;
	attr->tso_caps.max_tso = 65536;
	attr->tso_caps.supported_qpts = 1 << IBV_QPT_RAW_PACKET;
	attr->rss_caps.supported_qpts = 1 << IBV_QPT_RAW_PACKET;
	attr->rss_caps.max_rwq_indirection_tables = 8;
	attr->rss_caps.max_rwq_indirection_table_size = 16;
	attr->rss_caps.rx_hash_function = IBV_RX_HASH_FUNC_TOEPLITZ;
	attr->rss_caps.rx_hash_fields_mask = 0xff | IBV_RX_HASH_INNER;
}
