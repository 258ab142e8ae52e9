/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0
 *
 * Stands in for libmlx5 where steering is concerned: each function writes a line with what it was called with, by C's own structures.
 * DevX and queue pairs go on to the real library. With POOR it lacks what is newer than the first domains, and much of these, too. */
#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <infiniband/mlx5dv.h>

enum { MOST = 256 };

static struct {
	const void *at;
	char name[32];
} things[MOST];

static void say(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	puts("");
	fflush(stdout);
}

static const char *name(const void *at)
{
	for (int i = 0; at && i < MOST; i++)
		if (things[i].at == at)
			return things[i].name;
	return at ? "?" : "none";
}

/* A thing of a kind, numbered from 1 by its kind. */
static void *known(const char *kind, void *at)
{
	int number = 1, free = -1;
	for (int i = 0; i < MOST; i++) {
		if (!things[i].name[0] && free < 0)
			free = i;
		if (!strncmp(things[i].name, kind, strlen(kind)) && strchr("123456789", things[i].name[strlen(kind)]))
			number++;
	}
	things[free].at = at;
	snprintf(things[free].name, sizeof things[free].name, "%s%d", kind, number);
	return at;
}

static void *new(const char *kind)
{
	void *at = calloc(1, 64);
	known(kind, at);
	printf("%s = ", name(at));
	return at;
}

static int gone(void *at)
{
	say("destroy %s", name(at));
	return 0;
}

static const char *bytes(const void *at, size_t n)
{
	static char text[4][1200];
	static int next;
	char *to = text[next++ % 4];
	to[0] = 0;
	for (size_t i = 0; i < n; i++)
		if (((const uint8_t *)at)[i])
			sprintf(to + strlen(to), "%s%zx:%02x", to[0] ? " " : "", i, ((const uint8_t *)at)[i]);
	return to;
}

static void *real(const char *function)
{
	return dlsym(dlopen("libmlx5.so.1", RTLD_NOW | RTLD_NOLOAD), function);
}

/* ---- DevX */

int mlx5dv_devx_general_cmd(struct ibv_context *context, const void *in, size_t inlen, void *out, size_t outlen)
{
	int (*f)(struct ibv_context *, const void *, size_t, void *, size_t) = real("mlx5dv_devx_general_cmd");
	return f(context, in, inlen, out, outlen);
}

struct mlx5dv_devx_obj *mlx5dv_devx_obj_create(struct ibv_context *context, const void *in, size_t inlen, void *out,
	size_t outlen)
{
	void *(*f)(struct ibv_context *, const void *, size_t, void *, size_t) = real("mlx5dv_devx_obj_create");
	return known("devx", f(context, in, inlen, out, outlen));
}

int mlx5dv_devx_obj_destroy(struct mlx5dv_devx_obj *object)
{
	int (*f)(struct mlx5dv_devx_obj *) = real("mlx5dv_devx_obj_destroy");
	return f(object);
}

/* ---- queue pairs */

struct ibv_qp *mlx5dv_create_qp(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr,
	struct mlx5dv_qp_init_attr *dv)
{
	struct ibv_qp *(*f)(struct ibv_context *, struct ibv_qp_init_attr_ex *, struct mlx5dv_qp_init_attr *) =
		real("mlx5dv_create_qp");
	return f(context, attr, dv);
}

/* ---- what also an old library has */

struct mlx5dv_dr_domain *mlx5dv_dr_domain_create(struct ibv_context *context, enum mlx5dv_dr_domain_type type)
{
	void *at = new("domain");
	say("type %d of %s", type, context->device->name);
	return at;
}

int mlx5dv_dr_domain_destroy(struct mlx5dv_dr_domain *domain)
{
	return gone(domain);
}

struct mlx5dv_dr_table *mlx5dv_dr_table_create(struct mlx5dv_dr_domain *domain, uint32_t level)
{
	void *at = new("table");
	say("%s level %u", name(domain), level);
	return at;
}

int mlx5dv_dr_table_destroy(struct mlx5dv_dr_table *table)
{
	return gone(table);
}

#ifndef POOR

/* ---- the kernel's tables */

struct mlx5dv_flow_matcher *mlx5dv_create_flow_matcher(struct ibv_context *context, struct mlx5dv_flow_matcher_attr *attr)
{
	void *at = new("matcher");
	uint32_t port; /* which the header of an old release does not have */
	memcpy(&port, &attr->ft_type + 1, sizeof port);
	say("type %d flags %u priority %u criteria %x mask %" PRIx64 " tables %d port %u, %zu bytes %s", attr->type, attr->flags,
		attr->priority, attr->match_criteria_enable, attr->comp_mask, attr->ft_type, port, attr->match_mask->match_sz,
		bytes(attr->match_mask->match_buf, attr->match_mask->match_sz));
	return at;
}

