/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

/**
 * Types of events. An engine newer than this class may report further values. Source: {@code enum rdma_cm_event_type},
 * rdma_get_cm_event(3).
 */
public final class CmEventType {
    /** The address has been resolved: the id is bound to a device. Source: {@code RDMA_CM_EVENT_ADDR_RESOLVED}. */
    public static final int ADDR_RESOLVED = 0;

    /**
     * The address could not be resolved; {@link CmEvent#status()} is a negative errno. Source: {@code
     * RDMA_CM_EVENT_ADDR_ERROR}.
     */
    public static final int ADDR_ERROR = 1;

    /** The route has been resolved. Source: {@code RDMA_CM_EVENT_ROUTE_RESOLVED}. */
    public static final int ROUTE_RESOLVED = 2;

    /** The route could not be resolved. Source: {@code RDMA_CM_EVENT_ROUTE_ERROR}. */
    public static final int ROUTE_ERROR = 3;

    /**
     * A peer wants to connect: {@link CmEvent#id()} is a new id, {@link CmEvent#listenId()} the listener. Source:
     * {@code RDMA_CM_EVENT_CONNECT_REQUEST}.
     */
    public static final int CONNECT_REQUEST = 4;

    /**
     * The peer has accepted and the id has no queue pair: connect the program's own, then call {@link
     * CmId#establish()}. Source: {@code RDMA_CM_EVENT_CONNECT_RESPONSE}.
     */
    public static final int CONNECT_RESPONSE = 5;

    /**
     * Connecting failed on this side; {@link CmEvent#status()} is a negative errno. Source: {@code
     * RDMA_CM_EVENT_CONNECT_ERROR}.
     */
    public static final int CONNECT_ERROR = 6;

    /**
     * The peer does not answer ({@link CmEvent#status()} is minus ETIMEDOUT), or does not offer the datagram service
     * (the status is that of its answer). Source: {@code RDMA_CM_EVENT_UNREACHABLE}.
     */
    public static final int UNREACHABLE = 7;

    /**
     * The peer has rejected; {@link CmEvent#status()} is a {@link RejectReason}. Source: {@code
     * RDMA_CM_EVENT_REJECTED}.
     */
    public static final int REJECTED = 8;

    /** The connection is established. Source: {@code RDMA_CM_EVENT_ESTABLISHED}. */
    public static final int ESTABLISHED = 9;

    /** The connection has ended. Source: {@code RDMA_CM_EVENT_DISCONNECTED}. */
    public static final int DISCONNECTED = 10;

    /** The device is being removed. Source: {@code RDMA_CM_EVENT_DEVICE_REMOVAL}. */
    public static final int DEVICE_REMOVAL = 11;

    /** The multicast group has been joined. Source: {@code RDMA_CM_EVENT_MULTICAST_JOIN}. */
    public static final int MULTICAST_JOIN = 12;

    /** The multicast group could not be joined. Source: {@code RDMA_CM_EVENT_MULTICAST_ERROR}. */
    public static final int MULTICAST_ERROR = 13;

    /** The address has moved to another device; for information only. Source: {@code RDMA_CM_EVENT_ADDR_CHANGE}. */
    public static final int ADDR_CHANGE = 14;

    /**
     * No packet of the connection can be in transit any more: the queue pair may be used again. Source: {@code
     * RDMA_CM_EVENT_TIMEWAIT_EXIT}.
     */
    public static final int TIMEWAIT_EXIT = 15;

    /** Addresses have been resolved. Source: {@code RDMA_CM_EVENT_ADDRINFO_RESOLVED}. */
    public static final int ADDRINFO_RESOLVED = 16;

    /** Addresses could not be resolved. Source: {@code RDMA_CM_EVENT_ADDRINFO_ERROR}. */
    public static final int ADDRINFO_ERROR = 17;

    /** An event that the program itself wrote. Source: {@code RDMA_CM_EVENT_USER}. */
    public static final int USER = 18;

    /** Not for programs. Source: {@code RDMA_CM_EVENT_INTERNAL}. */
    public static final int INTERNAL = 19;

    private static final String[] NAMES = {
        "ADDR_RESOLVED",
        "ADDR_ERROR",
        "ROUTE_RESOLVED",
        "ROUTE_ERROR",
        "CONNECT_REQUEST",
        "CONNECT_RESPONSE",
        "CONNECT_ERROR",
        "UNREACHABLE",
        "REJECTED",
        "ESTABLISHED",
        "DISCONNECTED",
        "DEVICE_REMOVAL",
        "MULTICAST_JOIN",
        "MULTICAST_ERROR",
        "ADDR_CHANGE",
        "TIMEWAIT_EXIT",
        "ADDRINFO_RESOLVED",
        "ADDRINFO_ERROR",
        "USER",
        "INTERNAL"
    };

    private CmEventType() {}

    /**
     * Returns the name of a type.
     *
     * @param type one of the constants of this class
     * @return the name, or a text with the number
     */
    public static String toString(int type) {
        return type >= 0 && type < NAMES.length ? NAMES[type] : "event " + type;
    }
}
