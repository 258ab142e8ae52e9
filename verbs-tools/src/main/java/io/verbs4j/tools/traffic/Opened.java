/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import java.util.ArrayDeque;
import java.util.Deque;

/** What is to be closed, the last one first: nothing can be closed while something else refers to it. */
public final class Opened implements AutoCloseable {
    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    /** Keeps an object; answers it. */
    public <T extends AutoCloseable> T keep(T object) {
        all.push(object);
        return object;
    }

    /** Closes all, and tells of the first that could not be. */
    @Override
    public void close() {
        RuntimeException first = null;
        while (!all.isEmpty()) {
            try {
                all.pop().close();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            } catch (Exception e) {
                throw new AssertionError(e); // handles throw VerbsException only
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
