/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.PollCqAttr;
import io.verbs4j.WcTmInfo;
import io.verbs4j.WorkCompletion;

/**
 * The additional functions of an extended completion queue: reading completions in place, and time stamps. Each method
 * implements that of {@link io.verbs4j.CompletionQueue}, which has checked that the queue was created for it.
 */
public interface CqReader {
    /** Implements {@link io.verbs4j.CompletionQueue#startPoll}. */
    int startPoll(PollCqAttr attr);

    /** Implements {@link io.verbs4j.CompletionQueue#nextPoll}. */
    int nextPoll();

    /** Implements {@link io.verbs4j.CompletionQueue#endPoll}. */
    int endPoll();

    /** Implements {@link io.verbs4j.CompletionQueue#poll(int, WorkCompletion[], int)}. */
    int poll(int numEntries, WorkCompletion[] wc, int wcSize);

    /**
     * Returns whether the completion that {@link #startPoll} or {@link #nextPoll} has just made current failed; for
     * their caller.
     */
    boolean hasFailed();

    /** Implements {@link io.verbs4j.CompletionQueue#wrId}. */
    long wrId();

    /** Implements {@link io.verbs4j.CompletionQueue#status}. */
    int status();

    /** Implements {@link io.verbs4j.CompletionQueue#readOpcode}. */
    int opcode();

    /** Implements {@link io.verbs4j.CompletionQueue#readVendorErr}. */
    int vendorErr();

    /** Implements {@link io.verbs4j.CompletionQueue#readByteLen}. */
    int byteLen();

    /** Implements {@link io.verbs4j.CompletionQueue#readImmData}, and the invalidated key: one word, as in C. */
    int immData();

    /** Implements {@link io.verbs4j.CompletionQueue#readQpNum}. */
    int qpNum();

    /** Implements {@link io.verbs4j.CompletionQueue#readSrcQp}. */
    int srcQp();

    /** Implements {@link io.verbs4j.CompletionQueue#readWcFlags}. */
    int wcFlags();

    /** Implements {@link io.verbs4j.CompletionQueue#readSlid}. */
    int slid();

    /** Implements {@link io.verbs4j.CompletionQueue#readSl}. */
    int sl();

    /** Implements {@link io.verbs4j.CompletionQueue#readDlidPathBits}. */
    int dlidPathBits();

    /** Implements {@link io.verbs4j.CompletionQueue#readCompletionTs}. */
    long completionTs();

    /** Implements {@link io.verbs4j.CompletionQueue#readCompletionWallclockNs}. */
    long completionWallclockNs();

    /** Implements {@link io.verbs4j.CompletionQueue#readCvlan}; 0 for a reader without packet fields. */
    default int cvlan() {
        return 0;
    }

    /** Implements {@link io.verbs4j.CompletionQueue#readFlowTag}; 0 for a reader without packet fields. */
    default int flowTag() {
        return 0;
    }

    /** Implements {@link io.verbs4j.CompletionQueue#readTmInfo}; all fields are 0 if there is none. */
    default void tmInfo(WcTmInfo into) {
        into.tag(0).priv(0);
    }
}
