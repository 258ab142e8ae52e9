/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * The slots of a {@link ContextTable}: one for each verb that came after level 1.
 *
 * <p>An index never changes and is never used again; a new verb gets the next one. So the size of a table says which verbs its
 * maker knew: those below it. Since level 2. Source: the members of {@code struct verbs_context}.
 */
public final class ContextSlot {
    /** {@link Context#openXrcd(XrcdInitAttr)}, an {@link io.verbs4j.slot.OpenXrcd}. Level 2. */
    public static final int OPEN_XRCD = 0;

    /** {@link XrcDomain#close()}, a {@link io.verbs4j.slot.CloseXrcd}. Level 2. */
    public static final int CLOSE_XRCD = 1;

    /** {@link Context#createSrqEx(SrqInitAttrEx)}, a {@link io.verbs4j.slot.CreateSrqEx}. Level 2. */
    public static final int CREATE_SRQ_EX = 2;

    /** {@link SharedReceiveQueue#srqNum()}, a {@link io.verbs4j.slot.GetSrqNum}. Level 2. */
    public static final int GET_SRQ_NUM = 3;

    /** {@link Context#createQpEx(QpInitAttrEx)}, a {@link io.verbs4j.slot.CreateQpEx}. Level 2. */
    public static final int CREATE_QP_EX = 4;

    /** {@link Context#openQp(QpOpenAttr)}, an {@link io.verbs4j.slot.OpenQp}. Level 2. */
    public static final int OPEN_QP = 5;

    /** How many slots level 2 has. */
    public static final int LEVEL_2_COUNT = 6;

    /** How many slots the header knows that the reader of this constant was compiled against. */
    public static final int COUNT = LEVEL_2_COUNT;

    private static final String[] NAMES = {
        "open_xrcd", "close_xrcd", "create_srq_ex", "get_srq_num", "create_qp_ex", "open_qp",
    };

    private ContextSlot() {}

    /**
     * The verb of a slot.
     *
     * @param slot index of a slot
     * @return its name as in libibverbs, without the prefix; {@code "slot 99"} for one that this header does not know
     */
    public static String verb(int slot) {
        return slot >= 0 && slot < NAMES.length ? NAMES[slot] : "slot " + slot;
    }

    /**
     * Whether verbs of level 1 stand in for what they can do of a verb, where library or provider do not have it.
     *
     * @param slot index of a slot
     * @return true for {@link #CREATE_SRQ_EX} and {@link #CREATE_QP_EX}
     */
    public static boolean hasFallback(int slot) {
        return slot == CREATE_SRQ_EX || slot == CREATE_QP_EX;
    }

    /**
     * The level that a slot came with.
     *
     * @param slot index of a slot
     * @return the level; one more than this header's for a slot that it does not know
     */
    public static int level(int slot) {
        return slot >= 0 && slot < LEVEL_2_COUNT ? VerbsLevel.EXTENDED : VerbsLevel.CURRENT + 1;
    }
}