int mlx5dv_destroy_flow_matcher(struct mlx5dv_flow_matcher *matcher)
{
	return gone(matcher);
}

/* Destroying goes by the context, which is the real one's: so none is made. */
static void *refused(void)
{
	errno = EEXIST;
	return NULL;
}

static void *create_flow(struct mlx5dv_flow_matcher *matcher, struct mlx5dv_flow_match_parameters *value, size_t n,
	const char *attrs, size_t size)
{
	printf("flow of %s, %zu bytes %s,", name(matcher), value->match_sz, bytes(value->match_buf, value->match_sz));
	for (size_t i = 0; i < n; i++) {
		const struct mlx5dv_flow_action_attr *a = (const void *)(attrs + i * size);
		uint32_t offset = 0;
		if (size > sizeof(void *) * 2)
			memcpy(&offset, (const char *)a + 16, sizeof offset);
		switch (a->type) {
		case MLX5DV_FLOW_ACTION_DEST_IBV_QP: printf(" qp of type %d", a->qp->qp_type); break;
		case MLX5DV_FLOW_ACTION_TAG: printf(" tag %x", a->tag_value); break;
		case MLX5DV_FLOW_ACTION_DROP: printf(" drop"); break;
		case MLX5DV_FLOW_ACTION_DEFAULT_MISS: printf(" miss"); break;
		default: printf(" %d %s offset %u", a->type, name(a->obj), offset); break;
		}
	}
	say(" of %zu", size);
	return refused();
}

#ifdef WIDE
void *__mlx5dv_create_flow(struct mlx5dv_flow_matcher *matcher, struct mlx5dv_flow_match_parameters *value, size_t n,
	const char *attrs, size_t size)
{
	return create_flow(matcher, value, n, attrs, size);
}
#endif

struct ibv_flow *mlx5dv_create_flow(struct mlx5dv_flow_matcher *matcher, struct mlx5dv_flow_match_parameters *value, size_t n,
	struct mlx5dv_flow_action_attr *attrs)
{
	return create_flow(matcher, value, n, (const char *)attrs, 16);
}

struct ibv_flow_action *mlx5dv_create_flow_action_esp(struct ibv_context *context, struct ibv_flow_action_esp_attr *esp,
	struct mlx5dv_flow_action_esp *dv)
{
	struct ibv_flow_action_esp *e = esp->esp_attr;
	struct ibv_flow_action_esp_keymat_aes_gcm *k = esp->keymat_ptr;
	struct ibv_flow_action_esp_replay_bmp *r = esp->replay_ptr;
	say("esp spi %x seq %u pad %u flags %u limit %llu; keymat %d of %u: iv %llx algo %u salt %x icv %u key %u bytes %s; replay %d"
	    " of %u: %u; encap %d mask %u esn %x; mask %" PRIx64 " flags %u",
		e->spi, e->seq, e->tfc_pad, e->flags, (unsigned long long)e->hard_limit_pkts, esp->keymat_proto, esp->keymat_len,
		(unsigned long long)k->iv, k->iv_algo, k->salt, k->icv_len, k->key_len, bytes(k->aes_key, sizeof k->aes_key),
		esp->replay_proto, esp->replay_len, r ? r->size : 0, !!esp->esp_encap, esp->comp_mask, esp->esn, dv->comp_mask,
		dv->action_flags);
	return refused();
}

struct ibv_flow_action *mlx5dv_create_flow_action_modify_header(struct ibv_context *context, size_t size, uint64_t actions[],
	enum mlx5dv_flow_table_type tables)
{
	say("modify header %zu bytes %s tables %d", size, bytes(actions, size), tables);
	return refused();
}

struct ibv_flow_action *mlx5dv_create_flow_action_packet_reformat(struct ibv_context *context, size_t size, void *data,
	enum mlx5dv_flow_action_packet_reformat_type type, enum mlx5dv_flow_table_type tables)
{
	say("reformat type %d, %zu bytes %s tables %d", type, size, data ? bytes(data, size) : "none", tables);
	return refused();
}

