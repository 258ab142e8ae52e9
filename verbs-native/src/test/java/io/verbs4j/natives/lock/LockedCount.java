/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.lock;

/** A program that counts under a lock until the compiler has made machine code of it. */
final class LockedCount {
    private int counted;

    private LockedCount() {}

    public static void main(String... args) {
        RingLock lock = new RingLock(false);
        LockedCount count = new LockedCount();
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
