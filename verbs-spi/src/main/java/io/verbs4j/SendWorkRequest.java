/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Arrays;

/**
 * A send work request, or a list of them.
 *
 * <p>{@link #opcode()} and the type of the queue pair determine which fields are used. A request may be reused as soon
 * as it is posted. There is no mask: a field added by a later level belongs to an opcode or a flag of that level, which
 * older providers reject. Source: {@code ibv_post_send(3)}. Not thread-safe.
 */
// Longer than 500 lines because each field of a request has a documented getter and setter, and the data path reads one
// object.
// More than 30 public methods because each field of a request is two, and the API is frozen.
public final class SendWorkRequest {
    private static final ScatterGatherElement[] NO_ELEMENTS = {};

    private ScatterGatherElement[] sgList = NO_ELEMENTS;
    private int numSge;
    private SendWorkRequest next;
    private long wrId;
    private int opcode;
    private int sendFlags;
    private int immData;
    private long remoteAddr;
    private int rkey;
    private long compareAdd;
    private long swap;
    private AddressHandle ah;
    private int remoteQpn;
    private int remoteQkey;
    private int remoteSrqn;
    private int invalidateRkey;
    private MemoryWindow mw;
    private int mwRkey;
    private MwBind mwBind;
    private long compareAddMask;
    private long swapMask;
    private int atomicWidth;
    private long atomicWriteValue;
    private int flushType;
    private int flushLevel;
    private long flushLength;
    private FastRegister fastRegister;
    private ScatterGatherElement tsoHeader;
    private int mss;
    private CompletionQueue waitCq;
    private QueuePair enableQp;
    private int waitCount;

    /** Whether {@link #opcode(int)} was called. */
    private boolean opcodeSet;

    /**
     * Creates an instance with every attribute zero. As in C, this is an RDMA WRITE. Programs of level 1 may rely on
     * it, so {@code postSend} accepts an opcode that was never set; {@link QueuePair#postSendOrThrow} does not.
     */
    public SendWorkRequest() {}

    /** Copies another request, elements included, but not its next request. */
    SendWorkRequest copy(SendWorkRequest other) {
        int count = other.sgList == null ? 0 : Math.max(0, Math.min(other.numSge, other.sgList.length));
        if (sgList.length < count || sgList == NO_ELEMENTS) {
            sgList = new ScatterGatherElement[Math.max(1, count)];
            Arrays.setAll(sgList, i -> new ScatterGatherElement());
        }
        for (int i = 0; i < count; i++) {
            ScatterGatherElement from = other.sgList[i];
            sgList[i].addr(from.addr()).length(from.length()).lkey(from.lkey());
        }
        numSge = count;
        next = null;
        wrId = other.wrId;
        opcode = other.opcode;
        opcodeSet = other.opcodeSet;
        sendFlags = other.sendFlags;
        immData = other.immData;
        remoteAddr = other.remoteAddr;
        rkey = other.rkey;
        compareAdd = other.compareAdd;
        swap = other.swap;
        ah = other.ah;
        remoteQpn = other.remoteQpn;
        remoteQkey = other.remoteQkey;
        remoteSrqn = other.remoteSrqn;
        invalidateRkey = other.invalidateRkey;
        mw = other.mw;
        mwRkey = other.mwRkey;
        mwBind = other.mwBind;
        compareAddMask = other.compareAddMask;
        swapMask = other.swapMask;
        atomicWidth = other.atomicWidth;
        atomicWriteValue = other.atomicWriteValue;
        flushType = other.flushType;
        flushLevel = other.flushLevel;
        flushLength = other.flushLength;
        fastRegister = other.fastRegister;
        ScatterGatherElement header = other.tsoHeader;
        tsoHeader = header == null
                ? null
                : new ScatterGatherElement()
                        .addr(header.addr())
                        .length(header.length())
                        .lkey(header.lkey());
        mss = other.mss;
        waitCq = other.waitCq;
        enableQp = other.enableQp;
        waitCount = other.waitCount;
        return this;
    }

    /** {@return the next work request of the list, or null} */
    public SendWorkRequest next() {
        return next;
    }

    /**
     * Sets {@link #next()}.
     *
     * @param value next work request of the list, or null
     * @return this
     */
    public SendWorkRequest next(SendWorkRequest value) {
        next = value;
        return this;
    }

    /** {@return the id that the completion will carry} */
    public long wrId() {
        return wrId;
    }

