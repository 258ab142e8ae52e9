/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.collective;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;

/**
 * One of those that add up their vectors. The ring: each one writes to the next alone. The vector has as many pieces as
 * there are ranks; in the first round of steps each piece travels around and is added to, in the second one it travels
 * on as a sum.
 *
 * <pre>
 * memory vector | a place for the piece of each step of the first round | words of the ports | words to be written, one
 * for each step
 * </pre>
 *
 * <p>Each piece that arrives in the first round has a place of its own, so nobody has to be asked whether it is free.
 * In the second one it goes where it belongs: its sum has been through here, so what was there is no longer needed.
 */
final class Rank implements AutoCloseable {
    private static final VarHandle WORD =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final int rank;
    private final int ranks;
    private final int length;
    private final int places;
    private final int words;
    private final int sources;
    private final ByteBuffer memory;
    private final Context context;
    private final Fabric fabric;
    private final ProtectionDomain pd;
    private final MemoryRegion mr;
    private final Link next;
    private final Link previous;
    private final WorkCompletion[] wc = {new WorkCompletion()};
    private int step;

    Rank(Context context, int rank, int ranks, int length) {
        this.context = context;
        this.rank = rank;
        this.ranks = ranks;
        this.length = length;
        fabric = GaudiFabric.isOn(context) ? new GaudiFabric(context) : new OrdinaryFabric(context);
        places = length * Integer.BYTES;
        int piece = (length / ranks + 1) * Integer.BYTES;
        words = places + (ranks - 1) * piece + Long.BYTES & -Long.BYTES;
        sources = words + fabric.ports().size() * Long.BYTES;
        memory = ByteBuffer.allocateDirect(sources + 2 * ranks * Long.BYTES).order(ByteOrder.nativeOrder());
        pd = context.allocPd();
        mr = pd.regMr(memory, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        next = new Link(context, fabric, pd, mr);
        previous = new Link(context, fabric, pd, mr);
    }

    Link next() {
        return next;
    }

    Link previous() {
        return previous;
    }

    /** What is added up: the result afterwards. */
    IntBuffer vector() {
        return memory.slice(0, length * Integer.BYTES).order(ByteOrder.nativeOrder()).asIntBuffer();
    }

    private int first(int piece) {
        return (int) ((long) length * piece / ranks);
    }

    private int index(int piece) {
        return Math.floorMod(piece, ranks);
    }

    /** Adds up, and returns when all has arrived. */
    void allReduce() {
        int piece = (length / ranks + 1) * Integer.BYTES;
        for (int s = 0; s < ranks - 1; s++) {
            exchange(index(rank - s), places + s * piece);
            add(index(rank - s - 1), places + s * piece);
        }
        for (int s = 0; s < ranks - 1; s++) {
            int goes = index(rank + 1 - s);
            exchange(goes, first(goes) * Integer.BYTES);
        }
    }

    /** Writes a piece to the next one, and waits for that of the one before. */
    private void exchange(int piece, int to) {
        int from = first(piece) * Integer.BYTES;
        int source = sources + step * Long.BYTES;
        step++;
        memory.putLong(source, step);
        next.write(from, to, (first(piece + 1) - first(piece)) * Integer.BYTES, source, words);
        for (int i = 0; i < fabric.ports().size(); i++) {
            awaitWord(words + i * Long.BYTES);
        }
        fabric.queues().forEach(this::awaitCompletion);
    }

    private void awaitWord(int at) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while ((long) WORD.getAcquire(memory, at) < step) {
            relax(deadline, "nothing came of the one before");
        }
    }

    private void awaitCompletion(CompletionQueue cq) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        int taken;
        while ((taken = cq.poll(1, wc)) == 0) {
            relax(deadline, "no completion");
        }
        if (taken < 0 || wc[0].status() != WcStatus.SUCCESS) {
            throw new IllegalStateException(
                    "rank " + rank + ": " + (taken < 0 ? "poll failed" : WcStatus.toString(wc[0].status())));
        }
    }

    private void relax(long deadline, String what) {
        if (System.nanoTime() - deadline > 0) {
            throw new IllegalStateException("rank " + rank + ", step " + step + ": " + what);
        }
        Thread.yield();
    }

    private void add(int piece, int at) {
        IntBuffer vector = vector();
        IntBuffer came = memory.slice(at, memory.capacity() - at)
                .order(ByteOrder.nativeOrder())
                .asIntBuffer();
        for (int i = first(piece); i < first(piece + 1); i++) {
            vector.put(i, vector.get(i) + came.get(i - first(piece)));
        }
    }

    @Override
    public void close() {
        next.close();
        previous.close();
        fabric.close();
        mr.close();
        pd.close();
        context.close();
    }
}
