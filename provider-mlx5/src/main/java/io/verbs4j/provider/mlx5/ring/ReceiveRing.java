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
 * A receive queue that Java writes: elements of one size, each a list of data segments terminated by an invalid key.
 * The lock is held during posts.
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
    private int enabled; // if managed: the number of receives that others have enabled

    @SuppressWarnings("unused") // accessed through TAIL
    private int tail;

    /** Creates a queue over memory shared with the device. */
    public ReceiveRing(long buf, int count, int stride, long dbrec, int maxPost, int maxSge) {
        this(buf, count, stride, dbrec, maxPost, maxSge, maxSge);
    }

    /** Creates a queue whose elements have room for more segments than may be posted. */
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

    /** Posts a list; returns 0 or an errno. */
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
     * Sets whether posted receives are withheld from the device, which would otherwise take them before the queue pair
     * should. When that ends, the device learns of those posted meanwhile. The lock is held.
     */
    public void hold(boolean value) {
        held = value;
        if (!value) {
            NativeMemory.putIntRelease(record, NativeMemory.fromNetwork(head & 0xffff));
        }
    }

    /** From now on, receives are used only when another queue pair enables them. Called before anything is posted. */
    public void manage() {
        managed = true;
    }

    /** Returns the number of receives enabled since RESET. The lock is held. */
    public int enabled() {
        return enabled;
    }

    /**
     * Enables a number of further receives, where 0 stands for all that are posted; returns false if there are not that
     * many. The lock is held.
     */
    public boolean enable(int count) {
        if (count < 0 || count > head - enabled) {
            return false;
        }
        enabled = count == 0 ? head : enabled + count;
        return true;
    }

    /** Goes back to an earlier value of {@link #enabled()}. The lock is held. */
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
     * Writes the data segments of a receive; returns false if the request is invalid.
     *
     * @param room number of segments that an element has room for
     * @param skipEmpty whether to leave out elements of length 0; a shared receive queue keeps them, as in libmlx5
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

    /** Completes the oldest receive and returns its id. The completion queue's lock is held. */
    long complete(int counter) {
        long wrId = wrIds[counter & mask];
        TAIL.setRelease(this, tail + 1); // changed only under that lock
        return wrId;
    }

    /** Returns the address of an element. */
    long elementAt(int counter) {
        return NativeMemory.piece(buf + (long) (counter & mask) * stride);
    }

    /** Returns the maximum number of data segments of an element. */
    int maxSge() {
        return maxSge;
    }

    /** Resets the queue after the queue pair moved to RESET. The lock is held. */
    public void reset() {
        NativeMemory.putIntRelease(record, 0); // libmlx5 does so too, but not for DevX
        head = 0;
        enabled = 0;
        tailSeen = 0;
        TAIL.setRelease(this, 0);
    }
}
