/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Creation flags of queue pairs, over the wire, where there are multicast groups and receiving threads. */
class CreateFlagsTest extends TwoSides {
    private static final int MULTICAST_QPN = 0xffffff;

    @Override
    boolean overTheWire() {
        return true;
    }

    private static int errno(Runnable verb) {
        VerbsException e = catchThrowableOfType(VerbsException.class, verb::run);
        return e == null ? 0 : e.errno();
    }

    private QpInitAttrEx queuePair(int type, int flags) {
        return new QpInitAttrEx()
                .pd(a.pd)
                .qpType(type)
                .sendCq(a.cq)
                .recvCq(a.cq)
                .createFlags(flags)
                .cap(new QpCap().maxSendWr(4).maxRecvWr(4).maxSendSge(1).maxRecvSge(1));
    }

    @Test
    void reportedFlagsAreAcceptedAndOthersRefused() {
        make(side -> {});
        int told = a.context.queryDeviceEx().qpCreateFlags();
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            int flag = 1 << bit;
            int answer =
                    errno(() -> a.context.createQpEx(queuePair(QpType.UD, flag)).close());
            assertThat(answer)
                    .as(QpCreateFlags.toString(flag))
                    .isEqualTo(((told | QpCreateFlags.OPTIONAL_RANGE) & flag) != 0 ? 0 : Errno.EOPNOTSUPP);
        }
        a.context.createQpEx(queuePair(QpType.RC, 0)).close();
        assertThat(errno(() -> a.context.createQpEx(queuePair(QpType.RC, QpCreateFlags.BLOCK_SELF_MCAST_LB))))
                .isEqualTo(Errno.EINVAL);
        a.srq = a.opened(
                a.pd.createSrq(new SrqInitAttr().attr(new SrqAttr().maxWr(4).maxSge(1))));
        assertThat(errno(() -> a.context.createQpEx(
                        queuePair(QpType.RC, QpCreateFlags.MANAGED_RECV).srq(a.srq))))
                .isEqualTo(Errno.EINVAL);
        QpInitAttrEx xrc = new QpInitAttrEx()
                .pd(a.pd)
                .qpType(QpType.XRC_SEND)
                .sendCq(a.cq)
                .cap(new QpCap().maxSendWr(4).maxSendSge(1));
        a.context.createQpEx(xrc.createFlags(QpCreateFlags.LOW_LATENCY)).close();
        assertThat(errno(() -> a.context.createQpEx(xrc.createFlags(QpCreateFlags.CROSS_CHANNEL))))
                .isEqualTo(Errno.EOPNOTSUPP);
    }

    // ---- sending to a group

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void blockedLoopbackKeepsOwnMulticastAway(boolean blocks) {
        start(side -> {
            side.qpType = QpType.UD;
            side.createFlags = blocks ? QpCreateFlags.BLOCK_SELF_MCAST_LB : QpCreateFlags.LOW_LATENCY;
        });
        Side c = a.opened(new Side(a.context.device(), 10_000));
        c.qpType = QpType.UD;
        c.createFlags = blocks ? QpCreateFlags.BLOCK_SELF_MCAST_LB : 0;
        c.create();
        c.toInit();
        c.toRtr(a.gid(), 0, 0);
        Gid group = Gid.parseHex(blocks ? "00000000000000000000ffffef010204" : "00000000000000000000ffffef010205");
        for (Side side : Arrays.asList(a, b, c)) {
            side.qp.attachMcast(group, 0);
            side.recv(1, 0, 5000);
        }
        AddressHandle ah = a.opened(a.pd.createAh(a.path(group)));
        a.post(Side.wr(WrOpcode.SEND, 2, a.sge(6000, 99))
                .ah(ah)
                .remoteQpn(MULTICAST_QPN)
                .remoteQkey(Side.QKEY));
        b.next(1, WcStatus.SUCCESS); // of another device
        c.next(1, WcStatus.SUCCESS); // of the same device: its own flag does not block messages of others
        if (blocks) {
            a.next(2, WcStatus.SUCCESS);
            assertThat(a.rest(100)).isEmpty();
        } else {
            assertThat(new long[] {a.next().wrId(), a.next().wrId()}).containsExactlyInAnyOrder(1, 2);
        }
        for (Side side : Arrays.asList(a, b, c)) {
            side.qp.detachMcast(group, 0);
        }
    }

    // ---- latency

    /** Whether a thread that receives for the device of {@code b} is blocked in its system call. */
    private boolean oneSleeps() {
        String threads = b.context.device().name() + "-receiver-";
        List<StackTraceElement[]> stacks = new ArrayList<>();
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (thread.getName().startsWith(threads)) {
                stacks.add(stack);
            }
        });
        assertThat(stacks).isNotEmpty();
        return stacks.stream()
                .flatMap(Arrays::stream)
                .anyMatch(frame -> frame.getMethodName().equals("await"));
    }

    private void awaitThatOneSleeps(boolean wanted) throws InterruptedException {
        for (int i = 0; oneSleeps() != wanted; i++) {
            assertThat(i).isLessThan(20_000);
            Thread.sleep(1);
        }
    }

    /**
     * No thread sleeps while such a queue pair exists; afterwards threads sleep again. Checks where the threads are,
     * since CPU time depends on the machine.
     */
    @Test
    void lowLatencyKeepsReceiverAwake() throws InterruptedException {
        start(side -> side.createFlags = side == b ? QpCreateFlags.LOW_LATENCY : 0);
        awaitThatOneSleeps(false);
        for (int i = 0; i < 100; i++) {
            assertThat(oneSleeps()).isFalse();
            Thread.sleep(1);
        }
        a.post(a.to(Side.wr(WrOpcode.RDMA_READ, 1, a.sge(0, 100)), b, 0));
        a.next(1, WcStatus.SUCCESS);
        b.qp.close();
        awaitThatOneSleeps(true);
    }
}
