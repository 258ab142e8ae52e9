/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.lock.programs;

import io.verbs4j.natives.lock.RingLock;

/** Counts under a lock until the compiler has compiled the code. */
public final class LockedCountProgram {
    private int counted;

    private LockedCountProgram() {}

    public static void main(String... args) {
        RingLock lock = new RingLock(false);
        LockedCountProgram count = new LockedCountProgram();
        for (int i = 0; i < 2_000_000; i++) {
            count.count(lock);
        }
        System.out.println("counted " + count.counted);
    }

    private void count(RingLock lock) {
        boolean asOwner = lock.lock();
        counted++;
        lock.unlock(asOwner);
    }
}
