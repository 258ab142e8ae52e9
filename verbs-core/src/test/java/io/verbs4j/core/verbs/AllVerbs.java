/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.EventType;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwType;
import io.verbs4j.PortAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ReregFlags;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;

/**
 * A rig with one object of each kind, and for each verb a call that passes all checks and the call that the provider
 * must get.
 */
final class AllVerbs {
    static final Gid GROUP = Gid.of(0xff0e_0000_0000_0000L, 1);

    final Rig rig = new Rig();
    final Context context = rig.context;
    final ProtectionDomain pd = rig.pd();
    final CompletionChannel channel = rig.channel();
    final CompletionQueue cq = rig.cq(channel);
    final QueuePair qp = rig.qp(pd, rig.cq(), QpType.UD);
    final SharedReceiveQueue srq = rig.srq(pd);
    final ByteBuffer buffer = ByteBuffer.allocateDirect(32);
    final MemoryRegion mr = rig.mr(pd);
    final MemoryWindow mw = rig.mw(pd);
    final AddressHandle ah = rig.ah(pd);
    final AhAttr ahAttr = new AhAttr().portNum(1);
    final QpAttr toReset = new QpAttr().qpState(QpState.RESET);
    final QpAttr answer = new QpAttr();
    final QpInitAttr initAnswer = new QpInitAttr();
    final PortAttr portAttr = new PortAttr();
    final SrqAttr limit = new SrqAttr().srqLimit(3);
    final QpInitAttr qpInit = Rig.qpInit(cq, QpType.RC);
    final SrqInitAttr srqInit = new SrqInitAttr().attr(new SrqAttr().maxWr(1));
    final AsyncEvent portEvent = AsyncEvent.of(context, EventType.PORT_ERR, 1);

    /** A verb, as the application calls it and as the provider is called. */
    record Verb(Consumer<AllVerbs> application, Consumer<AllVerbs> expected) {}

    static final Map<String, Verb> VERBS = new LinkedHashMap<>();

