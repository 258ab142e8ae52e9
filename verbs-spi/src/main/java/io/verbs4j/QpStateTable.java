/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Arrays;

/**
 * The state machine of a queue pair as a table: which transitions a call of modify can make, and with which attributes.
 *
 * <p>The queue pair types are those of {@link QpType}, the states those of {@link QpState}, the masks bits of
 * {@link QpAttrMask}. {@link QpAttrMask#STATE} is in no mask of this table and may be in any mask that is checked. A
 * call of modify that keeps the state counts as a transition from that state to itself.
 *
 * <p>The world is open: {@link #check} accepts queue pair types that the table does not know, and attributes added
 * after level 1; the provider validates them.
 *
 * <p>The table agrees with that of the Linux kernel, which has two noteworthy properties. Every state leads to
 * {@link QpState#RESET}, and every state except RESET leads to {@link QpState#ERR}. An RC queue pair may move from
 * {@link QpState#SQE} to {@link QpState#RTS}, although it never enters SQE. Transitions that a device makes by itself
 * ({@link QpState#RTS} to SQE, for instance) are not in the table.
 *
 * <p>Source: {@code ibv_modify_qp(3)}; InfiniBand Architecture Specification, volume 1, 10.3.1.
 */
public final class QpStateTable {
    private static final int STATES = QpState.ERR + 1;
    private static final int[] TYPES = {QpType.RC, QpType.UC, QpType.UD, QpType.XRC_SEND, QpType.XRC_RECV};

    private static final int CONNECTED_PATH = QpAttrMask.ALT_PATH | QpAttrMask.ACCESS_FLAGS | QpAttrMask.PATH_MIG_STATE;

    /** The entry for a pair of states without a transition; no mask is negative. */
    private static final int NONE = -1;

    /** Required attributes or NONE, by {@link #index}. */
    private static final int[] REQUIRED = new int[(QpType.XRC_RECV + 1) * STATES * STATES];

    /** Optional attributes, by {@link #index}. */
    private static final int[] OPTIONAL = new int[REQUIRED.length];

