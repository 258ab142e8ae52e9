/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Gathers send work requests without an object for each, and posts them together. The fastest way in, and the one to transports whose
 * address has no place in a {@link SendWorkRequest}. From {@link QueuePair#builder()}: make one and keep it.
 *
 * <pre>
 * builder.start();
 * builder.write(1, SendFlags.SIGNALED, rkey, remoteAddr, lkey, addr, length); // a whole request
 * builder.send(2, SendFlags.SIGNALED).inlineData(lkey, addr, 12);            // or piece by piece
 * int errno = builder.complete();
 * </pre>
 *
 * <p>Nothing throws, and nothing is allocated once the builder has had as many requests as at most; an error is remembered until
 * {@link #complete}. Between {@code start} and {@code complete} nothing is held: others post meanwhile, and what they post comes first. A
 * queue pair may have several builders. One builder is for one thread at a time.
 *
 * <p>{@link SendFlags#INLINE} among the flags of a request makes {@code complete} answer {@link Errno#EINVAL}: data are
 * inline where {@link
 * #inlineData} gives them, and an element of {@link #sge} is never copied.
 *
 * <p>Requests are in memory of the builder's own until {@code complete}, which goes to the provider once, for all of them. Only then is looked at
 * what they refer to: inline data are copied then, and an address handle has to be open until then.
 *
 * <p>Programs need the methods of this class alone. Those of {@link BuiltRequests} are for providers, which read what
 * was gathered.
 *
 * <p>Since level 3. Source: {@code ibv_wr_post(3)}; each method names its function there.
 */
public final class SendBuilder extends BuiltRequests {
    private static final long UPPER = 0xffff_ffff_0000_0000L;
    private static final long LOWER = 0xffff_ffffL;

    /** Bits of {@link QpType} whose requests have no address of their own. */
    private static final int CONNECTED = 1 << QpType.RC | 1 << QpType.UC | 1 << QpType.XRC_SEND | 1 << QpType.XRC_RECV;

    private final QueuePair qp;
    private final BuiltList list = new BuiltList(this);
    private int posted;

    SendBuilder(QueuePair qp) {
        this.qp = qp;
    }

    /**
     * Begins a batch. Source: {@code ibv_wr_start}. A second start in a row, before {@link #complete} or {@link
     * #abort},
     * makes {@code complete} answer {@link Errno#EINVAL}.
     */
    public void start() {
        if (next == OUT) {
            next = 0;
        } else {
            fail(Errno.EINVAL);
        }
    }

    /**
     * Posts what was gathered since {@link #start}. Source: {@code ibv_wr_complete}.
     *
     * <p>All or nothing: with an error, none of the requests is posted, no data is inline, and no key has changed. This
     * holds on the embedded device, and on mlx5, EFA and Gaudi devices whose rings are written in Java: on every
     * provider that overrides {@link QueuePair#postBuilt}. For other providers, among them those older than the
     * builder, the requests are posted as a list of work requests: those before the refused one are posted, and {@link
     * #posted()} returns their number. A list has no place for {@link #vendorAddr}, which is refused before anything is
     * posted.
     *
     * @return 0, also where nothing was gathered; or the first error: {@link Errno#EINVAL} for a call in the wrong order, and where start
     *     was not called; {@link Errno#ENOMEM} where the queue is full; and as {@link QueuePair#postSend(SendWorkRequest)}
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

    /** Forgets what was gathered since {@link #start}. Source: {@code ibv_wr_abort}. */
    public void abort() {
        error = 0;
        next = OUT;
        if (isLittered()) {
            forget();
        }
    }

    /** What the program gave is not held. */
    private void forget() {
        clearMore();
        list.forget();
    }

    /** {@return how many requests the last {@link #complete} has posted: all of them, or with an error those before the one that was refused, or none} */
    public int posted() {
        return posted;
    }

    /** {@return the queue pair that it posts to} */
    public QueuePair qp() {
        return qp;
    }

    // ---- requests with one element, in one call each

    /**
     * An RDMA write of one element: {@link #write(long, int, int, long)} and {@link #sge} in one.
     * Source: {@code ibv_wr_rdma_write}, {@code ibv_wr_post(3)}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @param lkey of the memory
     * @param addr of the memory
     * @param length in bytes
     * @return this
     */
    public SendBuilder write(long wrId, int sendFlags, int rkey, long remoteAddr, int lkey, long addr, int length) {
        whole(WrOpcode.RDMA_WRITE, wrId, sendFlags, remoteAddr, rkey, lkey, addr, length);
        return this;
    }

    /**
     * An RDMA read to one element. Source: {@code ibv_wr_rdma_read}, {@code ibv_wr_post(3)}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @param lkey of the memory
     * @param addr of the memory
     * @param length in bytes
     * @return this
     */
    public SendBuilder read(long wrId, int sendFlags, int rkey, long remoteAddr, int lkey, long addr, int length) {
        whole(WrOpcode.RDMA_READ, wrId, sendFlags, remoteAddr, rkey, lkey, addr, length);
        return this;
    }

    /**
     * A send of one element. Source: {@code ibv_wr_send}, {@code ibv_wr_post(3)}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param lkey of the memory
     * @param addr of the memory
     * @param length in bytes
     * @return this
     */
    public SendBuilder send(long wrId, int sendFlags, int lkey, long addr, int length) {
        whole(WrOpcode.SEND, wrId, sendFlags, 0, 0, lkey, addr, length);
        return this;
    }

    // ---- a request each; then what it is made of

    /**
     * An RDMA write. Source: {@code ibv_wr_rdma_write}, {@code ibv_wr_post(3)}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @return this
     */
    public SendBuilder write(long wrId, int sendFlags, int rkey, long remoteAddr) {
        begin(WrOpcode.RDMA_WRITE, wrId, sendFlags, remoteAddr, (long) rkey << 32);
        return this;
    }

    /**
     * As {@link #write(long, int, int, long)}, with immediate data that use up a receive.
     * Source: {@code ibv_wr_rdma_write_imm}, {@code ibv_wr_post(3)}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @param immData that the completion of the receive holds
     * @return this
     */
    public SendBuilder writeWithImm(long wrId, int sendFlags, int rkey, long remoteAddr, int immData) {
        begin(WrOpcode.RDMA_WRITE_WITH_IMM, wrId, sendFlags, remoteAddr, pair(rkey, immData));
        return this;
    }

    /**
     * An RDMA read. Source: {@code ibv_wr_rdma_read}, {@code ibv_wr_post(3)}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @return this
     */
    public SendBuilder read(long wrId, int sendFlags, int rkey, long remoteAddr) {
        begin(WrOpcode.RDMA_READ, wrId, sendFlags, remoteAddr, (long) rkey << 32);
        return this;
    }

    /**
     * An RDMA read to memory of fast register, whose key is taken back when the data are there.
     * C has it in the kernel alone, {@code IB_WR_RDMA_READ_WITH_INV}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @return this
     */
    public SendBuilder readWithInv(long wrId, int sendFlags, int rkey, long remoteAddr) {
        begin(WrOpcode.RDMA_READ_WITH_INV, wrId, sendFlags, remoteAddr, (long) rkey << 32);
        return this;
    }

    /**
     * A send. Source: {@code ibv_wr_send}, {@code ibv_wr_post(3)}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @return this
     */
    public SendBuilder send(long wrId, int sendFlags) {
        begin(WrOpcode.SEND, wrId, sendFlags, 0, 0);
        return this;
    }

    /**
     * A send with immediate data. Source: {@code ibv_wr_send_imm}, {@code ibv_wr_post(3)}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param immData that the completion of the receive holds
     * @return this
     */
    public SendBuilder sendWithImm(long wrId, int sendFlags, int immData) {
        begin(WrOpcode.SEND_WITH_IMM, wrId, sendFlags, 0, pair(0, immData));
        return this;
    }

    /**
     * A send that takes back what a key of the peer's allows.
     * Source: {@code ibv_wr_send_inv}, {@code ibv_wr_post(3)}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param invalidateRkey the peer's key
     * @return this
     */
    public SendBuilder sendWithInv(long wrId, int sendFlags, int invalidateRkey) {
        begin(WrOpcode.SEND_WITH_INV, wrId, sendFlags, 0, pair(0, invalidateRkey));
        return this;
    }

    /**
     * An atomic compare and swap of 8 bytes, which come back to the one element of 8 bytes.
     * Source: {@code ibv_wr_atomic_cmp_swp}, {@code ibv_wr_post(3)}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @param compare what the bytes must be
     * @param swap what they become then
     * @return this
     */
    public SendBuilder atomicCompareSwap(long wrId, int sendFlags, int rkey, long remoteAddr, long compare, long swap) {
        atomic(WrOpcode.ATOMIC_CMP_AND_SWP, wrId, sendFlags, rkey, remoteAddr, compare, swap, 0, 0, 0);
        return this;
    }

    /**
     * An atomic fetch and add of 8 bytes, which come back to the one element of 8 bytes.
     * Source: {@code ibv_wr_atomic_fetch_add}, {@code ibv_wr_post(3)}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @param add what is added
     * @return this
     */
    public SendBuilder atomicFetchAdd(long wrId, int sendFlags, int rkey, long remoteAddr, long add) {
        atomic(WrOpcode.ATOMIC_FETCH_AND_ADD, wrId, sendFlags, rkey, remoteAddr, add, 0, 0, 0, 0);
        return this;
    }

    /**
     * An atomic compare and swap bit by bit; what was there comes back to the one element.
     * C has it in the kernel alone, {@code IB_WR_MASKED_ATOMIC_CMP_AND_SWP}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @param width how many bytes: 4 or 8; 0 means 8
     * @param compare what the bits of {@code compareMask} must be
     * @param swap what the bits of {@code swapMask} become then
     * @param compareMask which bits are compared
     * @param swapMask which bits are swapped in
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
     * An atomic fetch and add in fields; what was there comes back to the one element.
     * C has it in the kernel alone, {@code IB_WR_MASKED_ATOMIC_FETCH_AND_ADD}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @param width how many bytes: 4 or 8; 0 means 8
     * @param add what is added
     * @param boundaries a set bit is the top of a field: nothing is carried out of it
     * @return this
     */
    public SendBuilder maskedFetchAdd(
            long wrId, int sendFlags, int rkey, long remoteAddr, int width, long add, long boundaries) {
        atomic(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, wrId, sendFlags, rkey, remoteAddr, add, 0, boundaries, 0, width);
        return this;
    }

    /**
     * Takes back what a remote key of this side allows. Takes no elements.
     * Source: {@code ibv_wr_local_inv}, {@code ibv_wr_post(3)}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param invalidateRkey the key
     * @return this
     */
    public SendBuilder localInv(long wrId, int sendFlags, int invalidateRkey) {
        begin(WrOpcode.LOCAL_INV | BARE, wrId, sendFlags, 0, pair(0, invalidateRkey));
        return this;
    }

    /**
     * Binds a memory window of type 2. Takes no elements.
     * Source: {@code ibv_wr_bind_mw}, {@code ibv_wr_post(3)}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param mw the window
     * @param rkey its key from now on: {@link MemoryWindow#incRkey} of what it is, in general
     * @param bind region, address, length and access, which are copied; its id and flags do not count
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
     * Fast register: gives memory to a key. Its elements are the pieces of memory.
     * C has it in the kernel alone, {@code IB_WR_REG_MR}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
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
     * Waits until what was written to a range of the peer's memory is where the type says. Takes no elements.
     * Source: {@code ibv_wr_flush}, {@code ibv_wr_post(3)}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
     * @param length of the range in bytes, up to 2^32 - 1
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
     * Writes 8 bytes at the peer at once. Takes no elements.
     * Source: {@code ibv_wr_atomic_write}, {@code ibv_wr_post(3)}.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param rkey of the remote memory
     * @param remoteAddr of the remote memory
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
     * Nothing but a completion. Takes no elements.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @return this
     */
    public SendBuilder nop(long wrId, int sendFlags) {
        begin(WrOpcode.NOP | BARE, wrId, sendFlags, 0, 0);
        return this;
    }

    /**
     * Waits for completions of a completion queue. Takes no elements.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param cq the queue
     * @param count how many
     * @return this
     */
    public SendBuilder cqeWait(long wrId, int sendFlags, CompletionQueue cq, int count) {
        crossChannel(WrOpcode.CQE_WAIT, wrId, sendFlags, cq, count);
        return this;
    }

    /**
     * Lets another queue pair begin what was posted to send. Takes no elements.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param other the queue pair
     * @param count how many; 0 means all that are posted
     * @return this
     */
    public SendBuilder sendEnable(long wrId, int sendFlags, QueuePair other, int count) {
        crossChannel(WrOpcode.SEND_ENABLE, wrId, sendFlags, other, count);
        return this;
    }

    /**
     * Lets another queue pair use receives that were posted. Takes no elements.
     *
     * @param wrId what the completion names the request by
     * @param sendFlags {@link SendFlags} bits without INLINE, as {@link #inlineData} is that
     * @param other the queue pair
     * @param count how many; 0 means all that are posted
     * @return this
     */
    public SendBuilder recvEnable(long wrId, int sendFlags, QueuePair other, int count) {
        crossChannel(WrOpcode.RECV_ENABLE, wrId, sendFlags, other, count);
        return this;
    }

    // ---- parts of a request

    /**
     * An element of the request's data; more follow by more calls, up to the queue pair's number.
     * Source: {@code ibv_wr_set_sge}, {@code ibv_wr_post(3)}.
     *
     * @param lkey of the memory
     * @param addr of the memory
     * @param length in bytes
     * @return this
     */
    public SendBuilder sge(int lkey, long addr, int length) {
        element(lkey, addr, length, 0);
        return this;
    }

    /**
     * Data that travel in the request itself; more follow by more calls, up to the queue pair's size. They are copied by {@link #complete}, and
     * may change afterwards. Source: {@code ibv_wr_set_inline_data}, {@code ibv_wr_post(3)}.
     *
     * @param lkey of the memory, which must be registered: a wrong address must not end the JVM
     * @param addr of the memory
     * @param length in bytes
     * @return this
     */
    public SendBuilder inlineData(int lkey, long addr, int length) {
        element(lkey, addr, length, INLINE);
        return this;
    }

    /**
     * Where a datagram goes: UD, and what vendors have of that kind.
     * Source: {@code ibv_wr_set_ud_addr}, {@code ibv_wr_post(3)}.
     *
     * @param ah address handle of the queue pair's protection domain
     * @param remoteQpn number of the remote queue pair, 24 bits
     * @param remoteQkey its Q_Key
     * @return this
     */
    public SendBuilder udAddr(AddressHandle ah, int remoteQpn, int remoteQkey) {
        address(ah, remoteQpn, remoteQkey & LOWER, ADDRESS);
        return this;
    }

    /**
     * Where a request of a vendor's own transport goes. Vendors have a method over it that says what the numbers are.
     *
     * @param ah address handle of the queue pair's protection domain
     * @param remoteNum number of what it goes to
     * @param key key of what it goes to
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
     * The shared receive queue that a request of type XRC_SEND uses.
     * Source: {@code ibv_wr_set_xrc_srqn}, {@code ibv_wr_post(3)}.
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

    /** A call in the wrong order, or with what can't be. Without a start there is no batch that it could spoil. */
    private void wrong() {
        if (next != OUT) {
            fail(Errno.EINVAL);
        }
    }
}
