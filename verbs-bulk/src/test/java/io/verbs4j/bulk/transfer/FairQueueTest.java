/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FairQueueTest {
    private static final int QUANTUM = 1000;

    private static final class Flow implements FairQueue.Flow {
        final FairQueue.Share share = new FairQueue.Share();
        final int piece;
        int pieces;
        long sent;

        Flow(int piece, int pieces) {
            this.piece = piece;
            this.pieces = pieces;
        }

        @Override
        public long send(long budget) {
            long used = 0;
            while (pieces > 0 && used + piece <= budget) {
                used += piece;
                pieces--;
            }
            sent += used;
            return used;
        }

        @Override
        public boolean wantsMore() {
            return pieces > 0;
        }

        @Override
        public FairQueue.Share share() {
            return share;
        }
    }

    /** All flows send equally many bytes, up to a piece, whatever the size of their pieces. */
    @Test
    void flowsWithSmallAndLargePiecesShareEqually() {
        FairQueue queue = new FairQueue(QUANTUM);
        Flow[] flows = new Flow[40];
        for (int i = 0; i < flows.length; i++) {
            flows[i] = new Flow(1 + i * 25, 1_000_000);
            queue.activate(flows[i]);
            queue.activate(flows[i]);
        }
        int rounds = 100;
        for (int round = 0; round < rounds; round++) {
            assertThat(queue.round()).isTrue();
        }
        for (Flow flow : flows) {
            assertThat(flow.sent).isBetween((long) (rounds - 1) * QUANTUM, (long) rounds * QUANTUM);
        }
    }

    @Test
    void emptyFlowLeavesAndReturns() {
        FairQueue queue = new FairQueue(QUANTUM);
        Flow flow = new Flow(10, 5);
        queue.activate(flow);
        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.round()).isTrue();
        assertThat(flow.sent).isEqualTo(50);
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.round()).isFalse();
        flow.pieces = 150;
        queue.activate(flow);
        assertThat(queue.round()).isTrue();
        assertThat(flow.sent).as("an unused share does not accumulate").isEqualTo(50 + 1000);
    }
}
