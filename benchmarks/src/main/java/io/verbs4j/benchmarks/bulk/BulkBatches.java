/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.bulk;

import io.verbs4j.benchmarks.wire.Link;
import java.io.IOException;

/** Small PUTs in batches of {@link #BATCH}. */
final class BulkBatches extends BulkEnd {
    /** Number of entries submitted together. */
    static final int BATCH = 16;

    /** Maximum number of batches in flight: a connection has no more requests, apart from those that messages need. */
    static final int WINDOW = 7;

    private final int most;

    BulkBatches(Link link, boolean client, int size, int batches) throws IOException {
        super(link, client, size);
        most = batches * BATCH;
    }

    /** Sends whole batches, so possibly a few more messages than requested. */
    @Override
    public void send(long messages) {
        long submitted = 0;
        long completed = 0;
        while (completed < messages || completed < submitted) {
            while (submitted < messages && submitted - completed + BATCH <= most) {
                for (int i = 0; i < BATCH; i++) {
                    put(submitted + i, size, false);
                }
                ring.submit();
                submitted += BATCH;
            }
            poll();
            completed += completions();
        }
    }

    @Override
    public boolean isOneSided() {
        return true;
    }
}
