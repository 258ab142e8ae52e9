/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.bulk.BulkBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads blocks of a file into slots and puts them to the peer, in its own thread: while it reads one block, others are
 * in flight. A slot is reused when the transport has released it and the peer has written the block.
 */
final class BlockReader implements CopyChannel.Slots {
    private static final int STOP = -1;
    private static final long WAIT_NANOS = 100_000_000L;

    private final BulkBuffer buffer;
    private final ByteBuffer bytes;
    private final BlockingQueue<Integer> free = new LinkedBlockingQueue<>();

    /** For each slot, the number of transport operations that use it. */
    private final AtomicIntegerArray uses = new AtomicIntegerArray(CopySizes.SLOTS);

    /** For each slot, 1 until the peer acknowledges it. */
    private final AtomicIntegerArray waiting = new AtomicIntegerArray(CopySizes.SLOTS);

    private Thread thread;
    private volatile Exception failure;
    private volatile boolean stopped;

    /**
     * Creates a reader; call {@link #prepare} before {@link #start}.
     *
     * @param buffer the slots
     */
    BlockReader(BulkBuffer buffer) {
        this.buffer = buffer;
        bytes = buffer.bytes();
    }

    /**
     * Starts to read.
     *
     * @param channel the channel to the peer
     * @param window the peer's slots
     * @param file what to read
     * @param source the file's length and name
     * @param digest updated with the data; must not be used until {@link #finish()}
     * @param from first byte
     * @param bytesPerSecond highest rate; 0 for no limit
     */
    void start(
            CopyChannel channel,
            long window,
            FileChannel file,
            SourceFile source,
            MessageDigest digest,
            long from,
            long bytesPerSecond) {
        thread = new Thread(
                () -> {
                    try {
                        read(channel, window, file, source, digest, from, bytesPerSecond);
                    } catch (IOException | InterruptedException | FileRefused | RuntimeException e) {
                        failure = e;
                    }
                },
                "copy-reader");
        thread.setDaemon(true);
        thread.start();
    }

    private void read(
            CopyChannel channel,
            long window,
            FileChannel file,
            SourceFile source,
            MessageDigest digest,
            long from,
            long bytesPerSecond)
            throws IOException, InterruptedException, FileRefused {
        long begin = System.nanoTime();
        long count = CopySizes.blocks(source.size());
        for (long index = CopySizes.blocks(from); index < count; index++) {
            int slot = free.take();
            if (slot == STOP) {
                return;
            }
            long position = index * CopySizes.BLOCK;
            ByteBuffer block = bytes.slice(slot * CopySizes.BLOCK, CopySizes.blockBytes(source.size(), index));
            SourceFile.read(file, block, position);
            boolean zeros = Checksums.isZero(block);
            int crc = Checksums.crc(block);
            int length = block.remaining();
            digest.update(block);
            pace(begin, position + length - from, bytesPerSecond);
            waiting.set(slot, 1);
            uses.set(slot, zeros ? 1 : 2);
            channel.put(new Message.Block(slot, index, crc, zeros), buffer, length, window);
        }
    }

    private void pace(long begin, long done, long bytesPerSecond) {
        while (bytesPerSecond > 0 && !stopped) {
            long due = begin + (long) (done * 1e9 / bytesPerSecond);
            long left = due - System.nanoTime();
            if (left <= 0) {
                return;
            }
            LockSupport.parkNanos(Math.min(left, 100_000_000L));
        }
    }

    @Override
    public void completed(int slot) {
        if (uses.decrementAndGet(slot) == 0 && waiting.get(slot) == 0) {
            free.add(slot);
        }
    }

    /** Records that the peer has written the block of a slot. */
    void acknowledged(int slot) {
        if (waiting.getAndSet(slot, 0) == 1 && uses.get(slot) == 0) {
            free.add(slot);
        }
    }

    /** Frees all slots for another file, whatever the state of the last one. */
    void prepare(CopyChannel channel) throws ConnectionLost {
        stop();
        for (int i = 0; i < CopySizes.SLOTS; i++) {
            while (uses.get(i) > 0) {
                channel.tick(WAIT_NANOS);
            }
            waiting.set(i, 0);
        }
        free.clear();
        for (int i = 0; i < CopySizes.SLOTS; i++) {
            free.add(i);
        }
        stopped = false;
        failure = null;
    }

    /** Throws the failure of the reading thread, if it has failed. */
    void check() throws FileRefused {
        Exception e = failure;
        if (e instanceof FileRefused refused) {
            throw refused;
        }
        if (e != null) {
            throw new FileRefused("could not be read: " + e.getMessage(), e);
        }
    }

    /** Waits for the thread, after all blocks were acknowledged. */
    void finish() throws FileRefused {
        join();
        check();
    }

    /** Ends the thread at any point. */
    void stop() {
        stopped = true;
        free.add(STOP);
        join();
    }

    private void join() {
        boolean interrupted = false;
        while (thread != null && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
