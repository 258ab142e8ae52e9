/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.spi;

import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.UdParam;

/**
 * Told what happens to an end. Called by any thread, also with locks held: it notes what it is told, wakes threads that
 * wait for it, raises a {@link CmSignal}, and runs the program's action ({@link
 * io.verbs4j.cm.EventChannel#onEvent}), which neither waits nor calls back. It calls nobody else.
 */
public interface CmSink {
    /**
     * Something happened.
     *
     * @param type a {@link io.verbs4j.cm.CmEventType}
     * @param status 0, or as {@link io.verbs4j.cm.CmEvent#status()} has it
     * @param conn the peer's parameters, or null
     * @param ud where datagrams go, or null
     * @param context what was given to join a group, or null
     */
    void event(int type, int status, ConnParam conn, UdParam ud, Object context);

    /**
     * Likewise, with a reason. Without an implementation the reason is lost.
     *
     * @param type a {@link io.verbs4j.cm.CmEventType}
     * @param status 0, or as {@link io.verbs4j.cm.CmEvent#status()} has it
     * @param conn the peer's parameters, or null
     * @param ud where datagrams go, or null
     * @param context what was given to join a group, or null
     * @param reason what is known of the status, in words; or null
     */
    default void event(int type, int status, ConnParam conn, UdParam ud, Object context, String reason) {
        event(type, status, conn, ud, context);
    }

    /**
     * A peer wants to connect to a listener.
     *
     * @param child the new end
     * @param conn the peer's parameters
     * @return what is told of the new end; null where there is nobody any more, and the peer is rejected
     */
    CmSink connectRequest(CmEndpoint child, ConnParam conn);
}