    static {
        verb("alloc_pd", v -> v.context.allocPd(), v -> v.provider().allocPd());
        verb(
                "create_comp_channel",
                v -> v.context.createCompChannel(),
                v -> v.provider().createCompChannel());
        verb(
                "create_cq",
                v -> v.context.createCq(5, "u", v.channel, 3),
                v -> v.provider().createCq(5, "u", v.channel, 3));
        verb("create_qp", v -> v.pd.createQp(v.qpInit), v -> v.provider().createQp(v.pd, v.qpInit));
        verb("create_srq", v -> v.pd.createSrq(v.srqInit), v -> v.provider().createSrq(v.pd, v.srqInit));
        verb("create_ah", v -> v.pd.createAh(v.ahAttr), v -> v.provider().createAh(v.pd, v.ahAttr));
        verb(
                "reg_mr",
                v -> v.pd.regMr(0x1000, 1L << 40, AccessFlags.REMOTE_READ),
                v -> v.provider().regMr(v.pd, 0x1000, 1L << 40, AccessFlags.REMOTE_READ));
        verb(
                "reg_mr (buffer)",
                v -> v.pd.regMr(v.buffer, 0),
                v -> v.provider()
                        .regMrBuffer(
                                ArgumentMatchers.same(v.pd), ArgumentMatchers.same(v.buffer), ArgumentMatchers.eq(0)));
        verb(
                "rereg_mr",
                v -> v.mr.rereg(ReregFlags.CHANGE_TRANSLATION, null, 0x2000, 8, 0),
                v -> v.provider()
                        .reregMr(v.mr, ReregFlags.CHANGE_TRANSLATION, v.pd, 0x2000, 8, AccessFlags.LOCAL_WRITE));
        verb("alloc_mw", v -> v.pd.allocMw(MwType.TYPE_1), v -> v.provider().allocMw(v.pd, MwType.TYPE_1));
        verb("resize_cq", v -> v.cq.resize(9), v -> v.provider().resizeCq(v.cq, 9));
        verb("modify_qp", v -> v.qp.modify(v.toReset), v -> v.provider().modifyQp(v.qp, v.toReset, QpAttrMask.STATE));
        verb(
                "query_qp",
                v -> v.qp.query(v.answer, QpAttrMask.CAP, v.initAnswer),
                v -> v.provider().queryQp(v.qp, v.answer, QpAttrMask.CAP, v.initAnswer));
        verb("attach_mcast", v -> v.qp.attachMcast(GROUP, 1), v -> v.provider().attachMcast(v.qp, GROUP, 1));
        verb("modify_srq", v -> v.srq.modify(v.limit), v -> v.provider().modifySrq(v.srq, v.limit, v.limit.mask()));
        verb(
                "query_srq",
                v -> v.srq.query(),
                v -> v.provider().querySrq(ArgumentMatchers.same(v.srq), ArgumentMatchers.any()));
        verb("query_device", v -> v.context.queryDevice(), v -> v.provider().queryDevice(ArgumentMatchers.any()));
        verb(
                "query_port",
                v -> v.context.queryPort(2),
                v -> v.provider().queryPort(ArgumentMatchers.eq(2), ArgumentMatchers.any()));
        verb("query_gid", v -> v.context.queryGid(2, 3), v -> v.provider().queryGid(2, 3));
        verb("query_pkey", v -> v.context.queryPkey(2, 3), v -> v.provider().queryPkey(2, 3));
        verb(
                "num_comp_vectors",
                v -> v.context.numCompVectors(),
                v -> v.provider().numCompVectors());
        verb(
                "get_cq_event",
                v -> v.channel.getEvent(0, TimeUnit.SECONDS),
                v -> v.provider().getCqEvent(v.channel, 0));
        verb(
                "get_async_event",
                v -> v.context.getAsyncEvent(0, TimeUnit.SECONDS),
                v -> v.provider().getAsyncEvent(0));
        verb("dealloc_pd", v -> v.newPd().close(), v -> v.provider().deallocPd(ArgumentMatchers.any()));
        verb(
                "destroy_comp_channel",
                v -> v.newChannel().close(),
                v -> v.provider().destroyCompChannel(ArgumentMatchers.any()));
        verb("destroy_cq", v -> v.cq.close(), v -> v.provider().destroyCq(v.cq));
        verb("destroy_qp", v -> v.qp.close(), v -> v.provider().destroyQp(v.qp));
        verb("destroy_srq", v -> v.srq.close(), v -> v.provider().destroySrq(v.srq));
        verb("destroy_ah", v -> v.ah.close(), v -> v.provider().destroyAh(v.ah));
        verb("dereg_mr", v -> v.mr.close(), v -> v.provider().deregMr(v.mr));
        verb("dealloc_mw", v -> v.mw.close(), v -> v.provider().deallocMw(v.mw));
    }

    private final ProtectionDomain unusedPd = rig.pd();
    private final CompletionChannel unusedChannel = rig.channel();

    AllVerbs() {
        Mockito.clearInvocations(rig.ops);
    }

    private static void verb(String name, Consumer<AllVerbs> application, Consumer<AllVerbs> expected) {
        VERBS.put(name, new Verb(application, expected));
    }

    private ProtectionDomain newPd() {
        return unusedPd;
    }

    private CompletionChannel newChannel() {
        return unusedChannel;
    }

    /** The mock, to say what is expected of it. */
    private ContextOps provider() {
        return Mockito.verify(rig.ops, Mockito.times(1));
    }

    /** Closes everything, children first. */
    void closeAll() {
        qp.close();
        qp.sendCq().close();
        srq.close();
        mr.close();
        mw.close();
        ah.close();
        cq.close();
        channel.close();
        unusedChannel.close();
        pd.close();
        unusedPd.close();
        context.close();
    }
}