    static {
        Arrays.fill(REQUIRED, NONE);
        for (int type : TYPES) {
            for (int from = QpState.RESET; from < STATES; from++) {
                set(type, from, QpState.RESET, 0, 0);
                if (from != QpState.RESET) {
                    set(type, from, QpState.ERR, 0, 0);
                }
            }
            set(type, QpState.RTS, QpState.SQD, 0, QpAttrMask.EN_SQD_ASYNC_NOTIFY);
        }

        int first = QpAttrMask.PKEY_INDEX | QpAttrMask.PORT | QpAttrMask.ACCESS_FLAGS;
        int peer = QpAttrMask.AV | QpAttrMask.PATH_MTU | QpAttrMask.DEST_QPN | QpAttrMask.RQ_PSN;
        int peerOptional = QpAttrMask.ALT_PATH | QpAttrMask.ACCESS_FLAGS | QpAttrMask.PKEY_INDEX;

        int rc = QpType.RC;
        int rcPath = CONNECTED_PATH | QpAttrMask.MIN_RNR_TIMER;
        int rcReceive = QpAttrMask.MAX_DEST_RD_ATOMIC | QpAttrMask.MIN_RNR_TIMER;
        int rcSend = QpAttrMask.TIMEOUT | QpAttrMask.RETRY_CNT | QpAttrMask.RNR_RETRY | QpAttrMask.MAX_QP_RD_ATOMIC;
        set(rc, QpState.RESET, QpState.INIT, first, 0);
        set(rc, QpState.INIT, QpState.INIT, 0, first);
        set(rc, QpState.INIT, QpState.RTR, peer | rcReceive, peerOptional);
        set(rc, QpState.RTR, QpState.RTS, rcSend | QpAttrMask.SQ_PSN, rcPath | QpAttrMask.CUR_STATE);
        set(rc, QpState.RTS, QpState.RTS, 0, rcPath | QpAttrMask.CUR_STATE);
        set(rc, QpState.SQD, QpState.RTS, 0, rcPath | QpAttrMask.CUR_STATE);
        set(
                rc,
                QpState.SQD,
                QpState.SQD,
                0,
                rcPath
                        | rcSend
                        | QpAttrMask.AV
                        | QpAttrMask.PORT
                        | QpAttrMask.PKEY_INDEX
                        | QpAttrMask.MAX_DEST_RD_ATOMIC);
        set(rc, QpState.SQE, QpState.RTS, 0, 0);

        // The sending half of RC, and the receiving half.
        int xs = QpType.XRC_SEND;
        int xr = QpType.XRC_RECV;
        for (int half : new int[] {xs, xr}) {
            boolean sends = half == xs;
            int path = CONNECTED_PATH | (sends ? 0 : QpAttrMask.MIN_RNR_TIMER);
            set(half, QpState.RESET, QpState.INIT, first, 0);
            set(half, QpState.INIT, QpState.INIT, 0, first);
            set(half, QpState.INIT, QpState.RTR, sends ? peer : peer | rcReceive, peerOptional);
            int start = sends ? rcSend | QpAttrMask.SQ_PSN : QpAttrMask.SQ_PSN | QpAttrMask.TIMEOUT;
            set(half, QpState.RTR, QpState.RTS, start, path | QpAttrMask.CUR_STATE);
            set(half, QpState.RTS, QpState.RTS, 0, path | QpAttrMask.CUR_STATE);
            set(half, QpState.SQD, QpState.RTS, 0, path | QpAttrMask.CUR_STATE);
            int drained = path | QpAttrMask.AV | QpAttrMask.PORT | QpAttrMask.PKEY_INDEX;
            int own = sends ? rcSend : QpAttrMask.TIMEOUT | QpAttrMask.MAX_DEST_RD_ATOMIC;
            set(half, QpState.SQD, QpState.SQD, 0, drained | own);
        }
        set(xs, QpState.SQE, QpState.RTS, 0, 0);
        set(xr, QpState.SQE, QpState.RTS, 0, 0);

        int uc = QpType.UC;
        set(uc, QpState.RESET, QpState.INIT, first, 0);
        set(uc, QpState.INIT, QpState.INIT, 0, first);
        set(uc, QpState.INIT, QpState.RTR, peer, peerOptional);
        set(uc, QpState.RTR, QpState.RTS, QpAttrMask.SQ_PSN, CONNECTED_PATH | QpAttrMask.CUR_STATE);
        set(uc, QpState.RTS, QpState.RTS, 0, CONNECTED_PATH | QpAttrMask.CUR_STATE);
        set(uc, QpState.SQD, QpState.RTS, 0, CONNECTED_PATH | QpAttrMask.CUR_STATE);
        set(uc, QpState.SQD, QpState.SQD, 0, CONNECTED_PATH | QpAttrMask.AV | QpAttrMask.PKEY_INDEX);
        set(uc, QpState.SQE, QpState.RTS, 0, QpAttrMask.ACCESS_FLAGS | QpAttrMask.CUR_STATE);

        int ud = QpType.UD;
        int udFirst = QpAttrMask.PKEY_INDEX | QpAttrMask.PORT | QpAttrMask.QKEY;
        set(ud, QpState.RESET, QpState.INIT, udFirst, 0);
        set(ud, QpState.INIT, QpState.INIT, 0, udFirst);
        set(ud, QpState.INIT, QpState.RTR, 0, QpAttrMask.PKEY_INDEX | QpAttrMask.QKEY);
        set(ud, QpState.RTR, QpState.RTS, QpAttrMask.SQ_PSN, QpAttrMask.QKEY | QpAttrMask.CUR_STATE);
        set(ud, QpState.RTS, QpState.RTS, 0, QpAttrMask.QKEY | QpAttrMask.CUR_STATE);
        set(ud, QpState.SQD, QpState.RTS, 0, QpAttrMask.QKEY | QpAttrMask.CUR_STATE);
        set(ud, QpState.SQD, QpState.SQD, 0, QpAttrMask.PKEY_INDEX | QpAttrMask.QKEY);
        set(ud, QpState.SQE, QpState.RTS, 0, QpAttrMask.QKEY | QpAttrMask.CUR_STATE);
    }

    private QpStateTable() {}

    /**
     * Returns whether the table knows a queue pair type.
     *
     * @param type a {@link QpType} value
     * @return true for RC, UC, UD, XRC_SEND and XRC_RECV
     */
    public static boolean knows(int type) {
        return isType(type);
    }

    /**
     * Returns whether a call of modify can move a queue pair from one state to another.
     *
     * @param type a {@link QpType} value
     * @param from the present {@link QpState} value
     * @param to the next {@link QpState} value
     * @return true if there is such a transition; false also for a type or a state that the table does not know
     */
    public static boolean allowed(int type, int from, int to) {
        return known(type, from, to) && REQUIRED[index(type, from, to)] != NONE;
    }

