/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * States of automatic path migration; see the InfiniBand Architecture Specification, volume 1, 17.2.8.
 *
 * <p>A device newer than this class may report further values. Source: {@code ibv_modify_qp(3)}.
 */
public final class MigState {
    /**
     * The queue pair is on its primary path and no alternate path is ready; the state after creation. Source:
     * {@code IBV_MIG_MIGRATED}, {@code ibv_modify_qp(3)}.
     */
    public static final int MIGRATED = 0;

    /**
     * An alternate path is loaded; the two ends are agreeing to use it when needed. Source: {@code IBV_MIG_REARM},
     * {@code ibv_modify_qp(3)}.
     */
    public static final int REARM = 1;

    /**
     * The alternate path is ready; a failure of the primary path migrates the queue pair to it. Source:
     * {@code IBV_MIG_ARMED}, {@code ibv_modify_qp(3)}.
     */
    public static final int ARMED = 2;

    private MigState() {}

    /**
     * Returns the name of a value.
     *
     * @param state one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int state) {
        switch (state) {
            case MIGRATED:
                return "MIGRATED";
            case REARM:
                return "REARM";
            case ARMED:
                return "ARMED";
            default:
                return "unknown (" + state + ")";
        }
    }
}
