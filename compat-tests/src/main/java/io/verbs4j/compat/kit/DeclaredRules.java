/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.DeclaredRig.KEYED;
import static io.verbs4j.compat.kit.DeclaredRig.NO_ATTRIBUTE;
import static io.verbs4j.compat.kit.DeclaredRig.NO_OPTIONAL_ATTRIBUTE;
import static io.verbs4j.compat.kit.DeclaredRig.NO_OPTIONAL_RIGHT;
import static io.verbs4j.compat.kit.DeclaredRig.NO_RIGHT;
import static io.verbs4j.compat.kit.DeclaredRig.NO_TYPE;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import java.util.EnumSet;

/**
 * R2 again: declarations are checked both ways. What is declared exists; what is not declared, or unknown to every
 * level, fails with EOPNOTSUPP.
 */
interface DeclaredRules {
    @Rule(
            id = "R2.12",
            says = "a verb that the kit is told the device does not have answers EOPNOTSUPP",
            look = {"ContextOps.createQp", "ContextOps.createSrq", "ContextOps.allocMw", "ContextOps.createCompChannel"
            },
            man = "the Javadoc of ContextOps, and Capability")
    default void r212Unsupported(DeclaredRig rig) {
        rig.verbs((capability, verb) -> {
            if (!rig.has(capability)) {
                int answer = verb.getAsInt();
                Seen.check(
                        answer == Errno.EOPNOTSUPP,
                        "the verb of " + capability.label() + ", which is not declared, " + DeclaredRig.said(answer)
                                + "; it must fail with EOPNOTSUPP");
            }
        });
    }

    @Rule(
            id = "R2.13",
            says = "a verb that the kit is told the device has is there",
            look = {"ContextOps.createQp", "ContextOps.createSrq", "ContextOps.allocMw", "ContextOps.createCompChannel"
            },
            man = "the Javadoc of ContextOps, and Capability")
    default void r213Supported(DeclaredRig rig) {
        rig.verbs((capability, verb) -> {
            if (rig.has(capability)) {
                Seen.check(
                        verb.getAsInt() != Errno.EOPNOTSUPP,
                        "the verb of " + capability.label() + ", which is declared, failed with EOPNOTSUPP");
            }
        });
        rig.needs(Capability.UD, Capability.SEND);
        rig.needs(Capability.MULTICAST, Capability.UD);
        rig.needs(Capability.RNR, Capability.SEND);
        rig.needs(
                Capability.IMMEDIATE,
                rig.has(Capability.SEND) || rig.has(Capability.RDMA_WRITE),
                "Capability.SEND or Capability.RDMA_WRITE");
        rig.needs(
                Capability.INLINE,
                rig.has(Capability.SEND) || rig.has(Capability.RDMA_WRITE),
                "Capability.SEND or Capability.RDMA_WRITE");
        rig.needs(Capability.SEND_WITH_INV, Capability.SEND, Capability.TYPE_2_WINDOWS);
        for (Capability keyed : KEYED) {
            rig.needs(keyed, Capability.REGION_KEYS);
        }
        rig.needs(Capability.XRC, Capability.EXTENDED, Capability.SEND);
        rig.needs(Capability.SEND_OPS, Capability.EXTENDED);
        for (Capability verb : EnumSet.range(Capability.EXTENDED_CQ, Capability.RATE_LIMIT)) {
            rig.needs(verb, Capability.EXTENDED);
        }
        rig.needs(Capability.COMPLETION_TIMESTAMPS, Capability.EXTENDED_CQ, Capability.QUERY_DEVICE_EX);
        rig.needs(Capability.MODIFY_CQ, Capability.QUERY_DEVICE_EX);
        rig.needs(Capability.RATE_LIMIT, Capability.QUERY_DEVICE_EX);
        rig.later();
    }

    @Rule(
            id = "R2.15",
            says = "a region gets the rights that the device has; others, and those nobody has heard of, answer"
                    + " EOPNOTSUPP",
            look = {"ContextOps.regMrBuffer"},
            man = "ibv_reg_mr(3), and the Javadoc of AccessFlags and ContextOps")
    default void r215Rights(DeclaredRig rig) {
        ProtectionDomain pd = rig.domain(rig.open());
        boolean writes = rig.kit.hasRemoteWriteRights();
        rig.right(pd, "hasRemoteWriteRights() is " + writes, writes, AccessFlags.REMOTE_WRITE);
        rig.right(pd, Capability.RDMA_READ, AccessFlags.REMOTE_READ);
        rig.right(pd, Capability.ATOMICS, AccessFlags.REMOTE_ATOMIC);
        boolean typeTwoAlone = rig.has(Capability.TYPE_2_WINDOWS) && !rig.has(Capability.MEMORY_WINDOWS);
        rig.right(pd, typeTwoAlone ? Capability.TYPE_2_WINDOWS : Capability.MEMORY_WINDOWS, AccessFlags.MW_BIND);
        Seen.check(
                writes || !rig.has(Capability.RDMA_WRITE),
                "Capability.RDMA_WRITE is declared, but hasRemoteWriteRights() is false");
        Seen.refuses("regMr with bit 19, which no level defines,", () -> rig.region(pd, NO_RIGHT), Errno.EOPNOTSUPP);
    }

