/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.devicecode.spi.RingExport;
import io.verbs4j.devicecode.spi.RingIndices;
import io.verbs4j.devicecode.spi.RingSource;
import io.verbs4j.natives.memory.NativeMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A queue pair or completion queue that device code has taken over: a block of memory, {@code struct v4j_ring}, which
 * the functions {@code v4j_dev_...} take. The queue is handed over for good. {@code postSend} and {@code poll} by the
 * host fail with EBUSY from then on, even after {@link #close}, when the queue can only be destroyed.
 *
 * <p>A lane that sees host memory at the addresses of this process (a thread, a GPU with unified addresses) can use the
 * block as it is. For others, map each {@linkplain #parts() part}, and write the device's address into the block by
 * {@link #map}.
 *
 * <p>Thread-safe. Close it when no lane uses the block any more, and before its queues.
 */
public final class DeviceRing implements AutoCloseable {
    private static final VarHandle INTS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final RingSource source;
    private final RingExport export;
    private final ByteBuffer memory;
    private final ByteBuffer block;
    private final long address;
    private final List<RingPart> parts;
    private long told;
    private boolean closed;

    private DeviceRing(RingSource source, int kind, RingExport export) {
        this.source = source;
        this.export = export;
        int done = export.isUnordered() ? export.places() * Integer.BYTES : 0;
        memory = ByteBuffer.allocateDirect(2 * RingLayout.SIZEOF + done);
        block = memory.alignedSlice(RingLayout.SIZEOF).order(ByteOrder.nativeOrder());
        address = NativeMemory.address(block);
        fill(kind, done);
        parts = List.copyOf(partsOf(done));
        told = export.begin();
        if (export.start() != null) {
            export.start().accept(new Indices(block));
        }
    }

    /**
     * Hands over a queue pair's send queue and the completion queue of its sends, which no other queue pair may use.
     * The queue pair keeps its state; it may be connected before or after.
     *
     * @param qp the queue pair; nothing may be outstanding
     * @return the ring
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the provider has no device code, or none for this kind of
     *     queue pair; {@link Errno#EBUSY} if requests are outstanding or it was handed over before;
     *     {@link Errno#EINVAL} if other queue pairs use the completion queue
     */
    public static DeviceRing export(QueuePair qp) {
        RingSource source = DeviceCode.source(qp.context(), "export_ring");
        RingExport export = new RingExport();
        source.export(qp, export);
        return new DeviceRing(source, RingLayout.QP, export);
    }

    /**
     * Hands over a completion queue to device code that waits for messages.
     *
     * @param cq the completion queue
     * @return the ring
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the provider has no device code, or none for this kind of
     *     completion queue; {@link Errno#EBUSY} if it was handed over before
     */
    public static DeviceRing export(CompletionQueue cq) {
        RingSource source = DeviceCode.source(cq.context(), "export_ring");
        RingExport export = new RingExport();
        source.export(cq, export);
        return new DeviceRing(source, RingLayout.CQ, export);
    }

    /**
     * Hands over a queue pair that the vendor's own verbs created, for instance {@code DevxQueuePair} of mlx5.
     *
     * @param context the context that it belongs to
     * @param queue the queue pair
     * @return the ring
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the provider has no device code, or none for this kind of
     *     queue; {@link Errno#EBUSY} if it was handed over before; {@link Errno#EINVAL} for a queue of another context
     */
    public static DeviceRing export(Context context, Object queue) {
        RingSource source = DeviceCode.source(context, "export_ring");
        RingExport export = new RingExport();
        source.export(queue, export);
        return new DeviceRing(source, RingLayout.QP, export);
    }

    private void fill(int kind, int done) {
        putInt(RingLayout.SIZE, RingLayout.SIZEOF);
        putInt(RingLayout.LAYOUT, RingLayout.VERSION);
        putInt(RingLayout.OLDEST_TEXT, RingLayout.OLDEST);
        putInt(RingLayout.VENDOR, source.code().vendor());
        putInt(RingLayout.KIND, kind);
        putInt(RingLayout.FLAGS, export.needsProxy() ? RingLayout.PROXY : 0);
        putInt(RingLayout.OPERATIONS, export.operations());
        putInt(RingLayout.NUMBER, kind == RingLayout.QP ? export.number() : export.cqNumber());
        putInt(RingLayout.PLACES, export.places());
        putInt(RingLayout.STRIDE, export.stride());
        putInt(RingLayout.ROOM, export.room());
        putInt(RingLayout.CQ_PLACES, export.cqPlaces());
        putInt(RingLayout.CQ_STRIDE, export.cqStride());
        putInt(RingLayout.CQ_NUMBER, export.cqNumber());
        putInt(RingLayout.HALF, export.half());
        putInt(RingLayout.PHASE, export.phase());
        putInt(RingLayout.BATCH, export.batch());
        putLong(RingLayout.SENDS, export.sends());
        putLong(RingLayout.RECORD, export.record());
        putLong(RingLayout.BELL, export.bell());
        putLong(RingLayout.CQES, export.cqes());
        putLong(RingLayout.CQ_RECORD, export.cqRecord());
        putLong(RingLayout.DONE, done == 0 ? 0 : address + RingLayout.SIZEOF);
        for (int index :
                new int[] {RingLayout.RESERVED, RingLayout.READY, RingLayout.RUNG, RingLayout.WANTED, RingLayout.FREED
                }) {
            putLong(index, export.begin());
        }
        putLong(RingLayout.CONSUMED, export.consumed());
    }

    private List<RingPart> partsOf(int done) {
        List<RingPart> all = new ArrayList<>();
        add(all, RingPart.BLOCK, address, RingLayout.SIZEOF);
        add(all, RingPart.SENDS, export.sends(), (long) export.places() * export.stride());
        add(all, RingPart.RECORD, export.record(), export.recordLength());
        add(all, RingPart.BELL, export.bell(), export.bellLength());
        add(all, RingPart.CQES, export.cqes(), (long) export.cqPlaces() * export.cqStride());
        add(all, RingPart.CQ_RECORD, export.cqRecord(), Integer.BYTES);
        add(all, RingPart.DONE, done == 0 ? 0 : address + RingLayout.SIZEOF, done);
        return all;
    }

    private static void add(List<RingPart> all, int kind, long address, long length) {
        if (address != 0) {
            all.add(new RingPart(kind, address, length));
        }
    }

    /** {@return the address of the block in this process} */
    public long address() {
        return address;
    }

    /** {@return the size of the block in bytes} */
    public int size() {
        return RingLayout.SIZEOF;
    }

    /** {@return the pieces of memory that lanes use, the block first} */
    public List<RingPart> parts() {
        return parts;
    }

    /**
     * Sets the address at which lanes find a part. Call it before the first lane uses the block.
     *
     * @param kind {@link RingPart#SENDS} or another part that the ring has, but not the block
     * @param deviceAddress address of the part, as lanes see it
     * @throws VerbsException {@link Errno#EINVAL} if the ring has no such part
     */
    public void map(int kind, long deviceAddress) {
        if (kind == RingPart.BLOCK || parts.stream().noneMatch(part -> part.kind() == kind)) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "map_ring",
                    "the ring has no " + RingPart.toString(kind) + " to map; it has "
                            + parts.stream()
                                    .filter(part -> part.kind() != RingPart.BLOCK)
                                    .map(part -> RingPart.toString(part.kind()))
                                    .toList());
        }
        putLong(
                switch (kind) {
                    case RingPart.SENDS -> RingLayout.SENDS;
                    case RingPart.RECORD -> RingLayout.RECORD;
                    case RingPart.BELL -> RingLayout.BELL;
                    case RingPart.CQES -> RingLayout.CQES;
                    case RingPart.CQ_RECORD -> RingLayout.CQ_RECORD;
                    default -> RingLayout.DONE;
                },
                deviceAddress);
    }

    /**
     * Checks that device code compiled earlier fits this library and this ring, as {@code v4j_dev_check} does on the
     * device.
     *
     * @param textLayout {@code V4J_RING_LAYOUT} of the text that it was compiled from
     * @param textVendor {@code V4J_VENDOR} of that text
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if it does not; the message says what is too old
     */
    public void check(int textLayout, int textVendor) {
        int vendor = source.code().vendor();
        if (textVendor != vendor) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "check_code",
                    "the code was compiled for vendor " + textVendor + ", but the ring belongs to "
                            + source.code().name() + ", vendor " + vendor + "; compile it with "
                            + source.code().header());
        }
        if (textLayout > RingLayout.VERSION) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "check_code",
                    "the code needs layout " + textLayout + " of v4j_ring, but verbs-device-code fills layout "
                            + RingLayout.VERSION + "; use a newer verbs-device-code, or compile with its texts");
        }
        if (textLayout < RingLayout.OLDEST) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "check_code",
                    "the code was compiled with layout " + textLayout + " of v4j_ring, but layout " + RingLayout.OLDEST
                            + " is needed at least; compile it with newer texts");
        }
    }

    /** {@return whether lanes leave ringing to a {@link CpuProxy}, which must run} */
    public boolean needsProxy() {
        return (getInt(RingLayout.FLAGS) & RingLayout.PROXY) != 0;
    }

    /**
     * Makes lanes leave ringing to a {@link CpuProxy}, for lanes that cannot store to the doorbell register. Call it
     * before the first lane uses the block.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the host cannot ring for this queue
     */
    public void useProxy() {
        if (export.proxy() == null) {
            throw new VerbsException(Errno.EOPNOTSUPP, "use_proxy", "the host cannot ring for this queue");
        }
        putInt(RingLayout.FLAGS, getInt(RingLayout.FLAGS) | RingLayout.PROXY);
    }

    /** Rings if lanes have asked for it. Returns whether they had. Called by one thread at a time. */
    synchronized boolean ring() {
        if (closed) {
            return false;
        }
        long wanted = (long) LONGS.getAcquire(block, RingLayout.WANTED);
        if (wanted == told) {
            return false;
        }
        export.proxy().accept(wanted);
        told = wanted;
        LONGS.setRelease(block, RingLayout.RUNG, wanted);
        return true;
    }

    /** {@return the number of requests whose places lanes have freed since the queue was handed over} */
    public long completed() {
        return (long) LONGS.getAcquire(block, RingLayout.FREED) - export.begin();
    }

    /** Reads the block; keeps it reachable. */
    private record Indices(ByteBuffer block) implements RingIndices {
        @Override
        public long wanted() {
            return (long) LONGS.getAcquire(block, RingLayout.WANTED);
        }

        @Override
        public long consumed() {
            return (long) LONGS.getAcquire(block, RingLayout.CONSUMED);
        }
    }

    private void putInt(int at, int value) {
        INTS.setVolatile(block, at, value);
    }

    private int getInt(int at) {
        return (int) INTS.getVolatile(block, at);
    }

    private void putLong(int at, long value) {
        LONGS.setVolatile(block, at, value);
    }

    /** Ends the use of the block. Its queues can be destroyed then, but not used again. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            if (export.release() != null) {
                export.release().run();
            }
        }
    }
}
