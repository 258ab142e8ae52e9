/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import java.util.Arrays;

/**
 * Deficit round robin: each flow that has something to send may send as many bytes in a round as the others, however
 * large its pieces are.
 */
final class FairQueue {
    /** What shares. */
    interface Flow {
        /**
         * Sends pieces.
         *
         * @param budget most bytes
         * @return bytes that were sent
         */
        long send(long budget);

        /** Whether it could send more, if it might send more bytes. */
        boolean wantsMore();

        /** What the queue keeps about the flow. */
        Share share();
    }

    /** A flow's place. */
    static final class Share {
        private boolean queued;
        private long deficit;
    }

    private static final int FIRST_ROOM = 16;

    private final long quantum;
    private Flow[] flows = new Flow[FIRST_ROOM];
    private int head;
    private int size;

    /** Gives each flow {@code quantum} bytes a round: at least the largest piece, so that each round sends. */
    FairQueue(long quantum) {
        this.quantum = quantum;
    }

    /** A flow may have something to send. */
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
            System.arraycopy(flows, 0, more, size, head); // what was wrapped comes behind
            flows = more;
        }
        flows[head + size++ & flows.length - 1] = flow;
    }

    /** One round. */
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
