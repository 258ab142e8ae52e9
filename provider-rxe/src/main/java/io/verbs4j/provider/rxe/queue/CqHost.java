/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

/** The port's services to a completion queue. */
public interface CqHost {
    /** Looks for packets without waiting; does nothing if another thread is doing so. */
    void poll();

    /** {@return the time that deadlines are measured in} */
    long now();

    /** Notes a deadline, beyond which the worker thread must not sleep. */
    void deadlineSet(long time);

    /** Starts or stops watching the queue's deadline in the worker thread. */
    void watch(RxeCq cq, boolean on);
}