struct mlx5dv_steering_anchor *mlx5dv_create_steering_anchor(struct ibv_context *context,
	struct mlx5dv_steering_anchor_attr *attr)
{
	struct mlx5dv_steering_anchor *at = new("anchor");
	say("tables %d priority %u mask %" PRIx64, attr->ft_type, attr->priority, attr->comp_mask);
	at->id = 0x1234;
	return at;
}

int mlx5dv_destroy_steering_anchor(struct mlx5dv_steering_anchor *anchor)
{
	return gone(anchor);
}

/* ---- domains */

int mlx5dv_dr_domain_sync(struct mlx5dv_dr_domain *domain, uint32_t flags)
{
	say("sync %s %x", name(domain), flags);
	return flags >> 3 ? EOPNOTSUPP : 0;
}

void mlx5dv_dr_domain_set_reclaim_device_memory(struct mlx5dv_dr_domain *domain, bool enable)
{
	say("reclaim %s %d", name(domain), enable);
}

void mlx5dv_dr_domain_allow_duplicate_rules(struct mlx5dv_dr_domain *domain, bool allow)
{
	say("duplicates %s %d", name(domain), allow);
}

struct mlx5dv_dr_matcher *mlx5dv_dr_matcher_create(struct mlx5dv_dr_table *table, uint16_t priority, uint8_t criteria,
	struct mlx5dv_flow_match_parameters *mask)
{
	void *at = new("rules");
	say("%s priority %u criteria %x, %zu bytes %s", name(table), priority, criteria, mask->match_sz,
		bytes(mask->match_buf, mask->match_sz));
	return at;
}

int mlx5dv_dr_matcher_destroy(struct mlx5dv_dr_matcher *matcher)
{
	return gone(matcher);
}

int mlx5dv_dr_matcher_set_layout(struct mlx5dv_dr_matcher *matcher, struct mlx5dv_dr_matcher_layout *layout)
{
	say("layout %s flags %x log %u", name(matcher), layout->flags, layout->log_num_of_rules_hint);
	return 0;
}

struct mlx5dv_dr_rule *mlx5dv_dr_rule_create(struct mlx5dv_dr_matcher *matcher, struct mlx5dv_flow_match_parameters *value,
	size_t n, struct mlx5dv_dr_action *actions[])
{
	void *at = new("rule");
	printf("%s, %zu bytes %s:", name(matcher), value->match_sz, bytes(value->match_buf, value->match_sz));
	for (size_t i = 0; i < n; i++)
		printf(" %s", name(actions[i]));
	say("");
	return at;
}

int mlx5dv_dr_rule_destroy(struct mlx5dv_dr_rule *rule)
{
	static int failed;
	if (failed++)
		return gone(rule);
	say("no end of %s", name(rule));
	return EIO;
}

/* ---- actions of domains */

