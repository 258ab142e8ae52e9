/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.Errno;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.VerbsException;
import io.verbs4j.hbldv.HblWqArray;

/** What queue pairs a Gaudi has. */
final class GaudiQueuePairs {
    /** All that can be posted. */
    static final long OPERATIONS = QpCreateSendOps.RDMA_WRITE;

    /** A request's memory is one piece. */
    static final int MAX_SGE = 1;

    private static final int FEWEST = 2;

    private GaudiQueuePairs() {}

    /** Refuses what the device has not, in words, and asks for a ring that holds what is wanted: it is never quite full. */
    static void prepare(String verb, QpInitAttrEx attr, int largestRing) {
        if (attr.qpType() != QpType.RC) {
            throw unsupported(
                    verb, "Gaudi has queue pairs of type RC; it has none of type " + QpType.toString(attr.qpType()));
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

    /** The power of two that holds so many requests, and one more. */
    static int ringFor(int requests) {
        return Math.max(FEWEST, Integer.highestOneBit(requests) << 1);
    }

    /** How many requests one can be told of that was made so. */
    static void tellRoom(QpCap cap) {
        cap.maxSendWr(cap.maxSendWr() - 1);
    }

    /** Most elements of a ring, of any port. */
    static int largestRing(GaudiPorts ports) {
        return ports.all().stream()
                .map(GaudiPort::array)
                .mapToInt(HblWqArray::wqes)
                .max()
                .orElse(0);
    }

    /** Most queue pairs, of all ports: of the queues of each, one is not theirs. */
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
