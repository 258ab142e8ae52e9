/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.QpInitAttrEx;
import io.verbs4j.rdmacore.object.IbvQp;

/** Behind a queue pair. libhbl counts queue pairs from 0; the number on the wire comes with INIT, and is gone with RESET. */
class GaudiQp extends IbvQp {
    private final int ringSize;
    private volatile int port;
    private volatile int remoteKey;

    /**
     * Behind a {@code struct ibv_qp}.
     *
     * @param attr of which one request less than there is room for was told
     */
    GaudiQp(GaudiContext base, QpInitAttrEx attr, long operations, long qp) {
        super(attr, operations, qp, base.functions(), base.regions(), base.windows());
        ringSize = attr.cap().maxSendWr() + 1;
        numbered(0);
    }

    /** Elements of its send ring: a power of two. */
    final int ringSize() {
        return ringSize;
    }

    /** The port that it was last bound to; 0 before INIT. */
    final int port() {
        return port;
    }

    /** The key that its packets carry, from RTS on. */
    final int remoteKey() {
        return remoteKey;
    }

    /** It is in INIT, where it has a number. */
    void initialised(GaudiPort at, int wireNumber) {
        port = at.number();
        numbered(wireNumber);
    }

    /**
     * It is in RTS.
     *
     * @param ring address of its send ring; 0 where that is in the device's memory
     * @param elementSize in bytes
     */
    void ready(GaudiPort at, long ring, int elementSize, int key) {
        remoteKey = key;
    }

    /** It is in RESET, where it has no number. */
    void forgotten() {
        numbered(0);
    }

    /** Another queue pair's number has become its own. */
    void migrated(int wireNumber) {
        numbered(wireNumber);
    }
}
