/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.bulk.memory.LocalWindow;
import io.verbs4j.bulk.memory.RemoteWindow;
import java.util.concurrent.CompletableFuture;

/** A part of a buffer that peers may access. All methods may be called from any thread. */
public final class BulkWindow implements AutoCloseable {
    /** Allows peers to write: PUT. */
    public static final int WRITE = RemoteWindow.WRITE;

    /** Allows peers to read: GET. */
    public static final int READ = RemoteWindow.READ;

    private final BulkEndpoint endpoint;
    private final LocalWindow window;

    BulkWindow(BulkEndpoint endpoint, LocalWindow window) {
        this.endpoint = endpoint;
        this.window = window;
    }

    /** {@return the identifier by which peers name the window; random, never 0} */
    public long id() {
        return window.id();
    }

    /** {@return the length in bytes} */
    public long length() {
        return window.length();
    }

    /** {@return the rights of peers: {@link #READ} and {@link #WRITE} bits} */
    public int rights() {
        return window.rights();
    }

    /**
     * Revokes the window, without waiting. Entries of peers that have begun to transfer bytes complete first, however
     * long they are. All others end with {@link io.verbs4j.Errno#ESTALE}, without a byte transferred.
     *
     * @return a future that completes when no peer can reach the memory any more; until then the buffer can't be closed
     */
    public CompletableFuture<Void> revoke() {
        endpoint.revoke(window);
        return window.revoked().copy();
    }

    /** Starts to revoke the window, as {@link #revoke()} does. */
    @Override
    public void close() {
        endpoint.revoke(window);
    }

    @Override
    public String toString() {
        return "window " + Long.toHexString(id()) + " of " + length() + " bytes";
    }
}
