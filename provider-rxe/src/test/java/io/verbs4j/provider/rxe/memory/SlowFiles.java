/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.MemoryRegion;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Files on a slow disk: forcing them waits until the test releases it. */
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

    /** Whether a thread has started waiting. */
    public boolean hasBegun() {
        return begun.getCount() == 0;
    }

    /** Releases all waiting threads. */
    public void end() {
        mayEnd.countDown();
    }
}
