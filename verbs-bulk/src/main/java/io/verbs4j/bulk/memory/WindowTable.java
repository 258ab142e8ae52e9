/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import io.verbs4j.VerbsException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** The windows of an endpoint and the connections that know them. For the engine. */
public final class WindowTable {
    private final IdTable<LocalWindow> windows = new IdTable<>();
    private final Executor executor;

    /** Creates a table; the executor completes the futures of its windows. */
    public WindowTable(Executor executor) {
        this.executor = executor;
    }

    /** Adds a new window. Returns false if its memory is closed. */
    public boolean add(LocalWindow window) {
        if (window.memory().isClosed()) {
            return false;
        }
        windows.add(window);
        window.memory().use();
        return true;
    }

    /** Returns the window that a connection's peer has asked for, or null; the peer knows it from then on. */
    public LocalWindow lookUp(long id, int connection) {
        LocalWindow window = windows.find(id);
        if (window == null || window.isRevoking()) {
            return null;
        }
        window.holders().add(connection);
        return window;
    }

    /** Returns all windows, in no order. */
    public List<LocalWindow> all() {
        return windows.all();
    }

    /** Returns the window if a connection's peer knows it and has not given it back; otherwise null. */
    public LocalWindow find(long id, int connection) {
        LocalWindow window = windows.find(id);
        return window != null && window.holders().contains(connection) ? window : null;
    }

    /** Starts to revoke a window; the connections in {@link LocalWindow#connections} must answer. */
    public void revoke(LocalWindow window) {
        window.startRevoking();
        endIfUnknown(window);
    }

    /** Records that a connection's peer no longer uses a window. */
    public void revoked(long id, int connection) {
        LocalWindow window = windows.find(id);
        if (window != null && window.isRevoking() && window.holders().remove(connection)) {
            endIfUnknown(window);
        }
    }

    /** Removes a connection that has ended from all windows. */
    public void forget(int connection) {
        for (LocalWindow window : windows.all()) {
            if (window.holders().remove(connection) && window.isRevoking()) {
                endIfUnknown(window);
            }
        }
    }

    /** Ends all windows after all connections have ended. */
    public void close() {
        for (LocalWindow window : windows.all()) {
            window.startRevoking();
            window.holders().clear();
            endIfUnknown(window);
        }
    }

    private void endIfUnknown(LocalWindow window) {
        if (window.holders().isEmpty() && windows.remove(window)) {
            end(window, window.revoked());
        }
    }

    private void end(LocalWindow window, CompletableFuture<Void> revoked) {
        window.memory().unuse();
        VerbsException failure = deregister(window);
        executor.execute(() -> {
            if (failure == null) {
                revoked.complete(null);
            } else {
                revoked.completeExceptionally(failure);
            }
        });
    }

    private static VerbsException deregister(LocalWindow window) {
        try {
            window.deregister();
            return null;
        } catch (VerbsException e) {
            return e;
        }
    }
}
