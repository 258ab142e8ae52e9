/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The thread that maintains files. */
class FileKeeperTest {
    /** Runs out of memory in the first pass. */
    private static final class Starved implements FileKeeper.Kept {
        private final CountDownLatch lookedAfterAgain = new CountDownLatch(1);
        private boolean failed;
        private volatile boolean over;

        @Override
        public void refresh() {
            if (!failed) {
                failed = true;
                throw new OutOfMemoryError("for this test");
            }
            lookedAfterAgain.countDown();
        }

        @Override
        public boolean isOver() {
            return over;
        }
    }

    @Test
    void keeperSurvivesLackOfMemory() throws InterruptedException {
        Starved files = new Starved();
        FileKeeper.keep(files);
        boolean again = files.lookedAfterAgain.await(1, TimeUnit.MINUTES);
        files.over = true;
        assertThat(again).isTrue();
    }
}
