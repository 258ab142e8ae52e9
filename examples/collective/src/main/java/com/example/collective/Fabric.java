/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.collective;

import io.verbs4j.CompletionQueue;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import java.util.List;

/** What a device has for connections that go by all of its ports at once. */
interface Fabric extends AutoCloseable {
    /** The ports, by their numbers from 1, in the order of all that follows. */
    List<Integer> ports();

    /** The queues that requests complete at, one for each port. */
    List<CompletionQueue> queues();

    /** Makes queue pairs for one peer, one at each port, in INIT. */
    List<QueuePair> queuePairs(ProtectionDomain pd);

    /** What the queue pairs of one peer have in common, in words. */
    String numbers(List<QueuePair> qps);

    @Override
    void close();
}
