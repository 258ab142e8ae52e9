/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.marshal.Completions;
import io.verbs4j.rdmacore.memory.KeyTable;

/**
 * Tracks the type 2 memory windows of an open device: which are bound, and on which queue pairs. No driver reports
 * that; it is derived from posts and completions. The monitor of this object guards all records.
 *
 * <p>If windows are <em>fragile</em>, the kernel crashes when a free window is invalidated, and waits long for a window
 * that is bound on a queue pair being destroyed. Requests that are not certainly valid are then rejected.
 */
public final class WindowBook {
    private static final int TAG_BITS = Byte.SIZE;

    private final boolean fragile;
    private final KeyTable<Named<IbvMw>> windows = new KeyTable<>();
    private final KeyTable<Named<WindowLog>> logs = new KeyTable<>();
    private final KeyTable<Named<SendRoom>> rooms = new KeyTable<>();
    private volatile boolean used;
    private volatile boolean available;

    /** An object by its number. */
    private static final class Named<T> extends KeyTable.Entry<Named<T>> {
        private final T value;

        Named(int key, T value, Named<T> next) {
            super(key, value, next);
            this.value = value;
        }

        @Override
        protected Named<T> before(Named<T> other) {
            return new Named<>(key(), value, other);
        }
    }

    /**
     * Creates the book of a device.
     *
     * @param fragile {@link io.verbs4j.rdmacore.quirk.Quirks#needsValidWindows}
     */
    public WindowBook(boolean fragile) {
        this.fragile = fragile;
    }

    /** {@return whether requests that are not known to be valid must not reach the device} */
    public boolean isFragile() {
        return fragile;
    }

    /** Sets whether the device has type 2 windows. */
    public void available(boolean has) {
        available = has;
    }

    /** {@return whether the device has type 2 windows} */
    public boolean isAvailable() {
        return available;
    }

    /** Adds a type 2 window about which nothing else is known. */
    public synchronized void add(IbvMw window) {
        window.closed = false;
        windows.add(new Named<>(index(window.rkey()), window, null));
    }

    /** Removes a destroyed window. */
    public synchronized void remove(IbvMw window) {
        windows.remove(index(window.rkey()), window);
        window.closed = true;
        window.boundOn = null;
        window.onlyOn(null);
    }

    private static int index(int rkey) {
        return rkey >>> TAG_BITS;
    }

    /** {@return the window of a key, whatever the key's lowest bits are, or null if there is none} */
    IbvMw find(int rkey) {
        Named<IbvMw> found = windows.find(index(rkey));
        return found == null ? null : found.value;
    }

    /** Adds the log of a queue pair. */
    void add(int qpNum, WindowLog log) {
        logs.add(new Named<>(qpNum, log, null));
        used = true;
    }

    void remove(int qpNum, WindowLog log) {
        logs.remove(qpNum, log);
    }

    /** Adds the room of a send queue, which completions free. */
    void add(int qpNum, SendRoom room) {
        rooms.add(new Named<>(qpNum, room, null));
        used = true;
    }

    void remove(int qpNum, SendRoom room) {
        rooms.remove(qpNum, room);
    }

    /** {@return whether completions must be reported to the book} */
    public boolean isUsed() {
        return used;
    }

    /** Handles a completion as the program will see it. */
    void completed(WorkCompletion wc) {
        if (wc.status() == WcStatus.SUCCESS && (wc.wcFlags() & WcFlags.WITH_INV) != 0) {
            takenBack(wc.invalidatedRkey());
        } else {
            completed(wc.qpNum(), wc.wrId(), wc.status(), wc.opcode());
        }
    }

    /** Handles a completion of a send, or of a failed request. */
    void completed(int qpNum, long wrId, int status, int opcode) {
        if (status != WcStatus.SUCCESS || !Completions.isReceive(opcode)) {
            Named<SendRoom> room = rooms.find(qpNum);
            if (room != null) {
                room.value.completed(wrId, status != WcStatus.SUCCESS);
            }
        }
        boolean about = status != WcStatus.SUCCESS || opcode == WcOpcode.BIND_MW || opcode == WcOpcode.LOCAL_INV;
        Named<WindowLog> log = about ? logs.find(qpNum) : null;
        if (log != null) {
            if (status == WcStatus.SUCCESS) {
                log.value.succeeded(wrId);
            } else {
                log.value.failed(wrId, status);
            }
        }
    }

    /** Notes that a peer has invalidated a key, which the device found to be valid. */
    synchronized void takenBack(int rkey) {
        IbvMw window = find(rkey);
        if (window != null && window.rkey() == rkey) { // otherwise it was bound again since
            window.boundOn = null;
            window.onlyOn(null);
        }
    }
}
