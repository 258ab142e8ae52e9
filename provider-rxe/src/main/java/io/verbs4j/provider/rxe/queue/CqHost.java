/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

/** What a completion queue needs of the port that it lives on. */
public interface CqHost {
    /** Looks for packets, without waiting; does nothing where another thread does. */
    void poll();

    /** The time that deadlines are set by. */
    long now();

    /** A deadline was set; the worker thread must not sleep beyond it. */
    void deadlineSet(long time);

    /** From now on the worker thread looks at the queue's deadline, or no more. */
    void watch(RxeCompletionQueue cq, boolean on);
}
