/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.concurrent.TimeUnit;

/**
 * Options of {@link CmConnection#connect} and {@link CmListener#listen}. Immutable: each {@code with} method returns a
 * copy. Options that are not set keep their defaults. A listener passes its traffic class and its timeouts on to the
 * connections that it accepts.
 */
public final class CmOptions {
    private static final String VERB = "set_option";
    private static final int UNSET = -1;
    private static final int MAX_TOS = 0xff;
    private static final int MAX_ACK_TIMEOUT = 31;
    private static final long HANDSHAKE_NANOS = 5_000_000_000L;

    /** All defaults. */
    public static final CmOptions DEFAULT = new CmOptions();

    private int trafficClass = UNSET;
    private int ackTimeout = UNSET;
    private boolean reuseAddress;
    private boolean familyOnly;
    private long handshakeNanos = HANDSHAKE_NANOS;

    private CmOptions() {}

    private CmOptions(CmOptions from) {
        trafficClass = from.trafficClass;
        ackTimeout = from.ackTimeout;
        reuseAddress = from.reuseAddress;
        familyOnly = from.familyOnly;
        handshakeNanos = from.handshakeNanos;
    }

    /** {@return the traffic class, 0 to 255; -1 if unset: a client then uses 0, a listener its client's value} */
    public int trafficClass() {
        return trafficClass;
    }

    /**
     * Sets {@link #trafficClass()}, see {@link CmOption#TOS}.
     *
     * @param value 0 to 255
     * @return a copy with this value
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EINVAL} if the value is out of range
     */
    public CmOptions withTrafficClass(int value) {
        Arguments.require(VERB, "trafficClass", value, MAX_TOS);
        CmOptions copy = new CmOptions(this);
        copy.trafficClass = value;
        return copy;
    }

    /** {@return the acknowledgement timeout, 0 to 31; -1 if unset, see {@link CmOption#ACK_TIMEOUT}} */
    public int ackTimeout() {
        return ackTimeout;
    }

    /**
     * Sets {@link #ackTimeout()}, see {@link CmOption#ACK_TIMEOUT}.
     *
     * @param value 0 to 31: 4.096 us times 2 to the power of it; 0 means no limit
     * @return a copy with this value
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EINVAL} if the value is out of range
     */
    public CmOptions withAckTimeout(int value) {
        Arguments.require(VERB, "ackTimeout", value, MAX_ACK_TIMEOUT);
        CmOptions copy = new CmOptions(this);
        copy.ackTimeout = value;
        return copy;
    }

    /** {@return whether the port may be shared with other ids, see {@link CmOption#REUSEADDR}; false by default} */
    public boolean reuseAddress() {
        return reuseAddress;
    }

    /**
     * Sets {@link #reuseAddress()}, see {@link CmOption#REUSEADDR}.
     *
     * @param value whether the port may be shared
     * @return a copy with this value
     */
    public CmOptions withReuseAddress(boolean value) {
        CmOptions copy = new CmOptions(this);
        copy.reuseAddress = value;
        return copy;
    }

    /** {@return whether a listener at the IPv6 wildcard refuses IPv4; false by default} */
    public boolean familyOnly() {
        return familyOnly;
    }

    /**
     * Sets {@link #familyOnly()}, see {@link CmOption#AFONLY}.
     *
     * @param value whether IPv4 is refused
     * @return a copy with this value
     */
    public CmOptions withFamilyOnly(boolean value) {
        CmOptions copy = new CmOptions(this);
        copy.familyOnly = value;
        return copy;
    }

    /**
     * Returns how long a listener waits for a peer to confirm a connection that it has accepted. The time given to
     * {@link CmListener#accept}, which limits the wait for a peer, does not include this.
     *
     * @param unit unit of the result
     * @return the time; 5 s by default
     */
    public long handshakeTimeout(TimeUnit unit) {
        return Arguments.require(VERB, "unit", unit).convert(handshakeNanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Sets {@link #handshakeTimeout}.
     *
     * @param value the time, above 0; the connection manager itself gives up after 52 s
     * @param unit unit of {@code value}
     * @return a copy with this value
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#EINVAL} if the time is not above 0
     */
    public CmOptions withHandshakeTimeout(long value, TimeUnit unit) {
        long nanos = Arguments.nanos(VERB, value, unit);
        if (nanos == 0) {
            throw new VerbsException(Errno.EINVAL, VERB, "handshakeTimeout is " + value + "; it must be above 0");
        }
        CmOptions copy = new CmOptions(this);
        copy.handshakeNanos = nanos;
        return copy;
    }

    /** Applies the options to a new id. */
    void apply(CmId id) {
        if (trafficClass != UNSET) {
            id.setOption(CmOption.TOS, trafficClass);
        }
        if (ackTimeout != UNSET) {
            id.setOption(CmOption.ACK_TIMEOUT, ackTimeout);
        }
        if (reuseAddress) {
            id.setOption(CmOption.REUSEADDR, 1);
        }
        if (familyOnly) {
            id.setOption(CmOption.AFONLY, 1);
        }
    }

    @Override
    public String toString() {
        return "trafficClass=" + trafficClass + " ackTimeout=" + ackTimeout + " reuseAddress=" + reuseAddress
                + " familyOnly=" + familyOnly + " handshakeTimeout=" + handshakeTimeout(TimeUnit.MILLISECONDS) + " ms";
    }
}
