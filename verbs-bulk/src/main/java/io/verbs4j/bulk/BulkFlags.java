/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.bulk.ring.EntryCode;

/**
 * Flags of submissions: bits of the second byte of an entry. An entry with an unknown bit completes with {@link
 * io.verbs4j.Errno#EINVAL}.
 */
public final class BulkFlags {
    /**
     * The next entry of the ring starts when this one is good, also where it is submitted later. Where this one fails,
     * the next one completes with {@link io.verbs4j.Errno#ECANCELED}, and so on to the end of the chain.
     */
    public static final int LINK = EntryCode.LINK;

    /** Starts when all entries before it in the ring have completed, and none after it starts before it has. */
    public static final int DRAIN = EntryCode.DRAIN;

    /**
     * What the entry brings to the peer (bytes, a message, a notification) comes after the bytes of all PUTs and GETs
     * with that peer that were taken before it; it sends what these GETs have read.
     */
    public static final int FENCE = EntryCode.FENCE;

    /** No completion where the entry is good. */
    public static final int QUIET = EntryCode.QUIET;

    /**
     * Of PUT and GET: sends the entry's value to the peer when all bytes are there. The entry completes when the peer's
     * device has the notification.
     */
    public static final int NOTIFY = EntryCode.NOTIFY;

    private BulkFlags() {}
}
