/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Types of asynchronous events. The completion, queue pair and port events are described in the InfiniBand Architecture
 * Specification, volume 1, 11.6.3.
 *
 * <p>A device newer than this class may report further values. Source: {@code ibv_get_async_event(3)}.
 */
public final class EventType {
    /**
     * A completion queue overflowed or met another error; it and its queue pairs are lost. Carries the completion
     * queue. Source: {@code IBV_EVENT_CQ_ERR}, {@code ibv_get_async_event(3)}.
     */
    public static final int CQ_ERR = 0;

    /**
     * A queue pair went to the error state because it could not report an error by a completion. Carries the queue
     * pair. Source: {@code IBV_EVENT_QP_FATAL}, {@code ibv_get_async_event(3)}.
     */
    public static final int QP_FATAL = 1;

    /**
     * A queue pair went to the error state because of an invalid request from its peer. Carries the queue pair. Source:
     * {@code IBV_EVENT_QP_REQ_ERR}, {@code ibv_get_async_event(3)}.
     */
    public static final int QP_REQ_ERR = 2;

    /**
     * A queue pair went to the error state because its peer attempted an access that is not permitted. Carries the
     * queue pair. Source: {@code IBV_EVENT_QP_ACCESS_ERR}, {@code ibv_get_async_event(3)}.
     */
    public static final int QP_ACCESS_ERR = 3;

    /**
     * A queue pair in state RTR received its first packet. Carries the queue pair. Source: {@code IBV_EVENT_COMM_EST},
     * {@code ibv_get_async_event(3)}.
     */
    public static final int COMM_EST = 4;

    /**
     * A queue pair that is moving to state SQD has finished all sends in progress. Carries the queue pair. Source:
     * {@code IBV_EVENT_SQ_DRAINED}, {@code ibv_get_async_event(3)}.
     */
    public static final int SQ_DRAINED = 5;

    /**
     * A queue pair migrated to its alternate path. Carries the queue pair. Source: {@code IBV_EVENT_PATH_MIG},
     * {@code ibv_get_async_event(3)}.
     */
    public static final int PATH_MIG = 6;

    /**
     * A queue pair could not migrate to its alternate path. Carries the queue pair. Source:
     * {@code IBV_EVENT_PATH_MIG_ERR}, {@code ibv_get_async_event(3)}.
     */
    public static final int PATH_MIG_ERR = 7;

    /**
     * The device failed as a whole; close it. Carries nothing. Source: {@code IBV_EVENT_DEVICE_FATAL},
     * {@code ibv_get_async_event(3)}.
     */
    public static final int DEVICE_FATAL = 8;

    /**
     * A port became active. Carries the port number, from 1. Source: {@code IBV_EVENT_PORT_ACTIVE},
     * {@code ibv_get_async_event(3)}.
     */
    public static final int PORT_ACTIVE = 9;

    /**
     * A port is no longer active. Carries the port number, from 1. Source: {@code IBV_EVENT_PORT_ERR},
     * {@code ibv_get_async_event(3)}.
     */
    public static final int PORT_ERR = 10;

    /**
     * The LID of a port changed. Carries the port number, from 1. Source: {@code IBV_EVENT_LID_CHANGE},
     * {@code ibv_get_async_event(3)}.
     */
    public static final int LID_CHANGE = 11;

    /**
     * The P_Key table of a port changed. Carries the port number, from 1. Source: {@code IBV_EVENT_PKEY_CHANGE},
     * {@code ibv_get_async_event(3)}.
     */
    public static final int PKEY_CHANGE = 12;

    /**
     * Another subnet manager took over the subnet of a port. Carries the port number, from 1. Source:
     * {@code IBV_EVENT_SM_CHANGE}, {@code ibv_get_async_event(3)}.
     */
    public static final int SM_CHANGE = 13;

    /**
     * A shared receive queue met an error and is lost. Carries the shared receive queue. Source:
     * {@code IBV_EVENT_SRQ_ERR}, {@code ibv_get_async_event(3)}.
     */
    public static final int SRQ_ERR = 14;

    /**
     * A shared receive queue holds fewer requests than its limit; the limit is disabled until set again. Carries the
     * shared receive queue. Source: {@code IBV_EVENT_SRQ_LIMIT_REACHED}, {@code ibv_get_async_event(3)}.
     */
    public static final int SRQ_LIMIT_REACHED = 15;

    /**
     * A queue pair in the error state took its last request from its shared receive queue. Carries the queue pair.
     * Source: {@code IBV_EVENT_QP_LAST_WQE_REACHED}, {@code ibv_get_async_event(3)}.
     */
    public static final int QP_LAST_WQE_REACHED = 16;

    /**
     * The subnet manager asks the port to renew subscriptions and multicast joins. Carries the port number, from 1.
     * Source: {@code IBV_EVENT_CLIENT_REREGISTER}, {@code ibv_get_async_event(3)}.
     */
    public static final int CLIENT_REREGISTER = 17;

    /**
     * The GID table of a port changed. Carries the port number, from 1. Source: {@code IBV_EVENT_GID_CHANGE},
     * {@code ibv_get_async_event(3)}.
     */
    public static final int GID_CHANGE = 18;

    /**
     * A work queue met an error and is lost. Carries the {@link WorkQueue}. Since level 4. Source:
     * {@code IBV_EVENT_WQ_FATAL}, {@code ibv_get_async_event(3)}.
     */
    public static final int WQ_FATAL = 19;

    private EventType() {}

    /**
     * Returns the text of an event type, worded as by {@code ibv_event_type_str(3)}.
     *
     * @param eventType one of the constants of this class
     * @return the text, or {@code "unknown"} if the value has none
     */
    public static String toString(int eventType) {
        switch (eventType) {
            case CQ_ERR:
                return "CQ error";
            case QP_FATAL:
                return "local work queue catastrophic error";
            case QP_REQ_ERR:
                return "invalid request local work queue error";
            case QP_ACCESS_ERR:
                return "local access violation work queue error";
            case COMM_EST:
                return "communication established";
            case SQ_DRAINED:
                return "send queue drained";
            case PATH_MIG:
                return "path migrated";
            case PATH_MIG_ERR:
                return "path migration request error";
            case DEVICE_FATAL:
                return "local catastrophic error";
            case PORT_ACTIVE:
                return "port active";
            case PORT_ERR:
                return "port error";
            case LID_CHANGE:
                return "LID change";
            case PKEY_CHANGE:
                return "P_Key change";
            case SM_CHANGE:
                return "SM change";
            case SRQ_ERR:
                return "SRQ catastrophic error";
            case SRQ_LIMIT_REACHED:
                return "SRQ limit reached";
            case QP_LAST_WQE_REACHED:
                return "last WQE reached";
            case CLIENT_REREGISTER:
                return "client reregistration";
            case GID_CHANGE:
                return "GID table change";
            case WQ_FATAL:
                return "WQ fatal";
            default:
                return "unknown";
        }
    }
}