    /**
     * Sets {@link #wrId()}.
     *
     * @param value id that the completion will carry
     * @return this
     */
    public SendWorkRequest wrId(long value) {
        wrId = value;
        return this;
    }

    /** {@return the operation, a {@link WrOpcode} value} */
    public int opcode() {
        return opcode;
    }

    /**
     * Sets {@link #opcode()}.
     *
     * @param value operation, a {@link WrOpcode} value
     * @return this
     */
    public SendWorkRequest opcode(int value) {
        opcode = value;
        opcodeSet = true;
        return this;
    }

    /** Returns whether the opcode was set: 0 is a valid one. */
    boolean isOpcodeSet() {
        return opcodeSet;
    }

    /** {@return {@link SendFlags} bits} */
    public int sendFlags() {
        return sendFlags;
    }

    /**
     * Sets {@link #sendFlags()}.
     *
     * @param value {@link SendFlags} bits
     * @return this
     */
    public SendWorkRequest sendFlags(int value) {
        sendFlags = value;
        return this;
    }

    /** {@return the immediate data as a number; sent in network byte order} */
    public int immData() {
        return immData;
    }

    /**
     * Sets {@link #immData()}.
     *
     * @param value immediate data as a number; sent in network byte order
     * @return this
     */
    public SendWorkRequest immData(int value) {
        immData = value;
        return this;
    }

    /** {@return the remote address of an RDMA or atomic operation} */
    public long remoteAddr() {
        return remoteAddr;
    }

    /**
     * Sets {@link #remoteAddr()}.
     *
     * @param value remote address of an RDMA or atomic operation
     * @return this
     */
    public SendWorkRequest remoteAddr(long value) {
        remoteAddr = value;
        return this;
    }

    /** {@return the remote key of an RDMA or atomic operation} */
    public int rkey() {
        return rkey;
    }

    /**
     * Sets {@link #rkey()}.
     *
     * @param value remote key of an RDMA or atomic operation
     * @return this
     */
    public SendWorkRequest rkey(int value) {
        rkey = value;
        return this;
    }

    /**
     * {@return the value to compare with, or to add, as a number; the peer's 8 bytes are in the byte order of its
     * machine}
     */
    public long compareAdd() {
        return compareAdd;
    }

    /**
     * Sets {@link #compareAdd()}.
     *
     * @param value value to compare with, or to add
     * @return this
     */
    public SendWorkRequest compareAdd(long value) {
        compareAdd = value;
        return this;
    }

    /** {@return the value to swap in, as a number; the peer's 8 bytes are in the byte order of its machine} */
    public long swap() {
        return swap;
    }

    /**
     * Sets {@link #swap()}.
     *
     * @param value value to swap in
     * @return this
     */
    public SendWorkRequest swap(long value) {
        swap = value;
        return this;
    }

    /** {@return the destination of a datagram; UD only} */
    public AddressHandle ah() {
        return ah;
    }

    /**
     * Sets {@link #ah()}.
     *
     * @param value destination of a datagram; UD only
     * @return this
     */
    public SendWorkRequest ah(AddressHandle value) {
        ah = value;
        return this;
    }

    /** {@return the number of the remote queue pair; UD only} */
    public int remoteQpn() {
        return remoteQpn;
    }

    /**
     * Sets {@link #remoteQpn()}.
     *
     * @param value number of the remote queue pair; UD only
     * @return this
     */
    public SendWorkRequest remoteQpn(int value) {
        remoteQpn = value;
        return this;
    }

    /**
     * {@return the Q_Key of the remote queue pair; UD only} If its top bit is set, the queue pair's own Q_Key is sent.
     */
    public int remoteQkey() {
        return remoteQkey;
    }

    /**
     * Sets {@link #remoteQkey()}.
     *
     * @param value Q_Key of the remote queue pair; UD only
     * @return this
     */
    public SendWorkRequest remoteQkey(int value) {
        remoteQkey = value;
        return this;
    }

    /** {@return the number of the remote shared receive queue; XRC_SEND only} Since level 2. */
    public int remoteSrqn() {
        return remoteSrqn;
    }

    /**
     * Sets {@link #remoteSrqn()}.
     *
     * @param value number of the remote shared receive queue; XRC_SEND only
     * @return this
     */
    public SendWorkRequest remoteSrqn(int value) {
        remoteSrqn = value;
        return this;
    }

    /**
     * {@return the remote key to invalidate: with LOCAL_INV one of this side, with SEND_WITH_INV one of the peer} Since
     * level 3.
     */
    public int invalidateRkey() {
        return invalidateRkey;
    }

