/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.Resources;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/**
 * The table of a server as a client works with it: by READ, WRITE and compare-and-swap, without the server's processor.
 *
 * <p>One operation at a time: for one thread, or a lock around it.
 */
final class RemoteTable implements AutoCloseable {
    /**
     * Bytes of this client's own memory: a bucket that was read, a slot to write, and what a compare-and-swap found.
     */
    private static final int SLOT_IMAGE = Layout.BUCKET_SIZE;

    private static final int FOUND = SLOT_IMAGE + Layout.SLOT_SIZE;
    private static final int MEMORY_SIZE = FOUND + Long.BYTES;

    /** How often a bucket is read that changes under our eyes. */
    private static final int MOST_READS = 100_000;

    /** How long a lock is waited for. A client that died holds none for long: the server gives it free. */
    private static final Duration LOCK_PATIENCE = Duration.ofSeconds(60);

    private static final int LONGEST_PAUSE_NANOS = 200_000;

    private static final long CONNECT_SECONDS = 20;

    private final Resources resources = new Resources();
    private final CmConnection connection;
    private final CompletionQueue cq;
    private final ByteBuffer memory;
    private final MemoryRegion region;

    private final SendWorkRequest request = new SendWorkRequest();
    private final ScatterGatherElement element = new ScatterGatherElement();
    private final WorkCompletion[] completion = {new WorkCompletion()};

    private final Welcome server;

    /** Connects with a server, which tells where its table is. */
    RemoteTable(Context context, InetSocketAddress address) {
        try {
            ProtectionDomain pd = resources.add(context.allocPd());
            memory = ByteBuffer.allocateDirect(MEMORY_SIZE + Long.BYTES).alignedSlice(Long.BYTES);
            region = resources.add(pd.regMr(memory, AccessFlags.LOCAL_WRITE));
            cq = resources.add(context.createCq(1));
            QpInitAttr attr = new QpInitAttr()
                    .qpType(QpType.RC)
                    .sendCq(cq)
                    .recvCq(cq)
                    .cap(new QpCap().maxSendWr(1).maxSendSge(1));
            connection = resources.add(CmConnection.connect(pd, address, attr, CONNECT_SECONDS, TimeUnit.SECONDS));
            server = Welcome.decode(connection.peer().privateData());
            element.lkey(region.lkey());
        } catch (RuntimeException e) {
            resources.close();
            throw e;
        }
    }

    Welcome server() {
        return server;
    }

    CmConnection connection() {
        return connection;
    }

    /** The value of a key: one READ, or more where the bucket is being changed. */
    Optional<byte[]> get(byte[] key) throws IOException {
        int bucket = Layout.bucketOf(key);
        for (int i = 0; i < MOST_READS; i++) {
            readBucket(bucket);
            boolean torn = false;
            for (int slot = 0; slot < Layout.SLOTS; slot++) {
                Slot read = slot(slot);
                if (read.has(key)) {
                    return Optional.of(read.value());
                }
                torn |= read.state() == Slot.State.TORN;
            }
            if (!torn) {
                return Optional.empty();
            }
        }
        throw new IOException("bucket " + bucket + " changes too fast to be read");
    }

    void put(byte[] key, byte[] value) throws IOException {
        update(key, old -> value);
    }

    /**
     * Changes a value, with the bucket locked: nobody else changes it meanwhile.
     *
     * @param change from the old value, null where there is none, to the new one
     */
    void update(byte[] key, UnaryOperator<byte[]> change) throws IOException {
        int bucket = Layout.bucketOf(key);
        try (Held held = lock(bucket)) {
            readBucket(bucket);
            int free = -1;
            int place = -1;
            byte[] old = null;
            for (int slot = 0; slot < Layout.SLOTS; slot++) {
                Slot read = slot(slot);
                if (read.has(key)) {
                    place = slot;
                    old = read.value();
                } else if (read.state() == Slot.State.FREE && free < 0) {
                    free = slot;
                }
            }
            place = place >= 0 ? place : free;
            if (place < 0) {
                throw new IOException("bucket " + bucket + " is full");
            }
            write(held.bucket(), place, key, change.apply(old));
        }
    }