    @Rule(
            id = "R2.16",
            says = "an optional right that the provider does not know is dropped: the region works",
            look = {"ContextOps.regMrBuffer"},
            man = "ibv_reg_mr(3) (IBV_ACCESS_OPTIONAL_RANGE), and the Javadoc of AccessFlags")
    default void r216OptionalRight(DeclaredRig rig) {
        ProtectionDomain pd = rig.domain(rig.open());
        rig.region(pd, NO_OPTIONAL_RIGHT);
        rig.region(pd, AccessFlags.RELAXED_ORDERING);
        if (rig.hasReliable()) {
            rig.start(s -> s.regionAccess |= NO_OPTIONAL_RIGHT);
            rig.a.exchange(rig.b, 1, 0, 0, 100);
        }
    }

    @Rule(
            id = "R2.17",
            says = "a type of queue pair that nobody has heard of answers EOPNOTSUPP",
            look = {"ContextOps.createQp", "the function in the slot CREATE_QP_EX"},
            man = "the Javadoc of QpType and ContextOps")
    default void r217UnknownType(DeclaredRig rig) {
        Context context = rig.open();
        ProtectionDomain pd = rig.domain(context);
        CompletionQueue cq = rig.opened(context.createCq(4));
        Seen.refuses(
                "createQp of type 77, which no level defines,",
                () -> rig.opened(pd.createQp(rig.init(NO_TYPE, cq))),
                Errno.EOPNOTSUPP);
        Seen.refuses(
                "createQpEx of type 77, which no level defines,",
                () -> rig.opened(context.createQpEx(QpInitAttrEx.of(pd, rig.init(NO_TYPE, cq)))),
                Errno.EOPNOTSUPP);
    }

    @Rule(
            id = "R2.18",
            says = "a vendor's type that the provider does not know is not there",
            look = {"ContextOps.vendor"},
            man = "the Javadoc of ContextOps.vendor and Context.vendor")
    default void r218Vendor(Rig rig) {
        Context context = rig.open();
        Seen.refuses(
                "vendor(...) of an unknown type", () -> context.vendor(DeclaredRig.Stranger.class), Errno.EOPNOTSUPP);
    }

    @Rule(
            id = "R2.19",
            says = "a device is not opened with attributes that the provider does not know",
            look = {"VerbsProvider.openDevice"},
            man = "the Javadoc of OpenAttr")
    default void r219OpenAttr(DeclaredRig rig) {
        rig.open().close();
        OpenAttr vendor = new OpenAttr().vendor(new DeclaredRig.Stranger() {});
        Seen.refuses("open with vendor attributes of an unknown type", () -> rig.open(vendor), Errno.EOPNOTSUPP);
        OpenAttr later = new OpenAttr();
        later.masks(NO_ATTRIBUTE, 0);
        Seen.refuses("open with bit 30, which no level defines,", () -> rig.open(later), Errno.EOPNOTSUPP);
        OpenAttr optional = new OpenAttr();
        optional.masks(NO_OPTIONAL_ATTRIBUTE, 0);
        rig.open(optional);
    }

    @Rule(
            id = "R2.21",
            says = "nothing is made or changed with a vendor's attributes of a type that the provider does not know",
            look = {"ContextOps.createQp", "ContextOps.createCq", "ContextOps.modifyQp"},
            man = "the Javadoc of QpInitAttr.vendor and of ContextOps")
    default void r221VendorAttributes(DeclaredRig rig) {
        Context context = rig.open();
        ProtectionDomain pd = rig.domain(context);
        CompletionQueue cq = rig.opened(context.createCq(4));
        Object strange = new DeclaredRig.Stranger() {};
        String why = " with vendor attributes of an unknown type";
        Seen.refuses("createCq" + why, () -> rig.opened(context.createCq(4, null, null, 0, strange)), Errno.EOPNOTSUPP);
        if (!rig.hasReliable()) {
            return;
        }
        QpInitAttr attr = rig.init(rig.reliableType(), cq).vendor(strange);
        Seen.refuses("createQp" + why, () -> rig.opened(pd.createQp(attr)), Errno.EOPNOTSUPP);
        Seen.refuses(
                "createQpEx" + why, () -> rig.opened(context.createQpEx(QpInitAttrEx.of(pd, attr))), Errno.EOPNOTSUPP);
        QueuePair qp = rig.opened(pd.createQp(rig.init(rig.reliableType(), cq)));
        QpAttr init = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(rig.kit.portNum());
        QpAttr whole = rig.has(Capability.RC) ? init.qpAccessFlags(0) : init.qkey(Side.QKEY);
        Seen.refuses("modify" + why, () -> qp.modify(whole.vendor(strange)), Errno.EOPNOTSUPP);
    }
}
