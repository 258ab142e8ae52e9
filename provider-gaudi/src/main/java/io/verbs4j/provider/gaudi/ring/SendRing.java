/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.object.BadWr;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A send queue in host memory that Java writes: posts lists of work requests, and the requests of builders. The device
 * supports writes of one memory element; a write of 0 bytes becomes a no-op. A whole list takes one doorbell.
 *
 * <p>Requests are numbered from 0. The low bits of the number are the position in the ring, and the number is the
 * descriptor's tag. The device completes requests in order, so a completion covers all earlier requests. The ring holds
 * one request less than it has positions, because the device could not distinguish a full ring from an empty one.
 *
 * <p>The device reports a failed queue pair only by an event, or when it is queried. Once that is noticed, pending
 * requests complete here: the oldest with the reason and the others as flushed, as do requests that are posted later.
 * If requests without completions precede the failed one, the oldest of these is reported with the reason, as the
 * device does not report which one failed.
 */
public final class SendRing {
    /** The memory layout of a ring with its doorbell, numbers and key, known once the queue pair is ready to send. */
    public record Place(
            /* Address of the first descriptor. */ long address,
            /* Number of descriptors, a power of two. */ int size,
            /* Distance of descriptors in bytes. */ int stride,
            /* Number on the wire. */ int qpNum,
            /* Key that the queue pair writes with. */ int remoteKey,
            DoorbellFifo fifo) {}

    private static final int FLAGS =
            SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.SOLICITED | SendFlags.INLINE; // others are unknown
    private static final VarHandle POSTED;
    private static final VarHandle COMPLETED;

