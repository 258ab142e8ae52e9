/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.WrOpcode;
import java.util.function.Supplier;
import org.opentest4j.AssertionFailedError;

/** Parent domains, and rings with memory from their allocators. See {@link DomainRules}. */
final class DomainRig extends DatagramRig {
    static final String DESCRIBED = "ibv_alloc_parent_domain(3), and the Javadoc of ParentDomain";
    private static final int ARENA = 1 << 20;
    private static final int INLINE = 32;
    static final int NO_OPTIONAL_FLAG = 1 << 29;

    DomainRig(ProviderKit kit) {
        super(kit);
    }

    ParentDomain parent(Context context, ParentDomainInitAttr attr) {
        return made(ParentDomain.class, context.allocParentDomain(attr));
    }

    void write(long wrId, ScatterGatherElement from, int status) {
        a.post(a.request(WrOpcode.RDMA_WRITE, b, wrId, 2000, from));
        a.next(wrId, status);
    }

    QpInitAttr init(CompletionQueue cq) {
        QpInitAttr attr = new QpInitAttr().qpType(reliableType()).sendCq(cq).recvCq(cq);
        attr.cap().maxSendWr(1).maxSendSge(1);
        if (hasReceives()) {
            attr.cap().maxRecvWr(1).maxRecvSge(1);
        }
        return attr;
    }

    /** Objects that are created on a parent domain. */
    record Rings(CompletionQueue cq, QueuePair qp, SharedReceiveQueue srq) {
        void close() {
            qp.close();
            if (srq != null) {
                srq.close();
            }
            cq.close();
        }
    }

    Rings rings(Context context, ParentDomain domain) {
        CompletionQueue cq = opened(
                has(Capability.EXTENDED_CQ)
                        ? context.createCqEx(new CqInitAttrEx().cqe(8).parentDomain(domain))
                        : context.createCq(8));
        QpInitAttr init = init(cq);
        if (has(Capability.INLINE)) {
            init.cap().maxInlineData(INLINE); // for which a device may have its own memory
        }
        QueuePair qp = opened(domain.createQp(init));
        SrqInitAttr attr = new SrqInitAttr().attr(new SrqAttr().maxWr(4).maxSge(1));
        return new Rings(cq, qp, has(Capability.SRQ) ? opened(domain.createSrq(attr)) : null);
    }

    /** Creates a parent domain with an allocator that has an arena. */
    ParentDomain allocating(Context context, ProtectionDomain pd, RingLog log) {
        ParentDomain domain = parent(
                context, new ParentDomainInitAttr().pd(pd).allocators(log).pdContext(this));
        log.pd = domain;
        log.pdContext = this;
        return domain;
    }

    RingLog log(ProtectionDomain pd) {
        return new RingLog(opened(pd.regMr(Memory.pages(ARENA), AccessFlags.LOCAL_WRITE)));
    }

    QueuePair made(int flags, int type) {
        QpInitAttr init = a.qpInit().qpType(type);
        return made(
                QueuePair.class,
                a.context.createQpEx(QpInitAttrEx.of(a.pd, init).createFlags(flags)));
    }

    void flag(DeviceAttrEx attr, Capability capability, int flag, int type) {
        boolean stated = has(capability);
        String where = QpCreateFlags.toString(flag) + " (" + stated(capability) + ")";
        Seen.equal("qpCreateFlags of queryDeviceEx: bit " + where, stated, (attr.qpCreateFlags() & flag) != 0);
        if (stated) {
            made(flag, type);
        } else {
            Seen.refuses("createQpEx with " + where, () -> made(flag, type), Errno.EOPNOTSUPP);
        }
    }

    static <T> T accepted(String call, Supplier<T> made) {
        try {
            return made.get();
        } catch (VerbsException e) {
            throw new AssertionFailedError(
                    call + " with optional flag bit 29, which no level defines, failed with " + Errno.name(e.errno()),
                    e);
        }
    }
}
