/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.SendFlags;
import io.verbs4j.TmHeader;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.memory.MemoryKeys;
import java.nio.ByteBuffer;

/**
 * The send queue of a queue pair on which the device itself sends: for each matched rendezvous request it reads the
 * data and then notifies the sender.
 *
 * <pre>
 *   ended                begun               added
 *    |  reads are posted   |  not yet          |  free
 * </pre>
 *
 * Requests are {@linkplain #add added} with the receive lock held; everything else needs the send lock.
 */
public final class Rendezvous implements SendWqe.InlineReader {
    /** Size of the send queue in requests. */
    public static final int SENDS = 64;

    /** Number of bytes of inline data in its requests. */
    public static final int INLINE = TmHeader.RNDV_LENGTH;

    private static final int JOBS = SENDS / 2;

    private final RxeSrq srq;
    private final SendQueue sq;
    private final int qpNum;
    private final Job[] jobs = new Job[JOBS];

    /** The headers of each request, as received. */
    private final ByteBuffer headers = ByteBuffer.allocateDirect(JOBS * INLINE);

    private final long headersAddress = NativeMemory.address(headers);
    private final WorkCompletion wc = new WorkCompletion();

    // Written under this object's lock.
    private int added;
    private int begun;
    private int ended;

    /** Offset of the header of the message that is being written. */
    private int written;

    /** Creates it for the send queue of a queue pair. */
    public Rendezvous(RxeSrq srq, SendQueue sq, int qpNum) {
        this.srq = srq;
        this.sq = sq;
        this.qpNum = qpNum;
        for (int i = 0; i < JOBS; i++) {
            jobs[i] = new Job();
        }
    }

    /** A matched request. */
    private static final class Job {
        final RecvWqe buffer = new RecvWqe(TagList.MAX_SGE);
        long tag;
        int priv;
        long addr;
        int rkey;
        long length;
        boolean solicited;
    }

    /** {@return whether no more requests can be added for now} */
    public synchronized boolean isFull() {
        return added - ended == JOBS;
    }

    /** {@return whether there are requests whose data is not being read yet} */
    public synchronized boolean isWaiting() {
        return added != begun;
    }

    /**
     * Adds a request; there must be room.
     *
     * @param header its headers, as received
     * @param buffer buffer for the data, large enough for it
     */
    synchronized void add(TaggedHeader header, RecvWqe buffer, boolean solicited) {
        int index = added % JOBS;
        Job job = jobs[index];
        job.buffer.copyFrom(buffer);
        NativeMemory.copy(header.address(), headersAddress + (long) index * INLINE, INLINE);
        job.tag = header.tag();
        job.priv = header.priv();
        job.addr = header.addr();
        job.rkey = header.rkey();
        job.length = header.length();
        job.solicited = solicited;
        added++;
    }

    /** Posts as many reads as there is room for; returns false if it posted none. */
    public boolean post() {
        sq.free(sq.done()); // no completions are polled here
        boolean posted = false;
        while (isWaiting() && sq.room() >= 2) {
            int index = begun % JOBS;
            Job job = jobs[index];
            sq.free(0).read(job.buffer.data, job.length, job.addr, job.rkey);
            sq.post();
            written = index * INLINE;
            headers.put(written, (byte) TmHeader.FIN);
            sq.free(0).send(SendFlags.FENCE, INLINE, this);
            sq.post();
            begin();
            posted = true;
        }
        return posted;
    }

    private synchronized void begin() {
        begun++;
    }

    @Override
    public boolean read(ScatterList from, long to) {
        NativeMemory.copy(headersAddress + written, to, INLINE);
        return true;
    }

    /** Completes all requests with their headers in their buffers, because the queue pair may not read (any more). */
    public void giveUp(MemoryKeys keys, ProtectionDomain pd) {
        while (isWaiting() && begun == ended) { // otherwise called again when the current reads have ended
            int index = begun % JOBS;
            int copied = jobs[index].buffer.data.scatter(keys, pd, 0, headersAddress + (long) index * INLINE, INLINE);
            begin();
            end(
                    copied == ScatterList.OK
                            ? WcStatus.TM_RNDV_INCOMPLETE
                            : copied == ScatterList.TOO_SHORT ? WcStatus.LOC_LEN_ERR : WcStatus.LOC_PROT_ERR);
        }
    }

    /** Handles the end of a request of the send queue. */
    public void completed(SendWqe wqe, int status) {
        if (wqe.opcode == WrOpcode.RDMA_READ) {
            end(status);
        }
    }

    /** Completes the first request. */
    private void end(int status) {
        Job job = jobs[ended % JOBS];
        wc.expect(WorkCompletion.SIZE)
                .wrId(job.buffer.wrId)
                .status(status)
                .opcode(WcOpcode.TM_RECV)
                .byteLen((int) job.length)
                .qpNum(qpNum)
                .wcFlags(WcFlags.TM_DATA_VALID);
        if (status == WcStatus.SUCCESS) {
            wc.tmTag(job.tag).tmPriv(job.priv);
        }
        boolean solicited = job.solicited;
        synchronized (this) {
            ended++;
        }
        srq.push(wc, solicited);
    }

    /** Completes all requests whose data is not being read with a flush error. */
    public void flush() {
        while (isWaiting()) {
            begin();
            end(WcStatus.WR_FLUSH_ERR);
        }
    }

    /** Forgets all requests. */
    public synchronized void clear() {
        begun = added;
        ended = added;
    }
}
