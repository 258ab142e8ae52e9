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
 * A send queue in host memory, written in Java: lists of work requests, and what builders have gathered. What the device has are writes of one
 * piece of memory; a write of no bytes is one that does nothing. All of a list go by one doorbell.
 *
 * <p>A request is numbered from 0 on; its place is the number without the upper bits, and its descriptor's tag is the number. The device
 * completes requests in order, so a completion tells of all before it. The ring holds one less than it has places: a full one would look
 * like an empty one to the device.
 *
 * <p>A queue pair that breaks tells it by an event alone, or if it is asked. From when that is read on, what is pending completes here: the oldest with the
 * reason, the others as flushed, and what is posted still as well. Where what failed comes behind requests without completions, the
 * reason is told of the oldest of these, as nothing says which it was.
 */
public final class SendRing {
    /** Where a ring is, and what goes with it, from when the queue pair is ready to send on. */
    public record Place(
            /* Address of the first descriptor. */ long address,
            /* How many there are, a power of two. */ int size,
            /* How many bytes apart they lie. */ int stride,
            /* The number on the wire. */ int qpNum,
            /* The key that the queue pair writes with. */ int remoteKey,
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

    private boolean open; // this and what follows is changed with the lock
    private int refusal = Errno.EINVAL; // where it is not open
    private boolean broken;
    private Place place;
    private long[] wrIds = {};
    private int mask;
    private int posted; // seen by who polls, where the device does not say it

    @SuppressWarnings("unused") // through COMPLETED
    private int completed; // of who polls

    private int reason; // of the oldest that is pending, with the lock of the completion queue; and so is what follows
    private int syndrome;
    SendRing nextBroken;
    boolean flushes;

    /**
     * A queue that nothing can be posted to yet.
     *
     * @param pd the base of the domain that memory must be of
     * @param signalAll whether each request has a completion
     * @param doubt asks the device whether the queue pair is broken, and acts on it
     */
    public SendRing(ProtectionDomain pd, DeviceRegions regions, boolean signalAll, RingLock lock, Runnable doubt) {
        this.pd = pd;
        this.regions = regions;
        this.lock = lock;
        this.doubt = doubt;
        implied = signalAll ? SendFlags.SIGNALED : 0;
    }

    /** Begins anew, with nothing pending. The lock is held, and no completion is of it any more. */
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
     * Nothing can be posted from now on. The lock is held.
     *
     * @param why what posts are answered, an {@link Errno} value
     */
    public void close(int why) {
        withhold();
        open = false;
        broken = false;
        refusal = why;
    }

    /**
     * What the device was not told yet, for want of room, it is not told: soon the number is no longer this queue's. The lock is held.
     *
     * @return whether there was something, which {@link #restore} tells after all
     */
    public boolean withhold() {
        return place != null && place.fifo().withhold(bell);
    }

    /** The number stays this queue's. The lock is held. */
    public void restore() {
        place.fifo().restore(bell, place.qpNum());
    }

    /** It is in RESET: nothing here is of a number that may be another's now. The lock is held, and no completion queue knows it. */
    public void reset() {
        close(Errno.EINVAL);
        place = null;
    }

    /** Whether requests can be posted. The lock is held. */
    public boolean isOpen() {
        return open;
    }

    /** The queue pair has another number on the wire from now on. The lock is held. */
    public void renumber(int qpNum) {
        Place p = place;
        boolean owed = withhold();
        place = new Place(p.address(), p.size(), p.stride(), qpNum, p.remoteKey(), p.fifo());
        if (owed) {
            restore();
        }
    }

    /** Requests no longer go to the device; false where there are none, as nothing can be posted. The lock is held. */
    boolean breaks() {
        withhold();
        broken = open;
        return broken;
    }

    /** Posts a list; 0 or an errno. */
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

    /** Posts what a builder has gathered: all, or nothing; 0 or an errno. */
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
            next += error == 0 ? 1 : 0; // the first one is refused, or somebody else uses the builder, too
        }
        end(before, next);
        return error;
    }

    /** Rings for what was written. */
    private void end(int before, int next) {
        POSTED.setRelease(this, next);
        if (!broken && next != before) {
            place.fifo().ring(bell, place.qpNum(), next & mask);
        }
    }

    /** Which rule an RDMA write breaks, in words; null where none is known. */
    public String broken(SendWorkRequest wr) {
        boolean asOwner = lock.lockOnce();
        try {
            return open
                    ? brokenOpen(wr)
                    : "the card's own programs post to this queue pair: Java does not see its ring";
        } finally {
            lock.unlock(asOwner);
        }
    }

    private String brokenOpen(SendWorkRequest wr) {
        int flags = wr.sendFlags();
        if ((flags & ~FLAGS) != 0) {
            return "sendFlags has " + SendFlags.toString(flags & ~FLAGS)
                    + ", which the device does not know; leave it out";
        }
        if ((flags & SendFlags.INLINE) != 0) {
            return "INLINE is among sendFlags, but the device has no inline data; leave it out";
        }
        if (wr.numSge() > 1) {
            return "sgList has " + wr.numSge() + " elements, but a write of the device takes one; post one for each";
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
                : "sgList[0] is not in memory that is registered, in the queue pair's domain, under its lkey 0x"
                        + Integer.toHexString(e.lkey());
    }

    // ---- one request: looked at, and written unless that is all

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
                e.lkey(), // each once: what is checked is what is written
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
            return Errno.EINVAL; // no inline data, as its limit says; and a descriptor has no key
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

    // ---- completions, with the lock of the completion queue

    /** Takes note that a request and all before it are complete; false where it is none that is pending. */
    boolean complete(int number, WorkCompletion wc) {
        int before = completed; // changed by who polls alone
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

    /** Whether requests wait for a completion, or for one behind them. No lock is needed. */
    boolean isPending() {
        return (int) COMPLETED.getAcquire(this) != (int) POSTED.getAcquire(this);
    }

    /** It waits for long: perhaps the queue pair is broken. No lock is held. */
    void doubt() {
        doubt.run();
    }

    /** What the oldest that is pending is told of, {@link WcStatus}, and the syndrome. */
    void flushBy(int status, int why) {
        reason = status;
        syndrome = why;
        flushes = true;
    }

    /** Completes the oldest that is pending, of a queue pair that is broken; false where none is. */
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

    /** The number on the wire that it was opened with, or has got since; 0 where it has none. */
    public int qpNum() {
        return place == null ? 0 : place.qpNum();
    }
}
