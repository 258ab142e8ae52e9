/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Arrays;

/**
 * A send work request, or a list of them.
 *
 * <p>Which fields count depends on {@link #opcode()} and the service of the queue pair. May be used again as soon
 * as it was posted. There is no mask: what a later level adds belongs to an opcode or a flag of that level, which
 * providers that do not know it refuse. Source: {@code ibv_post_send(3)}. Not thread-safe.
 */
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
     * Creates an instance with every attribute zero. That makes it an RDMA WRITE, as in C: programs of level 1 may rely on it,
     * so {@code postSend} does not refuse an opcode that was never set. {@link QueuePair#postSendOrThrow} does.
     */
    public SendWorkRequest() {}

    /** Takes over all of another request but its list, of which it stands alone; the elements are copied. */
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

    /** {@return next work request of the list, or null} */
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

    /** {@return id that the completion will carry} */
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

    /** {@return operation, a {@link WrOpcode} value} */
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

    /** Whether an operation was chosen: 0 is one, too. */
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

    /** {@return immediate data as a number; travels in network order} */
    public int immData() {
        return immData;
    }

    /**
     * Sets {@link #immData()}.
     *
     * @param value immediate data as a number; travels in network order
     * @return this
     */
    public SendWorkRequest immData(int value) {
        immData = value;
        return this;
    }

    /** {@return remote address of an RDMA or atomic operation} */
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

    /** {@return remote key of an RDMA or atomic operation} */
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

    /** {@return value to compare with, or to add, as a number; the peer's 8 bytes are in the byte order of its machine} */
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

    /** {@return value to swap in, as a number; the peer's 8 bytes are in the byte order of its machine} */
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

    /** {@return where a datagram goes; UD only} */
    public AddressHandle ah() {
        return ah;
    }

    /**
     * Sets {@link #ah()}.
     *
     * @param value where a datagram goes; UD only
     * @return this
     */
    public SendWorkRequest ah(AddressHandle value) {
        ah = value;
        return this;
    }

    /** {@return number of the remote queue pair; UD only} */
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
     * Q_Key of the remote queue pair; UD only. Where the top bit is set the queue pair's own Q_Key is sent.
     *
     * @return Q_Key of the remote queue pair; UD only
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

    /**
     * Number of the remote shared receive queue; XRC_SEND only. Since level 2.
     *
     * @return number of the remote shared receive queue; XRC_SEND only
     */
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

    /** {@return the remote key that is taken back, by LOCAL_INV this side's, by SEND_WITH_INV the peer's} Since level 3. */
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
     * {@return the remote key that the window has from now on: that of before but for the lowest 8 bits, as {@link
     * MemoryWindow#incRkey(int)} makes it; BIND_MW only} Since level 3.
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

    /** {@return what the window opens: region, address, length and access; its id and flags do not count; BIND_MW only} Since level 3. */
    public MwBind mwBind() {
        return mwBind;
    }

    /**
     * Sets {@link #mwBind()}. Since level 3.
     *
     * @param value what the window opens
     * @return this
     */
    public SendWorkRequest mwBind(MwBind value) {
        mwBind = value;
        return this;
    }

    /** {@return which bits are compared, of {@link WrOpcode#MASKED_ATOMIC_CMP_AND_SWP}; the top bits of fields, of {@link WrOpcode#MASKED_ATOMIC_FETCH_AND_ADD}} Since level 3. */
    public long compareAddMask() {
        return compareAddMask;
    }

    /**
     * Sets {@link #compareAddMask()}. Since level 3.
     *
     * @param value the value
     * @return this
     */
    public SendWorkRequest compareAddMask(long value) {
        compareAddMask = value;
        return this;
    }

    /** {@return which bits are swapped in, of {@link WrOpcode#MASKED_ATOMIC_CMP_AND_SWP}} Since level 3. */
    public long swapMask() {
        return swapMask;
    }

    /**
     * Sets {@link #swapMask()}. Since level 3.
     *
     * @param value the value
     * @return this
     */
    public SendWorkRequest swapMask(long value) {
        swapMask = value;
        return this;
    }

    /** {@return how many bytes a masked atomic works on: 4 or 8; 0 means 8. Of 4 bytes the lower half of each operand counts} Since level 3. */
    public int atomicWidth() {
        return atomicWidth;
    }

    /**
     * Sets {@link #atomicWidth()}. Since level 3.
     *
     * @param value the value
     * @return this
     */
    public SendWorkRequest atomicWidth(int value) {
        atomicWidth = value;
        return this;
    }

    /** {@return what {@link WrOpcode#ATOMIC_WRITE} writes, as a number; the peer's 8 bytes are in the byte order of this machine} Since level 3. */
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

    /** {@return how far {@link WrOpcode#FLUSH} goes, {@link FlushType} bits} Since level 3. */
    public int flushType() {
        return flushType;
    }

    /**
     * Sets {@link #flushType()}. Since level 3.
     *
     * @param value the value
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
     * @param value the value
     * @return this
     */
    public SendWorkRequest flushLevel(int value) {
        flushLevel = value;
        return this;
    }

    /** {@return length in bytes of the range at {@link #remoteAddr()} that {@link WrOpcode#FLUSH} covers, up to 2^32 - 1} Since level 3. */
    public long flushLength() {
        return flushLength;
    }

    /**
     * Sets {@link #flushLength()}. Since level 3.
     *
     * @param value the value
     * @return this
     */
    public SendWorkRequest flushLength(long value) {
        flushLength = value;
        return this;
    }

    /** {@return what {@link WrOpcode#REG_MR} makes of a key} Since level 3. */
    public FastRegister fastRegister() {
        return fastRegister;
    }

    /**
     * Sets {@link #fastRegister()}. Since level 3.
     *
     * @param value the value
     * @return this
     */
    public SendWorkRequest fastRegister(FastRegister value) {
        fastRegister = value;
        return this;
    }

    /**
     * {@return the headers of {@link WrOpcode#TSO}: Ethernet, IP and TCP, in memory that is registered in the queue pair's domain;
     * copied when the request is posted} Since level 4.
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

    /** {@return how many bytes of the data each frame of {@link WrOpcode#TSO} has, but for the last} Since level 4. */
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
     * The queue pair whose work requests {@link WrOpcode#SEND_ENABLE} and {@link WrOpcode#RECV_ENABLE} let begin. Since
     * level 3.
     *
     * @return the queue pair
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
     * How many completions {@link WrOpcode#CQE_WAIT} waits for, from 1, or how many work requests {@link
     * WrOpcode#SEND_ENABLE} and {@link WrOpcode#RECV_ENABLE} let begin, where 0 means all that are posted. Since level
     * 3.
     *
     * @return the number
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
     * Sets the scatter/gather list; the array is used as it is, not copied, until the request was posted.
     *
     * @param elements the elements, all of them counting
     * @return this
     */
    public SendWorkRequest sgList(ScatterGatherElement... elements) {
        return sgList(elements, elements.length);
    }

    /**
     * Sets the scatter/gather list to the first elements of an array, which is used as it is until the request was
     * posted.
     *
     * @param elements the elements
     * @param count how many of them count
     * @return this
     */
    public SendWorkRequest sgList(ScatterGatherElement[] elements, int count) {
        sgList = elements;
        numSge = count;
        return this;
    }

    /**
     * The scatter/gather list, of which the first {@link #numSge()} elements count.
     *
     * @return the elements
     */
    public ScatterGatherElement[] sgList() {
        return sgList;
    }

    /**
     * How many elements of the scatter/gather list count.
     *
     * @return the number
     */
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
