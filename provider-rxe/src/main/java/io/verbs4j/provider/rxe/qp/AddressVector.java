/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.AhAttr;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;

/** What an address handle of the embedded device stands for: the two GIDs that a datagram travels between. */
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

    /** Makes it; {@code maxPayload} is what the interface of the source carries in a packet. */
    public AddressVector(AhAttr attr, Gid source, int maxPayload) {
        GlobalRoute route = attr.grh();
        this.source = source;
        this.destination = route.dgid();
        this.trafficClass = route.trafficClass();
        this.flowLabel = route.flowLabel();
        this.hopLimit = route.hopLimit();
        this.maxPayload = maxPayload;
    }

    /** Where the datagram comes from. */
    public Gid source() {
        return source;
    }

    /** Where it goes. */
    public Gid destination() {
        return destination;
    }

    /** Traffic class. */
    public int trafficClass() {
        return trafficClass;
    }

    /** Flow label. */
    public int flowLabel() {
        return flowLabel;
    }

    /** Hop limit. */
    public int hopLimit() {
        return hopLimit;
    }

    /** The longest datagram that can be sent with it, in bytes. */
    public int maxPayload() {
        return maxPayload;
    }

    /** Whether it is used for the first time, or for the first time in a while; two threads may both be told so. */
    public boolean isNew(long now) {
        if (used && now - usedNext < 0) {
            return false;
        }
        used = true;
        usedNext = now + AGAIN_NANOS;
        return true;
    }

    /** Ends the handle. */
    public void destroy() {
        closed = true;
    }

    /** Whether it can be used no more. */
    public boolean isClosed() {
        return closed;
    }
}
