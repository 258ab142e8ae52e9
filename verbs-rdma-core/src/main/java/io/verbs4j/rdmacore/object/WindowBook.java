/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.marshal.Completions;
import io.verbs4j.rdmacore.memory.KeyTable;

/**
 * What is known of the memory windows of type 2 of an open device: which is bound, and on which queue pair. No driver tells; it is
 * known from what was posted, and from completions. It is the monitor of all that is noted.
 *
 * <p>Where windows are <em>fragile</em>, the kernel falls over a window that is taken back while it is free, and waits long for one that is
 * bound on a queue pair that is destroyed. So there what is not known for certain to be right is refused.
 */
public final class WindowBook {
    private static final int TAG_BITS = Byte.SIZE;

    private final boolean fragile;
    private final KeyTable<Named<IbvMw>> windows = new KeyTable<>();
    private final KeyTable<Named<WindowLog>> logs = new KeyTable<>();
    private final KeyTable<Named<SendRoom>> rooms = new KeyTable<>();
    private volatile boolean used;
    private volatile boolean available;

    /** Something by its number. */
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
     * Of a device.
     *
     * @param fragile whether it is one of rdma_rxe
     */
    public WindowBook(boolean fragile) {
        this.fragile = fragile;
    }

    /** Whether what is not known to be right must be kept from the device. */
    public boolean isFragile() {
        return fragile;
    }

    /** Takes note of whether the device has windows of type 2. */
    public void available(boolean has) {
        available = has;
    }

    /** Whether it has. */
    public boolean isAvailable() {
        return available;
    }

    /** Adds a window of type 2, of which nothing is known but that it is there. */
    public synchronized void add(IbvMw window) {
        window.closed = false;
        windows.add(new Named<>(index(window.rkey()), window, null));
    }

    /** Removes it, which is no more. */
    public synchronized void remove(IbvMw window) {
        windows.remove(index(window.rkey()), window);
        window.closed = true;
        window.boundOn = null;
        window.onlyOn(null);
    }

    private static int index(int rkey) {
        return rkey >>> TAG_BITS;
    }

    /** The window that a key is of, whatever its lowest bits are; null where it is of none. */
    IbvMw find(int rkey) {
        Named<IbvMw> found = windows.find(index(rkey));
        return found == null ? null : found.value;
    }

    /** Makes what was posted to a queue pair known. */
    void add(int qpNum, WindowLog log) {
        logs.add(new Named<>(qpNum, log, null));
        used = true;
    }

    void remove(int qpNum, WindowLog log) {
        logs.remove(qpNum, log);
    }

    /** Has completions make room in a send queue. */
    void add(int qpNum, SendRoom room) {
        rooms.add(new Named<>(qpNum, room, null));
        used = true;
    }

    void remove(int qpNum, SendRoom room) {
        rooms.remove(qpNum, room);
    }

    /** Whether anything was posted that completions tell something about. */
    public boolean isUsed() {
        return used;
    }

    /** Takes note of a completion, as the program will see it. */
    void completed(WorkCompletion wc) {
        if (wc.status() == WcStatus.SUCCESS && (wc.wcFlags() & WcFlags.WITH_INV) != 0) {
            takenBack(wc.invalidatedRkey());
        } else {
            completed(wc.qpNum(), wc.wrId(), wc.status(), wc.opcode());
        }
    }

    /** Takes note of a completion of what was sent, or failed. */
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

    /** A peer has taken a key back; the device has found that it was in force. */
    synchronized void takenBack(int rkey) {
        IbvMw window = find(rkey);
        if (window != null && window.rkey() == rkey) { // else it was bound anew since
            window.boundOn = null;
            window.onlyOn(null);
        }
    }
}
