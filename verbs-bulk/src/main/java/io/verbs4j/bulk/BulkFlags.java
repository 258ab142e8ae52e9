/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.bulk.ring.EntryCode;

/**
 * Flags of submissions: bits of the second byte of an entry. An entry with an unknown bit completes with
 * {@link io.verbs4j.Errno#EINVAL}.
 */
public final class BulkFlags {
    /**
     * Starts the next entry of the ring only after this one has succeeded, even if it is submitted later. If this entry
     * fails, the next one completes with {@link io.verbs4j.Errno#ECANCELED}, and so on to the end of the chain.
     */
    public static final int LINK = EntryCode.LINK;

    /**
     * Starts the entry after all earlier entries of the ring have completed; later ones start after it has completed.
     */
    public static final int DRAIN = EntryCode.DRAIN;

    /**
     * Orders the entry after earlier PUTs and GETs with the same peer: what it delivers (bytes, a message, a
     * notification) arrives after the bytes of all of them. It may therefore send bytes that these GETs have read.
     */
    public static final int FENCE = EntryCode.FENCE;

    /** Suppresses the completion if the entry succeeds. */
    public static final int QUIET = EntryCode.QUIET;

    /**
     * For PUT and GET: notifies the peer of the entry's value when all bytes have been transferred. The entry completes
     * when the peer's device has the notification.
     */
    public static final int NOTIFY = EntryCode.NOTIFY;

    private BulkFlags() {}
}