    static {
        try {
            POSTED = MethodHandles.lookup().findVarHandle(SendRing.class, "posted", int.class);
            COMPLETED = MethodHandles.lookup().findVarHandle(SendRing.class, "completed", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final RingLock lock;
    private final ProtectionDomain pd;
    private final DeviceRegions regions;
    private final int implied;
    private final Runnable doubt;
    private final DoorbellFifo.Bell bell = new DoorbellFifo.Bell();

    private boolean open; // written under the lock, as are the next fields
    private int refusal = Errno.EINVAL; // for posts while it is not open
    private boolean broken;
    private Place place;
    private long[] wrIds = {};
    private int mask;
    private int posted; // also read by polling, as the device does not report it

    @SuppressWarnings("unused") // accessed through COMPLETED
    private int completed; // written by polling only

    private int reason; // of the oldest pending request; guarded by the completion queue's lock, as are the next fields
    private int syndrome;
    SendRing nextBroken;
    boolean flushes;

    /**
     * Creates a queue that nothing can be posted to yet.
     *
     * @param pd base of the protection domain that memory must belong to
     * @param signalAll whether each request has a completion
     * @param doubt queries whether the queue pair has failed, and handles a failure
     */
    public SendRing(ProtectionDomain pd, DeviceRegions regions, boolean signalAll, RingLock lock, Runnable doubt) {
        this.pd = pd;
        this.regions = regions;
        this.lock = lock;
        this.doubt = doubt;
        implied = signalAll ? SendFlags.SIGNALED : 0;
    }

    /** Opens the queue with nothing pending. The lock must be held, and no completions of this queue may be left. */
    public void open(Place where) {
        place = where;
        wrIds = new long[where.size()];
        mask = where.size() - 1;
        posted = 0;
        COMPLETED.setRelease(this, 0);
        broken = false;
        open = true;
    }

    /**
     * Stops posting. The lock must be held.
     *
     * @param why {@link Errno} value that later posts return
     */
    public void close(int why) {
        withhold();
        open = false;
        broken = false;
        refusal = why;
    }

    /**
     * Withholds a doorbell that waits for room, because the number will soon no longer belong to this queue. The lock
     * must be held.
     *
     * @return whether a doorbell was waiting, which {@link #restore} then rings after all
     */
    public boolean withhold() {
        return place != null && place.fifo().withhold(bell);
    }

    /** Undoes {@link #withhold}, as the number stays this queue's. The lock must be held. */
    public void restore() {
        place.fifo().restore(bell, place.qpNum());
    }

    /**
     * Resets the queue and drops its number, which may now belong to another. The lock must be held, and no completion
     * queue may know this queue.
     */
    public void reset() {
        close(Errno.EINVAL);
        place = null;
    }

    /** Returns whether requests can be posted. The lock must be held. */
    public boolean isOpen() {
        return open;
    }

    /** Changes the number on the wire. The lock must be held. */
    public void renumber(int qpNum) {
        Place p = place;
        boolean owed = withhold();
        place = new Place(p.address(), p.size(), p.stride(), qpNum, p.remoteKey(), p.fifo());
        if (owed) {
            restore();
        }
    }

    /**
     * Stops passing requests to the device. Returns false if there are none, as nothing can be posted. The lock must be
     * held.
     */
    boolean breaks() {
        withhold();
        broken = open;
        return broken;
    }

    /** Posts a list. Returns 0 or an errno. */
    public int post(SendWorkRequest first, SendWorkRequest[] badWr) {
        if (first != null) {
            boolean asOwner = lock.lock();
            try {
                if (open) {
                    return postOpen(first, badWr);
                }
            } finally {
                lock.unlock(asOwner);
            }
        }
        return BadWr.tell(first, badWr, first == null ? Errno.EINVAL : refusal);
    }

    private int postOpen(SendWorkRequest first, SendWorkRequest[] badWr) {
        SendWorkRequest wr = first;
        int before = posted;
        int next = before;
        int error = 0;
        do {
            error = write(wr, next, false);
            if (error != 0) {
                BadWr.tell(wr, badWr, error);
                break;
            }
            next++;
            wr = wr.next();
        } while (wr != null);
        end(before, next);
        return error;
    }

    /** Posts all requests of a builder, or none. Returns 0 or an errno. */
    public int post(SendBuilder built) {
        boolean asOwner = lock.lock();
        try {
            return open ? postOpen(built) : refusal;
        } finally {
            lock.unlock(asOwner);
        }
    }

    private int postOpen(SendBuilder built) {
        int count = built.count();
        int before = posted;
        for (int i = 0; i < count && count > 1; i++) {
            int refused = write(built, i, before + i, true);
            if (refused != 0) {
                return refused;
            }
        }
        int error = 0;
        int next = before;
        for (int i = 0; i < count && error == 0; i++) {
            error = write(built, i, next, false);
            next += error == 0 ? 1 : 0; // only the first can fail, unless other threads use the builder
        }
        end(before, next);
        return error;
    }

    /** Rings the doorbell for the written requests. */
    private void end(int before, int next) {
        POSTED.setRelease(this, next);
        if (!broken && next != before) {
            place.fifo().ring(bell, place.qpNum(), next & mask);
        }
    }

    /** Describes the rule that an RDMA write breaks, or returns null if none is known. */
    public String broken(SendWorkRequest wr) {
        boolean asOwner = lock.lockOnce();
        try {
            return open
                    ? brokenOpen(wr)
                    : "the card's own programs post to this queue pair; Java can't access its ring";
        } finally {
            lock.unlock(asOwner);
        }
    }

    private String brokenOpen(SendWorkRequest wr) {
        int flags = wr.sendFlags();
        if ((flags & ~FLAGS) != 0) {
            return "sendFlags has " + SendFlags.toString(flags & ~FLAGS)
                    + ", which the device does not support; leave it out";
        }
        if ((flags & SendFlags.INLINE) != 0) {
            return "sendFlags has INLINE, but the device does not support inline data; leave it out";
        }
        if (wr.numSge() > 1) {
            return "sgList has " + wr.numSge() + " elements, but the device's writes take one; post one write for each";
        }
        if (wr.rkey() != place.remoteKey()) {
            return "rkey is 0x" + Integer.toHexString(wr.rkey()) + ", but the key of this connection is 0x"
                    + Integer.toHexString(place.remoteKey());
        }
        ScatterGatherElement e = wr.numSge() == 0 ? null : wr.sgList()[0];
        return e == null
                        || e.length() == 0
                        || regions.translate(e.lkey(), pd, e.addr(), e.length()) != DeviceRegions.NOWHERE
                ? null
                : "sgList[0] is not in memory registered in the queue pair's protection domain with lkey 0x"
                        + Integer.toHexString(e.lkey());
    }

    // ---- one request: validated, and written unless this is a dry run

    private int write(SendWorkRequest wr, int number, boolean dry) {
        ScatterGatherElement[] list = wr.sgList();
        int count = wr.numSge();
        if (count < 0 || count > 1 || count == 1 && (list == null || list.length == 0 || list[0] == null)) {
            return wr.opcode() == WrOpcode.RDMA_WRITE ? Errno.EINVAL : Errno.EOPNOTSUPP;
        }
        if (count == 0) {
            return write(wr.opcode(), wr.sendFlags(), wr.wrId(), wr.rkey(), wr.remoteAddr(), 0, 0, 0, number, dry);
        }
        ScatterGatherElement e = list[0];
        return write(
                wr.opcode(),
                wr.sendFlags(),
                wr.wrId(),
                wr.rkey(),
                wr.remoteAddr(),
                e.lkey(), // read once each, so that the checked values are those written
                e.addr(),
                e.length(),
                number,
                dry);
    }

    private int write(SendBuilder built, int i, int number, boolean dry) {
        int flags = built.sendFlags(i) | (built.isInline(i) ? SendFlags.INLINE : 0);
        if (built.isAddressed(i) || built.isVendorAddressed(i) || built.namesSrq(i) || built.numSge(i) > 1) {
            return built.opcode(i) == WrOpcode.RDMA_WRITE ? Errno.EINVAL : Errno.EOPNOTSUPP;
        }
        boolean some = built.numSge(i) == 1;
        return write(
                built.opcode(i),
                flags,
                built.wrId(i),
                built.rkey(i),
                built.remoteAddr(i),
                some ? built.lkey(i) : 0,
                some ? built.addr(i) : 0,
                some ? built.length(i) : 0,
                number,
                dry);
    }

    private int write(
            int opcode,
            int flags,
            long wrId,
            int rkey,
            long remoteAddr,
            int lkey,
            long addr,
            int length,
            int number,
            boolean dry) {
        if (opcode != WrOpcode.RDMA_WRITE || (flags & ~FLAGS) != 0) {
            return Errno.EOPNOTSUPP;
        }
        if (length < 0 || (flags & SendFlags.INLINE) != 0 || rkey != place.remoteKey()) {
            return Errno.EINVAL; // no inline data, as its limit of 0 says; and a descriptor has no field for a key
        }
        long local = length == 0 ? DeviceRegions.NOWHERE : regions.translate(lkey, pd, addr, length);
        if (length != 0 && local == DeviceRegions.NOWHERE) {
            return Errno.EINVAL;
        }
        if (number - (int) COMPLETED.getAcquire(this) >= mask) {
            return Errno.ENOMEM;
        }
        if (dry) {
            return 0;
        }
        wrIds[number & mask] = wrId;
        if (!broken) {
            SendDescriptor.put(
                    NativeMemory.piece(place.address() + (long) (number & mask) * place.stride()),
                    length == 0 ? SendDescriptor.NOP : SendDescriptor.LINEAR,
                    number & mask,
                    length,
                    local,
                    length == 0 ? 0 : remoteAddr,
                    number,
                    ((flags | implied) & SendFlags.SIGNALED) != 0,
                    (flags & SendFlags.SOLICITED) != 0);
        }
        return 0;
    }

    // ---- completions, under the completion queue's lock

    /** Completes a request and all before it. Returns false if it is not pending. */
    boolean complete(int number, WorkCompletion wc) {
        int before = completed; // written by polling only
        if (Integer.compareUnsigned(number - before, (int) POSTED.getAcquire(this) - before) >= 0) {
            return false;
        }
        wc.wrId(wrIds[number & mask])
                .status(WcStatus.SUCCESS)
                .vendorErr(0)
                .opcode(WcOpcode.RDMA_WRITE)
                .wcFlags(0);
        COMPLETED.setRelease(this, number + 1);
        return true;
    }

    /** Returns whether requests are pending, signaled or not. Needs no lock. */
    boolean isPending() {
        return (int) COMPLETED.getAcquire(this) != (int) POSTED.getAcquire(this);
    }

    /** Checks whether the queue pair has failed, as it has been waiting for a long time. No lock may be held. */
    void doubt() {
        doubt.run();
    }

    /** Sets the {@link WcStatus} and the syndrome that the oldest pending request completes with. */
    void flushBy(int status, int why) {
        reason = status;
        syndrome = why;
        flushes = true;
    }

    /** Completes the oldest pending request of a failed queue pair. Returns false if none is pending. */
    boolean flush(WorkCompletion wc) {
        int number = completed;
        if (number == (int) POSTED.getAcquire(this)) {
            return false;
        }
        wc.qpNum(place.qpNum())
                .wrId(wrIds[number & mask])
                .status(reason)
                .vendorErr(syndrome)
                .opcode(WcOpcode.RDMA_WRITE)
                .wcFlags(0);
        reason = WcStatus.WR_FLUSH_ERR;
        syndrome = 0;
        COMPLETED.setRelease(this, number + 1);
        return true;
    }

    /** Returns the current number on the wire; 0 if there is none. */
    public int qpNum() {
        return place == null ? 0 : place.qpNum();
    }
}
