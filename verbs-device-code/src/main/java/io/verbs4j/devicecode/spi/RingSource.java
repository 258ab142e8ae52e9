/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode.spi;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;

/**
 * Implemented by a provider whose queues device code can use. The library gets it from an open context by
 * {@code context.vendor(RingSource.class)}. Methods added by a later release have bodies, so older providers keep
 * working. Thread-safe.
 */
public interface RingSource {
    /** The release of this interface; a provider returns it as a literal of its own. */
    int LEVEL = 1;

    /**
     * Returns the release of this interface that the provider was written for.
     *
     * @return {@link #LEVEL}, as the provider was compiled with it
     */
    int level();

    /**
     * Returns the vendor's text.
     *
     * @return the text, the same at each call
     */
    VendorCode code();

    /**
     * Hands over the send queue of a queue pair, and the completion queue of its sends, for good: posting and polling
     * by the host fails with EBUSY from then on.
     *
     * @param qp a queue pair of this provider
     * @param into receives the description of the queues
     * @throws VerbsException EOPNOTSUPP if device code cannot use queue pairs of this kind; EBUSY if
     *     requests are outstanding or it was handed over before; EINVAL if other queue pairs use the completion queue
     */
    void export(QueuePair qp, RingExport into);

    /**
     * Hands over a completion queue for good: polling it by the host fails with EBUSY.
     *
     * @param cq a completion queue of this provider
     * @param into receives the description of the queues
     * @throws VerbsException EOPNOTSUPP if device code cannot use it; EBUSY if it was handed over
     *     before
     */
    void export(CompletionQueue cq, RingExport into);

    /**
     * Hands over a queue that the vendor's own verbs created, as {@link #export(QueuePair, RingExport)} does.
     *
     * @param queue a queue of a type that the provider documents
     * @param into receives the description of the queues
     * @throws VerbsException EOPNOTSUPP if the provider has no such queues; EBUSY if it was handed over
     *     before; EINVAL for a queue of another context
     */
    default void export(Object queue, RingExport into) {
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "export_ring",
                "device code of " + code().name() + " can't use "
                        + (queue == null ? "null" : "a " + queue.getClass().getSimpleName())
                        + "; it uses queue pairs and completion queues");
    }

    /**
     * Returns the device's number of an address handle, which descriptors of datagrams contain.
     *
     * @param ah an address handle of this provider
     * @return the number
     * @throws VerbsException EOPNOTSUPP if the device's descriptors have no such number
     */
    int number(AddressHandle ah);
}