    /**
     * Returns the attributes that a transition requires.
     *
     * @param type a {@link QpType} value
     * @param from the present {@link QpState} value
     * @param to the next {@link QpState} value
     * @return bits of {@link QpAttrMask}, without {@link QpAttrMask#STATE}; 0 if the transition is not allowed
     */
    public static int required(int type, int from, int to) {
        return allowed(type, from, to) ? REQUIRED[index(type, from, to)] : 0;
    }

    /**
     * Returns the attributes that a transition allows in addition to those that it requires.
     *
     * @param type a {@link QpType} value
     * @param from the present {@link QpState} value
     * @param to the next {@link QpState} value
     * @return bits of {@link QpAttrMask}, without {@link QpAttrMask#STATE}; 0 if the transition is not allowed
     */
    public static int optional(int type, int from, int to) {
        return allowed(type, from, to) ? OPTIONAL[index(type, from, to)] : 0;
    }

    /**
     * Checks the attributes of a transition.
     *
     * @param type a {@link QpType} value
     * @param from the present {@link QpState} value
     * @param to the next {@link QpState} value, the present one if the mask lacks {@link QpAttrMask#STATE}
     * @param mask bits of {@link QpAttrMask} of the call
     * @return null if the call is valid, or if the table does not know the type; otherwise a sentence that says what is
     *     wrong, for instance {@code "RESET to INIT of an RC queue pair needs ACCESS_FLAGS, PKEY_INDEX, PORT; missing
     *     PORT"}
     */
    public static String check(int type, int from, int to, int mask) {
        if (!isType(type)) {
            return null;
        }
        if (!known(type, from, to)) {
            int state = isState(from) ? to : from;
            return "queue pair state " + state
                    + " is not one of RESET (0), INIT (1), RTR (2), RTS (3), SQD (4), SQE (5), ERR (6)";
        }
        if (isFine(type, from, to, mask)) {
            return null; // building the words takes longer than the whole change
        }
        String change = QpState.toString(from) + " to " + QpState.toString(to) + " of " + article(type) + " queue pair";
        if (!allowed(type, from, to)) {
            return change + " is not allowed; " + QpState.toString(from) + " can go to " + successors(type, from);
        }
        int required = required(type, from, to);
        int optional = optional(type, from, to);
        int missing = required & ~mask;
        int surplus = surplus(mask, required | optional);
        StringBuilder text = new StringBuilder(change);
        if (missing != 0) {
            text.append(" needs ").append(list(required));
        }
        if (surplus != 0) {
            int takes = missing != 0 ? optional : required | optional;
            text.append(missing != 0 ? " and may take " : " takes ");
            text.append(takes != 0 ? "only " + list(takes) : missing != 0 ? "nothing else" : "nothing");
        }
        if (missing != 0) {
            text.append("; missing ").append(list(missing));
        }
        if (surplus != 0) {
            text.append("; surplus ").append(list(surplus));
        }
        return text.toString();
    }

    private static boolean isFine(int type, int from, int to, int mask) {
        int at = index(type, from, to);
        int required = REQUIRED[at];
        return required != NONE && (required & ~mask) == 0 && surplus(mask, required | OPTIONAL[at]) == 0;
    }

    private static int surplus(int mask, int taken) {
        return mask & QpAttrMask.IN_STATE_TABLE & ~(taken | QpAttrMask.STATE);
    }

    private static void set(int type, int from, int to, int required, int optional) {
        REQUIRED[index(type, from, to)] = required;
        OPTIONAL[index(type, from, to)] = optional;
    }

    private static int index(int type, int from, int to) {
        return (type * STATES + from) * STATES + to;
    }

    private static boolean known(int type, int from, int to) {
        return isType(type) && isState(from) && isState(to);
    }

    private static boolean isType(int type) {
        for (int known : TYPES) {
            if (type == known) {
                return true;
            }
        }
        return false;
    }

    private static boolean isState(int state) {
        return state >= QpState.RESET && state < STATES;
    }

    private static String article(int type) {
        return (type == QpType.UC || type == QpType.UD ? "a " : "an ") + QpType.toString(type);
    }

    private static String successors(int type, int from) {
        StringBuilder text = new StringBuilder();
        for (int to = QpState.RESET; to < STATES; to++) {
            if (allowed(type, from, to)) {
                text.append(text.length() == 0 ? "" : ", ").append(QpState.toString(to));
            }
        }
        return text.toString();
    }

    private static String list(int mask) {
        return QpAttrMask.toString(mask).replace("|", ", ");
    }
}
