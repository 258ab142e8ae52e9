/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.HdrHistogram.Histogram;

/**
 * The limit: for each direction a ring of slots in mapped memory, with one sender, one receiver and nothing around it.
 * A slot has the number of its message, which is written last, and the message.
 */
final class BareRing extends BufferTransport {
    private static final Path SHARED = Path.of("/dev/shm");
    private static final int BYTES = 1 << 20;

    /** Two cache lines, since processors fetch them in pairs. */
    private static final int LINES = 128;

    private static final int LOOKS = 1 << 14;
    private static final long LOST_NANOS = 30_000_000_000L;

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final MappedByteBuffer memory;
    private final int size;
    private final int slot;
    private final int slots;

    /** Where the receiver says how many messages it has taken out; the slots follow. */
    private final int out;

    private final int in;
    private long sent;
    private long received;
    private long takenOut;

    BareRing(Link link, boolean client, int size) throws IOException {
        super(size);
        this.size = size;
        slot = (Long.BYTES + size + LINES - 1) / LINES * LINES;
        slots = Integer.highestOneBit(BYTES / slot);
        int ring = LINES + slots * slot;
        memory = map(link, client, 2 * ring);
        out = client ? 0 : ring;
        in = client ? ring : 0;
    }

    private static MappedByteBuffer map(Link link, boolean client, int size) throws IOException {
        Path folder = Files.isDirectory(SHARED) ? SHARED : Path.of(System.getProperty("java.io.tmpdir"));
        Path file = client ? Files.createTempFile(folder, "verbs4j-ring", null) : Path.of(link.hear());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, size);
            if (client) {
                link.exchange(file.toString());
            } else {
                link.tell("mapped");
            }
            return memory;
        } finally {
            if (client) {
                Files.delete(file);
            }
        }
    }

    private int slot(int ring, long number) {
        return ring + LINES + (int) (number & slots - 1) * slot;
    }

    private long word(int at) {
        return (long) WORD.getAcquire(memory, at);
    }

    private void write() throws IOException {
        if (sent - takenOut == slots) {
            await(out, sent - slots + 1);
            takenOut = word(out);
        }
        int at = slot(out, sent++);
        memory.put(at + Long.BYTES, source, 0, size);
        WORD.setRelease(memory, at, sent);
    }

    private void read() throws IOException {
        int at = slot(in, received++);
        await(at, received);
        target.put(0, memory, at + Long.BYTES, size);
        if ((received & slots / 4 - 1) == 0) {
            WORD.setRelease(memory, in, received);
        }
    }

    /** Waits until a word has at least some value. */
    private void await(int at, long value) throws IOException {
        for (int i = 0; i < LOOKS; i++) {
            if (word(at) - value >= 0) {
                return;
            }
        }
        awaitLonger(at, value);
    }

    @SuppressWarnings("ThreadPriorityCheck") // the other process may need this processor
    private void awaitLonger(int at, long value) throws IOException {
        long start = System.nanoTime();
        while (word(at) - value < 0) {
            if (System.nanoTime() - start > LOST_NANOS) {
                throw new IOException("the other process writes nothing");
            }
            Thread.yield();
        }
    }

    @Override
    public void send(long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            write();
        }
    }

    @Override
    public void receive(long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            read();
        }
    }

    @Override
    public void ping(long messages, Histogram roundTrips) throws IOException {
        for (long i = 0; i < messages; i++) {
            long start = System.nanoTime();
            write();
            read();
            roundTrips.recordValue(System.nanoTime() - start);
        }
    }

    @Override
    public void pong(long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            read();
            write();
        }
    }

    @Override
    public void close() {
        // the mapping ends with the garbage
    }
}