    /**
     * Sets {@link #invalidateRkey()}. Since level 3.
     *
     * @param value the remote key
     * @return this
     */
    public SendWorkRequest invalidateRkey(int value) {
        invalidateRkey = value;
        return this;
    }

    /** {@return the window to bind, of type 2; BIND_MW only} Since level 3. */
    public MemoryWindow mw() {
        return mw;
    }

    /**
     * Sets {@link #mw()}. Since level 3.
     *
     * @param value the window
     * @return this
     */
    public SendWorkRequest mw(MemoryWindow value) {
        mw = value;
        return this;
    }

    /**
     * {@return the window's new remote key, which may differ from the present one only in the lowest 8 bits, see {@link
     * MemoryWindow#incRkey(int)}; BIND_MW only} Since level 3.
     */
    public int mwRkey() {
        return mwRkey;
    }

    /**
     * Sets {@link #mwRkey()}. Since level 3.
     *
     * @param value the new remote key
     * @return this
     */
    public SendWorkRequest mwRkey(int value) {
        mwRkey = value;
        return this;
    }

    /**
     * {@return what the window covers: region, address, length and access; its id and flags are ignored; BIND_MW only}
     * Since level 3.
     */
    public MwBind mwBind() {
        return mwBind;
    }

    /**
     * Sets {@link #mwBind()}. Since level 3.
     *
     * @param value what the window covers
     * @return this
     */
    public SendWorkRequest mwBind(MwBind value) {
        mwBind = value;
        return this;
    }

    /**
     * {@return the bits to compare, for {@link WrOpcode#MASKED_ATOMIC_CMP_AND_SWP}; the top bits of fields, for {@link
     * WrOpcode#MASKED_ATOMIC_FETCH_AND_ADD}} Since level 3.
     */
    public long compareAddMask() {
        return compareAddMask;
    }

    /**
     * Sets {@link #compareAddMask()}. Since level 3.
     *
     * @param value the mask
     * @return this
     */
    public SendWorkRequest compareAddMask(long value) {
        compareAddMask = value;
        return this;
    }

    /** {@return the bits to replace, for {@link WrOpcode#MASKED_ATOMIC_CMP_AND_SWP}} Since level 3. */
    public long swapMask() {
        return swapMask;
    }

    /**
     * Sets {@link #swapMask()}. Since level 3.
     *
     * @param value the mask
     * @return this
     */
    public SendWorkRequest swapMask(long value) {
        swapMask = value;
        return this;
    }

    /**
     * {@return the number of bytes that a masked atomic works on: 4 or 8; 0 means 8} With 4 bytes, the lower half of
     * each operand is used. Since level 3.
     */
    public int atomicWidth() {
        return atomicWidth;
    }

    /**
     * Sets {@link #atomicWidth()}. Since level 3.
     *
     * @param value the number of bytes
     * @return this
     */
    public SendWorkRequest atomicWidth(int value) {
        atomicWidth = value;
        return this;
    }

    /**
     * {@return the value that {@link WrOpcode#ATOMIC_WRITE} writes, as a number; the peer's 8 bytes are in the byte
     * order of this machine} Since level 3.
     */
    public long atomicWriteValue() {
        return atomicWriteValue;
    }

    /**
     * Sets {@link #atomicWriteValue()}. Since level 3.
     *
     * @param value the value
     * @return this
     */
    public SendWorkRequest atomicWriteValue(long value) {
        atomicWriteValue = value;
        return this;
    }

    /** {@return how far {@link WrOpcode#FLUSH} flushes, {@link FlushType} bits} Since level 3. */
    public int flushType() {
        return flushType;
    }

    /**
     * Sets {@link #flushType()}. Since level 3.
     *
     * @param value {@link FlushType} bits
     * @return this
     */
    public SendWorkRequest flushType(int value) {
        flushType = value;
        return this;
    }

    /** {@return what {@link WrOpcode#FLUSH} covers, a {@link FlushLevel} value} Since level 3. */
    public int flushLevel() {
        return flushLevel;
    }

    /**
     * Sets {@link #flushLevel()}. Since level 3.
     *
     * @param value a {@link FlushLevel} value
     * @return this
     */
    public SendWorkRequest flushLevel(int value) {
        flushLevel = value;
        return this;
    }

    /**
     * {@return the length in bytes of the range at {@link #remoteAddr()} that {@link WrOpcode#FLUSH} covers, up to 2^32
     * - 1} Since level 3.
     */
    public long flushLength() {
        return flushLength;
    }

