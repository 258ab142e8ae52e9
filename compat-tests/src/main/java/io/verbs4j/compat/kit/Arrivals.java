/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import java.util.BitSet;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.opentest4j.AssertionFailedError;

/**
 * Several operations of one size from one side to the other. They arrive in the order of their posting or, if the
 * service has no order, in any order, so that a message may consume another one's receive.
 *
 * @param place the memory offset that belongs to an id, on either side
 */
record Arrivals(Side from, Side to, int size, IntUnaryOperator place) {
    /** Checks that operations with these ids have consumed receives with the same ids. */
    void have(int... ids) {
        have(ids, ids);
    }

    /**
     * Checks that requests have completed, also the receives that they consumed, if any, and that the bytes have
     * arrived.
     */
    void have(int[] requests, int[] receives) {
        if (from.isOrdered()) {
            for (int i = 0; i < requests.length; i++) {
                from.next(requests[i], WcStatus.SUCCESS);
                to.took(receives[i]);
                from.moved(to, place.applyAsInt(requests[i]), place.applyAsInt(receives[i]), size);
            }
            return;
        }
        boolean messages = from.rig.has(Capability.SEND);
        Map<Long, WorkCompletion> sent = from.all(requests.length);
        Map<Long, WorkCompletion> taken = messages ? to.all(receives.length) : Map.of();
        BitSet seen = new BitSet();
        for (int i = 0; i < requests.length; i++) {
            succeeded(sent, requests[i]);
            if (messages) {
                succeeded(taken, receives[i]);
                message(requests, place.applyAsInt(receives[i]), seen);
            } else {
                from.moved(to, place.applyAsInt(requests[i]), place.applyAsInt(receives[i]), size);
            }
        }
    }

    private static void succeeded(Map<Long, WorkCompletion> all, long wrId) {
        WorkCompletion wc = all.get(wrId);
        Seen.check(wc != null, "no completion of request " + wrId);
        Seen.equal("the status of " + wrId, WcStatus.toString(WcStatus.SUCCESS), WcStatus.toString(wc.status()));
    }

    /** Checks that there is a message at a place; any that was not found elsewhere. */
    private void message(int[] requests, int offset, BitSet seen) {
        AssertionFailedError none = null;
        for (int i = 0; i < requests.length; i++) {
            try {
                if (!seen.get(i)) {
                    from.moved(to, place.applyAsInt(requests[i]), offset, size);
                    seen.set(i);
                    return;
                }
            } catch (AssertionFailedError e) {
                none = e;
            }
        }
        throw none;
    }
}
