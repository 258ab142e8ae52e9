/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.bulk.BulkBuffer;
import io.verbs4j.bulk.BulkEndpoint;
import io.verbs4j.bulk.BulkRing;

/**
 * What one connection needs: a ring, which lasts as long as its endpoint, and memory for messages and blocks. It can be
 * used again when its connection has ended.
 */
record Lane(BulkRing ring, BulkBuffer messages, BulkBuffer blocks) {
    static Lane of(BulkEndpoint endpoint) {
        return new Lane(
                endpoint.ring(CopySizes.RING),
                endpoint.allocate(CopyChannel.messageBytes()),
                endpoint.allocate(CopySizes.SLOTS * CopySizes.BLOCK));
    }
}
