/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.spi;

import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.UdParam;

/**
 * Receives the events of an end.
 *
 * <p>Any thread may call it, possibly with locks held. It only queues the event, wakes waiting threads, raises a {@link
 * CmSignal}, and runs the program's action ({@link io.verbs4j.cm.EventChannel#onEvent}), which neither waits nor calls
 * back.
 */
public interface CmSink {
    /**
     * Reports an event.
     *
     * @param type a {@link io.verbs4j.cm.CmEventType}
     * @param status status of the event, see {@link io.verbs4j.cm.CmEvent#status()}
     * @param conn the peer's parameters, or null
     * @param ud destination of datagrams, or null
     * @param context object that was passed when joining a group, or null
     */
    void event(int type, int status, ConnParam conn, UdParam ud, Object context);

    /**
     * Reports an event with a reason. The default implementation drops the reason.
     *
     * @param type a {@link io.verbs4j.cm.CmEventType}
     * @param status status of the event, see {@link io.verbs4j.cm.CmEvent#status()}
     * @param conn the peer's parameters, or null
     * @param ud destination of datagrams, or null
     * @param context object that was passed when joining a group, or null
     * @param reason explanation of the status, or null
     */
    default void event(int type, int status, ConnParam conn, UdParam ud, Object context, String reason) {
        event(type, status, conn, ud, context);
    }

    /**
     * Reports that a peer wants to connect to a listener.
     *
     * @param child the new end
     * @param conn the peer's parameters
     * @return the sink for events of the new end; null if the listener is closed, which rejects the peer
     */
    CmSink connectRequest(CmEndpoint child, ConnParam conn);
}
