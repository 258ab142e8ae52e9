/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

/**
 * Reasons for the rejection of a connection, as carried by a REJ message. A peer may send any other number. Source:
 * InfiniBand Architecture Specification volume 1, 12.6.7.2; {@code enum ib_cm_rej_reason}.
 */
public final class RejectReason {
    /** Reason 1: no queue pair is available. */
    public static final int NO_QP = 1;

    /** Reason 2: no end-to-end context is available. */
    public static final int NO_EEC = 2;

    /** Reason 3: no resources are available. */
    public static final int NO_RESOURCES = 3;

    /** Reason 4: the peer waited too long for an answer. */
    public static final int TIMEOUT = 4;

    /** Reason 5: the request is not supported. */
    public static final int UNSUPPORTED = 5;

    /** Reason 6: invalid communication id. */
    public static final int INVALID_COMM_ID = 6;

    /** Reason 7: invalid communication instance. */
    public static final int INVALID_COMM_INSTANCE = 7;

    /** Reason 8: nobody listens at that service id. */
    public static final int INVALID_SERVICE_ID = 8;

    /** Reason 9: invalid transport type. */
    public static final int INVALID_TRANSPORT_TYPE = 9;

    /** Reason 10: a connection with that queue pair still exists. */
    public static final int STALE_CONN = 10;

    /** Reason 11: no reliable datagram channel. */
    public static final int RDC_NOT_EXIST = 11;

    /** Reason 12: invalid GID or partition. */
    public static final int INVALID_GID = 12;

    /** Reason 13: invalid LID. */
    public static final int INVALID_LID = 13;

    /** Reason 14: invalid service level. */
    public static final int INVALID_SL = 14;

    /** Reason 15: invalid traffic class. */
    public static final int INVALID_TRAFFIC_CLASS = 15;

    /** Reason 16: invalid hop limit. */
    public static final int INVALID_HOP_LIMIT = 16;

    /** Reason 17: invalid packet rate. */
    public static final int INVALID_PACKET_RATE = 17;

    /** Reason 18: alternate path: invalid GID. */
    public static final int INVALID_ALT_GID = 18;

    /** Reason 19: alternate path: invalid LID. */
    public static final int INVALID_ALT_LID = 19;

    /** Reason 20: alternate path: invalid service level. */
    public static final int INVALID_ALT_SL = 20;

    /** Reason 21: alternate path: invalid traffic class. */
    public static final int INVALID_ALT_TRAFFIC_CLASS = 21;

    /** Reason 22: alternate path: invalid hop limit. */
    public static final int INVALID_ALT_HOP_LIMIT = 22;

    /** Reason 23: alternate path: invalid packet rate. */
    public static final int INVALID_ALT_PACKET_RATE = 23;

    /** Reason 24: the connection manager of another port is responsible. */
    public static final int PORT_CM_REDIRECT = 24;

    /** Reason 25: another port is responsible. */
    public static final int PORT_REDIRECT = 25;

    /** Reason 26: invalid path MTU. */
    public static final int INVALID_MTU = 26;

    /** Reason 27: too few responder resources. */
    public static final int INSUFFICIENT_RESP_RESOURCES = 27;

    /** Reason 28: the program at the peer rejected. */
    public static final int CONSUMER_DEFINED = 28;

    /** Reason 29: invalid RNR retry count. */
    public static final int INVALID_RNR_RETRY = 29;

    /** Reason 30: duplicate communication id. */
    public static final int DUPLICATE_LOCAL_COMM_ID = 30;

    /** Reason 31: invalid class version. */
    public static final int INVALID_CLASS_VERSION = 31;

    /** Reason 32: invalid flow label. */
    public static final int INVALID_FLOW_LABEL = 32;

    /** Reason 33: alternate path: invalid flow label. */
    public static final int INVALID_ALT_FLOW_LABEL = 33;

    /** Reason 35: the vendor's option is not supported. */
    public static final int VENDOR_OPTION_NOT_SUPPORTED = 35;

    private RejectReason() {}

    /**
     * Returns a text for a reason.
     *
     * @param reason one of the constants of this class, or another number
     * @return the text with the number
     */
    public static String toString(int reason) {
        String text = switch (reason) {
            case NO_QP -> "no queue pair is available";
            case NO_EEC -> "no end-to-end context is available";
            case NO_RESOURCES -> "no resources are available";
            case TIMEOUT -> "the peer timed out waiting for an answer";
            case UNSUPPORTED -> "the request is not supported";
            case INVALID_COMM_ID -> "invalid communication id";
            case INVALID_COMM_INSTANCE -> "invalid communication instance";
            case INVALID_SERVICE_ID -> "no listener there";
            case INVALID_TRANSPORT_TYPE -> "invalid transport type";
            case STALE_CONN -> "a connection with that queue pair still exists";
            case RDC_NOT_EXIST -> "no reliable datagram channel";
            case INVALID_GID -> "invalid GID or partition";
            case INVALID_LID -> "invalid LID";
            case INVALID_SL -> "invalid service level";
            case INVALID_TRAFFIC_CLASS -> "invalid traffic class";
            case INVALID_HOP_LIMIT -> "invalid hop limit";
            case INVALID_PACKET_RATE -> "invalid packet rate";
            case INVALID_ALT_GID -> "alternate path: invalid GID";
            case INVALID_ALT_LID -> "alternate path: invalid LID";
            case INVALID_ALT_SL -> "alternate path: invalid service level";
            case INVALID_ALT_TRAFFIC_CLASS -> "alternate path: invalid traffic class";
            case INVALID_ALT_HOP_LIMIT -> "alternate path: invalid hop limit";
            case INVALID_ALT_PACKET_RATE -> "alternate path: invalid packet rate";
            case PORT_CM_REDIRECT -> "the connection manager of another port is responsible";
            case PORT_REDIRECT -> "another port is responsible";
            case INVALID_MTU -> "invalid path MTU";
            case INSUFFICIENT_RESP_RESOURCES -> "too few responder resources";
            case CONSUMER_DEFINED -> "refused by the program at the peer";
            case INVALID_RNR_RETRY -> "invalid RNR retry count";
            case DUPLICATE_LOCAL_COMM_ID -> "duplicate communication id";
            case INVALID_CLASS_VERSION -> "invalid class version";
            case INVALID_FLOW_LABEL -> "invalid flow label";
            case INVALID_ALT_FLOW_LABEL -> "alternate path: invalid flow label";
            case VENDOR_OPTION_NOT_SUPPORTED -> "the vendor's option is not supported";
            default -> "unknown reason";
        };
        return text + " (" + reason + ")";
    }
}
