/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.misuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.DevicePorts;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.testsupport.Full;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Defects that misuse has revealed, one by one. */
class MisuseTest {
    private static final Gid GROUP = Gid.of(0, 0xffff_efff_0177L); // 239.255.1.119

    private final Device device = Verbs.devices().get(0);
    private final Context context = Verbs.open(device, VerbsLevel.CURRENT);
    private final ProtectionDomain pd = context.allocPd();
    private final CompletionQueue cq = context.createCq(16);
    private final MemoryRegion mr =
            pd.regMr(ByteBuffer.allocateDirect(4096), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
    private final List<QueuePair> qps = new ArrayList<>();

    /** Everything can be closed, whatever happened before: each test ends with this check. */
    @AfterEach
    void closeAll() {
        qps.forEach(QueuePair::close);
        mr.close();
        cq.close();
        pd.close();
        context.close();
    }

    private QueuePair qp(int type, QpCap cap) {
        QueuePair qp =
                pd.createQp(new QpInitAttr().qpType(type).sendCq(cq).recvCq(cq).cap(cap));
        qps.add(qp);
        return qp;
    }

    private QueuePair connectedToItself() {
        QueuePair qp = qp(QpType.RC, new QpCap().maxSendWr(4).maxRecvWr(4));
        QpWalk.of(QpType.RC)
                .minRnrTimer(1)
                .timeout(10)
                .retryCnt(1)
                .rnrRetry(1)
                .connect(qp, QpWalk.path(context.queryGid(1, 0)), qp.qpNum());
        return qp;
    }

    private MwBind wholeRegion() {
        return new MwBind().mr(mr).addr(mr.addr()).length(mr.length()).mwAccessFlags(AccessFlags.REMOTE_READ);
    }

    @Test
    void closedWindowCannotBeBound() {
        QueuePair qp = connectedToItself();
        MemoryWindow mw = pd.allocMw(MwType.TYPE_1);
        mw.close();
        assertThat(qp.bindMw(mw, wholeRegion())).isEqualTo(Errno.EINVAL);
    }

    @Test
    void unbindingIgnoresRegion() {
        QueuePair qp = connectedToItself();
        try (MemoryWindow mw = pd.allocMw(MwType.TYPE_1)) {
            assertThat(qp.bindMw(mw, wholeRegion())).isZero();
            MemoryRegion ofNobody = new MemoryRegion(pd, 0, 1, 0, 0, 0) {};
            assertThat(qp.bindMw(mw, wholeRegion().mr(ofNobody).length(0))).isZero();
            assertThat(mw.rkey()).isZero();
        }
    }

    @Test
    void groupHasOneLid() {
        QueuePair qp = qp(QpType.UD, new QpCap());
        qp.attachMcast(GROUP, 0);
        assertThatThrownBy(() -> qp.attachMcast(GROUP, 7))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        qp.detachMcast(GROUP, 0);
    }

    @Test
    @Full
    void queuesBeyondMemoryOfJvmAreRefused() {
        QpCap largest = new QpCap().maxSendWr(1 << 16).maxInlineData(4096); // 256 MB
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        qp(QpType.RC, largest);
                    }
                })
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM))
                .hasMessageContaining("-Xmx");
    }

    /** The library queries the state before its call; meanwhile a queue pair may go to ERR by itself. */
    @Test
    void queuePairFailingDuringModifyStaysFailed() {
        QueuePair qp = connectedToItself();
        qp.modify(new QpAttr().qpState(QpState.ERR));
        QpAttr toRts = new QpAttr().qpState(QpState.RTS);
        assertThatThrownBy(() -> DevicePorts.of(device).find(qp.qpNum()).modify(toRts, toRts.mask()))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        assertThat(qp.query(QpAttrMask.STATE).qpState()).isEqualTo(QpState.ERR);
    }
}
