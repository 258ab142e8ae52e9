/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.bulk;

import io.verbs4j.benchmarks.wire.Link;
import java.io.IOException;

/** PUTs, with as many in flight as the connection allows. The program at the other end does nothing meanwhile. */
class BulkPuts extends BulkEnd {
    BulkPuts(Link link, boolean client, int size) throws IOException {
        super(link, client, size);
    }

    @Override
    public final void send(long messages) {
        long submitted = 0;
        long completed = 0;
        while (completed < messages) {
            while (submitted < messages && submitted - completed < depth) {
                fill(submitted++);
            }
            ring.submit();
            pause();
            completed += completions();
        }
    }

    /** Fills in the entry of a message. */
    void fill(long number) {
        put(number, size, false);
    }

    /** Waits for completions. */
    void pause() {
        poll();
    }

    @Override
    public boolean isOneSided() {
        return true;
    }
}
