/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Closes resources in reverse order of their creation, because nothing can be closed while something else refers to it.
 */
public final class Opened implements AutoCloseable {
    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    /**
     * Keeps a resource until {@link #close}.
     *
     * @return the resource
     */
    public <T extends AutoCloseable> T keep(T object) {
        all.push(object);
        return object;
    }

    /** Closes all resources, then throws the first failure, if any. */
    @Override
    public void close() {
        RuntimeException first = null;
        while (!all.isEmpty()) {
            try {
                all.pop().close();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            } catch (Exception e) {
                throw new AssertionError(e); // handles only throw VerbsException
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
