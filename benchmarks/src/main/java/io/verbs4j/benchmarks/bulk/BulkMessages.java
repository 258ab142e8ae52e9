/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.bulk;

import io.verbs4j.benchmarks.wire.Link;
import java.io.IOException;

/** PUTs that notify the receiver of each message. Both ends sleep when they have to wait. */
final class BulkMessages extends BulkPuts {
    BulkMessages(Link link, boolean client, int size) throws IOException {
        super(link, client, size);
    }

    @Override
    void fill(long number) {
        put(number, size, true);
    }

    @Override
    void pause() {
        sleep();
    }

    @Override
    public void receive(long messages) throws IOException {
        long received = 0;
        while (received < messages) {
            sleep();
            received += notifications();
        }
        if (received != messages) {
            throw new IllegalStateException(received + " messages arrived instead of " + messages);
        }
    }

    @Override
    public boolean isOneSided() {
        return false;
    }
}
