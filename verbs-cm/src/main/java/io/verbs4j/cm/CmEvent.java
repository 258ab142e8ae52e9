/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * Something happened to an id. Immutable, and nothing waits for it to be given back: an id may be closed, or forgotten, with events of it in a program's
 * hands. Source: rdma_get_cm_event(3).
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

    /** {@return what it happened to; for CONNECT_REQUEST a new id, which is the receiver's to accept, reject or close} */
    public CmId id() {
        return id;
    }

    /** {@return the listener that a CONNECT_REQUEST came to, else null} */
    public CmId listenId() {
        return listenId;
    }

    /** {@return what happened, a {@link CmEventType}} */
    public int type() {
        return type;
    }

    /**
     * How it went.
     *
     * @return 0, or minus an errno; for REJECTED a {@link RejectReason}; for UNREACHABLE of datagrams the peer's status, 1 where nobody listens, 2 where it
     *     was refused
     */
    public int status() {
        return status;
    }

    /** {@return the peer's parameters, from this side's point of view; null where the event has none} */
    public ConnParam conn() {
        return conn;
    }

    /** {@return where datagrams go; null where the event is not about datagrams} */
    public UdParam ud() {
        return ud;
    }

    /** {@return what was given to {@link CmId#joinMulticast}; else null} */
    public Object context() {
        return context;
    }

    /** {@return what failed at this side, of CONNECT_ERROR and MULTICAST_ERROR; else null} */
    public VerbsException cause() {
        return cause;
    }

    /** {@return {@link #status()} in words, with what is known of the reason} */
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
                case 1 -> "nobody listens there (1)";
                case 2 -> "the program at the peer has refused (2)";
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
