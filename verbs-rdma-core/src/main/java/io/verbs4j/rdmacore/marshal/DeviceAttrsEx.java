/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.DeviceAttrExLayout;
import java.util.function.LongUnaryOperator;

/** Converts extended device attributes. */
public final class DeviceAttrsEx {
    private static final long LOWER_HALF = 0xffff_ffffL;

    // Index of the field, and its offset in C.
    private static final int[][] LONGS = {
        {DeviceAttrEx.ODP_GENERAL_CAPS, DeviceAttrExLayout.ODP_CAPS_GENERAL_CAPS},
        {DeviceAttrEx.COMPLETION_TIMESTAMP_MASK, DeviceAttrExLayout.COMPLETION_TIMESTAMP_MASK},
        {DeviceAttrEx.HCA_CORE_CLOCK, DeviceAttrExLayout.HCA_CORE_CLOCK},
        {DeviceAttrEx.RSS_RX_HASH_FIELDS_MASK, DeviceAttrExLayout.RSS_CAPS_RX_HASH_FIELDS_MASK},
        {DeviceAttrEx.MAX_DM_SIZE, DeviceAttrExLayout.MAX_DM_SIZE},
    };

    private static final int[][] INTS = {
        {DeviceAttrEx.ODP_RC_CAPS, DeviceAttrExLayout.ODP_CAPS_PER_TRANSPORT_CAPS_RC_ODP_CAPS},
        {DeviceAttrEx.ODP_UC_CAPS, DeviceAttrExLayout.ODP_CAPS_PER_TRANSPORT_CAPS_UC_ODP_CAPS},
        {DeviceAttrEx.ODP_UD_CAPS, DeviceAttrExLayout.ODP_CAPS_PER_TRANSPORT_CAPS_UD_ODP_CAPS},
        {DeviceAttrEx.TSO_MAX_TSO, DeviceAttrExLayout.TSO_CAPS_MAX_TSO},
        {DeviceAttrEx.TSO_SUPPORTED_QPTS, DeviceAttrExLayout.TSO_CAPS_SUPPORTED_QPTS},
        {DeviceAttrEx.RSS_SUPPORTED_QPTS, DeviceAttrExLayout.RSS_CAPS_SUPPORTED_QPTS},
        {DeviceAttrEx.RSS_MAX_RWQ_INDIRECTION_TABLES, DeviceAttrExLayout.RSS_CAPS_MAX_RWQ_INDIRECTION_TABLES},
        {DeviceAttrEx.RSS_MAX_RWQ_INDIRECTION_TABLE_SIZE, DeviceAttrExLayout.RSS_CAPS_MAX_RWQ_INDIRECTION_TABLE_SIZE},
        {DeviceAttrEx.MAX_WQ_TYPE_RQ, DeviceAttrExLayout.MAX_WQ_TYPE_RQ},
        {DeviceAttrEx.PACKET_PACING_SUPPORTED_QPTS, DeviceAttrExLayout.PACKET_PACING_CAPS_SUPPORTED_QPTS},
        {DeviceAttrEx.RAW_PACKET_CAPS, DeviceAttrExLayout.RAW_PACKET_CAPS},
        {DeviceAttrEx.TM_MAX_RNDV_HDR_SIZE, DeviceAttrExLayout.TM_CAPS_MAX_RNDV_HDR_SIZE},
        {DeviceAttrEx.TM_MAX_NUM_TAGS, DeviceAttrExLayout.TM_CAPS_MAX_NUM_TAGS},
        {DeviceAttrEx.TM_FLAGS, DeviceAttrExLayout.TM_CAPS_FLAGS},
        {DeviceAttrEx.TM_MAX_OPS, DeviceAttrExLayout.TM_CAPS_MAX_OPS},
        {DeviceAttrEx.TM_MAX_SGE, DeviceAttrExLayout.TM_CAPS_MAX_SGE},
        {DeviceAttrEx.XRC_ODP_CAPS, DeviceAttrExLayout.XRC_ODP_CAPS},
    };

    /** Unsigned 32-bit words that are longs in Java. */
    private static final int[][] UNSIGNED_INTS = {
        {DeviceAttrEx.PACKET_PACING_QP_RATE_LIMIT_MIN, DeviceAttrExLayout.PACKET_PACING_CAPS_QP_RATE_LIMIT_MIN},
        {DeviceAttrEx.PACKET_PACING_QP_RATE_LIMIT_MAX, DeviceAttrExLayout.PACKET_PACING_CAPS_QP_RATE_LIMIT_MAX},
    };

    private static final int[][] SHORTS = {
        {DeviceAttrEx.CQ_MODERATION_MAX_CQ_COUNT, DeviceAttrExLayout.CQ_MOD_CAPS_MAX_CQ_COUNT},
        {DeviceAttrEx.CQ_MODERATION_MAX_CQ_PERIOD, DeviceAttrExLayout.CQ_MOD_CAPS_MAX_CQ_PERIOD},
        {DeviceAttrEx.PCI_ATOMIC_FETCH_ADD, DeviceAttrExLayout.PCI_ATOMIC_CAPS_FETCH_ADD},
        {DeviceAttrEx.PCI_ATOMIC_SWAP, DeviceAttrExLayout.PCI_ATOMIC_CAPS_SWAP},
        {DeviceAttrEx.PCI_ATOMIC_COMPARE_SWAP, DeviceAttrExLayout.PCI_ATOMIC_CAPS_COMPARE_SWAP},
    };

    private DeviceAttrsEx() {}

    /** {@return the capabilities that only {@code struct ibv_device_attr_ex} has room for} */
    public static long upperCapabilities(long at) {
        return NativeMemory.getLong(at + DeviceAttrExLayout.DEVICE_CAP_FLAGS_EX) & ~LOWER_HALF;
    }

    /**
     * Reads a {@code struct ibv_device_attr_ex} that was zeroed before it was filled: fields for which library, driver
     * or kernel is too old are 0 in C as well.
     *
     * @param capabilities maps the reported capabilities to the actual ones
     */
    public static void read(long at, DeviceAttrEx attr, LongUnaryOperator capabilities) {
        DeviceAttr orig = new DeviceAttr();
        DeviceAttrs.read(at + DeviceAttrExLayout.ORIG_ATTR, orig);
        orig.deviceCaps(capabilities.applyAsLong(orig.deviceCaps() | upperCapabilities(at)));
        attr.offer(DeviceAttrEx.ORIG_ATTR, orig);
        attr.offer(DeviceAttrEx.DEVICE_CAP_FLAGS_EX, orig.deviceCaps());
        for (int[] field : LONGS) {
            attr.offer(field[0], NativeMemory.getLong(at + field[1]));
        }
        for (int[] field : INTS) {
            attr.offer(field[0], NativeMemory.getInt(at + field[1]));
        }
        for (int[] field : UNSIGNED_INTS) {
            attr.offer(field[0], Integer.toUnsignedLong(NativeMemory.getInt(at + field[1])));
        }
        for (int[] field : SHORTS) {
            attr.offer(field[0], NativeMemory.getShort(at + field[1]));
        }
        attr.offer(
                DeviceAttrEx.RSS_RX_HASH_FUNCTION,
                NativeMemory.getByte(at + DeviceAttrExLayout.RSS_CAPS_RX_HASH_FUNCTION));
        int ports = NativeMemory.getInt(at + DeviceAttrExLayout.PHYS_PORT_CNT_EX);
        // Before release 35 the word was padding in a structure of the same size.
        attr.offer(DeviceAttrEx.PHYS_PORT_CNT_EX, ports == 0 ? orig.physPortCnt() : ports);
    }
}
