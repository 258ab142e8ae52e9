/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.provider.rxe.memory.MemoryKeys;
import java.util.concurrent.Executor;

/** What a queue pair needs of the port that it lives on. */
public interface QpHost {

    /** The device's keys. */
    MemoryKeys keys();

    /** The time that deadlines are set by; it stands still while the device's threads do not run. */
    long now();

    /** Nanoseconds of a clock that never stands still. */
    long nanos();

    /** Lets the worker thread call {@link RxeQueuePair#service} soon. */
    void kick(RxeQueuePair qp);

    /** A deadline was set; the worker thread must not sleep beyond it. */
    void deadlineSet(long time);

    /** Chooses and makes what will carry out the send queue, at the transition to RTR. */
    SendPath newPath(RxeQueuePair qp);

    /** The first message from the other side has come to a queue pair. Called by threads that receive: it waits for nothing. */
    void communicating(int qpNum);

    /** Threads for requests that take as long as a disk does. */
    Executor helpers();
}
