/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.bulk.control.Hello;
import java.util.function.Consumer;

/**
 * What a side brings to a connection.
 *
 * @param pd domain of its queue pair
 * @param attr what the queue pair is made with
 * @param hello the hello that the peer gets
 * @param prepare given the queue pair before it is connected, to post receives
 */
public record ConnectionSide(ProtectionDomain pd, QpInitAttr attr, Hello hello, Consumer<QueuePair> prepare) {}
