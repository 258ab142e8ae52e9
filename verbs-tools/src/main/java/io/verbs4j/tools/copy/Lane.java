/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.bulk.BulkBuffer;
import io.verbs4j.bulk.BulkEndpoint;
import io.verbs4j.bulk.BulkRing;

/**
 * Resources of one connection: a ring, which lives as long as its endpoint, and memory for messages and blocks. A lane
 * can be reused when its connection has ended.
 */
record Lane(BulkRing ring, BulkBuffer messages, BulkBuffer blocks) {
    static Lane of(BulkEndpoint endpoint) {
        return new Lane(
                endpoint.ring(CopySizes.RING),
                endpoint.allocate(CopyChannel.messageBytes()),
                endpoint.allocate(CopySizes.SLOTS * CopySizes.BLOCK));
    }
}
