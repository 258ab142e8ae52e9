/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * An event of an id. Source: rdma_get_cm_event(3).
 *
 * <p>Immutable, and needs no acknowledgement: an id may be closed or discarded while the program holds its events.
 */
public final class CmEvent {
    private final CmId id;
    private final CmId listenId;
    private final int type;
    private final int status;
    private final ConnParam conn;
    private final UdParam ud;
    private final Object context;
    private final String reason;
    private final VerbsException cause;

    CmEvent(
            CmId id,
            CmId listenId,
            int type,
            int status,
            ConnParam conn,
            UdParam ud,
            Object context,
            String reason,
            VerbsException cause) {
        this.id = id;
        this.listenId = listenId;
        this.type = type;
        this.status = status;
        this.conn = conn;
        this.ud = ud;
        this.context = context;
        this.reason = reason;
        this.cause = cause;
    }

    /** {@return the id of the event; for CONNECT_REQUEST a new id, which the program must accept, reject or close} */
    public CmId id() {
        return id;
    }

    /** {@return the listener that received a CONNECT_REQUEST, or null} */
    public CmId listenId() {
        return listenId;
    }

    /** {@return the type, a {@link CmEventType}} */
    public int type() {
        return type;
    }

    /**
     * Returns the status of the event.
     *
     * @return 0 or a negative errno; for REJECTED a {@link RejectReason}; for UNREACHABLE in port space UDP also the
     *     peer's status: 1 if nobody listens, 2 if the program there refused
     */
    public int status() {
        return status;
    }

    /** {@return the peer's parameters, from this side's point of view, or null} */
    public ConnParam conn() {
        return conn;
    }

    /** {@return the destination of datagrams, or null if the event is not about datagrams} */
    public UdParam ud() {
        return ud;
    }

    /** {@return the object that was passed to {@link CmId#joinMulticast}, or null} */
    public Object context() {
        return context;
    }

    /** {@return the local failure that caused a CONNECT_ERROR or MULTICAST_ERROR, or null} */
    public VerbsException cause() {
        return cause;
    }

    /** {@return a text for {@link #status()}, with the reason if it is known} */
    public String statusText() {
        return reason == null ? statusName() : statusName() + ": " + reason;
    }

    private String statusName() {
        if (type == CmEventType.REJECTED) {
            return RejectReason.toString(status);
        }
        if (status < 0) {
            return Errno.name(-status);
        }
        if (type == CmEventType.UNREACHABLE) {
            return switch (status) {
                case 1 -> "no listener there (1)";
                case 2 -> "refused by the program at the peer (2)";
                default -> "status " + status;
            };
        }
        return status == 0 ? "ok" : "status " + status;
    }

    @Override
    public String toString() {
        return CmEventType.toString(type) + " (" + statusText() + ") of " + id;
    }
}
