/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import java.io.Serializable;

/** What a peer said when it rejected a connection. Immutable. */
public final class CmRejection implements Serializable {
    private static final long serialVersionUID = 1L;

    /** A {@link RejectReason}. */
    private final int reason;

    /** As it came. */
    private final byte[] privateData;

    CmRejection(int reason, ConnParam conn) {
        this.reason = reason;
        this.privateData = conn == null ? new byte[0] : conn.privateData();
    }

    /** {@return why, a {@link RejectReason}; {@link RejectReason#CONSUMER_DEFINED} where the program there has} */
    public int reason() {
        return reason;
    }

    /**
     * Private data of the program there.
     *
     * @return a copy; all bytes that the message has room for (148 by InfiniBand and RoCE), filled with zeros
     */
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public String toString() {
        return RejectReason.toString(reason);
    }
}
