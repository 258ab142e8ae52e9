/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

/** A port without packets, and with a clock that the test sets. */
final class QuietHost implements CqHost {
    long now;
    long deadline;
    boolean watched;

    @Override
    public void poll() {}

    @Override
    public long now() {
        return now;
    }

    @Override
    public void deadlineSet(long time) {
        deadline = time;
    }

    @Override
    public void watch(RxeCq cq, boolean on) {
        watched = on;
    }
}
