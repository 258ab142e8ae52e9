/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Collects send work requests without an object for each, and posts them together. This is the fastest way to post, and
 * the only one for transports whose address does not fit a {@link SendWorkRequest}. Get one from
 * {@link QueuePair#builder()} and keep it.
 *
 * <pre>
 * builder.start();
 * builder.write(1, SendFlags.SIGNALED, rkey, remoteAddr, lkey, addr, length); // a whole request
 * builder.send(2, SendFlags.SIGNALED).inlineData(lkey, addr, 12);            // or piece by piece
 * int errno = builder.complete();
 * </pre>
 *
 * <p>No method throws, and a builder allocates only when a batch is larger than any before it. An error is remembered
 * until {@link #complete}. Between {@code start} and {@code complete} the builder holds no lock: other threads can post
 * meanwhile, and their requests come first. A queue pair may have several builders. A builder belongs to one thread at
 * a time.
 *
 * <p>{@link SendFlags#INLINE} in the flags of a request makes {@code complete} return {@link Errno#EINVAL}: data given
 * to {@link #inlineData} is inline, and an element of {@link #sge} is never copied.
 *
 * <p>The builder keeps the requests in its own memory until {@code complete}, which calls the provider once for all of
 * them. Only then is the memory they refer to read: inline data is copied then, and an address handle must stay open
 * until then.
 *
 * <p>Programs need only the methods of this class. Those of {@link BuiltRequests} are for providers, which read the
 * collected requests.
 *
 * <p>Since level 3. Source: {@code ibv_wr_post(3)}; each method names its function there.
 */
// Longer than 500 lines because a frozen API has one class for the builder, with a documented method for each operation
// and address.
// More than 30 public methods because each operation of a queue pair is one, and the API is frozen.
public final class SendBuilder extends BuiltRequests {
    private static final long UPPER = 0xffff_ffff_0000_0000L;
    private static final long LOWER = 0xffff_ffffL;

    /** Bits of {@link QpType} whose requests carry no address. */
    private static final int CONNECTED = 1 << QpType.RC | 1 << QpType.UC | 1 << QpType.XRC_SEND | 1 << QpType.XRC_RECV;

    private final QueuePair qp;
    private final BuiltList list = new BuiltList(this);
    private int posted;

    SendBuilder(QueuePair qp) {
        this.qp = qp;
    }

    /**
     * Starts a batch. A second start in a row, before {@link #complete} or {@link #abort}, makes {@code complete}
     * return {@link Errno#EINVAL}. Source: {@code ibv_wr_start}.
     */
    public void start() {
        if (next == OUT) {
            next = 0;
        } else {
            fail(Errno.EINVAL);
        }
    }

    /**
     * Posts the requests collected since {@link #start}. Source: {@code ibv_wr_complete}.
     *
     * <p>All or nothing: on an error no request is posted, no data is copied, and no key has changed. This holds on the
     * embedded device, and on mlx5, EFA and Gaudi devices whose rings are written in Java: on every provider that
     * overrides {@link QueuePair#postBuilt}. For other providers, including those older than the builder, the requests
     * are posted as a list of work requests: those before the rejected one are posted, and {@link #posted()} returns
     * their number. A list cannot express {@link #vendorAddr}, which is rejected before anything is posted.
     *
     * @return 0, even if no request was collected; or the first error: {@link Errno#EINVAL} for a call in the wrong
     *     order, and if {@link #start} was not called; {@link Errno#ENOMEM} if the queue is full; otherwise as
     *     {@link QueuePair#postSend(SendWorkRequest)}
     */
    public int complete() {
        int count = next;
        int result;
        if (count >= OUT) {
            result = error == 0 ? Errno.EINVAL : error;
            abort();
        } else {
            result = post(count);
        }
        int taken = result == 0 ? count >>> ROW : list.takeTaken();
        if (posted != taken) {
            posted = taken;
        }
        return result;
    }

    private int post(int count) {
        try {
            if (count == 0) {
                return 0;
            }
            int result = qp.postBuilt(this);
            return result == -Errno.EOPNOTSUPP ? list.post(qp) : result;
        } finally {
            next = OUT;
            if (isLittered()) {
                forget();
            }
        }
    }

    /** Discards the requests collected since {@link #start}. Source: {@code ibv_wr_abort}. */
    public void abort() {
        error = 0;
        next = OUT;
        if (isLittered()) {
            forget();
        }
    }

    /** Drops the references to the program's objects. */
    private void forget() {
        clearMore();
        list.forget();
    }

    /**
     * {@return the number of requests that the last {@link #complete} posted: all of them, or on an error those before
     * the rejected one, or none}
     */
    public int posted() {
        return posted;
    }

    /** {@return the queue pair that it posts to} */
    public QueuePair qp() {
        return qp;
    }

    // ---- requests with one element, in one call each

    /**
     * Adds an RDMA write of one element: {@link #write(long, int, int, long)} and {@link #sge} in one call. Source:
     * {@code ibv_wr_rdma_write}, {@code ibv_wr_post(3)}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param rkey remote key of the peer's memory
     * @param remoteAddr address in the peer's memory
     * @param lkey local key of the memory
     * @param addr address of the memory
     * @param length length in bytes
     * @return this
     */
    public SendBuilder write(long wrId, int sendFlags, int rkey, long remoteAddr, int lkey, long addr, int length) {
        whole(WrOpcode.RDMA_WRITE, wrId, sendFlags, remoteAddr, rkey, lkey, addr, length);
        return this;
    }

    /**
     * Adds an RDMA read to one element. Source: {@code ibv_wr_rdma_read}, {@code ibv_wr_post(3)}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param rkey remote key of the peer's memory
     * @param remoteAddr address in the peer's memory
     * @param lkey local key of the memory
     * @param addr address of the memory
     * @param length length in bytes
     * @return this
     */
    public SendBuilder read(long wrId, int sendFlags, int rkey, long remoteAddr, int lkey, long addr, int length) {
        whole(WrOpcode.RDMA_READ, wrId, sendFlags, remoteAddr, rkey, lkey, addr, length);
        return this;
    }

    /**
     * Adds a send of one element. Source: {@code ibv_wr_send}, {@code ibv_wr_post(3)}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param lkey local key of the memory
     * @param addr address of the memory
     * @param length length in bytes
     * @return this
     */
    public SendBuilder send(long wrId, int sendFlags, int lkey, long addr, int length) {
        whole(WrOpcode.SEND, wrId, sendFlags, 0, 0, lkey, addr, length);
        return this;
    }

    // ---- a request each, whose parts follow in further calls

    /**
     * Adds an RDMA write. Source: {@code ibv_wr_rdma_write}, {@code ibv_wr_post(3)}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param rkey remote key of the peer's memory
     * @param remoteAddr address in the peer's memory
     * @return this
     */
    public SendBuilder write(long wrId, int sendFlags, int rkey, long remoteAddr) {
        begin(WrOpcode.RDMA_WRITE, wrId, sendFlags, remoteAddr, (long) rkey << 32);
        return this;
    }

    /**
     * Adds an RDMA write with immediate data, which consumes a receive of the peer. Source:
     * {@code ibv_wr_rdma_write_imm}, {@code ibv_wr_post(3)}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param rkey remote key of the peer's memory
     * @param remoteAddr address in the peer's memory
     * @param immData immediate data, which the completion of the receive carries
     * @return this
     */
    public SendBuilder writeWithImm(long wrId, int sendFlags, int rkey, long remoteAddr, int immData) {
        begin(WrOpcode.RDMA_WRITE_WITH_IMM, wrId, sendFlags, remoteAddr, pair(rkey, immData));
        return this;
    }

    /**
     * Adds an RDMA read. Source: {@code ibv_wr_rdma_read}, {@code ibv_wr_post(3)}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param rkey remote key of the peer's memory
     * @param remoteAddr address in the peer's memory
     * @return this
     */
    public SendBuilder read(long wrId, int sendFlags, int rkey, long remoteAddr) {
        begin(WrOpcode.RDMA_READ, wrId, sendFlags, remoteAddr, (long) rkey << 32);
        return this;
    }

    /**
     * Adds an RDMA read to fast-registered memory, whose key is invalidated once the data has arrived. C has it only in
     * the kernel: {@code IB_WR_RDMA_READ_WITH_INV}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param rkey remote key of the peer's memory
     * @param remoteAddr address in the peer's memory
     * @return this
     */
    public SendBuilder readWithInv(long wrId, int sendFlags, int rkey, long remoteAddr) {
        begin(WrOpcode.RDMA_READ_WITH_INV, wrId, sendFlags, remoteAddr, (long) rkey << 32);
        return this;
    }

    /**
     * Adds a send. Source: {@code ibv_wr_send}, {@code ibv_wr_post(3)}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @return this
     */
    public SendBuilder send(long wrId, int sendFlags) {
        begin(WrOpcode.SEND, wrId, sendFlags, 0, 0);
        return this;
    }

    /**
     * Adds a send with immediate data. Source: {@code ibv_wr_send_imm}, {@code ibv_wr_post(3)}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param immData immediate data, which the completion of the receive carries
     * @return this
     */
    public SendBuilder sendWithImm(long wrId, int sendFlags, int immData) {
        begin(WrOpcode.SEND_WITH_IMM, wrId, sendFlags, 0, pair(0, immData));
        return this;
    }

    /**
     * Adds a send that invalidates a remote key of the peer. Source: {@code ibv_wr_send_inv}, {@code ibv_wr_post(3)}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param invalidateRkey the peer's key
     * @return this
     */
    public SendBuilder sendWithInv(long wrId, int sendFlags, int invalidateRkey) {
        begin(WrOpcode.SEND_WITH_INV, wrId, sendFlags, 0, pair(0, invalidateRkey));
        return this;
    }

    /**
     * Adds an atomic compare and swap of 8 bytes, whose former value is written to the only element, of 8 bytes.
     * Source: {@code ibv_wr_atomic_cmp_swp}, {@code ibv_wr_post(3)}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param rkey remote key of the peer's memory
     * @param remoteAddr address in the peer's memory
     * @param compare value that the bytes must have
     * @param swap value that replaces it
     * @return this
     */
    public SendBuilder atomicCompareSwap(long wrId, int sendFlags, int rkey, long remoteAddr, long compare, long swap) {
        atomic(WrOpcode.ATOMIC_CMP_AND_SWP, wrId, sendFlags, rkey, remoteAddr, compare, swap, 0, 0, 0);
        return this;
    }

    /**
     * Adds an atomic fetch and add of 8 bytes, whose former value is written to the only element, of 8 bytes. Source:
     * {@code ibv_wr_atomic_fetch_add}, {@code ibv_wr_post(3)}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param rkey remote key of the peer's memory
     * @param remoteAddr address in the peer's memory
     * @param add value to add
     * @return this
     */
    public SendBuilder atomicFetchAdd(long wrId, int sendFlags, int rkey, long remoteAddr, long add) {
        atomic(WrOpcode.ATOMIC_FETCH_AND_ADD, wrId, sendFlags, rkey, remoteAddr, add, 0, 0, 0, 0);
        return this;
    }

    /**
     * Adds an atomic compare and swap of selected bits, whose former value is written to the only element. C has it
     * only in the kernel: {@code IB_WR_MASKED_ATOMIC_CMP_AND_SWP}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param rkey remote key of the peer's memory
     * @param remoteAddr address in the peer's memory
     * @param width number of bytes: 4 or 8; 0 means 8
     * @param compare value that the bits of {@code compareMask} must have
     * @param swap value that replaces the bits of {@code swapMask}
     * @param compareMask bits to compare
     * @param swapMask bits to replace
     * @return this
     */
    public SendBuilder maskedCompareSwap(
            long wrId,
            int sendFlags,
            int rkey,
            long remoteAddr,
            int width,
            long compare,
            long swap,
            long compareMask,
            long swapMask) {
        atomic(
                WrOpcode.MASKED_ATOMIC_CMP_AND_SWP,
                wrId,
                sendFlags,
                rkey,
                remoteAddr,
                compare,
                swap,
                compareMask,
                swapMask,
                width);
        return this;
    }

    /**
     * Adds an atomic fetch and add of several fields, whose former value is written to the only element. C has it only
     * in the kernel: {@code IB_WR_MASKED_ATOMIC_FETCH_AND_ADD}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param rkey remote key of the peer's memory
     * @param remoteAddr address in the peer's memory
     * @param width number of bytes: 4 or 8; 0 means 8
     * @param add value to add
     * @param boundaries a set bit is the top bit of a field: its carry is dropped
     * @return this
     */
    public SendBuilder maskedFetchAdd(
            long wrId, int sendFlags, int rkey, long remoteAddr, int width, long add, long boundaries) {
        atomic(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, wrId, sendFlags, rkey, remoteAddr, add, 0, boundaries, 0, width);
        return this;
    }

    /**
     * Adds a request that invalidates a remote key of this side. Takes no elements. Source: {@code ibv_wr_local_inv},
     * {@code ibv_wr_post(3)}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param invalidateRkey the key
     * @return this
     */
    public SendBuilder localInv(long wrId, int sendFlags, int invalidateRkey) {
        begin(WrOpcode.LOCAL_INV | BARE, wrId, sendFlags, 0, pair(0, invalidateRkey));
        return this;
    }

    /**
     * Adds a bind of a memory window of type 2. Takes no elements. Source: {@code ibv_wr_bind_mw},
     * {@code ibv_wr_post(3)}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param mw the window
     * @param rkey its new key: usually {@link MemoryWindow#incRkey} of the present one
     * @param bind region, address, length and access, which are copied; its id and flags are ignored
     * @return this
     */
    public SendBuilder bindMw(long wrId, int sendFlags, MemoryWindow mw, int rkey, MwBind bind) {
        if (bind == null) {
            wrong();
        } else if (beginWithObjects(WrOpcode.BIND_MW | BARE, wrId, sendFlags, bind.addr())) {
            int at = objectAt();
            if (addObject(mw, pair(rkey, bind.mwAccessFlags()), bind.length()) && addObject(bind.mr(), 0, 0)) {
                objectsOfRow(at);
            }
        }
        return this;
    }

    /**
     * Adds a fast register, which gives memory to a key. Its elements are the pieces of memory. C has it only in the
     * kernel: {@code IB_WR_REG_MR}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param register key, access and address, which are copied
     * @return this
     */
    public SendBuilder regMr(long wrId, int sendFlags, FastRegister register) {
        if (register == null) {
            wrong();
        } else if (beginWithObjects(WrOpcode.REG_MR, wrId, sendFlags, register.addr())) {
            int at = objectAt();
            if (addObject(register.mr(), pair(register.key(), register.access()), 0)) {
                objectsOfRow(at);
            }
        }
        return this;
    }

    /**
     * Adds a flush, which waits until what was written to a range of the peer's memory has reached the place that the
     * type selects. Takes no elements. Source: {@code ibv_wr_flush}, {@code ibv_wr_post(3)}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param rkey remote key of the peer's memory
     * @param remoteAddr address in the peer's memory
     * @param length length of the range in bytes, up to 2^32 - 1
     * @param type {@link FlushType} bits
     * @param level a {@link FlushLevel} value
     * @return this
     */
    public SendBuilder flush(long wrId, int sendFlags, int rkey, long remoteAddr, long length, int type, int level) {
        if (beginWithOperands(WrOpcode.FLUSH | BARE, wrId, sendFlags, remoteAddr, (long) rkey << 32)) {
            addMore(length, pair(type, level));
        }
        return this;
    }

    /**
     * Adds an atomic write of 8 bytes to the peer's memory. Takes no elements. Source: {@code ibv_wr_atomic_write},
     * {@code ibv_wr_post(3)}.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param rkey remote key of the peer's memory
     * @param remoteAddr address in the peer's memory
     * @param value the bytes, as a number in the byte order of this machine
     * @return this
     */
    public SendBuilder atomicWrite(long wrId, int sendFlags, int rkey, long remoteAddr, long value) {
        if (beginWithOperands(WrOpcode.ATOMIC_WRITE | BARE, wrId, sendFlags, remoteAddr, (long) rkey << 32)) {
            addMore(value, 0);
        }
        return this;
    }

    /**
     * Adds a no-op, which only generates a completion. Takes no elements.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @return this
     */
    public SendBuilder nop(long wrId, int sendFlags) {
        begin(WrOpcode.NOP | BARE, wrId, sendFlags, 0, 0);
        return this;
    }

    /**
     * Adds a request that waits for completions of a completion queue. Takes no elements.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param cq the queue
     * @param count number of completions
     * @return this
     */
    public SendBuilder cqeWait(long wrId, int sendFlags, CompletionQueue cq, int count) {
        crossChannel(WrOpcode.CQE_WAIT, wrId, sendFlags, cq, count);
        return this;
    }

    /**
     * Adds a request that enables posted sends of another queue pair. Takes no elements.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param other the queue pair
     * @param count number of requests; 0 means all that are posted
     * @return this
     */
    public SendBuilder sendEnable(long wrId, int sendFlags, QueuePair other, int count) {
        crossChannel(WrOpcode.SEND_ENABLE, wrId, sendFlags, other, count);
        return this;
    }

    /**
     * Adds a request that enables posted receives of another queue pair. Takes no elements.
     *
     * @param wrId id that the completion will carry
     * @param sendFlags {@link SendFlags} bits except INLINE; use {@link #inlineData} for inline data
     * @param other the queue pair
     * @param count number of requests; 0 means all that are posted
     * @return this
     */
    public SendBuilder recvEnable(long wrId, int sendFlags, QueuePair other, int count) {
        crossChannel(WrOpcode.RECV_ENABLE, wrId, sendFlags, other, count);
        return this;
    }

    // ---- parts of a request

    /**
     * Adds an element to the request's data. Further calls add more, up to the queue pair's maximum. Source:
     * {@code ibv_wr_set_sge}, {@code ibv_wr_post(3)}.
     *
     * @param lkey local key of the memory
     * @param addr address of the memory
     * @param length length in bytes
     * @return this
     */
    public SendBuilder sge(int lkey, long addr, int length) {
        element(lkey, addr, length, 0);
        return this;
    }

    /**
     * Adds data that is sent within the request itself. Further calls add more, up to the queue pair's maximum.
     * {@link #complete} copies the data, which may change afterwards. Source: {@code ibv_wr_set_inline_data},
     * {@code ibv_wr_post(3)}.
     *
     * @param lkey local key of the memory, which must be registered, so that a wrong address cannot crash the JVM
     * @param addr address of the memory
     * @param length length in bytes
     * @return this
     */
    public SendBuilder inlineData(int lkey, long addr, int length) {
        element(lkey, addr, length, INLINE);
        return this;
    }

    /**
     * Sets the destination of a datagram, of type UD or a vendor's own datagram type. Source:
     * {@code ibv_wr_set_ud_addr}, {@code ibv_wr_post(3)}.
     *
     * @param ah address handle in the queue pair's protection domain
     * @param remoteQpn number of the remote queue pair, 24 bits
     * @param remoteQkey its Q_Key
     * @return this
     */
    public SendBuilder udAddr(AddressHandle ah, int remoteQpn, int remoteQkey) {
        address(ah, remoteQpn, remoteQkey & LOWER, ADDRESS);
        return this;
    }

    /**
     * Sets the destination of a request of a vendor's own transport. Vendors wrap this method in one that defines the
     * numbers.
     *
     * @param ah address handle in the queue pair's protection domain
     * @param remoteNum number of the destination
     * @param key key of the destination
     * @return this
     */
    public SendBuilder vendorAddr(AddressHandle ah, int remoteNum, long key) {
        if (qp.qpType() == QpType.UD) {
            wrong();
        } else {
            address(ah, remoteNum, key, ADDRESS | VENDOR_ADDRESS);
        }
        return this;
    }

    /**
     * Sets the peer's shared receive queue for a request of type XRC_SEND. Source: {@code ibv_wr_set_xrc_srqn},
     * {@code ibv_wr_post(3)}.
     *
     * @param remoteSrqn its number, 24 bits
     * @return this
     */
    public SendBuilder xrcSrqn(int remoteSrqn) {
        int at = lastRow();
        if (at < 0 || qp.qpType() != QpType.XRC_SEND) {
            wrong();
        } else {
            rows[at + 1] |= SRQ_NUMBER;
            rows[at + 7] = rows[at + 7] & UPPER | remoteSrqn & LOWER;
        }
        return this;
    }

    @Override
    public SendWorkRequest request(int i) {
        return list.single(i);
    }

    // ---- how rows are written

    private static long pair(int upper, int lower) {
        return (long) upper << 32 | lower & LOWER;
    }

    private boolean begin(long operation, long wrId, int sendFlags, long remoteAddr, long keys) {
        int at = next;
        if (at >= rows.length && !grow()) {
            return false;
        }
        if ((sendFlags & SendFlags.INLINE) != 0) {
            wrong();
            return false;
        }
        long[] r = rows;
        r[at] = wrId;
        r[at + 1] = (long) sendFlags << 32 | operation;
        r[at + 2] = remoteAddr;
        r[at + 3] = keys;
        next = at + WORDS;
        return true;
    }

    private void whole(
            int opcode, long wrId, int sendFlags, long remoteAddr, int rkey, int lkey, long addr, int length) {
        int at = next;
        if (at >= rows.length && !grow()) {
            return;
        }
        if (length < 0 || (sendFlags & SendFlags.INLINE) != 0) {
            wrong();
            return;
        }
        long[] r = rows;
        r[at] = wrId;
        r[at + 1] = (long) sendFlags << 32 | ONE_ELEMENT | opcode;
        r[at + 2] = remoteAddr;
        r[at + 3] = (long) rkey << 32;
        r[at + 4] = pair(length, lkey);
        r[at + 5] = addr;
        next = at + WORDS;
    }

    private boolean beginWithOperands(long operation, long wrId, int sendFlags, long remoteAddr, long keys) {
        if (!begin(operation, wrId, sendFlags, remoteAddr, keys)) {
            return false;
        }
        rows[next - WORDS + 6] = (long) moreAt() << 32;
        return true;
    }

    private void atomic(
            int opcode,
            long wrId,
            int sendFlags,
            int rkey,
            long remoteAddr,
            long compareAdd,
            long swap,
            long compareAddMask,
            long swapMask,
            int width) {
        if (beginWithOperands(opcode, wrId, sendFlags, remoteAddr, (long) rkey << 32) && addMore(compareAdd, swap)) {
            boolean masked =
                    opcode == WrOpcode.MASKED_ATOMIC_CMP_AND_SWP || opcode == WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD;
            if (masked && addMore(compareAddMask, swapMask)) {
                addMore(width, 0);
            }
        }
    }

    private boolean beginWithObjects(long operation, long wrId, int sendFlags, long addr) {
        return begin(operation, wrId, sendFlags, addr, 0);
    }

    private void objectsOfRow(int first) {
        rows[next - WORDS + 7] = (long) first << 32;
    }

    private void crossChannel(int opcode, long wrId, int sendFlags, VerbsObject other, int count) {
        if (beginWithObjects(opcode | BARE, wrId, sendFlags, 0)) {
            int at = objectAt();
            if (addObject(other, count, 0)) {
                objectsOfRow(at);
            }
        }
    }

    private void element(int lkey, long addr, int length, long inline) {
        int at = lastRow();
        if (at < 0) {
            wrong();
            return;
        }
        long[] r = rows;
        long w = r[at + 1];
        if ((w & SHAPE) != 0 || length < 0) {
            anotherElement(at, w, lkey, addr, length, inline);
            return;
        }
        r[at + 1] = w + ONE_ELEMENT | inline;
        r[at + 4] = pair(length, lkey);
        r[at + 5] = addr;
    }

    private void anotherElement(int at, long w, int lkey, long addr, int length, long inline) {
        long elements = w & MOST_ELEMENTS;
        if (length < 0 || (w & BARE) != 0 || elements == MOST_ELEMENTS || elements != 0 && (w & INLINE) != inline) {
            wrong();
            return;
        }
        if (elements == 0) {
            rows[at + 4] = pair(length, lkey);
            rows[at + 5] = addr;
        } else {
            int place = moreAt();
            if (!addMore(pair(length, lkey), addr)) {
                return;
            }
            if (elements == ONE_ELEMENT) {
                rows[at + 6] = rows[at + 6] & UPPER | place;
            }
        }
        rows[at + 1] = w + ONE_ELEMENT | inline;
    }

    private void address(AddressHandle ah, int remoteNum, long key, long bits) {
        int at = lastRow();
        int type = qp.qpType();
        if (at < 0 || (type & ~31) == 0 && (CONNECTED >>> type & 1) != 0) {
            wrong();
            return;
        }
        int place = objectAt();
        if (addObject(ah, remoteNum, key)) {
            rows[at + 1] = rows[at + 1] & ~VENDOR_ADDRESS | bits;
            rows[at + 7] = rows[at + 7] & UPPER | place;
        }
    }

    /** Records a call in the wrong order or with invalid arguments. Without a start there is no batch to fail. */
    private void wrong() {
        if (next != OUT) {
            fail(Errno.EINVAL);
        }
    }
}
