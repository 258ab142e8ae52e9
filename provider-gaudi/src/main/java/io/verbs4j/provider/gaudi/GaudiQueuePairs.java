/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.Errno;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.VerbsException;
import io.verbs4j.hbldv.HblWqArray;

/** Rules for Gaudi's queue pairs. */
final class GaudiQueuePairs {
    /** Supported operations. */
    static final long OPERATIONS = QpCreateSendOps.RDMA_WRITE;

    /** Maximum number of memory elements of a request. */
    static final int MAX_SGE = 1;

    private static final int FEWEST = 2;

    private GaudiQueuePairs() {}

    /**
     * Refuses what the device does not support, with a reason, and sets the ring size that holds the requested number
     * of requests; the ring is never completely full.
     */
    static void prepare(String verb, QpInitAttrEx attr, int largestRing) {
        if (attr.qpType() != QpType.RC) {
            throw unsupported(
                    verb, "Gaudi supports only queue pairs of type RC, not of type " + QpType.toString(attr.qpType()));
        }
        if (attr.srq() != null) {
            throw unsupported(verb, "Gaudi has no shared receive queues; leave srq out");
        }
        QpCap cap = attr.cap();
        limit(verb, "maxSendSge", cap.maxSendSge(), MAX_SGE);
        limit(verb, "maxInlineData", cap.maxInlineData(), 0);
        limit(verb, "maxSendWr", cap.maxSendWr(), largestRing - 1);
        cap.maxSendWr(ringFor(cap.maxSendWr()));
        cap.maxSendSge(MAX_SGE);
    }

    private static void limit(String verb, String name, int value, int most) {
        if (value > most) {
            throw new VerbsException(
                    Errno.EINVAL, verb, name + " is " + value + ", but the device has at most " + most);
        }
    }

    /** Returns the smallest power of two, from 2, that exceeds a number of requests. */
    static int ringFor(int requests) {
        return Math.max(FEWEST, Integer.highestOneBit(requests) << 1);
    }

    /** Sets the number of requests that fit into a ring of the given size. */
    static void tellRoom(QpCap cap) {
        cap.maxSendWr(cap.maxSendWr() - 1);
    }

    /** Returns the size of the largest ring of any port. */
    static int largestRing(GaudiPorts ports) {
        return ports.all().stream()
                .map(GaudiPort::array)
                .mapToInt(HblWqArray::wqes)
                .max()
                .orElse(0);
    }

    /** Returns the maximum number of queue pairs of all ports; one queue of each port is not available to them. */
    static int most(GaudiPorts ports) {
        return ports.all().stream()
                .map(GaudiPort::array)
                .mapToInt(array -> Math.max(0, array.wqs() - 1))
                .sum();
    }

    private static VerbsException unsupported(String verb, String what) {
        return new VerbsException(Errno.EOPNOTSUPP, verb, what);
    }
}
