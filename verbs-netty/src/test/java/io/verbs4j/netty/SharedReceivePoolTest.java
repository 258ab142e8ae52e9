/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.util.concurrent.ImmediateEventExecutor;
import io.verbs4j.VerbsException;
import org.junit.jupiter.api.Test;

/** A shared receive queue that accepts nothing more causes no loss of memory or promises. */
class SharedReceivePoolTest {
    private static final int SLOT_BYTES = 4096;
    private static final int SLOTS = 16;
    private static final int CAPACITY = 8;
    private static final int CREDITS = 3;

    @Test
    void failedPostReturnsSlotAndCredits() {
        SharedDevice device = SharedDevice.acquire(VerbsOptions.DEFAULT.device());
        Slab slab = new Slab(device, ImmediateEventExecutor.INSTANCE, SLOT_BYTES, SLOTS * SLOT_BYTES);
        try {
            SharedReceivePool pool = new SharedReceivePool(device.pd(), slab, CAPACITY);
            pool.close();
            for (int i = 0; i < 2 * SLOTS; i++) {
                assertThatThrownBy(() -> pool.join(CREDITS))
                        .isInstanceOf(VerbsException.class)
                        .hasMessageContaining("post_srq_recv");
            }
            int free = 0;
            while (slab.take() != null) {
                free++;
            }
            assertThat(free).as("free slots").isEqualTo(SLOTS);
        } finally {
            slab.close();
            device.release();
        }
    }
}
