/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CqCreateFlags;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.CqInitAttrMask;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.hbldv.HblCqInitAttr;
import io.verbs4j.hbldv.HblCqTypes;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.gaudi.dv.CqPlace;
import io.verbs4j.provider.gaudi.dv.Libhbl;
import io.verbs4j.provider.gaudi.layout.HblCqAttrLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.object.IbvCq;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The completion queues of a context, each of which belongs to a port. All are created by {@code hbldv_create_cq},
 * since the memory of those that {@code ibv_create_cq} creates is not accessible.
 */
public final class GaudiCqs {
    /** Maximum number of completion queues of a port. */
    static final int MOST = 14;

    private static final String CREATE = "hbldv_create_cq";

    private final GaudiContext base;
    private final Map<Long, Integer> ports = new ConcurrentHashMap<>(); // by struct ibv_cq

    GaudiCqs(GaudiContext base) {
        this.base = base;
    }

    CompletionQueue create(int cqe, Object userContext, CompletionChannel channel, int compVector, HblCqInitAttr hbl) {
        CqInitAttrEx attr = new CqInitAttrEx()
                .cqe(cqe)
                .userContext(userContext)
                .channel(channel)
                .compVector(compVector);
        return create("create_cq", attr, hbl);
    }

    CompletionQueue create(CqInitAttrEx attr) {
        String verb = "create_cq_ex";
        Answers.refuseUnknown(verb, attr, CqInitAttrMask.FLAGS | CqInitAttrMask.VENDOR);
        boolean vendor = (attr.compMask() & CqInitAttrMask.VENDOR) != 0;
        return create(
                verb,
                attr,
                vendor ? VendorContext.vendorAttr(verb, attr.vendor(), HblCqInitAttr.class) : new HblCqInitAttr());
    }

    private CompletionQueue create(String verb, CqInitAttrEx attr, HblCqInitAttr hbl) {
        if (attr.channel() != null) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, verb, "Gaudi's completion queues have no events; leave channel out, and poll");
        }
        if ((attr.compMask() & CqInitAttrMask.FLAGS) != 0) {
            int known = CqCreateFlags.SINGLE_THREADED | CqCreateFlags.OPTIONAL_RANGE;
            Answers.requireKnown(verb, "flags", attr.flags(), known, CqCreateFlags::toString);
        }
        long lacking = attr.wcFlags() & ~WcExFlags.STANDARD;
        if (lacking != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "wcFlags has " + WcExFlags.toString(lacking) + ", but the device supports only "
                            + WcExFlags.toString(WcExFlags.STANDARD));
        }
        GaudiPort port =
                hbl.portNum() == 0 ? base.ports().first() : base.ports().get(verb, hbl.portNum());
        port.prepare();
        try (Scratch c = new Scratch(HblCqAttrLayout.SIZEOF)) {
            NativeMemory.putByte(c.address() + HblCqAttrLayout.PORT_NUM, port.number());
            NativeMemory.putInt(c.address() + HblCqAttrLayout.CQ_TYPE, hbl.cqType());
            long cq = Answers.checkPointer(
                    verb, Libhbl.function(CREATE).call(base.address(), attr.cqe(), 0, attr.compVector(), c.address()));
            ports.put(cq, port.number());
            try {
                return base.known(attr, cq);
            } catch (RuntimeException e) {
                ports.remove(cq);
                throw e;
            }
        }
    }

    NativeCompletionQueue newHandle(CqInitAttrEx attr, long cq) {
        CqPlace where = CqPlace.of(cq);
        if (where.cqType() == HblCqTypes.QP && where.memCpuAddr() != 0 && where.regsCpuAddr() != 0) {
            GaudiPort port = base.ports().get("create_cq", ports.get(cq));
            boolean oneThread = (attr.flags() & CqCreateFlags.SINGLE_THREADED) != 0;
            return new GaudiCompletionQueue(base.context(), attr, new GaudiCq(base, cq, port, where, oneThread));
        }
        IbvCq ibv = new IbvCq(cq, base.functions(), base.quirks(), base.windows(), false);
        return new NativeCompletionQueue(base.context(), attr.userContext(), null, ibv, attr.wcFlags(), null);
    }

    int portOf(CompletionQueue cq) {
        return ports.getOrDefault(IbvObject.addressOf(cq), 0);
    }

    void destroy(CompletionQueue cq, Consumer<CompletionQueue> usual) {
        long address = IbvObject.addressOf(cq);
        Integer port = ports.remove(address); // before another queue gets its address
        try {
            usual.accept(cq);
        } catch (RuntimeException e) {
            if (port != null) {
                ports.put(address, port);
            }
            throw e;
        }
    }
}
