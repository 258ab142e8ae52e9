/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.Errno;
import io.verbs4j.bulk.ring.EntryCode;

/** Flags of completions, and the errnos that {@link Errno} lacks. */
public final class BulkResult {
    /** Not the final completion of its entry. */
    public static final int MORE = EntryCode.MORE;

    /**
     * A notification from a peer that has put or got bytes, not the completion of an entry. Its value is the one the
     * peer sent; its user data and result are 0.
     */
    public static final int NOTIFY_ARRIVED = EntryCode.NOTIFY_ARRIVED;

    /** The entry failed after some of its bytes were transferred; the completion's value is their number. */
    public static final int PARTIAL = EntryCode.PARTIAL;

    /** Bytes were copied once, through memory of the transport. */
    public static final int COPIED = EntryCode.COPIED;

    /** Some of the bytes were transferred again after the connection was lost, see {@link BulkConfig#withRecovery}. */
    public static final int REPLAYED = EntryCode.REPLAYED;

    /** The endpoint was closed. */
    public static final int ESHUTDOWN = EntryCode.ESHUTDOWN;

    /** The peer's device refused the request. */
    public static final int EREMOTEIO = EntryCode.EREMOTEIO;

    private BulkResult() {}

    /**
     * Describes a result.
     *
     * @param result result of a completion
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
