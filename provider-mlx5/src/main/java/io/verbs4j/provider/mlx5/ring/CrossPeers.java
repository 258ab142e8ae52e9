/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.SendWorkRequest;

/** The queues of a context that requests of cross channel can name. */
public interface CrossPeers {
    /** What a request names; null where that is not there, of another context, or not made for it. */
    CrossCounter find(SendWorkRequest wr);
}
