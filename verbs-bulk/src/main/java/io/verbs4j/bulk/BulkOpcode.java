/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.bulk.ring.EntryCode;

/** Operation codes: the first byte of an entry. The numbers never change. */
public final class BulkOpcode {
    /** Does nothing. */
    public static final int NOP = EntryCode.NOP;

    /** Writes bytes to a peer's window. */
    public static final int PUT = EntryCode.PUT;

    /** Reads bytes from a peer's window. */
    public static final int GET = EntryCode.GET;

    /** Sends a message, which a RECV of the peer takes. */
    public static final int SEND = EntryCode.SEND;

    /** Receives a message. */
    public static final int RECV = EntryCode.RECV;

    /** Cancels another entry of the ring. */
    public static final int CANCEL = EntryCode.CANCEL;

    /** Completes after all earlier entries, before any later entry starts. */
    public static final int BARRIER = EntryCode.BARRIER;

    /** Copies bytes between two buffers of this endpoint. */
    public static final int COPY = EntryCode.COPY;

    private BulkOpcode() {}
}
