/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.SendFlags;
import io.verbs4j.VerbsException;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.mlx5.Mlx5QueuePair;
import io.verbs4j.provider.mlx5.ring.SendElements;
import io.verbs4j.provider.mlx5.ring.SendQueue;
import io.verbs4j.provider.mlx5.ring.SendRing;
import io.verbs4j.provider.mlx5.ring.Transport;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Posts to a queue pair without a work request object: each call writes its part of the work queue element to the device's ring
 * at once. The fastest way in, and the only one to a DCI.
 *
 * <pre>
 * builder.start();
 * builder.write(1, SendFlags.SIGNALED, rkey, remoteAddr).sge(lkey, addr, length);
 * builder.send(2, SendFlags.SIGNALED).inlineData(lkey, addr, 12);
 * int errno = builder.complete();
 * </pre>
 *
 * <p>What {@link #complete} posts is all or nothing: with an error none of the requests since {@link #start} is posted. Nothing is
 * allocated, and nothing throws; an error is remembered until {@code complete}.
 *
 * <p>From {@code start} to {@code complete} or {@link #abort} the thread has the queue pair's send queue to itself: other threads that
 * post wait, and this thread can neither post otherwise (EINVAL, or {@link IllegalStateException} from {@code postSend}) nor modify
 * or destroy the queue pair ({@link Errno#EBUSY}). A queue pair has one builder, which any thread may start. Source: ibv_wr_post(3),
 * mlx5dv_wr_post(3).
 */
public final class SendBuilder {
    private static final VarHandle BEGUN;

    static {
        try {
            BEGUN = MethodHandles.lookup().findVarHandle(SendBuilder.class, "begun", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SendQueue queue;
    private final SendRing ring;
    private Thread thread; // which builds, or built last

    @SuppressWarnings("UnusedVariable") // through BEGUN
    private boolean begun;

    private int error;

    // The element that is being written; at is 0 where there is none. What is rarely used is put back at its end, not
    // at every beginning.
    private long at;
    private long seg;
    private int operation;
    private int elements;
    private boolean unaddressed;
    private int inlined;
    private long inlineTo;

    private SendBuilder(SendQueue queue) {
        this.queue = queue;
        this.ring = queue.ring();
    }

    /**
     * A builder of a queue pair. Make one and keep it.
     *
     * @param qp a queue pair of the provider mlx5, which Java posts to
     * @return its builder
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for one of another provider, or where libmlx5 posts
     */
    public static SendBuilder of(QueuePair qp) {
        if (qp instanceof Mlx5QueuePair own) {
            return new SendBuilder(own.sends);
        }
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "wr_start",
                "a builder needs a queue pair of the provider mlx5 that Java posts to (-Dio.verbs4j.mlx5.path=java)");
    }

    /** Begins a batch. A second start in a row, before {@link #complete}, makes that answer {@link Errno#EINVAL}. */
    public void start() {
        if (isMine()) {
            fail();
            return;
        }
        if (queue.begin()) {
            if (thread != Thread.currentThread()) {
                thread = Thread.currentThread();
            }
            error = 0;
            BEGUN.setRelease(this, true);
        }
    }

    /**
     * Posts what was built.
     *
     * @return 0, or the first error: {@link Errno#EINVAL} also where nothing can be posted in the queue pair's state, or start
     *     was not called; {@link Errno#ENOMEM} where the queue is full; {@link Errno#EOPNOTSUPP} for operations that
     *     type or device have not, or that were not named where the queue pair was made
     */
    public int complete() {
        if (!isMine()) {
            return Errno.EINVAL;
        }
        finish();
        int result = error;
        leave(result == 0);
        return result;
    }

    /** Forgets what was built since {@link #start}. */
    public void abort() {
        if (isMine()) {
            fail(0);
            leave(false);
        }
    }

    private void leave(boolean posts) {
        BEGUN.setRelease(this, false);
        queue.end(posts);
    }

    /** Whether the calling thread builds. The order of the two looks keeps another's start from being taken for one of our own. */
    private boolean isMine() {
        return (boolean) BEGUN.getAcquire(this) && thread == Thread.currentThread();
    }

    // ---- requests with one element, in one call each

    /**
     * An RDMA write of one element: {@link #write(long, int, int, long)} and {@link #sge} in one.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags of {@link SendFlags}; INLINE means nothing here
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @param lkey of the memory
     * @param addr of the memory
     * @param length in bytes
     * @return this
     */
    public SendBuilder write(long wrId, int sendFlags, int rkey, long remoteAddr, int lkey, long addr, int length) {
        return whole(WrOpcode.RDMA_WRITE, wrId, sendFlags, rkey, remoteAddr, lkey, addr, length)
                ? this
                : write(wrId, sendFlags, rkey, remoteAddr).sge(lkey, addr, length);
    }

    /**
     * An RDMA read to one element.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags of {@link SendFlags}; INLINE means nothing here
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @param lkey of the memory
     * @param addr of the memory
     * @param length in bytes
     * @return this
     */
    public SendBuilder read(long wrId, int sendFlags, int rkey, long remoteAddr, int lkey, long addr, int length) {
        return whole(WrOpcode.RDMA_READ, wrId, sendFlags, rkey, remoteAddr, lkey, addr, length)
                ? this
                : read(wrId, sendFlags, rkey, remoteAddr).sge(lkey, addr, length);
    }

    /**
     * A send of one element.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags of {@link SendFlags}; INLINE means nothing here
     * @param lkey of the memory
     * @param addr of the memory
     * @param length in bytes
     * @return this
     */
    public SendBuilder send(long wrId, int sendFlags, int lkey, long addr, int length) {
        return whole(WrOpcode.SEND, wrId, sendFlags, 0, 0, lkey, addr, length)
                ? this
                : send(wrId, sendFlags).sge(lkey, addr, length);
    }

    private boolean whole(
            int opcode, long wrId, int sendFlags, int rkey, long remoteAddr, int lkey, long addr, int length) {
        if (!isMine()) {
            return true; // nothing is built
        }
        if (at != 0) {
            finish();
        }
        return error == 0 && ring.simple(opcode, wrId, sendFlags, rkey, remoteAddr, lkey, addr, length);
    }

    // ---- a request each; then what it is made of

    /**
     * An RDMA write.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags of {@link SendFlags}; INLINE means nothing here
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @return this
     */
    public SendBuilder write(long wrId, int sendFlags, int rkey, long remoteAddr) {
        if (begin(WrOpcode.RDMA_WRITE, wrId, sendFlags, 0)) {
            seg = ring.remote(seg, remoteAddr, rkey);
        }
        return this;
    }

    /**
     * As {@link #write}, with immediate data that use up a receive.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags of {@link SendFlags}; INLINE means nothing here
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @param immData that the completion of the receive holds
     * @return this
     */
    public SendBuilder writeWithImm(long wrId, int sendFlags, int rkey, long remoteAddr, int immData) {
        if (begin(WrOpcode.RDMA_WRITE_WITH_IMM, wrId, sendFlags, immData)) {
            seg = ring.remote(seg, remoteAddr, rkey);
        }
        return this;
    }

    /**
     * An RDMA read.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags of {@link SendFlags}; INLINE means nothing here
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @return this
     */
    public SendBuilder read(long wrId, int sendFlags, int rkey, long remoteAddr) {
        if (begin(WrOpcode.RDMA_READ, wrId, sendFlags, 0)) {
            seg = ring.remote(seg, remoteAddr, rkey);
        }
        return this;
    }

    /**
     * A send.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags of {@link SendFlags}; INLINE means nothing here
     * @return this
     */
    public SendBuilder send(long wrId, int sendFlags) {
        begin(WrOpcode.SEND, wrId, sendFlags, 0);
        return this;
    }

    /**
     * A send with immediate data.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags of {@link SendFlags}; INLINE means nothing here
     * @param immData that the completion of the receive holds
     * @return this
     */
    public SendBuilder sendWithImm(long wrId, int sendFlags, int immData) {
        begin(WrOpcode.SEND_WITH_IMM, wrId, sendFlags, immData);
        return this;
    }

    /**
     * An atomic compare and swap of 8 bytes, which come back to the one element of 8 bytes.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags of {@link SendFlags}; INLINE means nothing here
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @param compare what the bytes must be
     * @param swap what they become then
     * @return this
     */
    public SendBuilder atomicCompareSwap(long wrId, int sendFlags, int rkey, long remoteAddr, long compare, long swap) {
        if (begin(WrOpcode.ATOMIC_CMP_AND_SWP, wrId, sendFlags, 0)) {
            seg = ring.swap(ring.remote(seg, remoteAddr, rkey), swap, compare);
        }
        return this;
    }

    /**
     * An atomic fetch and add of 8 bytes, which come back to the one element of 8 bytes.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags of {@link SendFlags}; INLINE means nothing here
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @param add what is added
     * @return this
     */
    public SendBuilder atomicFetchAdd(long wrId, int sendFlags, int rkey, long remoteAddr, long add) {
        if (begin(WrOpcode.ATOMIC_FETCH_AND_ADD, wrId, sendFlags, 0)) {
            seg = ring.add(ring.remote(seg, remoteAddr, rkey), add);
        }
        return this;
    }

    private boolean begin(int opcode, long wrId, int sendFlags, int immediate) {
        if (!isMine()) {
            return false;
        }
        finish();
        int refused = error != 0 ? error : ring.isFull() ? Errno.ENOMEM : ring.refusal(opcode, sendFlags);
        if (refused != 0) {
            fail(refused);
            return false;
        }
        at = ring.open(wrId, sendFlags, immediate);
        seg = ring.afterTransport(at);
        operation = SendElements.operation(opcode);
        elements = 0;
        unaddressed = ring.isAddressed();
        return true;
    }

    /**
     * An element of the request's data; more follow by more calls, up to the queue pair's number.
     *
     * @param lkey of the memory
     * @param addr of the memory
     * @param length in bytes; an element of 0 is left out
     * @return this
     */
    public SendBuilder sge(int lkey, long addr, int length) {
        if (isOpen()) {
            int count = elements + 1;
            if (count > ring.maxSge() || inlineTo != 0 || length < 0) {
                fail();
            } else {
                elements = count;
                seg = ring.data(seg, lkey, addr, length);
            }
        }
        return this;
    }

    /**
     * Data that are copied into the request now; more follow by more calls, up to the queue pair's size.
     *
     * @param lkey of the memory, which must be registered: a wrong address must not end the JVM
     * @param addr of the memory
     * @param length in bytes
     * @return this
     */
    public SendBuilder inlineData(int lkey, long addr, int length) {
        if (isOpen()) {
            long to = inlineTo == 0 ? seg + Integer.BYTES : inlineTo;
            to = elements != 0 ? 0 : ring.copyIn(to, lkey, addr, length, ring.maxInline() - inlined);
            if (to == 0) {
                fail();
            } else {
                inlineTo = to;
                inlined += length;
            }
        }
        return this;
    }

    /**
     * Where a UD queue pair's send goes.
     *
     * @param ah address handle of the queue pair's protection domain
     * @param remoteQpn number of the remote queue pair, 24 bits
     * @param remoteQkey its Q_Key
     * @return this
     */
    public SendBuilder udAddr(AddressHandle ah, int remoteQpn, int remoteQkey) {
        return address(Transport.UD, ah, remoteQpn, (long) remoteQkey << 32);
    }

    /**
     * Where a DCI's request goes. Source: mlx5dv_wr_set_dc_addr(3).
     *
     * @param ah address handle of the queue pair's protection domain
     * @param remoteDctn number of the remote DCT, 24 bits
     * @param dcAccessKey its access key
     * @return this
     */
    public SendBuilder dcAddr(AddressHandle ah, int remoteDctn, long dcAccessKey) {
        return address(Transport.DCI, ah, remoteDctn, dcAccessKey);
    }

    private SendBuilder address(Transport transport, AddressHandle ah, int remoteNum, long key) {
        if (isOpen()) {
            if (ring.transport() == transport && ring.vector(at, ah, remoteNum, key) == 0) {
                unaddressed = false;
            } else {
                fail();
            }
        }
        return this;
    }

    /**
     * The shared receive queue that a request of type XRC_SEND uses.
     *
     * @param remoteSrqn its number, 24 bits
     * @return this
     */
    public SendBuilder xrcSrqn(int remoteSrqn) {
        if (isOpen()) {
            if (ring.transport() == Transport.XRC) {
                ring.srqNum(at, remoteSrqn);
                unaddressed = false;
            } else {
                fail();
            }
        }
        return this;
    }

    /** Whether a request is being written; else what would belong to it is an error. */
    private boolean isOpen() {
        if (!isMine()) {
            return false;
        }
        if (at == 0 && error == 0) {
            error = Errno.EINVAL;
        }
        return at != 0;
    }

    /** Remembers that the request is wrong; nothing more is written before the next start. */
    private void fail() {
        fail(Errno.EINVAL);
    }

    private void fail(int errno) {
        error = errno;
        at = 0;
        inlineTo = 0;
        inlined = 0;
    }

    /** Ends the request that is being written. */
    private void finish() {
        if (at != 0) {
            if (unaddressed) {
                fail();
                return;
            }
            long to = seg;
            if (inlineTo != 0) {
                to = ring.endInline(to, inlined);
                inlineTo = 0;
                inlined = 0;
            }
            ring.close(at, to, operation);
            at = 0;
        }
    }
}
