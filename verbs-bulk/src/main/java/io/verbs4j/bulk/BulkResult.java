/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.Errno;
import io.verbs4j.bulk.ring.EntryCode;

/** Flags of completions, and the errnos that {@link Errno} does not have. */
public final class BulkResult {
    /** Not the final completion of its entry. */
    public static final int MORE = EntryCode.MORE;

    /**
     * Not the completion of an entry: the notification of a peer that has put or got bytes. The completion's value is
     * the peer's; its user data and result are 0.
     */
    public static final int NOTIFY_ARRIVED = EntryCode.NOTIFY_ARRIVED;

    /** The entry has failed, and some of its bytes are where they belong: the completion's value is how many. */
    public static final int PARTIAL = EntryCode.PARTIAL;

    /** Bytes went through memory of the transport's: they were copied once. */
    public static final int COPIED = EntryCode.COPIED;

    /** Some of the bytes were transferred again after the connection was lost: {@link BulkConfig#withRecovery}. */
    public static final int REPLAYED = EntryCode.REPLAYED;

    /** The endpoint was closed. */
    public static final int ESHUTDOWN = EntryCode.ESHUTDOWN;

    /** The peer's device has refused. */
    public static final int EREMOTEIO = EntryCode.EREMOTEIO;

    private BulkResult() {}

    /**
     * Name of a result.
     *
     * @param result of a completion
     * @return the number of bytes, or the name of the errno
     */
    public static String toString(long result) {
        if (result >= 0) {
            return result + " bytes";
        }
        if (result == -ESHUTDOWN) {
            return "ESHUTDOWN";
        }
        return result == -EREMOTEIO ? "EREMOTEIO" : Errno.name((int) -result);
    }
}