    /** The immediate number tells the server which slot has changed. */
    private void write(int bucket, int slot, byte[] key, byte[] value) throws IOException {
        if (key.length == 0 || key.length + value.length > Slot.CAPACITY) {
            throw new IOException("a key has at least one byte, key and value together at most " + Slot.CAPACITY);
        }
        Slot.write(memory, SLOT_IMAGE, key, value);
        int offset = bucket * Layout.BUCKET_SIZE + Layout.slotInBucket(slot);
        run(request(WrOpcode.RDMA_WRITE_WITH_IMM, SLOT_IMAGE, 8 + key.length + value.length, offset)
                .immData(bucket * Layout.SLOTS + slot));
    }

    private void readBucket(int bucket) throws IOException {
        run(request(WrOpcode.RDMA_READ, 0, Layout.BUCKET_SIZE, bucket * Layout.BUCKET_SIZE));
    }

    private Slot slot(int slot) {
        return Slot.read(memory, Layout.slotInBucket(slot));
    }

    /** A lock that is held. */
    private final class Held implements AutoCloseable {
        private final int bucket;

        Held(int bucket) {
            this.bucket = bucket;
        }

        int bucket() {
            return bucket;
        }

        /** By compare-and-swap too: a device need not order a plain write among its atomics. */
        @Override
        public void close() throws IOException {
            long found = compareAndSwap(bucket, server.number(), Layout.FREE);
            if (found != server.number()) {
                throw new IOException("the lock of bucket " + bucket + " was client " + found + "'s, not ours");
            }
        }
    }

    private Held lock(int bucket) throws IOException {
        long deadline = System.nanoTime() + LOCK_PATIENCE.toNanos();
        long pause = 1000;
        long holder = compareAndSwap(bucket, Layout.FREE, server.number());
        while (holder != Layout.FREE) {
            if (System.nanoTime() > deadline) {
                throw new IOException("bucket " + bucket + " stays locked by client " + holder);
            }
            // Of chance, so that two do not keep step.
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(pause));
            pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
            holder = compareAndSwap(bucket, Layout.FREE, server.number());
        }
        return new Held(bucket);
    }

    /** Swaps the lock of a bucket if it is as expected; gives what it was, a number in the machine's own order. */
    long compareAndSwap(int bucket, long expected, long swap) throws IOException {
        run(request(WrOpcode.ATOMIC_CMP_AND_SWP, FOUND, Long.BYTES, Layout.lockInTable(bucket))
                .compareAdd(expected)
                .swap(swap));
        return memory.duplicate().order(ByteOrder.nativeOrder()).getLong(FOUND);
    }

    private SendWorkRequest request(int opcode, int offset, int length, int remoteOffset) {
        element.addr(region.addr() + offset).length(length);
        return request.opcode(opcode)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(element)
                .remoteAddr(server.address() + remoteOffset)
                .rkey(server.key());
    }

    /** Posts a request and waits until it is done. A server that is gone ends the wait: RETRY_EXC_ERR. */
    private void run(SendWorkRequest posted) throws IOException {
        int errno = connection.queuePair().postSend(posted);
        if (errno != 0) {
            throw new IOException(Errno.toString(errno) + ": " + connection.queuePair().explain(posted));
        }
        int count = cq.poll(1, completion);
        while (count == 0) {
            Thread.onSpinWait();
            count = cq.poll(1, completion);
        }
        if (count < 0 || completion[0].status() != WcStatus.SUCCESS) {
            throw new IOException(
                    posted + ": " + (count < 0 ? Errno.toString(-count) : WcStatus.toString(completion[0].status())));
        }
    }

    @Override
    public void close() {
        resources.close();
    }
}
