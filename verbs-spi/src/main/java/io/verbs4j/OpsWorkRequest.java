/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A change to the matching list of a shared receive queue of type {@link SrqType#TM}, or a list of them: the argument
 * of {@link SharedReceiveQueue#postSrqOps(OpsWorkRequest, OpsWorkRequest[])}.
 *
 * <p>A request may be reused as soon as it is posted. Since level 4. Source: {@code ibv_post_srq_ops(3)},
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

    /** {@return the id that the completion of the operation will carry} */
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

    /** {@return the next request of the list, or null} */
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

    /** {@return the operation, an {@link OpsWrOpcode} value} */
    public int opcode() {
        return opcode;
    }

    /**
     * Sets {@link #opcode()}.
     *
     * @param value operation, an {@link OpsWrOpcode} value
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

    /**
     * {@return the number of unexpected messages that the program has handled so far; valid with {@link
     * OpsFlags#TM_SYNC}}
     */
    public int unexpectedCnt() {
        return unexpectedCnt;
    }

    /**
     * Sets {@link #unexpectedCnt()}.
     *
     * @param value number of unexpected messages that the program has handled so far; valid with
     *     {@link OpsFlags#TM_SYNC}
     * @return this
     */
    public OpsWorkRequest unexpectedCnt(int value) {
        unexpectedCnt = value;
        return this;
    }

    /** {@return the handle of the buffer: posting TAG_ADD sets it, TAG_DEL reads it} */
    public int handle() {
        return handle;
    }

    /**
     * Sets {@link #handle()}.
     *
     * @param value handle of the buffer: posting TAG_ADD sets it, TAG_DEL reads it
     * @return this
     */
    public OpsWorkRequest handle(int value) {
        handle = value;
        return this;
    }

    /** {@return the id that the completions of the message will carry, for TAG_ADD} */
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
     * Sets the scatter list of the buffer, for TAG_ADD. The array is not copied: do not change it until the request is
     * posted.
     *
     * @param elements the elements, all of which are used
     * @return this
     */
    public OpsWorkRequest sgList(ScatterGatherElement... elements) {
        return sgList(elements, elements.length);
    }

    /**
     * Sets the scatter list of the buffer to the first elements of an array. The array is not copied: do not change it
     * until the request is posted.
     *
     * @param elements the elements
     * @param count number of elements to use
     * @return this
     */
    public OpsWorkRequest sgList(ScatterGatherElement[] elements, int count) {
        sgList = elements;
        numSge = count;
        return this;
    }

    /** {@return the scatter list, of which the first {@link #numSge()} elements are used} */
    public ScatterGatherElement[] sgList() {
        return sgList;
    }

    /** {@return the number of elements of the scatter list that are used} */
    public int numSge() {
        return numSge;
    }

    /**
     * {@return the tag of the buffer, for TAG_ADD: a message matches if its tag equals this one in the bits of {@link
     * #mask()}}
     */
    public long tag() {
        return tag;
    }

    /**
     * Sets {@link #tag()}.
     *
     * @param value tag of the buffer, for TAG_ADD: a message matches if its tag equals this one in the bits of
     *     {@link #mask()}
     * @return this
     */
    public OpsWorkRequest tag(long value) {
        tag = value;
        return this;
    }

    /** {@return the bits of the tag that must match, for TAG_ADD} */
    public long mask() {
        return mask;
    }

    /**
     * Sets {@link #mask()}.
     *
     * @param value bits of the tag that must match, for TAG_ADD
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
