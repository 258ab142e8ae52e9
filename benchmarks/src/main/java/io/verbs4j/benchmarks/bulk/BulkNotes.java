/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.bulk;

import io.verbs4j.benchmarks.wire.Link;
import java.io.IOException;
import org.HdrHistogram.Histogram;

/** Ping-pong of PUTs with a notification. */
final class BulkNotes extends BulkEnd {
    private int underWay;

    BulkNotes(Link link, boolean client, int size) throws IOException {
        super(link, client, size);
    }

    @Override
    public void ping(long messages, Histogram roundTrips) {
        for (long i = 0; i < messages; i++) {
            long start = System.nanoTime();
            tell(i);
            awaitNotification();
            roundTrips.recordValue(System.nanoTime() - start);
        }
        finish();
    }

    @Override
    public void pong(long messages) {
        for (long i = 0; i < messages; i++) {
            awaitNotification();
            tell(i);
        }
        finish();
    }

    private void tell(long number) {
        put(number, size, true);
        underWay++;
        ring.submit();
        underWay -= completions();
        while (underWay > depth / 2) {
            poll();
            underWay -= completions();
        }
    }

    /** Takes the remaining completions, so that the next measurement does not find them. */
    private void finish() {
        underWay -= completions();
        awaitCompletions(underWay);
        underWay = 0;
    }
}
