/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.PollCqAttr;
import io.verbs4j.WcTmInfo;
import io.verbs4j.WorkCompletion;

/**
 * What an extended completion queue does besides: reading completions one by one, and with time stamps. Each method does what that of
 * {@link io.verbs4j.CompletionQueue} says, whose handle has looked whether the queue was made for it.
 */
public interface CqReader {
    /** {@link io.verbs4j.CompletionQueue#startPoll}. */
    int startPoll(PollCqAttr attr);

    /** {@link io.verbs4j.CompletionQueue#nextPoll}. */
    int nextPoll();

    /** {@link io.verbs4j.CompletionQueue#endPoll}. */
    int endPoll();

    /** {@link io.verbs4j.CompletionQueue#poll(int, WorkCompletion[], int)}. */
    int poll(int numEntries, WorkCompletion[] wc, int wcSize);

    /** Whether what {@link #startPoll} or {@link #nextPoll} has just made current failed; for who has called that. */
    boolean hasFailed();

    /** {@link io.verbs4j.CompletionQueue#wrId}. */
    long wrId();

    /** {@link io.verbs4j.CompletionQueue#status}. */
    int status();

    /** {@link io.verbs4j.CompletionQueue#readOpcode}. */
    int opcode();

    /** {@link io.verbs4j.CompletionQueue#readVendorErr}. */
    int vendorErr();

    /** {@link io.verbs4j.CompletionQueue#readByteLen}. */
    int byteLen();

    /** {@link io.verbs4j.CompletionQueue#readImmData}, and the key that was invalidated: one word, as in C. */
    int immData();

    /** {@link io.verbs4j.CompletionQueue#readQpNum}. */
    int qpNum();

    /** {@link io.verbs4j.CompletionQueue#readSrcQp}. */
    int srcQp();

    /** {@link io.verbs4j.CompletionQueue#readWcFlags}. */
    int wcFlags();

    /** {@link io.verbs4j.CompletionQueue#readSlid}. */
    int slid();

    /** {@link io.verbs4j.CompletionQueue#readSl}. */
    int sl();

    /** {@link io.verbs4j.CompletionQueue#readDlidPathBits}. */
    int dlidPathBits();

    /** {@link io.verbs4j.CompletionQueue#readCompletionTs}. */
    long completionTs();

    /** {@link io.verbs4j.CompletionQueue#readCompletionWallclockNs}. */
    long completionWallclockNs();

    /** {@link io.verbs4j.CompletionQueue#readCvlan}; of a reader that has no packets, 0. */
    default int cvlan() {
        return 0;
    }

    /** {@link io.verbs4j.CompletionQueue#readFlowTag}; so. */
    default int flowTag() {
        return 0;
    }

    /** {@link io.verbs4j.CompletionQueue#readTmInfo}; where there is none, all is 0. */
    default void tmInfo(WcTmInfo into) {
        into.tag(0).priv(0);
    }
}
