/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Status codes of DevX commands: the first byte of the output. A device may return others. Source:
 * {@code enum mlx5_cmd_status}, rdma-core providers/mlx5/mlx5_ifc.h.
 */
public final class DevxStatus {
    /** The command was executed. Source: {@code MLX5_CMD_STAT_OK}. */
    public static final int OK = 0x00;

    /** The device failed internally. Source: {@code MLX5_CMD_STAT_INT_ERR}. */
    public static final int INT_ERR = 0x01;

    /** The device does not support the command. Source: {@code MLX5_CMD_STAT_BAD_OP_ERR}. */
    public static final int BAD_OP = 0x02;

    /** A field has an invalid value, or a reserved field is not zero. Source: {@code MLX5_CMD_STAT_BAD_PARAM_ERR}. */
    public static final int BAD_PARAM = 0x03;

    /** The device is in the wrong state for the command. Source: {@code MLX5_CMD_STAT_BAD_SYS_STATE_ERR}. */
    public static final int BAD_SYS_STATE = 0x04;

    /** A named object does not exist or belongs to another context. Source: {@code MLX5_CMD_STAT_BAD_RES_ERR}. */
    public static final int BAD_RES = 0x05;

    /** A named object is in use. Source: {@code MLX5_CMD_STAT_RES_BUSY}. */
    public static final int RES_BUSY = 0x06;

    /** A limit of the device is exceeded. Source: {@code MLX5_CMD_STAT_LIM_ERR}. */
    public static final int EXCEED_LIM = 0x08;

    /** A named object is in the wrong state for the command. Source: {@code MLX5_CMD_STAT_BAD_RES_STATE_ERR}. */
    public static final int BAD_RES_STATE = 0x09;

    /** An index is out of range. Source: {@code MLX5_CMD_STAT_IX_ERR}. */
    public static final int BAD_INDEX = 0x0a;

    /** The device has no more resources of this kind. Source: {@code MLX5_CMD_STAT_NO_RES_ERR}. */
    public static final int NO_RES = 0x0f;

    /** The queue pair is in the wrong state for the command. Source: {@code MLX5_CMD_STAT_BAD_QP_STATE_ERR}. */
    public static final int BAD_QP_STATE = 0x10;

    /** The input has the wrong length for the command. Source: {@code MLX5_CMD_STAT_BAD_INP_LEN_ERR}. */
    public static final int BAD_INP_LEN = 0x50;

    /** The output is too short for the command. Source: {@code MLX5_CMD_STAT_BAD_OUTP_LEN_ERR}. */
    public static final int BAD_OUTP_LEN = 0x51;

    private DevxStatus() {}

    /**
     * Returns the name of a status, and its meaning.
     *
     * @param status any number
     * @return for instance {@code BAD_INDEX, an index is out of range}
     */
    public static String toString(int status) {
        return switch (status) {
            case OK -> "OK";
            case INT_ERR -> "INT_ERR, the device has failed";
            case BAD_OP -> "BAD_OP, the device does not have this command";
            case BAD_PARAM -> "BAD_PARAM, a field has an invalid value, or a reserved field is not zero";
            case BAD_SYS_STATE -> "BAD_SYS_STATE, the device's state does not allow it";
            case BAD_RES -> "BAD_RES, an object that it names does not exist or belongs to another context";
            case RES_BUSY -> "RES_BUSY, an object that it names is in use";
            case EXCEED_LIM -> "EXCEED_LIM, a limit of the device is exceeded";
            case BAD_RES_STATE -> "BAD_RES_STATE, the state of an object that it names does not allow it";
            case BAD_INDEX -> "BAD_INDEX, an index is out of range";
            case NO_RES -> "NO_RES, the device has no more of these objects";
            case BAD_QP_STATE -> "BAD_QP_STATE, the queue pair's state does not allow it";
            case BAD_INP_LEN -> "BAD_INP_LEN, the input has the wrong length for this command";
            case BAD_OUTP_LEN -> "BAD_OUTP_LEN, the output is too short for this command";
            default -> "an unknown status";
        };
    }
}
