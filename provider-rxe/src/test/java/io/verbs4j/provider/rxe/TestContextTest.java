/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The substitute for the library keeps what the library keeps: tests once wrote to memory freed under a region. */
class TestContextTest {
    private WeakReference<ByteBuffer> dropped;

    @Test
    void bufferStaysAsLongAsRegion() throws InterruptedException {
        try (TestContext context = TestContext.open((String) null);
                ProtectionDomain pd = context.allocPd()) {
            MemoryRegion mr = registered(pd);
            assertThat(collected(5))
                    .as("buffer collected while its region is open")
                    .isFalse();
            mr.close();
            assertThat(collected(200))
                    .as("buffer collected after its region closed")
                    .isTrue();
        }
    }

    private MemoryRegion registered(ProtectionDomain pd) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        dropped = new WeakReference<>(buffer);
        return pd.regMr(buffer, AccessFlags.LOCAL_WRITE);
    }

    private boolean collected(int times) throws InterruptedException {
        for (int i = 0; i < times && dropped.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        return dropped.get() == null;
    }
}
