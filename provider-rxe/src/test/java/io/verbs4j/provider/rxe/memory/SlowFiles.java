/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.MemoryRegion;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Files on a disk that has much to do: whoever forces them waits until a test lets go. */
public final class SlowFiles extends MappedFiles {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    private SlowFiles() {}

    /** Puts such files behind a region of a device. */
    public static SlowFiles behind(MemoryRegion mr, MemoryKeys keys) {
        SlowFiles made = new SlowFiles();
        MemoryKey key = keys.pin(mr.rkey());
        key.files(made);
        key.unpin();
        return made;
    }

    @Override
    public boolean force() {
        begun.countDown();
        try {
            return mayEnd.await(Patience.SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether somebody has begun to wait. */
    public boolean hasBegun() {
        return begun.getCount() == 0;
    }

    /** Lets all go on. */
    public void end() {
        mayEnd.countDown();
    }
}
