/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.provider.rxe.memory.MemoryKeys;
import java.util.concurrent.Executor;

/** The port's services to a queue pair. */
public interface QpHost {

    /** {@return the device's keys} */
    MemoryKeys keys();

    /** {@return the time that deadlines are measured in} It stands still while the device's threads do not run. */
    long now();

    /** {@return a time that is not before {@link #now()} and only some milliseconds after it} Takes less time. */
    long soon();

    /** {@return the nanoseconds of a clock that never stands still} */
    long nanos();

    /** Makes the worker thread call {@link RxeQp#service} soon. */
    void kick(RxeQp qp);

    /** Notes a deadline, beyond which the worker thread must not sleep. */
    void deadlineSet(long time);

    /** Chooses and creates the path that carries out the send queue, at the transition to RTR. */
    SendPath newPath(RxeQp qp);

    /**
     * Notes that the first message from the peer has arrived at a queue pair. Never blocks, because receiving threads
     * call it.
     */
    void communicating(int qpNum);

    /** {@return the threads for requests that take as long as a disk access} */
    Executor helpers();
}
