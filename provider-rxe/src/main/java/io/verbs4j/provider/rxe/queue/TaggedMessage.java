/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.TmHeader;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.provider.rxe.memory.RemoteMemory;

/**
 * The message that a queue pair is receiving through a shared receive queue of type TM: finds its buffer and completes
 * it. Guarded by the receive lock.
 */
public final class TaggedMessage {
    /** A buffer was found. */
    public static final int BEGUN = 0;

    /** No buffer is available; nothing has changed. */
    public static final int NOT_READY = 1;

    /** The message is invalid. */
    public static final int INVALID = 2;

    /** Maximum length of a rendezvous request, which fits into one packet of any path MTU. */
    public static final int MAX_RNDV_HEADER = 256;

    /** Maximum number of bytes that a request may read. */
    private static final long MAX_READ = 1L << 31;

    private final RxeSrq srq;
    private final TagList tags;

    /** Reads the data of rendezvous requests; null if the program does so. */
    private final Rendezvous rendezvous;

    private final int qpNum;
    private final TaggedHeader header = new TaggedHeader();
    private final WorkCompletion wc = new WorkCompletion();
    private final Rest rest = new Rest();

    // State of the current message.
    private int opcode;
    private int status;
    private int flags;
    private boolean matched;
    private boolean reads;
    private int skipped;

    /** Creates it for a queue pair that has a shared receive queue of type TM. */
    public TaggedMessage(RxeSrq srq, Rendezvous rendezvous, int qpNum) {
        this.srq = srq;
        this.tags = srq.tags();
        this.rendezvous = rendezvous;
        this.qpNum = qpNum;
    }

    /**
     * {@return the address to copy the first bytes of a message to before {@link #begin}: all it has, up to
     * {@link TmHeader#RNDV_LENGTH}}
     */
    public long header() {
        return header.address();
    }

    /**
     * Finds the buffer for a message.
     *
     * @param bytes number of bytes of the message that have arrived
     * @param whole whether these are all
     * @param inOne whether the message is one packet, or would be
     * @param into receives the buffer
     * @return {@link #BEGUN} or another constant of this class
     */
    public int begin(long bytes, boolean whole, boolean inOne, RecvWqe into) {
        int operation = bytes == 0 ? TmHeader.NO_TAG : header.operation();
        status = WcStatus.SUCCESS;
        matched = false;
        reads = false;
        skipped = 0;
        flags = 0;
        switch (operation) {
            case TmHeader.NO_TAG:
            case TmHeader.FIN:
                opcode = WcOpcode.TM_NO_TAG;
                return srq.take(into) ? BEGUN : NOT_READY;
            case TmHeader.EAGER:
                return bytes < TmHeader.LENGTH ? INVALID : match(into, inOne);
            case TmHeader.RNDV:
                boolean right = whole && bytes >= TmHeader.RNDV_LENGTH && bytes <= MAX_RNDV_HEADER;
                return right ? matchRequest(into, (int) bytes) : INVALID;
            default:
                return INVALID;
        }
    }

    private int match(RecvWqe into, boolean inOne) {
        int result = find(into, inOne ? null : matchCompletion());
        if (matched) {
            skipped = TmHeader.LENGTH;
            flags = inOne ? WcFlags.TM_MATCH | WcFlags.TM_DATA_VALID : WcFlags.TM_DATA_VALID;
        }
        return result;
    }

    private int matchRequest(RecvWqe into, int bytes) {
        if (rendezvous != null && rendezvous.isFull()) {
            return NOT_READY;
        }
        int result = find(into, null);
        if (matched) {
            reads = rendezvous != null && header.length() <= Math.min(MAX_READ, into.data.total());
            flags = WcFlags.TM_MATCH;
            if (reads) {
                skipped = bytes;
            } else {
                status = WcStatus.TM_RNDV_INCOMPLETE; // the headers are in the buffer, and the program does the rest
            }
        }
        return result;
    }

    private int find(RecvWqe into, WorkCompletion first) {
        opcode = WcOpcode.TM_RECV;
        int result = tags.match(into, header.tag(), first);
        matched = result == TagList.MATCHED;
        return result == TagList.NOT_READY ? NOT_READY : BEGUN;
    }

    /** Fills the completion that reports a match at once, before all data has come. */
    private WorkCompletion matchCompletion() {
        return fill(WcStatus.SUCCESS, WcFlags.TM_MATCH, 0, 0, true);
    }

    private WorkCompletion fill(int wcStatus, int wcFlags, int byteLen, int immData, boolean told) {
        wc.expect(WorkCompletion.SIZE)
                .status(wcStatus)
                .opcode(WcOpcode.TM_RECV)
                .wcFlags(wcFlags)
                .byteLen(byteLen)
                .immData(immData)
                .qpNum(qpNum);
        if (told) {
            wc.tmTag(header.tag()).tmPriv(header.priv());
        }
        return wc;
    }

    /** {@return the number of bytes of the message that do not go to the buffer} */
    public int skipped() {
        return skipped;
    }

    /** Returns the rest of the first part of the message, when it lies in another process. */
    public RemoteMemory rest(RemoteMemory part) {
        rest.part = part;
        rest.skipped = skipped;
        return rest;
    }

    /**
     * Completes the message, all of which has arrived.
     *
     * @param from its receive
     * @param bytes length of the whole message
     * @param wcFlags flags that its completion has in any case
     * @return whether {@link Rendezvous#post} has something to do
     */
    public boolean complete(RecvWqe from, long bytes, int wcFlags, int immData, boolean solicited) {
        int more = opcode == WcOpcode.TM_RECV && !matched && tags.isFarBehind() ? WcFlags.TM_SYNC_REQ : 0;
        long byteLen = reads ? 0 : bytes - skipped;
        fill(status, wcFlags | flags | more, (int) byteLen, immData, matched)
                .opcode(opcode)
                .wrId(from.wrId);
        srq.push(wc, solicited);
        if (reads) {
            rendezvous.add(header, from, solicited);
        }
        return reads;
    }

    /** A part of a message without its first bytes. */
    private static final class Rest implements RemoteMemory {
        private RemoteMemory part;
        private int skipped;

        @Override
        public long bytes() {
            return part.bytes() - skipped;
        }

        @Override
        public boolean fetch(long offset, long to, long count) {
            return part.fetch(offset + skipped, to, count);
        }
    }
}
