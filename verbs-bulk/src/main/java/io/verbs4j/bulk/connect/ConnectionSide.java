/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.bulk.control.Hello;
import java.util.function.Consumer;

/**
 * One side's contribution to a connection.
 *
 * @param pd protection domain of its queue pair
 * @param hello the hello that the peer receives
 * @param attr attributes of the queue pair; null for datagrams
 * @param prepare receives the queue pair before it is connected, to post receives; null for datagrams
 * @param datagrams creates the queue pair of a connection by datagrams; null for a reliable one
 */
public record ConnectionSide(
        ProtectionDomain pd, Hello hello, QpInitAttr attr, Consumer<QueuePair> prepare, DatagramMaker datagrams) {
    /** For a queue pair of type RC. */
    public static ConnectionSide reliable(
            ProtectionDomain pd, Hello hello, QpInitAttr attr, Consumer<QueuePair> prepare) {
        return new ConnectionSide(pd, hello, attr, prepare, null);
    }

    /** For a connection by datagrams. */
    public static ConnectionSide datagrams(ProtectionDomain pd, Hello hello, DatagramMaker maker) {
        return new ConnectionSide(pd, hello, null, null, maker);
    }
}