static void *action(const char *what)
{
	void *at = new("action");
	printf("%s", what);
	return at;
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_dest_ibv_qp(struct ibv_qp *qp)
{
	void *at = action("qp");
	say(" of type %d", qp->qp_type);
	return at;
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_dest_table(struct mlx5dv_dr_table *table)
{
	void *at = action("to ");
	say("%s", name(table));
	return at;
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_dest_root_table(struct mlx5dv_dr_table *table, uint16_t priority)
{
	void *at = action("to root ");
	say("%s priority %u", name(table), priority);
	return at;
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_dest_vport(struct mlx5dv_dr_domain *domain, uint32_t vport)
{
	void *at = action("vport ");
	say("%s %u", name(domain), vport);
	return at;
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_dest_ib_port(struct mlx5dv_dr_domain *domain, uint32_t port)
{
	void *at = action("port ");
	say("%s %u", name(domain), port);
	return at;
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_dest_devx_tir(struct mlx5dv_devx_obj *object)
{
	void *at = action("tir ");
	say("%s", name(object));
	return at;
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_dest_array(struct mlx5dv_dr_domain *domain, size_t n,
	struct mlx5dv_dr_action_dest_attr *dests[])
{
	void *at = action("array ");
	printf("%s:", name(domain));
	for (size_t i = 0; i < n; i++) {
		if (dests[i]->type == MLX5DV_DR_ACTION_DEST)
			printf(" %s", name(dests[i]->dest));
		else
			printf(" %s(%s)", name(dests[i]->dest_reformat->reformat), name(dests[i]->dest_reformat->dest));
	}
	say("");
	return at;
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_drop(void)
{
	void *at = action("drop");
	say("");
	return at;
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_default_miss(void)
{
	void *at = action("miss");
	say("");
	return at;
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_tag(uint32_t value)
{
	void *at = action("tag ");
	say("%x", value);
	return at;
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_flow_counter(struct mlx5dv_devx_obj *object, uint32_t offset)
{
	void *at = action("counter ");
	say("%s %u", name(object), offset);
	return at;
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_aso(struct mlx5dv_dr_domain *domain, struct mlx5dv_devx_obj *object,
	uint32_t offset, uint32_t flags, uint8_t reg)
{
	void *at = action("aso ");
	say("%s %s offset %u flags %x register %u", name(domain), name(object), offset, flags, reg);
	return at;
}

int mlx5dv_dr_action_modify_aso(struct mlx5dv_dr_action *what, uint32_t offset, uint32_t flags, uint8_t reg)
{
	say("modify aso %s offset %u flags %x register %u", name(what), offset, flags, reg);
	return 0;
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_packet_reformat(struct mlx5dv_dr_domain *domain, uint32_t flags,
	enum mlx5dv_flow_action_packet_reformat_type type, size_t size, void *data)
{
	void *at = action("reformat ");
	say("%s flags %x type %d, %zu bytes %s", name(domain), flags, type, size, data ? bytes(data, size) : "none");
	return at;
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_modify_header(struct mlx5dv_dr_domain *domain, uint32_t flags, size_t size,
	__be64 actions[])
{
	void *at = action("modify ");
	say("%s flags %x, %zu bytes %s", name(domain), flags, size, bytes(actions, size));
	return at;
}

static void meter(const struct mlx5dv_dr_flow_meter_attr *a)
{
	printf("%s active %u register %u, %zu bytes %s", name(a->next_table), a->active, a->reg_c_index,
		a->flow_meter_parameter_sz, bytes(a->flow_meter_parameter, a->flow_meter_parameter_sz));
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_flow_meter(struct mlx5dv_dr_flow_meter_attr *attr)
{
	void *at = action("meter ");
	meter(attr);
	say("");
	return at;
}

int mlx5dv_dr_action_modify_flow_meter(struct mlx5dv_dr_action *what, struct mlx5dv_dr_flow_meter_attr *attr, __be64 fields)
{
	printf("modify meter %s ", name(what));
	meter(attr);
	say(" fields %" PRIx64, be64toh(fields));
	return 0;
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_flow_sampler(struct mlx5dv_dr_flow_sampler_attr *attr)
{
	void *at = action("sampler ");
	printf("1 of %u to %s:", attr->sample_ratio, name(attr->default_next_table));
	for (uint32_t i = 0; i < attr->num_sample_actions; i++)
		printf(" %s", name(attr->sample_actions[i]));
	say(", %" PRIx64, be64toh(attr->action));
	return at;
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_pop_vlan(void)
{
	void *at = action("pop");
	say("");
	return at;
}

struct mlx5dv_dr_action *mlx5dv_dr_action_create_push_vlan(struct mlx5dv_dr_domain *domain, __be32 header)
{
	void *at = action("push ");
	say("%s %x", name(domain), be32toh(header));
	return at;
}

int mlx5dv_dr_action_destroy(struct mlx5dv_dr_action *what)
{
	return gone(what);
}

int mlx5dv_dr_aso_other_domain_link(struct mlx5dv_devx_obj *object, struct mlx5dv_dr_domain *peer,
	struct mlx5dv_dr_domain *domain, uint32_t flags, uint8_t reg)
{
	say("link %s of %s to %s flags %x register %u", name(object), name(peer), name(domain), flags, reg);
	return flags == 3 ? EINVAL : 0;
}

int mlx5dv_dr_aso_other_domain_unlink(struct mlx5dv_devx_obj *object, struct mlx5dv_dr_domain *domain)
{
	say("unlink %s from %s", name(object), name(domain));
	return 0;
}

/* ---- dumps */

static int dump(FILE *to, const void *what)
{
	fprintf(to, "dump of %s\n", name(what));
	return strcmp(name(what), "domain2") ? 3 : -EINVAL; /* as what printing has returned */
}

int mlx5dv_dump_dr_domain(FILE *to, struct mlx5dv_dr_domain *domain)
{
	return dump(to, domain);
}

int mlx5dv_dump_dr_table(FILE *to, struct mlx5dv_dr_table *table)
{
	return dump(to, table);
}

int mlx5dv_dump_dr_matcher(FILE *to, struct mlx5dv_dr_matcher *matcher)
{
	return dump(to, matcher);
}

int mlx5dv_dump_dr_rule(FILE *to, struct mlx5dv_dr_rule *rule)
{
	return dump(to, rule);
}
#endif
