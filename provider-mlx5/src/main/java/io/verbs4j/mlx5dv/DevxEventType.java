/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Types of events, of an object of the device or of the device itself. Newer devices have more, which their
 * capabilities list; any number may be used. Source: {@code enum mlx5_event}, Linux include/linux/mlx5/device.h.
 */
public final class DevxEventType {
    /** A completion queue received a completion. Source: {@code MLX5_EVENT_TYPE_COMP}. */
    public static final int COMP = 0x00;

    /** The path of a queue pair has migrated. Source: {@code MLX5_EVENT_TYPE_PATH_MIG}. */
    public static final int PATH_MIG = 0x01;

    /** The first packet arrived before the queue pair was ready to send. Source: {@code MLX5_EVENT_TYPE_COMM_EST}. */
    public static final int COMM_EST = 0x02;

    /** A send queue has drained. Source: {@code MLX5_EVENT_TYPE_SQ_DRAINED}. */
    public static final int SQ_DRAINED = 0x03;

    /** A completion queue has failed. Source: {@code MLX5_EVENT_TYPE_CQ_ERROR}. */
    public static final int CQ_ERROR = 0x04;

    /** A work queue has failed. Source: {@code MLX5_EVENT_TYPE_WQ_CATAS_ERROR}. */
    public static final int WQ_CATAS_ERROR = 0x05;

    /** The path of a queue pair could not migrate. Source: {@code MLX5_EVENT_TYPE_PATH_MIG_FAILED}. */
    public static final int PATH_MIG_FAILED = 0x07;

    /** A port changed; an event of no object. Source: {@code MLX5_EVENT_TYPE_PORT_CHANGE}. */
    public static final int PORT_CHANGE = 0x09;

    /** An invalid request was posted to a work queue. Source: {@code MLX5_EVENT_TYPE_WQ_INVAL_REQ_ERROR}. */
    public static final int WQ_INVAL_REQ_ERROR = 0x10;

    /** An access to a work queue violated its access rights. Source: {@code MLX5_EVENT_TYPE_WQ_ACCESS_ERROR}. */
    public static final int WQ_ACCESS_ERROR = 0x11;

    /** A shared receive queue has failed. Source: {@code MLX5_EVENT_TYPE_SRQ_CATAS_ERROR}. */
    public static final int SRQ_CATAS_ERROR = 0x12;

    /**
     * A queue pair took its last request from its shared receive queue. Source: {@code MLX5_EVENT_TYPE_SRQ_LAST_WQE}.
     */
    public static final int SRQ_LAST_WQE = 0x13;

    /** A shared receive queue fell below its limit. Source: {@code MLX5_EVENT_TYPE_SRQ_RQ_LIMIT}. */
    public static final int SRQ_RQ_LIMIT = 0x14;

    /** A tag-matching queue has failed. Source: {@code MLX5_EVENT_TYPE_XRQ_ERROR}. */
    public static final int XRQ_ERROR = 0x18;

    /** A DC target has drained. Source: {@code MLX5_EVENT_TYPE_DCT_DRAINED}. */
    public static final int DCT_DRAINED = 0x1c;

    /** A request used a wrong access key for a DC target. Source: {@code MLX5_EVENT_TYPE_DCT_KEY_VIOLATION}. */
    public static final int DCT_KEY_VIOLATION = 0x1d;

    private DevxEventType() {}
}
