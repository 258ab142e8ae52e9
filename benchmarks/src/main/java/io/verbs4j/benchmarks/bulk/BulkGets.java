/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.bulk;

import io.verbs4j.benchmarks.wire.Link;
import java.io.IOException;

/** GETs. The program at the other end does nothing meanwhile. */
final class BulkGets extends BulkPuts {
    BulkGets(Link link, boolean client, int size) throws IOException {
        super(link, client, size);
    }

    @Override
    void fill(long number) {
        ring.get(ring.next(), peer, buffer, number % places * size, window, sourceOffset(), size, number);
    }

    @Override
    public boolean isRead() {
        return true;
    }
}
