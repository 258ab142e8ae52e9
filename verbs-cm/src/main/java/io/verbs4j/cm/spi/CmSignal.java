/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.spi;

/**
 * A file descriptor that event loops outside Java wait for, used by {@link io.verbs4j.cm.EventChannel#descriptor()}.
 *
 * <p>Its user makes one call at a time, from any thread, possibly with locks held, and none after {@link #close}. No
 * method waits or throws.
 */
public interface CmSignal extends AutoCloseable {
    /** {@return the number of the file descriptor, always the same} */
    int descriptor();

    /** Makes the descriptor readable. */
    void raise();

    /** Makes the descriptor unreadable, no matter how often it was raised. */
    void clear();

    /** Closes the descriptor. */
    @Override
    void close();
}
