/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.AccessFlags;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceCap;
import io.verbs4j.OdpGeneralCaps;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpType;
import io.verbs4j.RawPacketCaps;

/**
 * Fills the attributes of a device for which C has no field, as far as they can be known: by creating queue pairs of
 * each type, and otherwise from the source of known drivers. Unknown attributes are not filled and read as 0.
 */
final class Capabilities {
    /** Supported with every driver; those that do not know the last one ignore it. */
    private static final int USUAL = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.ZERO_BASED
            | AccessFlags.RELAXED_ORDERING;

    /** Flags that mean something for a queue pair, not only for a memory region. */
    private static final int OF_QUEUE_PAIRS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.FLUSH_GLOBAL
            | AccessFlags.FLUSH_PERSISTENT;

    private static final int[] TAG_MATCHING = {
        DeviceAttrEx.TM_MAX_RNDV_HDR_SIZE,
        DeviceAttrEx.TM_MAX_NUM_TAGS,
        DeviceAttrEx.TM_FLAGS,
        DeviceAttrEx.TM_MAX_OPS,
        DeviceAttrEx.TM_MAX_SGE,
    };

    private Capabilities() {}

    static void tell(NativeContext base, DeviceAttrEx attr) {
        if (base.quirks().onDemandProblem() != null) {
            attr.offer(DeviceAttrEx.ODP_GENERAL_CAPS, 0L);
            attr.offer(DeviceAttrEx.ODP_RC_CAPS, 0);
            attr.offer(DeviceAttrEx.ODP_UC_CAPS, 0);
            attr.offer(DeviceAttrEx.ODP_UD_CAPS, 0);
            attr.offer(DeviceAttrEx.XRC_ODP_CAPS, 0);
        }
        attr.offer(DeviceAttrEx.SEND_OPS_RC, base.able(QpType.RC));
        attr.offer(DeviceAttrEx.SEND_OPS_UC, base.able(QpType.UC));
        attr.offer(DeviceAttrEx.SEND_OPS_UD, base.able(QpType.UD));
        boolean xrc = (attr.deviceCapFlagsEx() & DeviceCap.XRC) != 0;
        attr.offer(DeviceAttrEx.SEND_OPS_XRC_SEND, xrc ? base.able(QpType.XRC_SEND) : 0L);
        attr.offer(DeviceAttrEx.MASKED_ATOMIC_SIZES, base.maskedAtomicSizes());
        attr.offer(DeviceAttrEx.MAX_FAST_REG_LEN, base.maxFastRegLen());
        if (!base.mayMatchTags()) {
            for (int field : TAG_MATCHING) {
                attr.offer(field, 0);
            }
        }
        long caps = attr.deviceCapFlagsEx();
        attr.offer(DeviceAttrEx.DEVICE_CAP_FLAGS_EX, caps | base.moreCapabilities(caps));
        if (base.isAsUsual()) {
            attr.offer(DeviceAttrEx.DEVICE_TRAITS, 0L);
        }
        attr.offer(DeviceAttrEx.INTERNAL_PORTS, 0L);
        int known = base.quirks().accessFlags();
        if (known != 0) {
            int access = known & access(attr);
            attr.offer(DeviceAttrEx.MR_ACCESS_FLAGS, access);
            attr.offer(DeviceAttrEx.QP_ACCESS_FLAGS, access & OF_QUEUE_PAIRS);
            int flags = QpCreateFlags.BLOCK_SELF_MCAST_LB;
            if (base.carriesFrames()) {
                flags |= rawPackets(attr.rawPacketCaps());
            }
            attr.offer(DeviceAttrEx.QP_CREATE_FLAGS, base.quirks().createFlags() & flags | base.moreCreateFlags());
        }
    }

    private static int rawPackets(int caps) {
        int stripping = (caps & RawPacketCaps.CVLAN_STRIPPING) == 0 ? 0 : QpCreateFlags.CVLAN_STRIPPING;
        return (caps & RawPacketCaps.SCATTER_FCS) == 0 ? stripping : stripping | QpCreateFlags.SCATTER_FCS;
    }

    private static int access(DeviceAttrEx attr) {
        long caps = attr.deviceCapFlagsEx();
        int access = USUAL | AccessFlags.REMOTE_ATOMIC | AccessFlags.HUGETLB;
        if ((caps & DeviceCap.MEM_WINDOW) != 0) {
            access |= AccessFlags.MW_BIND;
        }
        if ((attr.odpGeneralCaps() & OdpGeneralCaps.SUPPORT) != 0) {
            access |= AccessFlags.ON_DEMAND;
        }
        if ((caps & DeviceCap.FLUSH_GLOBAL) != 0) {
            access |= AccessFlags.FLUSH_GLOBAL;
        }
        return (caps & DeviceCap.FLUSH_PERSISTENT) != 0 ? access | AccessFlags.FLUSH_PERSISTENT : access;
    }
}
