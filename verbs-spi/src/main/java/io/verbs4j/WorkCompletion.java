/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A work completion, filled by {@link CompletionQueue#poll(int, WorkCompletion[])}.
 *
 * <p>Unless {@link #status()} is {@link WcStatus#SUCCESS}, only the work request id, the status, the queue pair number
 * and the vendor's error are valid. Create completions once and reuse them: polling allocates nothing. Source:
 * {@code ibv_poll_cq(3)}. Not thread-safe.
 */
// More than 30 public methods because each field of a completion is two, and the API is frozen.
public final class WorkCompletion {
    /** Index of {@link #completionTs()}. Since level 3. */
    public static final int COMPLETION_TS = 0;

    /** Index of {@link #completionWallclockNs()}. Since level 3. */
    public static final int COMPLETION_WALLCLOCK_NS = 1;

    /** Index of {@link #cvlan()}. Since level 4. */
    public static final int CVLAN = 2;

    /** Index of {@link #flowTag()}. Since level 4. */
    public static final int FLOW_TAG = 3;

    /** Index of {@link #tmTag()}. Since level 4. */
    public static final int TM_TAG = 4;

    /** Index of {@link #tmPriv()}. Since level 4. */
    public static final int TM_PRIV = 5;

    /** Number of fields after level 1 that the reader of this constant was compiled against. */
    public static final int SIZE = TM_PRIV + 1;

    private long wrId;
    private int status;
    private int opcode;
    private int vendorErr;
    private int byteLen;
    private int immData;
    private int qpNum;
    private int srcQp;
    private int wcFlags;
    private int pkeyIndex;
    private int slid;
    private int sl;
    private int dlidPathBits;
    private int size = SIZE;
    private long compMask;
    private long completionTs;
    private long completionWallclockNs;
    private int cvlan;
    private int flowTag;
    private long tmTag;
    private int tmPriv;

    /** Creates an instance with every attribute zero. */
    public WorkCompletion() {}

    /** {@return the id that the work request was posted with} */
    public long wrId() {
        return wrId;
    }

    /**
     * Sets {@link #wrId()}.
     *
     * @param value id that the work request was posted with
     * @return this
     */
    public WorkCompletion wrId(long value) {
        wrId = value;
        return this;
    }

    /** {@return the outcome, a {@link WcStatus} value} */
    public int status() {
        return status;
    }

    /**
     * Sets {@link #status()}.
     *
     * @param value outcome, a {@link WcStatus} value
     * @return this
     */
    public WorkCompletion status(int value) {
        status = value;
        return this;
    }

    /** {@return the operation that completed, a {@link WcOpcode} value} */
    public int opcode() {
        return opcode;
    }

    /**
     * Sets {@link #opcode()}.
     *
     * @param value the operation that completed, a {@link WcOpcode} value
     * @return this
     */
    public WorkCompletion opcode(int value) {
        opcode = value;
        return this;
    }

    /** {@return the vendor's error code} */
    public int vendorErr() {
        return vendorErr;
    }

    /**
     * Sets {@link #vendorErr()}.
     *
     * @param value the vendor's error code
     * @return this
     */
    public WorkCompletion vendorErr(int value) {
        vendorErr = value;
        return this;
    }

    /**
     * {@return the number of bytes transferred, unsigned: a message may have 2<sup>31</sup> bytes, so use {@link
     * Integer#toUnsignedLong}; a receive on UD includes the 40 bytes of the GRH}
     */
    public int byteLen() {
        return byteLen;
    }

    /**
     * Sets {@link #byteLen()}.
     *
     * @param value number of bytes transferred, unsigned; a receive on UD includes the 40 bytes of the GRH
     * @return this
     */
    public WorkCompletion byteLen(int value) {
        byteLen = value;
        return this;
    }

    /** {@return the immediate data as a number; valid if {@link WcFlags#WITH_IMM} is set} */
    public int immData() {
        return immData;
    }

    /**
     * Sets {@link #immData()}.
     *
     * @param value immediate data as a number; valid if {@link WcFlags#WITH_IMM} is set
     * @return this
     */
    public WorkCompletion immData(int value) {
        immData = value;
        return this;
    }

    /** {@return the number of the local queue pair} */
    public int qpNum() {
        return qpNum;
    }

    /**
     * Sets {@link #qpNum()}.
     *
     * @param value number of the local queue pair
     * @return this
     */
    public WorkCompletion qpNum(int value) {
        qpNum = value;
        return this;
    }

    /** {@return the number of the remote queue pair; UD only} */
    public int srcQp() {
        return srcQp;
    }

    /**
     * Sets {@link #srcQp()}.
     *
     * @param value number of the remote queue pair; UD only
     * @return this
     */
    public WorkCompletion srcQp(int value) {
        srcQp = value;
        return this;
    }

    /** {@return the {@link WcFlags} bits} */
    public int wcFlags() {
        return wcFlags;
    }

    /**
     * Sets {@link #wcFlags()}.
     *
     * @param value {@link WcFlags} bits
     * @return this
     */
    public WorkCompletion wcFlags(int value) {
        wcFlags = value;
        return this;
    }

    /** {@return the index of the P_Key; UD (GSI) only} */
    public int pkeyIndex() {
        return pkeyIndex;
    }

    /**
     * Sets {@link #pkeyIndex()}.
     *
     * @param value index of the P_Key; UD (GSI) only
     * @return this
     */
    public WorkCompletion pkeyIndex(int value) {
        pkeyIndex = value;
        return this;
    }

    /** {@return the source LID; UD only, 0 on RoCE} */
    public int slid() {
        return slid;
    }

    /**
     * Sets {@link #slid()}.
     *
     * @param value source LID; UD only, 0 on RoCE
     * @return this
     */
    public WorkCompletion slid(int value) {
        slid = value;
        return this;
    }

    /** {@return the service level; UD only} */
    public int sl() {
        return sl;
    }

    /**
     * Sets {@link #sl()}.
     *
     * @param value service level; UD only
     * @return this
     */
    public WorkCompletion sl(int value) {
        sl = value;
        return this;
    }

    /** {@return the path bits of the destination LID; UD only, 0 on RoCE} */
    public int dlidPathBits() {
        return dlidPathBits;
    }

    /**
     * Sets {@link #dlidPathBits()}.
     *
     * @param value path bits of the destination LID; UD only, 0 on RoCE
     * @return this
     */
    public WorkCompletion dlidPathBits(int value) {
        dlidPathBits = value;
        return this;
    }

    /** {@return the remote key that was invalidated; valid if {@link WcFlags#WITH_INV} is set} Since level 3. */
    public int invalidatedRkey() {
        return immData; // they share one word, as in C
    }

    /**
     * Sets {@link #invalidatedRkey()}. Since level 3.
     *
     * @param value the remote key
     * @return this
     */
    public WorkCompletion invalidatedRkey(int value) {
        immData = value;
        return this;
    }

    /**
     * Clears the fields added after level 1 and sets how many of them the reader knows; for providers. Values set for
     * fields beyond those are dropped. Since level 3.
     *
     * @param knownFields number of fields the reader knows
     * @return this
     */
    public WorkCompletion expect(int knownFields) {
        size = knownFields;
        compMask = 0;
        return this;
    }

    /**
     * {@return which fields added after level 1 the last poll filled: bit <i>i</i> for the field with index <i>i</i>}
     * The poll without a size fills none; a provider of level 1 or 2 leaves the mask unchanged there. Since level 3.
     */
    public long compMask() {
        return compMask;
    }

    /**
     * {@return when the request completed, in ticks of the device's clock, if bit {@link #COMPLETION_TS} of the mask is
     * set; else 0} Only the bits of {@link DeviceAttrEx#completionTimestampMask()} are valid. Since level 3.
     */
    public long completionTs() {
        return (compMask & 1L << COMPLETION_TS) == 0 ? 0 : completionTs;
    }

    /**
     * Sets {@link #completionTs()} if the reader knows it. Since level 3.
     *
     * @param value ticks
     * @return this
     */
    public WorkCompletion completionTs(long value) {
        completionTs = value;
        fill(COMPLETION_TS);
        return this;
    }

    /**
     * {@return when the request completed, in nanoseconds since 1970, if bit {@link #COMPLETION_WALLCLOCK_NS} of the
     * mask is set; else 0} Since level 3.
     */
    public long completionWallclockNs() {
        return (compMask & 1L << COMPLETION_WALLCLOCK_NS) == 0 ? 0 : completionWallclockNs;
    }

    /**
     * Sets {@link #completionWallclockNs()} if the reader knows it. Since level 3.
     *
     * @param value nanoseconds since 1970
     * @return this
     */
    public WorkCompletion completionWallclockNs(long value) {
        completionWallclockNs = value;
        fill(COMPLETION_WALLCLOCK_NS);
        return this;
    }

    /**
     * {@return the VLAN tag that was stripped from the packet, if bit {@link #CVLAN} of the mask is set; else 0} Since
     * level 4.
     */
    public int cvlan() {
        return (compMask & 1L << CVLAN) == 0 ? 0 : cvlan;
    }

    /**
     * Sets {@link #cvlan()} if the reader knows it. Since level 4.
     *
     * @param value the tag, 16 bits
     * @return this
     */
    public WorkCompletion cvlan(int value) {
        cvlan = value;
        fill(CVLAN);
        return this;
    }

    /**
     * {@return the tag of the flow that steered the packet, if bit {@link #FLOW_TAG} of the mask is set; else 0} Since
     * level 4.
     */
    public int flowTag() {
        return (compMask & 1L << FLOW_TAG) == 0 ? 0 : flowTag;
    }

    /**
     * Sets {@link #flowTag()} if the reader knows it. Since level 4.
     *
     * @param value the tag
     * @return this
     */
    public WorkCompletion flowTag(int value) {
        flowTag = value;
        fill(FLOW_TAG);
        return this;
    }

    /** {@return the tag of a matched message, if bit {@link #TM_TAG} of the mask is set; else 0} Since level 4. */
    public long tmTag() {
        return (compMask & 1L << TM_TAG) == 0 ? 0 : tmTag;
    }

    /**
     * Sets {@link #tmTag()} if the reader knows it. Since level 4.
     *
     * @param value the tag
     * @return this
     */
    public WorkCompletion tmTag(long value) {
        tmTag = value;
        fill(TM_TAG);
        return this;
    }

    /**
     * {@return the private data that the sender of a matched message added to the tag, if bit {@link #TM_PRIV} of the
     * mask is set; else 0} Since level 4.
     */
    public int tmPriv() {
        return (compMask & 1L << TM_PRIV) == 0 ? 0 : tmPriv;
    }

    /**
     * Sets {@link #tmPriv()} if the reader knows it. Since level 4.
     *
     * @param value the sender's private data
     * @return this
     */
    public WorkCompletion tmPriv(int value) {
        tmPriv = value;
        fill(TM_PRIV);
        return this;
    }

    private void fill(int field) {
        if (field < size) {
            compMask |= 1L << field;
        }
    }

    @Override
    public String toString() {
        String outcome = WcStatus.toString(status) + ", request " + wrId + " of queue pair " + qpNum;
        if (status != WcStatus.SUCCESS) {
            return outcome + ", vendor error 0x" + Integer.toHexString(vendorErr);
        }
        String flags = wcFlags == 0 ? "" : ", " + WcFlags.toString(wcFlags);
        return outcome + ", " + WcOpcode.toString(opcode) + " of " + Integer.toUnsignedString(byteLen) + " bytes"
                + flags;
    }
}
