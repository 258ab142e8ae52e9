/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.rdmacore.memory.Pin;

/** An address handle as a send queue reads it. */
public interface AddressVector {
    /** Where its 48 bytes are; to be read while pinned. */
    long av();

    /** Keeps it from being destroyed. */
    Pin pin();
}
