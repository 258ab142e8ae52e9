/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package witness;

import io.verbs4j.AttrArray;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextTable;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.CqInitAttrMask;
import io.verbs4j.DataInOrderCaps;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.GidEntry;
import io.verbs4j.GidType;
import io.verbs4j.ModifyCqAttr;
import io.verbs4j.ModifyCqMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpRateLimitAttr;
import io.verbs4j.QueryDeviceExInput;
import io.verbs4j.QueuePair;
import io.verbs4j.ValuesEx;
import io.verbs4j.ValuesMask;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.WrOpcode;
import io.verbs4j.spi.VerbsProvider;
import java.util.Set;

/** The first verbs of level 3. The device knows more than there are names for, and offers it. */
abstract class CompletionOps extends XrcOps {
    private static final int ENTRIES = 9;
    private static final int EMPTY_ENTRY = 5;
    private static final int MORE = 8; // beyond what the header knows
    private static final int FIELDS = DeviceAttrEx.INTERNAL_PORTS + 1;

    /** Fields of {@link DeviceAttrEx} of 64 bits; the others have 32. */
    private static final Set<Integer> LONGS = Set.of(
            DeviceAttrEx.ODP_GENERAL_CAPS,
            DeviceAttrEx.COMPLETION_TIMESTAMP_MASK,
            DeviceAttrEx.HCA_CORE_CLOCK,
            DeviceAttrEx.DEVICE_CAP_FLAGS_EX,
            DeviceAttrEx.RSS_RX_HASH_FIELDS_MASK,
            DeviceAttrEx.PACKET_PACING_QP_RATE_LIMIT_MIN,
            DeviceAttrEx.PACKET_PACING_QP_RATE_LIMIT_MAX,
            DeviceAttrEx.MAX_DM_SIZE,
            DeviceAttrEx.SEND_OPS_RC,
            DeviceAttrEx.SEND_OPS_UC,
            DeviceAttrEx.SEND_OPS_UD,
            DeviceAttrEx.SEND_OPS_XRC_SEND,
            DeviceAttrEx.SEND_OPS_DRIVER,
            DeviceAttrEx.DEVICE_TRAITS,
            DeviceAttrEx.INTERNAL_PORTS);

    private VerbsProvider provider;
    private ContextTable table;

    CompletionOps(Context context, Loop loop) {
        super(context, loop);
    }

    /** Keeps what the provider is, and what the library shows it, for the program to ask. */
    void shown(VerbsProvider by, ContextTable shown) {
        provider = by;
        table = shown;
    }

    @Override
    public <T> T vendor(Class<T> type) {
        Object own = type == VerbsProvider.class ? provider : type == ContextTable.class ? table : null;
        return own == null ? super.vendor(type) : type.cast(own);
    }

    CompletionQueue createCqEx(CqInitAttrEx attr) {
        see("create_cq_ex", attr);
        mask("create_cq_ex", attr, CqInitAttrMask.FLAGS | CqInitAttrMask.PD | CqInitAttrMask.VENDOR);
        long known = WcExFlags.STANDARD | WcExFlags.COMPLETION_TIMESTAMP | WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK;
        if ((attr.wcFlags() & ~known) != 0) {
            throw cannot("create_cq_ex", "completions with 0x" + Long.toHexString(attr.wcFlags()));
        }
        return loop.keep(new CqEx(loop, context, attr));
    }

    /** Ticks alone: what they are in nanoseconds is for the library to know. */
    void queryValues(long wanted, ValuesEx values) {
        see("query_values", new QpCap()).put("wanted", "" + wanted);
        if ((wanted & ValuesMask.RAW_CLOCK) != 0) {
            values.offer(ValuesEx.RAW_CLOCK, loop.clock() | 0x1_2345_6789L);
        }
        if ((wanted & ValuesMask.HWCLOCK_NS << 1) != 0) {
            values.offer(ValuesEx.HWCLOCK_NS + 1, 7L);
        }
    }

    void queryDeviceEx(QueryDeviceExInput input, DeviceAttrEx attr) {
        mask("query_device_ex", input, 0);
        DeviceAttr base = new DeviceAttr();
        queryDevice(base);
        attr.offer(DeviceAttrEx.ORIG_ATTR, base);
        for (int field = 1; field < FIELDS + MORE; field++) {
            int value = 1000 + field;
            attr.offer(field, LONGS.contains(field) ? (Object) ((long) value << 32 | value) : (Object) value);
        }
        attr.offer(DeviceAttrEx.DEVICE_CAP_FLAGS_EX, base.deviceCaps() | 1L << 62);
        attr.offer(DeviceAttrEx.COMPLETION_TIMESTAMP_MASK, (1L << 41) - 1);
        attr.offer(DeviceAttrEx.HCA_CORE_CLOCK, 156_250L);
        attr.offer(DeviceAttrEx.PHYS_PORT_CNT_EX, 1);
    }

    void modifyCq(CompletionQueue cq, ModifyCqAttr attr) {
        see("modify_cq", attr).put("cq", "@" + System.identityHashCode(cq));
        mask("modify_cq", attr, ModifyCqMask.MODERATE);
    }

    void queryGidEx(int portNum, int gidIndex, int flags, GidEntry entry) {
        if (flags != 0) {
            throw cannot("query_gid_ex", "flags " + flags);
        }
        if (gidIndex == EMPTY_ENTRY) {
            throw new VerbsException(Errno.ENODATA, "query_gid_ex", "the entry is empty");
        }
        entry.offer(GidEntry.GID, queryGid(portNum, gidIndex));
        entry.offer(GidEntry.GID_INDEX, gidIndex);
        entry.offer(GidEntry.PORT_NUM, portNum);
        entry.offer(GidEntry.GID_TYPE, GidType.ROCE_V1);
        entry.offer(GidEntry.NDEV_IFINDEX, 40 + gidIndex);
        entry.offer(GidEntry.NDEV_IFINDEX + 1, "beyond");
    }

    int queryGidTable(int flags, AttrArray entries) {
        if (flags != 0) {
            throw cannot("query_gid_table", "flags " + flags);
        }
        int element = 0;
        for (int index = 0; index < ENTRIES; index++) {
            if (index != EMPTY_ENTRY) {
                Gid gid = queryGid(1, index);
                long[] words = {gid.subnetPrefix(), gid.interfaceId(), index, 1, GidType.ROCE_V1, 40 + index, -1, -1};
                for (int word = 0; word < words.length; word++) {
                    entries.offer(element, word, words[word]);
                }
                element++;
            }
        }
        return element;
    }

    int queryQpDataInOrder(QueuePair qp, int wrOpcode, int flags) {
        see("query_qp_data_in_order", new QpCap()).put("flags", "" + flags);
        return switch (wrOpcode) {
            case WrOpcode.SEND -> DataInOrderCaps.WHOLE_MSG;
            case WrOpcode.RDMA_WRITE -> DataInOrderCaps.ALIGNED_128_BYTES;
            default -> 0;
        };
    }

    void modifyQpRateLimit(QueuePair qp, QpRateLimitAttr attr) {
        see("modify_qp_rate_limit", attr).put("qp", "@" + System.identityHashCode(qp));
        mask("modify_qp_rate_limit", attr, 0);
    }
}
