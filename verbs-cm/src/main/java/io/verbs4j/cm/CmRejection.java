/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import java.io.Serializable;

/** The rejection of a connection by a peer. Immutable. */
public final class CmRejection implements Serializable {
    private static final long serialVersionUID = 1L;

    /** A {@link RejectReason}. */
    private final int reason;

    /** As received. */
    private final byte[] privateData;

    CmRejection(int reason, ConnParam conn) {
        this.reason = reason;
        this.privateData = conn == null ? new byte[0] : conn.privateData();
    }

    /**
     * {@return the reason, a {@link RejectReason}; {@link RejectReason#CONSUMER_DEFINED} if the peer's program
     * rejected}
     */
    public int reason() {
        return reason;
    }

    /**
     * Returns the private data of the program at the peer.
     *
     * @return a copy; all bytes that the message has room for (148 on InfiniBand and RoCE), padded with zeros
     */
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public String toString() {
        return RejectReason.toString(reason);
    }
}
