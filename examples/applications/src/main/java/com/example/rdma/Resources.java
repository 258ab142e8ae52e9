/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.rdma;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Things to close, the last one first: no verbs object can be closed while another one needs it. What try-with-resources is to a
 * method, this is to a class with several objects.
 */
public final class Resources implements AutoCloseable {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Takes one more, and gives it back. */
    public <T extends AutoCloseable> T add(T resource) {
        opened.push(resource);
        return resource;
    }

    /** Closes all, whatever fails; the first failure is thrown, the others are with it. */
    @Override
    public void close() {
        IllegalStateException failure = null;
        while (!opened.isEmpty()) {
            AutoCloseable resource = opened.pop();
            try {
                resource.close();
            } catch (Exception e) {
                if (failure == null) {
                    failure = new IllegalStateException("couldn't close " + resource, e);
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
