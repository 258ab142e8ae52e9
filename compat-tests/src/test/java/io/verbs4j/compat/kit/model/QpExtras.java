/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import static io.verbs4j.compat.kit.model.DeviceOps.no;

import io.verbs4j.Errno;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.compat.kit.Capability;

/** Special behaviour of a queue pair of the model, and the origin of its rings. */
final class QpExtras {
    final boolean blocksSelf;
    final boolean crosses;
    final boolean managedSend;
    final boolean managedRecv;
    final boolean stripsVlan;

    /** The number of requests of a managed queue that are enabled. */
    int sends;

    int receives;
    private final Rings rings;

    QpExtras(ModelOps ops, QpInitAttrEx attr) {
        assert ops != null;
        int flags = attr.createFlags();
        blocksSelf = (flags & QpCreateFlags.BLOCK_SELF_MCAST_LB) != 0;
        crosses = (flags & QpCreateFlags.CROSS_CHANNEL) != 0;
        managedSend = (flags & QpCreateFlags.MANAGED_SEND) != 0;
        managedRecv = (flags & QpCreateFlags.MANAGED_RECV) != 0 && !Fault.RECEIVES_UNMANAGED.on();
        stripsVlan = (flags & QpCreateFlags.CVLAN_STRIPPING) != 0;
        rings = Rings.of("create_qp_ex", attr.pd(), Rings.QP);
    }

    /** {@return the supported flags} */
    static int flags() {
        int flags = Traits.has(Capability.BLOCK_SELF_MULTICAST) ? QpCreateFlags.BLOCK_SELF_MCAST_LB : 0;
        flags |= Traits.has(Capability.VLAN_STRIPPING) ? QpCreateFlags.CVLAN_STRIPPING : 0;
        int channel = QpCreateFlags.CROSS_CHANNEL | QpCreateFlags.MANAGED_SEND | QpCreateFlags.MANAGED_RECV;
        return flags | (Traits.has(Capability.CROSS_CHANNEL) ? channel : 0);
    }

    /** Refuses unsupported flags, except optional ones, which are ignored. */
    static void judge(QpInitAttrEx attr) {
        int hint = Fault.HINT_REFUSED.on() ? 0 : QpCreateFlags.OPTIONAL_RANGE;
        boolean asked = (attr.compMask() & QpInitAttrMask.CREATE_FLAGS) != 0;
        if (asked && (attr.createFlags() & ~(flags() | hint)) != 0 && !Fault.ANY_CREATE_FLAG.on()) {
            throw no("create_qp_ex", Errno.EOPNOTSUPP, "the model does not have all of these flags");
        }
    }

    boolean maySend() {
        return !managedSend || sends > 0;
    }

    void sent() {
        sends--;
    }

    boolean mayReceive() {
        return !managedRecv || receives > 0;
    }

    void received() {
        receives--;
    }

    void end() {
        Rings.free(rings);
    }
}