    /**
     * Sets {@link #flushLength()}. Since level 3.
     *
     * @param value the length in bytes
     * @return this
     */
    public SendWorkRequest flushLength(long value) {
        flushLength = value;
        return this;
    }

    /** {@return the key and region that {@link WrOpcode#REG_MR} registers} Since level 3. */
    public FastRegister fastRegister() {
        return fastRegister;
    }

    /**
     * Sets {@link #fastRegister()}. Since level 3.
     *
     * @param value key, region, access and address
     * @return this
     */
    public SendWorkRequest fastRegister(FastRegister value) {
        fastRegister = value;
        return this;
    }

    /**
     * {@return the headers of {@link WrOpcode#TSO}: Ethernet, IP and TCP, in memory registered in the queue pair's
     * domain; copied when the request is posted} Since level 4.
     */
    public ScatterGatherElement tsoHeader() {
        return tsoHeader;
    }

    /**
     * Sets {@link #tsoHeader()}. Since level 4.
     *
     * @param value the headers, not longer than {@link QpInitAttrEx#maxTsoHeader()}
     * @return this
     */
    public SendWorkRequest tsoHeader(ScatterGatherElement value) {
        tsoHeader = value;
        return this;
    }

    /** {@return the number of data bytes in each frame of {@link WrOpcode#TSO} except the last} Since level 4. */
    public int mss() {
        return mss;
    }

    /**
     * Sets {@link #mss()}. Since level 4.
     *
     * @param value the number of bytes, 1 to 65535
     * @return this
     */
    public SendWorkRequest mss(int value) {
        mss = value;
        return this;
    }

    /** {@return the completion queue that {@link WrOpcode#CQE_WAIT} waits for} Since level 3. */
    public CompletionQueue waitCq() {
        return waitCq;
    }

    /**
     * Sets {@link #waitCq()}. Since level 3.
     *
     * @param value the completion queue
     * @return this
     */
    public SendWorkRequest waitCq(CompletionQueue value) {
        waitCq = value;
        return this;
    }

    /**
     * {@return the queue pair whose work requests {@link WrOpcode#SEND_ENABLE} and {@link WrOpcode#RECV_ENABLE} enable}
     * Since level 3.
     */
    public QueuePair enableQp() {
        return enableQp;
    }

    /**
     * Sets {@link #enableQp()}. Since level 3.
     *
     * @param value the queue pair
     * @return this
     */
    public SendWorkRequest enableQp(QueuePair value) {
        enableQp = value;
        return this;
    }

    /**
     * {@return the number of completions that {@link WrOpcode#CQE_WAIT} waits for, from 1; or the number of work
     * requests that {@link WrOpcode#SEND_ENABLE} and {@link WrOpcode#RECV_ENABLE} enable, where 0 means all that are
     * posted} Since level 3.
     */
    public int waitCount() {
        return waitCount;
    }

    /**
     * Sets {@link #waitCount()}. Since level 3.
     *
     * @param value the number
     * @return this
     */
    public SendWorkRequest waitCount(int value) {
        waitCount = value;
        return this;
    }

    /**
     * Sets the scatter/gather list. The array is not copied: do not change it until the request is posted.
     *
     * @param elements the elements, all of which are used
     * @return this
     */
    public SendWorkRequest sgList(ScatterGatherElement... elements) {
        return sgList(elements, elements.length);
    }

    /**
     * Sets the scatter/gather list to the first elements of an array. The array is not copied: do not change it until
     * the request is posted.
     *
     * @param elements the elements
     * @param count number of elements to use
     * @return this
     */
    public SendWorkRequest sgList(ScatterGatherElement[] elements, int count) {
        sgList = elements;
        numSge = count;
        return this;
    }

    /** {@return the scatter/gather list, of which the first {@link #numSge()} elements are used} */
    public ScatterGatherElement[] sgList() {
        return sgList;
    }

    /** {@return the number of elements of the scatter/gather list that are used} */
    public int numSge() {
        return numSge;
    }

    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder(WrOpcode.toString(opcode)).append(' ').append(wrId);
        boolean local = SendText.isLocal(opcode);
        if (!local || numSge != 0) {
            text.append(" of ").append(ScatterGatherElement.list(sgList, numSge));
        }
        if (sendFlags != 0) {
            text.append(", ").append(SendFlags.toString(sendFlags));
        }
        SendText.details(text, this);
        if (ah != null) {
            text.append(", to queue pair ").append(remoteQpn);
        }
        return text.append(next == null ? "" : ", and more").toString();
    }
}
