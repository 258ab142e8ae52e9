/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import java.util.Arrays;

/**
 * Deficit round robin: in each round, every flow with data may send as many bytes as the others, whatever the size of
 * its pieces.
 */
final class FairQueue {
    /** A sender that shares with others. */
    interface Flow {
        /**
         * Sends pieces.
         *
         * @param budget maximum number of bytes
         * @return number of bytes sent
         */
        long send(long budget);

        /** Whether a larger budget would let it send more. */
        boolean wantsMore();

        /** The queue's state of this flow. */
        Share share();
    }

    /** A flow's state. */
    static final class Share {
        private boolean queued;
        private long deficit;
    }

    private static final int FIRST_ROOM = 16;

    private final long quantum;
    private Flow[] flows = new Flow[FIRST_ROOM];
    private int head;
    private int size;

    /**
     * Creates a queue that grants each flow {@code quantum} bytes a round: at least the largest piece, so that all
     * progress.
     */
    FairQueue(long quantum) {
        this.quantum = quantum;
    }

    /** Adds a flow that may have data to send. */
    void activate(Flow flow) {
        Share share = flow.share();
        if (!share.queued) {
            share.queued = true;
            add(flow);
        }
    }

    private void add(Flow flow) {
        if (size == flows.length) {
            Flow[] more = Arrays.copyOf(flows, size * 2);
            System.arraycopy(flows, 0, more, size, head); // moves the wrapped part to the end
            flows = more;
        }
        flows[head + size++ & flows.length - 1] = flow;
    }

    /** Runs one round. Returns whether any flow has sent bytes. */
    boolean round() {
        boolean sent = false;
        for (int left = size; left > 0; left--) {
            Flow flow = flows[head];
            flows[head] = null;
            head = head + 1 & flows.length - 1;
            size--;
            Share share = flow.share();
            long budget = share.deficit + quantum;
            long used = flow.send(budget);
            sent |= used > 0;
            if (flow.wantsMore()) {
                share.deficit = Math.min(budget - used, quantum);
                add(flow);
            } else {
                share.deficit = 0;
                share.queued = false;
            }
        }
        return sent;
    }

    boolean isEmpty() {
        return size == 0;
    }
}
