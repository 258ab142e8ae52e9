/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/**
 * The key that a queue pair's messages used last: the next one mostly uses it again and need not look for it. It may have ended meanwhile,
 * which who pins it learns. Guarded by what guards the messages.
 */
public final class LastKey {
    MemoryKey key;

    /** Forgets it. */
    public void clear() {
        key = null;
    }
}
