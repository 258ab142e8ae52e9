/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.bulk.memory.LocalWindow;
import io.verbs4j.bulk.memory.RemoteWindow;
import java.util.concurrent.CompletableFuture;

/** A part of a buffer that peers may use. All methods may be called from any thread. */
public final class BulkWindow implements AutoCloseable {
    /** Peers may write: PUT. */
    public static final int WRITE = RemoteWindow.WRITE;

    /** Peers may read: GET. */
    public static final int READ = RemoteWindow.READ;

    private final BulkEndpoint endpoint;
    private final LocalWindow window;

    BulkWindow(BulkEndpoint endpoint, LocalWindow window) {
        this.endpoint = endpoint;
        this.window = window;
    }

    /** {@return the identifier that peers name the window by; random, and never 0} */
    public long id() {
        return window.id();
    }

    /** {@return the length in bytes} */
    public long length() {
        return window.length();
    }

    /** {@return what peers may do: {@link #READ} and {@link #WRITE} bits} */
    public int rights() {
        return window.rights();
    }

    /**
     * Takes the window back: entries of peers that have begun to transfer bytes complete first, however long they are.
     * All others, of which none has been transferred, end with {@link io.verbs4j.Errno#ESTALE}. Does not wait.
     *
     * @return complete when no peer reaches the memory any more; until then the buffer can't be closed
     */
    public CompletableFuture<Void> revoke() {
        endpoint.revoke(window);
        return window.revoked().copy();
    }

    /** Begins to take the window back, as {@link #revoke()}. */
    @Override
    public void close() {
        endpoint.revoke(window);
    }

    @Override
    public String toString() {
        return "window " + Long.toHexString(id()) + " of " + length() + " bytes";
    }
}
