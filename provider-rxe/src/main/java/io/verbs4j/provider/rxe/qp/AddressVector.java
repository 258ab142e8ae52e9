/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.AhAttr;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;

/**
 * The destination that an address handle stands for: the two GIDs that a datagram travels between, and its IP header
 * fields.
 */
public final class AddressVector {
    private static final long AGAIN_NANOS = 5_000_000_000L;

    private final Gid source;
    private final Gid destination;
    private final int trafficClass;
    private final int flowLabel;
    private final int hopLimit;
    private final int maxPayload;
    private volatile boolean closed;
    private boolean used;
    private long usedNext;

    /** Creates it; {@code maxPayload} is the maximum payload of a packet on the source GID's interface. */
    public AddressVector(AhAttr attr, Gid source, int maxPayload) {
        GlobalRoute route = attr.grh();
        this.source = source;
        this.destination = route.dgid();
        this.trafficClass = route.trafficClass();
        this.flowLabel = route.flowLabel();
        this.hopLimit = route.hopLimit();
        this.maxPayload = maxPayload;
    }

    /** {@return the source GID} */
    public Gid source() {
        return source;
    }

    /** {@return the destination GID} */
    public Gid destination() {
        return destination;
    }

    /** {@return the traffic class} */
    public int trafficClass() {
        return trafficClass;
    }

    /** {@return the flow label} */
    public int flowLabel() {
        return flowLabel;
    }

    /** {@return the hop limit} */
    public int hopLimit() {
        return hopLimit;
    }

    /** {@return the longest datagram that can be sent with it, in bytes} */
    public int maxPayload() {
        return maxPayload;
    }

    /**
     * Returns whether it is used for the first time, or for the first time since 5 seconds after this last returned
     * true. Two threads may both get true.
     */
    public boolean isNew(long now) {
        if (used && now - usedNext < 0) {
            return false;
        }
        used = true;
        usedNext = now + AGAIN_NANOS;
        return true;
    }

    /** Marks the handle as closed. */
    public void destroy() {
        closed = true;
    }

    /** {@return whether the handle is closed} */
    public boolean isClosed() {
        return closed;
    }
}
