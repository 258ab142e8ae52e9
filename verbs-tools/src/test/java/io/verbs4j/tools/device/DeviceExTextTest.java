/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.DeviceAttrEx;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The long description of a device, with a different value in each field. The guest's tests compare it with that of C.
 */
class DeviceExTextTest {
    /** Returns attributes in which numeric fields have their index plus 1, and bit fields the values given here. */
    private static DeviceAttrEx filled() {
        DeviceAttrEx attr = new DeviceAttrEx();
        for (int field : new int[] {
            DeviceAttrEx.HCA_CORE_CLOCK,
            DeviceAttrEx.RSS_RX_HASH_FIELDS_MASK,
            DeviceAttrEx.MAX_DM_SIZE,
            DeviceAttrEx.COMPLETION_TIMESTAMP_MASK
        }) {
            attr.offer(field, field + 1L);
        }
        for (int field : new int[] {
            DeviceAttrEx.TSO_MAX_TSO,
            DeviceAttrEx.RSS_MAX_RWQ_INDIRECTION_TABLES,
            DeviceAttrEx.RSS_MAX_RWQ_INDIRECTION_TABLE_SIZE,
            DeviceAttrEx.RSS_RX_HASH_FUNCTION,
            DeviceAttrEx.MAX_WQ_TYPE_RQ,
            DeviceAttrEx.TM_MAX_RNDV_HDR_SIZE,
            DeviceAttrEx.TM_MAX_NUM_TAGS,
            DeviceAttrEx.TM_FLAGS,
            DeviceAttrEx.TM_MAX_OPS,
            DeviceAttrEx.TM_MAX_SGE,
            DeviceAttrEx.CQ_MODERATION_MAX_CQ_COUNT,
            DeviceAttrEx.CQ_MODERATION_MAX_CQ_PERIOD
        }) {
            attr.offer(field, field + 1);
        }
        attr.offer(DeviceAttrEx.ODP_GENERAL_CAPS, 3L);
        attr.offer(DeviceAttrEx.ODP_RC_CAPS, 0b100001);
        attr.offer(DeviceAttrEx.ODP_UC_CAPS, 0);
        attr.offer(DeviceAttrEx.XRC_ODP_CAPS, 1 << 6);
        attr.offer(DeviceAttrEx.RAW_PACKET_CAPS, 6);
        attr.offer(DeviceAttrEx.DEVICE_CAP_FLAGS_EX, 1L << 38 | 0x801);
        attr.offer(DeviceAttrEx.TSO_SUPPORTED_QPTS, 1 << 8);
        attr.offer(DeviceAttrEx.RSS_SUPPORTED_QPTS, 1 << 4);
        attr.offer(DeviceAttrEx.PACKET_PACING_QP_RATE_LIMIT_MIN, 17L);
        attr.offer(DeviceAttrEx.PACKET_PACING_QP_RATE_LIMIT_MAX, 0xffff_ffffL);
        attr.offer(DeviceAttrEx.PACKET_PACING_SUPPORTED_QPTS, 1 << 2);
        return attr;
    }

    @Test
    void everyGroupIsWritten() {
        assertThat(DeviceExText.write(filled())).isEqualTo("""
                        	general_odp_caps:
                        					ODP_SUPPORT
                        					ODP_SUPPORT_IMPLICIT
                        	rc_odp_caps:
                        					SUPPORT_SEND
                        					SUPPORT_SRQ
                        	uc_odp_caps:
                        					NO SUPPORT
                        	xrc_odp_caps:
                        					SUPPORT_FLUSH
                        	completion timestamp_mask:	0x0000000000000006
                        	hca_core_clock:	7kHZ
                        	raw packet caps:
                        					SCATTER_FCS
                        					IP_CSUM
                        	device_cap_flags_ex:	0x4000000801
                        					FLUSH_GLOBAL
                        	tso_caps:
                        		max_tso:	9
                        		supported_qp:
                        					SUPPORT_RAW_PACKET
                        	rss_caps:
                        		max_rwq_indirection_tables:	12
                        		max_rwq_indirection_table_size:	13
                        		rx_hash_function:	0xf
                        		rx_hash_fields_mask:	0xE
                        		supported_qp:
                        					SUPPORT_UD
                        	max_wq_type_rq:	16
                        	packet_pacing_caps:
                        		qp_rate_limit_min:	17kbps
                        		qp_rate_limit_max:	4294967295kbps
                        		supported_qp:
                        					SUPPORT_RC
                        	max_rndv_hdr_size:	21
                        	max_num_tags:	22
                        	max_ops:	24
                        	max_sge:	25
                        	flags:	0x17
                        	cq moderation caps:
                        		max_cq_count:	26
                        		max_cq_period:	27 us
                        	maximum available device memory:	28Bytes
                        """);
    }

    @Test
    void unfilledFieldsAreOmittedAndZerosPrintAsUnsupported() {
        assertThat(DeviceExText.write(new DeviceAttrEx())).isEmpty();
        assertThat(DeviceExText.json(new DeviceAttrEx())).isEmpty();
        DeviceAttrEx attr = new DeviceAttrEx();
        attr.offer(DeviceAttrEx.COMPLETION_TIMESTAMP_MASK, 0L);
        attr.offer(DeviceAttrEx.HCA_CORE_CLOCK, 0L);
        attr.offer(DeviceAttrEx.TM_MAX_NUM_TAGS, 0);
        assertThat(DeviceExText.write(attr).lines())
                .containsExactly(
                        "\tcompletion_timestamp_mask not supported",
                        "\tcore clock not supported",
                        "\ttag matching not supported");
    }

    @Test
    void jsonHasNumericValues() {
        Map<String, Object> json = DeviceExText.json(filled());
        assertThat(json)
                .containsEntry("hca_core_clock_khz", 7L)
                .containsEntry("device_cap_flags_ex", "0x4000000801")
                .containsEntry("cq_moderation_max_cq_period_us", 27)
                .doesNotContainKey("odp_ud_caps")
                .hasSizeGreaterThan(20);
    }
}
