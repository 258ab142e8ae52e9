/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Sums numbers over the members of a ring on a simulated device, so that each has all sums in the end. Each member
 * receives from the left, adds its own numbers, and sends to the right. Everything is posted beforehand; then the first
 * messages are released, and the program waits for the last completions.
 */
final class RingSum {
    private static final int WIDTH = 3; // numbers in each piece
    private static final int BYTES = WIDTH * Long.BYTES;
    private static final int ROOM = 4096;
    private static final int LAST = 99;

    private final Mlx5Rig rig;
    private final ByteBuffer memory;
    private final Member[] ring;
    private final int members;

    /** A queue pair and its completions. */
    private final class Link implements AutoCloseable {
        final CompletionQueue cq = rig.context.createCq(128);
        final QueuePair qp;

        Link(int flags) {
            QpInitAttr attr = Mlx5Rig.attr(QpType.RC, cq, null);
            attr.cap().maxSendWr(64);
            qp = rig.context.createQpEx(QpInitAttrEx.of(rig.pd, attr).createFlags(flags));
        }

        void connect(Link to) {
            Mlx5Rig.connect(rig.context, qp, to.qp.qpNum());
        }

        void post(SendWorkRequest wr) {
            assertThat(qp.postSend(wr)).isZero();
        }

        @Override
        public void close() {
            qp.close();
            cq.close();
        }
    }

    private final class Member {
        final int me;
        /** Starts the member on the program's behalf. */
        final Link go = new Link(0);

        /** Uses cross channel, so that received data are in memory on completion, and not inside the completion. */
        final Link left = new Link(QpCreateFlags.CROSS_CHANNEL);

        /** Adds, once it is enabled. */
        final Link self = new Link(QpCreateFlags.MANAGED_SEND);

        final Link right = new Link(QpCreateFlags.CROSS_CHANNEL);

        Member(int me) {
            this.me = me;
            go.connect(go);
            self.connect(self);
        }

        int at(int number) {
            return me * ROOM + number * Long.BYTES;
        }

        ScatterGatherElement piece(int piece) {
            return ScatterGatherElement.of(rig.mr, at(piece * WIDTH), BYTES);
        }

        void prepare() {
            for (int step = 0; step < 2 * (members - 1); step++) {
                int piece = Math.floorMod(me - step - 1, members);
                assertThat(left.qp.postRecv(new RecvWorkRequest().wrId(step).sgList(piece(piece))))
                        .isZero();
            }
            for (int step = 0; step < members; step++) {
                add(Math.floorMod(me - step, members));
            }
            // Starts with its own piece, to which nothing has been added.
            await(go.cq, 1);
            enable();
            await(self.cq, WIDTH);
            tell(me);
            for (int step = 0; step < members - 1; step++) {
                await(left.cq, 1);
                enable();
                await(self.cq, WIDTH);
                tell(Math.floorMod(me - step - 1, members));
            }
            for (int step = 0; step < members - 2; step++) {
                await(left.cq, 1);
                tell(Math.floorMod(me - step, members));
            }
            right.post(cross(WrOpcode.CQE_WAIT, 1).wrId(LAST).waitCq(left.cq).sendFlags(SendFlags.SIGNALED));
        }

        private SendWorkRequest cross(int opcode, int count) {
            return new SendWorkRequest().opcode(opcode).waitCount(count);
        }

        private void await(CompletionQueue cq, int count) {
            right.post(cross(WrOpcode.CQE_WAIT, count).waitCq(cq));
        }

        private void enable() {
            right.post(cross(WrOpcode.SEND_ENABLE, WIDTH).enableQp(self.qp));
        }

        private void tell(int piece) {
            right.post(new SendWorkRequest().opcode(WrOpcode.SEND).sgList(piece(piece)));
        }

        /** Adds the member's own numbers of a piece to those present. */
        private void add(int piece) {
            for (int k = piece * WIDTH; k < (piece + 1) * WIDTH; k++) {
                self.post(new SendWorkRequest()
                        .opcode(WrOpcode.ATOMIC_FETCH_AND_ADD)
                        .sendFlags(SendFlags.SIGNALED)
                        .remoteAddr(rig.mr.addr() + at(k))
                        .rkey(rig.mr.rkey())
                        .compareAdd(value(me, k))
                        .sgList(ScatterGatherElement.of(rig.mr, at(200 + k), Long.BYTES)));
            }
        }

        void close() {
            right.close();
            self.close();
            left.close();
            go.close();
        }
    }

    private RingSum(int members) {
        this.members = members;
        memory = ByteBuffer.allocateDirect(members * ROOM).order(ByteOrder.nativeOrder());
        rig = new Mlx5Rig("mlx5_0", "java", QpType.RC, memory);
        ring = new Member[members];
        for (int i = 0; i < members; i++) {
            ring[i] = new Member(i);
        }
    }

    static void run(int members) {
        new RingSum(members).run();
    }

    private static long value(int member, int index) {
        return (member + 1) * 1_000_003L * (index + 1) * (index + 7);
    }

    private void run() {
        WorkCompletion[] wc = {new WorkCompletion()};
        for (int i = 0; i < members; i++) {
            Member next = ring[(i + 1) % members];
            ring[i].right.connect(next.left);
            next.left.connect(ring[i].right);
        }
        for (Member member : ring) {
            member.prepare();
        }
        Simulator.pump();
        for (Member member : ring) {
            assertThat(member.right.cq.poll(1, wc))
                    .as("nothing begins by itself")
                    .isZero();
            assertThat(member.self.cq.poll(1, wc)).isZero();
        }
        for (Member member : ring) { // the only step by the program
            member.go.post(new SendWorkRequest().opcode(WrOpcode.NOP).sendFlags(SendFlags.SIGNALED));
        }
        Simulator.pump();
        for (Member member : ring) {
            assertThat(member.right.cq.poll(1, wc)).isEqualTo(1);
            assertThat(wc[0].wrId()).isEqualTo(LAST);
            assertThat(wc[0].status()).isEqualTo(WcStatus.SUCCESS);
            for (int k = 0; k < members * WIDTH; k++) {
                long sum = 0;
                for (int i = 0; i < members; i++) {
                    sum += value(i, k);
                }
                assertThat(memory.getLong(member.at(k))).isEqualTo(sum);
            }
        }
        for (Member member : ring) {
            member.close();
        }
        rig.close();
    }
}
