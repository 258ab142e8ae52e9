/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.AccessFlags;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.provider.rxe.memory.FragileMemory;
import io.verbs4j.provider.rxe.memory.MappedFiles;
import io.verbs4j.provider.rxe.memory.MemoryKey;
import java.lang.invoke.VarHandle;

/**
 * Executes a peer's atomics, atomic writes and flushes. Methods return constants of {@link InboundMessage}, {@code
 * INVALID} also if the queue pair does not grant the right. Guarded by the receive lock.
 */
public final class RemoteOperations {
    private static final int FLUSH_TYPES = FlushType.GLOBAL | FlushType.PERSISTENT;

    private final Inbox inbox;
    private final FragileMemory.Atomic atomic = new FragileMemory.Atomic();

    /** The pinned key of the memory whose files are being forced, or null if no flush is waiting for a disk. */
    private MemoryKey forced;

    /** Creates the operations for requests that arrive at an inbox. */
    public RemoteOperations(Inbox inbox) {
        this.inbox = inbox;
    }

    /** {@return the value that the last atomic operation found} */
    public long found() {
        return atomic.found();
    }

    /** Compares and swaps, or fetches and adds, 8 bytes. */
    public int atomic(int rkey, long va, boolean swaps, long compare, long swapAdd) {
        if (!inbox.grants(AccessFlags.REMOTE_ATOMIC)) {
            return InboundMessage.INVALID;
        }
        MemoryKey key = inbox.pin(rkey, va, Long.BYTES, AccessFlags.REMOTE_ATOMIC);
        if (key == null) {
            return InboundMessage.ACCESS;
        }
        try {
            long word = key.word(va, Long.BYTES);
            return word == 0 ? InboundMessage.INVALID : result(atomic.execute(key, word, swaps, compare, swapAdd));
        } finally {
            key.unpin();
        }
    }

    /** Executes a masked atomic operation of 4 or 8 bytes, with the fields of its header. */
    public int masked(
            int rkey,
            long va,
            int width,
            boolean swaps,
            long swapAdd,
            long compare,
            long swapMask,
            long compareAddMask) {
        if (width != Integer.BYTES && width != Long.BYTES
                || (va & width - 1) != 0
                || !inbox.grants(AccessFlags.REMOTE_ATOMIC)) {
            return InboundMessage.INVALID;
        }
        MemoryKey key = inbox.pin(rkey, va, width, AccessFlags.REMOTE_ATOMIC);
        if (key == null) {
            return InboundMessage.ACCESS;
        }
        try {
            long word = key.word(va, width);
            return word == 0
                    ? InboundMessage.INVALID
                    : result(atomic.execute(key, word, width, swaps, swapAdd, compare, swapMask, compareAddMask));
        } finally {
            key.unpin();
        }
    }

    /** Writes 8 bytes atomically. */
    public int write(int rkey, long va, long value) {
        if ((va & Long.BYTES - 1) != 0 || !inbox.grants(AccessFlags.REMOTE_WRITE)) {
            return InboundMessage.INVALID;
        }
        MemoryKey key = inbox.pin(rkey, va, Long.BYTES, AccessFlags.REMOTE_WRITE);
        if (key == null) {
            return InboundMessage.ACCESS;
        }
        try {
            long word = key.word(va, Long.BYTES);
            return word == 0 ? InboundMessage.INVALID : result(FragileMemory.write(key, word, value));
        } finally {
            key.unpin();
        }
    }

    /** Flushes memory; returns when earlier writes have reached where the request wants them. */
    public int flush(int rkey, long va, long bytes, int type, int level) {
        int result = beginFlush(rkey, va, bytes, type, level);
        if (!isForcing()) {
            return result;
        }
        boolean done = false;
        try {
            done = force();
        } finally {
            result = endFlush(done);
        }
        return result;
    }

    /**
     * Begins a flush. If {@link #isForcing()} is true afterwards, {@link #force()} and {@link #endFlush} must follow;
     * otherwise the flush is done.
     */
    public int beginFlush(int rkey, long va, long bytes, int type, int level) {
        boolean range = level == FlushLevel.RANGE;
        if (type == 0 || (type & ~FLUSH_TYPES) != 0 || !range && level != FlushLevel.MR) {
            return InboundMessage.INVALID;
        }
        boolean lasting = (type & FlushType.PERSISTENT) != 0;
        int right = ((type & FlushType.GLOBAL) != 0 ? AccessFlags.FLUSH_GLOBAL : 0)
                | (lasting ? AccessFlags.FLUSH_PERSISTENT : 0);
        if (!inbox.grants(right)) {
            return InboundMessage.INVALID;
        }
        MemoryKey key = range ? inbox.pin(rkey, va, bytes, right) : inbox.pinWhole(rkey, right);
        if (key == null) {
            return InboundMessage.ACCESS;
        }
        VarHandle.fullFence();
        if (!lasting) {
            key.unpin();
            return InboundMessage.OK;
        }
        forced = key;
        return InboundMessage.OK;
    }

    /** {@return whether a flush that waits for a disk has begun} */
    public boolean isForcing() {
        return forced != null;
    }

    /**
     * Waits for the disk, however long that takes; returns false if it failed. Only this method may be called without
     * the receive lock.
     */
    public boolean force() {
        MappedFiles files = forced.files();
        return files != null && files.force();
    }

    /** Ends a flush that waited for a disk. */
    public int endFlush(boolean done) {
        forced.unpin();
        forced = null;
        return result(done);
    }

    private static int result(boolean done) {
        return done ? InboundMessage.OK : InboundMessage.GONE;
    }
}
