/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.bulk.ring.EntryCode;

/** What a submission asks for: the first byte of an entry. The numbers never change. */
public final class BulkOpcode {
    /** Nothing. */
    public static final int NOP = EntryCode.NOP;

    /** Writes bytes to a window of a peer's. */
    public static final int PUT = EntryCode.PUT;

    /** Reads bytes from a window of a peer's. */
    public static final int GET = EntryCode.GET;

    /** Sends a message, which a RECV of the peer's takes. */
    public static final int SEND = EntryCode.SEND;

    /** Takes a message. */
    public static final int RECV = EntryCode.RECV;

    /** Stops another entry of the ring. */
    public static final int CANCEL = EntryCode.CANCEL;

    /** Completes after all entries before it, and before any after it starts. */
    public static final int BARRIER = EntryCode.BARRIER;

    /** Copies bytes from one buffer of this endpoint to another. */
    public static final int COPY = EntryCode.COPY;

    private BulkOpcode() {}
}
