/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.object.BadWr;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A receive queue, written in Java: elements of one size, each a list of data segments that an invalid key ends. The lock is held
 * by whoever posts.
 */
public final class ReceiveRing {
    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(ReceiveRing.class, "tail", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long buf;
    private final int mask;
    private final int stride;
    private final long record;
    private final int maxPost;
    private final int maxSge;
    private final int room;
    private final long[] wrIds;
    private int head;
    private int tailSeen;
    private boolean managed;
    private boolean held;
    private int enabled; // of a managed one: how many others have let be used

    @SuppressWarnings("unused") // through TAIL
    private int tail;

    /** A queue over memory that the device shares. */
    public ReceiveRing(long buf, int count, int stride, long dbrec, int maxPost, int maxSge) {
        this(buf, count, stride, dbrec, maxPost, maxSge, maxSge);
    }

    /** As that, where elements have room for more segments than may be posted. */
    public ReceiveRing(long buf, int count, int stride, long dbrec, int maxPost, int maxSge, int room) {
        this.buf = buf;
        this.mask = count - 1;
        this.stride = stride;
        this.record = dbrec + Wqe.RECV_RECORD;
        this.maxPost = maxPost;
        this.maxSge = maxSge;
        this.room = room;
        this.wrIds = new long[count];
    }

    /** Posts a list; 0 or an errno. */
    public int post(RecvWorkRequest first, RecvWorkRequest[] badWr) {
        RecvWorkRequest wr = first;
        int n = 0;
        int error = 0;
        while (wr != null) {
            int index = head + n & mask;
            if (isFull(head + n)) {
                error = Errno.ENOMEM;
            } else if (!write(buf + (long) index * stride, wr, maxSge, room, true)) {
                error = Errno.EINVAL;
            }
            if (error != 0) {
                BadWr.tell(wr, badWr, error);
                break;
            }
            wrIds[index] = wr.wrId();
            n++;
            wr = wr.next();
        }
        if (n != 0) {
            head += n;
            if (!managed && !held) {
                NativeMemory.putIntRelease(record, NativeMemory.fromNetwork(head & 0xffff));
            }
        }
        return error;
    }

    /**
     * Whether the device is to know of no receives so far: where its queue takes them before the queue pair should.
     * Afterwards it is told of those that were posted. The lock is held.
     */
    public void hold(boolean value) {
        held = value;
        if (!value) {
            NativeMemory.putIntRelease(record, NativeMemory.fromNetwork(head & 0xffff));
        }
    }

    /** From now on receives can be used when another queue pair lets them. Nothing is posted yet. */
    public void manage() {
        managed = true;
    }

    /** How many may be used, since RESET. The lock is held. */
    public int enabled() {
        return enabled;
    }

    /** Lets so many more be used, or with 0 all that are posted; false where there are not so many. The lock is held. */
    public boolean enable(int count) {
        if (count < 0 || count > head - enabled) {
            return false;
        }
        enabled = count == 0 ? head : enabled + count;
        return true;
    }

    /** Goes back to what {@link #enabled()} was. The lock is held. */
    public void enabledAgain(int value) {
        enabled = value;
    }

    private boolean isFull(int next) {
        if (next - tailSeen >= maxPost) {
            tailSeen = (int) TAIL.getAcquire(this);
        }
        return next - tailSeen >= maxPost;
    }

    /**
     * Writes the data segments of a receive.
     *
     * @param room how many an element has room for
     * @param skipEmpty whether elements of no length are left out; in a shared receive queue they stay, as libmlx5 has it
     */
    static boolean write(long at, RecvWorkRequest wr, int maxSge, int room, boolean skipEmpty) {
        int count = wr.numSge();
        ScatterGatherElement[] list = wr.sgList();
        if (count < 0 || count > maxSge || count != 0 && (list == null || list.length < count)) {
            return false;
        }
        long to = at;
        for (int i = 0; i < count; i++) {
            ScatterGatherElement e = list[i];
            if (e == null) {
                return false;
            }
            int length = e.length();
            if (length < 0) {
                return false;
            }
            if (length != 0 || !skipEmpty) {
                NativeMemory.putNetLong(to, Wqe.words(length, e.lkey()));
                NativeMemory.putNetLong(to + Long.BYTES, e.addr());
                to += Wqe.SEGMENT;
            }
        }
        if (to < at + (long) room * Wqe.SEGMENT) {
            NativeMemory.putNetLong(to, Wqe.words(0, Wqe.INVALID_LKEY));
            NativeMemory.putLong(to + Long.BYTES, 0);
        }
        return true;
    }

    /** The id of the receive that is complete, the oldest. The completion queue's lock is held. */
    long complete(int counter) {
        long wrId = wrIds[counter & mask];
        TAIL.setRelease(this, tail + 1); // changed under that lock alone
        return wrId;
    }

    /** Where an element is. */
    long elementAt(int counter) {
        return NativeMemory.piece(buf + (long) (counter & mask) * stride);
    }

    /** How many data segments an element has at most. */
    int maxSge() {
        return maxSge;
    }

    /** The queue pair went to RESET. The lock is held. */
    public void reset() {
        NativeMemory.putIntRelease(record, 0); // libmlx5 does so too, but not for DevX
        head = 0;
        enabled = 0;
        tailSeen = 0;
        TAIL.setRelease(this, 0);
    }
}
