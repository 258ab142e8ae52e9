/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/**
 * A program for a simulated device: a post is refused exactly if it is explained, for requests of every kind, with each
 * attribute valid or not. Argument: the data path.
 */
public final class ExplainedPostsProgram {
    private static final int REQUESTS = 3_000;
    private static final int[] FLAGS = {
        SendFlags.SIGNALED,
        SendFlags.SIGNALED | SendFlags.INLINE,
        SendFlags.SIGNALED | SendFlags.FENCE | SendFlags.SOLICITED,
        SendFlags.SIGNALED | 1 << 20
    };

    private final Random random = new Random(11);
    private final WorkCompletion[] wc = {new WorkCompletion()};
    private final Mlx5Rig rig;
    private final MemoryWindow window;
    private final AddressHandle ah;
    private int refused;

    private ExplainedPostsProgram(String path, int type) {
        rig = new Mlx5Rig("mlx5_0", path, type, ByteBuffer.allocateDirect(8192));
        window = rig.pd.allocMw(MwType.TYPE_2);
        ah = rig.pd.createAh(rig.path());
    }

    public static void main(String... args) {
        int refused = 0;
        for (int type : new int[] {QpType.RC, QpType.UC, QpType.UD}) {
            ExplainedPostsProgram test = new ExplainedPostsProgram(args[0], type);
            test.rig.qp.modify(new QpAttr().qpState(QpState.ERR)); // accepted requests are flushed there
            test.sends();
            test.receives(test.rig.qp, null);
            test.shared();
            test.window.close();
            test.ah.close();
            test.rig.close();
            refused += test.refused;
        }
        require(refused > REQUESTS / 2, "only " + refused + " were refused");
        System.out.println("explained posts by " + args[0] + ": " + refused + " refused");
    }

    private int any(int... of) {
        return of[random.nextInt(of.length)];
    }

    /** Returns the first, valid value most of the time. */
    private <T> T mostly(T usual, T other) {
        return random.nextInt(5) == 0 ? other : usual;
    }

    private ScatterGatherElement element(int bytes) {
        ScatterGatherElement made = ScatterGatherElement.of(rig.mr, random.nextInt(100), 8);
        return made.length(bytes).lkey(mostly(rig.mr.lkey(), 0x7777));
    }

    private ScatterGatherElement[] list() {
        return switch (random.nextInt(8)) {
            case 0 -> new ScatterGatherElement[0];
            case 1 -> new ScatterGatherElement[] {element(8), element(0)};
            case 2 -> new ScatterGatherElement[] {null};
            case 3 -> new ScatterGatherElement[] {element(-1)};
            case 4 -> new ScatterGatherElement[] {element(1), element(1), element(1), element(1)};
            case 5 -> new ScatterGatherElement[] {element(65)};
            case 6 -> null;
            default -> new ScatterGatherElement[] {element(8)};
        };
    }

    private int count(ScatterGatherElement[] list) {
        int length = list == null ? 0 : list.length;
        return random.nextInt(20) == 0 ? any(-1, 0, length + 1) : length;
    }

    private SendWorkRequest request() {
        ScatterGatherElement[] list = list();
        MemoryRegion mr = mostly(rig.mr, null);
        return new SendWorkRequest()
                .wrId(1)
                .opcode(random.nextInt(-1, 40))
                .sendFlags(any(FLAGS))
                .sgList(list, count(list))
                .remoteAddr(rig.mr.addr() + any(0, 8, 4, 1))
                .rkey(rig.mr.rkey())
                .ah(mostly(ah, null))
                .remoteQpn(1)
                .atomicWidth(any(0, 0, 4, 8, 2, 16, 3, -1))
                .flushType(any(FlushType.GLOBAL, 0))
                .flushLevel(any(FlushLevel.RANGE, 7))
                .waitCount(any(1, 0, -1))
                .waitCq(mostly(rig.cq, null))
                .enableQp(mostly(rig.qp, null))
                .mw(mostly(window, null))
                .mwRkey(mostly(MemoryWindow.incRkey(window.rkey()), window.rkey() ^ 0x1000))
                .mwBind(mostly(
                        new MwBind()
                                .mr(mr)
                                .addr(rig.mr.addr())
                                .length(mostly(8L, -1L))
                                .mwAccessFlags(any(AccessFlags.REMOTE_READ, AccessFlags.LOCAL_WRITE)),
                        null))
                .fastRegister(mostly(new FastRegister().mr(mr).key(rig.mr.lkey()), null));
    }

    private void drain() {
        Simulator.pump();
        while (rig.cq.poll(1, wc) == 1) {
            // flushed requests
        }
    }

    private void agree(int errno, String words, String what) {
        if (errno != Errno.ENOMEM && errno == 0 != (words == null)) {
            throw new IllegalStateException(
                    "posting returns " + Errno.toString(errno) + ", explain says " + words + ": " + what);
        }
        refused += errno == 0 ? 0 : 1;
    }

    private void sends() {
        for (int i = 0; i < REQUESTS; i++) {
            SendWorkRequest wr = request();
            String words = rig.qp.explain(wr);
            agree(
                    rig.qp.postSend(wr),
                    words,
                    QpType.toString(rig.qp.qpType()) + " " + WrOpcode.toString(wr.opcode()) + " flags " + wr.sendFlags()
                            + " numSge " + wr.numSge() + " of " + Arrays.toString(wr.sgList()) + " mw " + wr.mw());
            drain();
        }
    }

    private void receives(QueuePair qp, SharedReceiveQueue srq) {
        for (int i = 0; i < REQUESTS / 10; i++) {
            ScatterGatherElement[] list = list();
            RecvWorkRequest wr = new RecvWorkRequest().sgList(list, count(list));
            String words = srq == null ? qp.explain(wr) : srq.explain(wr);
            int errno = srq == null ? qp.postRecv(wr) : srq.postRecv(wr);
            agree(errno, words, "receive, numSge " + wr.numSge() + " of " + Arrays.toString(list));
            drain();
        }
    }

    private void shared() {
        SrqAttr attr = new SrqAttr().maxWr(REQUESTS).maxSge(1);
        try (SharedReceiveQueue srq = rig.pd.createSrq(new SrqInitAttr().attr(attr));
                QueuePair qp = rig.pd.createQp(Mlx5Rig.attr(rig.qp.qpType(), rig.cq, srq))) {
            receives(null, srq);
            receives(qp, null);
        }
    }
}
