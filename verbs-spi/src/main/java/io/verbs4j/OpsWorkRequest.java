/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A change of the matching list of a shared receive queue of type {@link SrqType#TM}, or a list of them: the argument
 * of {@link SharedReceiveQueue#postSrqOps(OpsWorkRequest, OpsWorkRequest[])}.
 *
 * <p>May be used again as soon as it was posted. Since level 4. Source: {@code ibv_post_srq_ops(3)},
 * {@code struct ibv_ops_wr}. Not thread-safe.
 */
public final class OpsWorkRequest {
    private static final ScatterGatherElement[] NO_ELEMENTS = {};

    private long wrId;
    private OpsWorkRequest next;
    private int opcode;
    private int flags;
    private int unexpectedCnt;
    private int handle;
    private long recvWrId;
    private ScatterGatherElement[] sgList = NO_ELEMENTS;
    private int numSge;
    private long tag;
    private long mask;

    /** Creates an instance with every attribute zero. */
    public OpsWorkRequest() {}

    /** {@return id that the completion of the operation will carry} */
    public long wrId() {
        return wrId;
    }

    /**
     * Sets {@link #wrId()}.
     *
     * @param value id that the completion of the operation will carry
     * @return this
     */
    public OpsWorkRequest wrId(long value) {
        wrId = value;
        return this;
    }

    /** {@return next request of the list, or null} */
    public OpsWorkRequest next() {
        return next;
    }

    /**
     * Sets {@link #next()}.
     *
     * @param value next request of the list, or null
     * @return this
     */
    public OpsWorkRequest next(OpsWorkRequest value) {
        next = value;
        return this;
    }

    /** {@return what to do, an {@link OpsWrOpcode} value} */
    public int opcode() {
        return opcode;
    }

    /**
     * Sets {@link #opcode()}.
     *
     * @param value what to do, an {@link OpsWrOpcode} value
     * @return this
     */
    public OpsWorkRequest opcode(int value) {
        opcode = value;
        return this;
    }

    /** {@return {@link OpsFlags} bits} */
    public int flags() {
        return flags;
    }

    /**
     * Sets {@link #flags()}.
     *
     * @param value {@link OpsFlags} bits
     * @return this
     */
    public OpsWorkRequest flags(int value) {
        flags = value;
        return this;
    }

    /** {@return how many unexpected messages the program has handled so far; counts with {@link OpsFlags#TM_SYNC}} */
    public int unexpectedCnt() {
        return unexpectedCnt;
    }

    /**
     * Sets {@link #unexpectedCnt()}.
     *
     * @param value how many unexpected messages the program has handled so far; counts with {@link OpsFlags#TM_SYNC}
     * @return this
     */
    public OpsWorkRequest unexpectedCnt(int value) {
        unexpectedCnt = value;
        return this;
    }

    /** {@return what names the buffer: posting TAG_ADD sets it, TAG_DEL reads it} */
    public int handle() {
        return handle;
    }

    /**
     * Sets {@link #handle()}.
     *
     * @param value what names the buffer: posting TAG_ADD sets it, TAG_DEL reads it
     * @return this
     */
    public OpsWorkRequest handle(int value) {
        handle = value;
        return this;
    }

    /** {@return id that the completions of the message will carry, for TAG_ADD} */
    public long recvWrId() {
        return recvWrId;
    }

    /**
     * Sets {@link #recvWrId()}.
     *
     * @param value id that the completions of the message will carry, for TAG_ADD
     * @return this
     */
    public OpsWorkRequest recvWrId(long value) {
        recvWrId = value;
        return this;
    }

    /**
     * Sets the scatter list of the buffer, for TAG_ADD; the array is used as it is, not copied, until the request was
     * posted.
     *
     * @param elements the elements, all of them counting
     * @return this
     */
    public OpsWorkRequest sgList(ScatterGatherElement... elements) {
        return sgList(elements, elements.length);
    }

    /**
     * Sets the scatter list of the buffer to the first elements of an array, which is used as it is until the request
     * was posted.
     *
     * @param elements the elements
     * @param count how many of them count
     * @return this
     */
    public OpsWorkRequest sgList(ScatterGatherElement[] elements, int count) {
        sgList = elements;
        numSge = count;
        return this;
    }

    /**
     * The scatter list, of which the first {@link #numSge()} elements count.
     *
     * @return the elements
     */
    public ScatterGatherElement[] sgList() {
        return sgList;
    }

    /**
     * How many elements of the scatter list count.
     *
     * @return the number
     */
    public int numSge() {
        return numSge;
    }

    /**
     * {@return tag of the buffer, for TAG_ADD: a message matches whose tag is this one in the bits of {@link #mask()}}
     */
    public long tag() {
        return tag;
    }

    /**
     * Sets {@link #tag()}.
     *
     * @param value tag of the buffer, for TAG_ADD: a message matches whose tag is this one in the bits of
     *     {@link #mask()}
     * @return this
     */
    public OpsWorkRequest tag(long value) {
        tag = value;
        return this;
    }

    /** {@return bits of the tag that count, for TAG_ADD} */
    public long mask() {
        return mask;
    }

    /**
     * Sets {@link #mask()}.
     *
     * @param value bits of the tag that count, for TAG_ADD
     * @return this
     */
    public OpsWorkRequest mask(long value) {
        mask = value;
        return this;
    }

    @Override
    public String toString() {
        return OpsWrOpcode.toString(opcode) + " " + wrId + (next == null ? "" : ", and more");
    }
}
