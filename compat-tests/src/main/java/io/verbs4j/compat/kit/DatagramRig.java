/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.Gid;
import io.verbs4j.LinkLayer;
import io.verbs4j.QpType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import org.junit.jupiter.api.Assumptions;

/** Sides that send datagrams, to each other and to a multicast group. See {@link DatagramRules}. */
class DatagramRig extends Rig {
    static final int GRH = 40;
    static final int MULTICAST_QPN = 0xffffff;

    DatagramRig(ProviderKit kit) {
        super(kit);
    }

    AddressHandle toB() {
        return made(AddressHandle.class, a.pd.createAh(b.path()));
    }

    void startUd() {
        make(s -> s.qpType = QpType.UD);
        for (Side side : new Side[] {a, b}) {
            side.unconnected(side.qp);
        }
    }

    SendWorkRequest datagram(long wrId, AddressHandle ah, int size) {
        return a.wr(WrOpcode.SEND, wrId, a.sge(0, size))
                .ah(ah)
                .remoteQpn(b.qp.qpNum())
                .remoteQkey(Side.QKEY);
    }

    /** {@return a group that anybody may join} */
    Gid group() {
        Gid own = b.gid();
        Assumptions.assumeTrue(
                a.context.queryPort(kit.portNum()).linkLayer() != LinkLayer.INFINIBAND,
                "on InfiniBand, a subnet manager must create the group first");
        return own.isIpv4Mapped()
                ? Gid.parseHex("00000000000000000000ffffef010203") // 239.1.2.3
                : Gid.parseHex("ff0e0000000000000000000000010203");
    }

    /** {@return the path to all members of the group} */
    AhAttr toGroup() {
        AhAttr path = b.path();
        path.grh().dgid(group());
        return path;
    }
}
