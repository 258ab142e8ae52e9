/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.SendWorkRequest;

/** The queues of a context that cross-channel requests can name. */
public interface CrossPeers {
    /**
     * Returns the counter of the queue that a request names; null if the queue is closed, belongs to another context,
     * or was not created for it.
     */
    CrossCounter find(SendWorkRequest wr);
}
