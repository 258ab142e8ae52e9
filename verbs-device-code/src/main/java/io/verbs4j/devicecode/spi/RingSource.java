/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode.spi;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.QueuePair;

/**
 * What a provider implements whose queues device code can use. The library asks an open context for it:
 * {@code context.vendor(RingSource.class)}. Methods that a later release adds have bodies, so that older providers go on
 * working. Thread-safe.
 */
public interface RingSource {
    /** The release of this interface; a provider returns it as a literal of its own. */
    int LEVEL = 1;

    /**
     * Which release of this interface the provider was written for.
     *
     * @return {@link #LEVEL}, as the provider was compiled with it
     */
    int level();

    /**
     * The vendor's text.
     *
     * @return the text, the same at each call
     */
    VendorCode code();

    /**
     * Hands over the send queue of a queue pair, and the completion queue of its sends, for good: from now on posting
     * and polling by the host fails with EBUSY.
     *
     * @param qp a queue pair of this provider
     * @param into where to say what the device code needs to know
     * @throws io.verbs4j.VerbsException EOPNOTSUPP if this kind of queue pair has no ring that others can use; EBUSY if
     *     requests are outstanding or it was handed over before; EINVAL if other queue pairs use the completion queue
     */
    void export(QueuePair qp, RingExport into);

    /**
     * Hands over a completion queue for good: polling it by the host fails with EBUSY.
     *
     * @param cq a completion queue of this provider
     * @param into where to say what the device code needs to know
     * @throws io.verbs4j.VerbsException EOPNOTSUPP if it has no ring that others can use; EBUSY if it was handed over
     *     before
     */
    void export(CompletionQueue cq, RingExport into);

    /**
     * The device's number of an address handle, which descriptors of datagrams have.
     *
     * @param ah an address handle of this provider
     * @return the number
     * @throws io.verbs4j.VerbsException EOPNOTSUPP if the device's descriptors have no such number
     */
    int number(AddressHandle ah);
}
