/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0
 *
 * Tells what a C program sees of a device: each attribute of ibv_query_device_ex by its name in C, and the GID table. The struct is
 * not cleared before, so that what the library leaves alone shows. */
#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <infiniband/verbs.h>

#define N(field) printf(#field " %" PRIu64 "\n", (uint64_t)a.field)

int main(int argc, char **argv)
{
	int count;
	struct ibv_device **list = ibv_get_device_list(&count);
	struct ibv_device *device = NULL;
	for (int i = 0; argc == 2 && i < count; i++)
		if (!strcmp(ibv_get_device_name(list[i]), argv[1]))
			device = list[i];
	struct ibv_context *context = device ? ibv_open_device(device) : NULL;
	if (!context)
		return 1;

	struct ibv_device_attr_ex a;
	memset(&a, 0xff, sizeof a);
	if (ibv_query_device_ex(context, NULL, &a))
		return 2;
	printf("orig_attr.fw_ver %s\n", a.orig_attr.fw_ver);
	N(orig_attr.node_guid); N(orig_attr.max_mr_size); N(orig_attr.vendor_id); N(orig_attr.device_cap_flags);
	N(orig_attr.max_qp); N(orig_attr.max_cqe); N(orig_attr.atomic_cap); N(orig_attr.max_pkeys);
	N(orig_attr.local_ca_ack_delay); N(orig_attr.phys_port_cnt);
	N(odp_caps.general_caps); N(odp_caps.per_transport_caps.rc_odp_caps);
	N(odp_caps.per_transport_caps.uc_odp_caps); N(odp_caps.per_transport_caps.ud_odp_caps);
	N(completion_timestamp_mask); N(hca_core_clock); N(device_cap_flags_ex);
	N(tso_caps.max_tso); N(tso_caps.supported_qpts);
	N(rss_caps.supported_qpts); N(rss_caps.max_rwq_indirection_tables); N(rss_caps.max_rwq_indirection_table_size);
	N(rss_caps.rx_hash_fields_mask); N(rss_caps.rx_hash_function); N(max_wq_type_rq);
	N(packet_pacing_caps.qp_rate_limit_min); N(packet_pacing_caps.qp_rate_limit_max);
	N(packet_pacing_caps.supported_qpts); N(raw_packet_caps);
	N(tm_caps.max_rndv_hdr_size); N(tm_caps.max_num_tags); N(tm_caps.flags); N(tm_caps.max_ops); N(tm_caps.max_sge);
	N(cq_mod_caps.max_cq_count); N(cq_mod_caps.max_cq_period); N(max_dm_size);
	N(pci_atomic_caps.fetch_add); N(pci_atomic_caps.swap); N(pci_atomic_caps.compare_swap);
	N(xrc_odp_caps); N(phys_port_cnt_ex);

	struct ibv_gid_entry gids[64];
	ssize_t n = ibv_query_gid_table(context, gids, 64, 0);
	for (ssize_t i = 0; i < n; i++)
		printf("gid %u %u %u %u %016" PRIx64 "%016" PRIx64 "\n", gids[i].port_num, gids[i].gid_index, gids[i].gid_type,
		       gids[i].ndev_ifindex, be64toh(gids[i].gid.global.subnet_prefix), be64toh(gids[i].gid.global.interface_id));
	return n < 0;
}
