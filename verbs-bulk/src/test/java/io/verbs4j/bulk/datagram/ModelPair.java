/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import java.util.function.BooleanSupplier;

/** Two connected ends. */
final class ModelPair {
    static final int MTU = 1024;
    static final int PAYLOAD = MTU - PacketLayout.SIZE;
    private static final long STEP = 1_000_000;
    private static final int MANY = 1_000_000;

    final ModelNetwork network;
    final ModelEnd a;
    final ModelEnd b;

    ModelPair(long seed, Faults faults) {
        this(seed, faults, false);
    }

    ModelPair(long seed, Faults faults, boolean lossless) {
        this(seed, faults, lossless, false);
    }

    /** Creates a pair whose devices may write to each other's memory by themselves. */
    ModelPair(long seed, Faults faults, boolean lossless, boolean writes) {
        network = new ModelNetwork(seed, faults);
        long high = network.random.nextLong() << Integer.SIZE;
        a = new ModelEnd(network, high | 0x7fff_ffe0L, MTU, lossless); // packets' numbers wrap soon,
        b = new ModelEnd(network, ~high & -1L << Integer.SIZE | 0xffff_fff0L, MTU, lossless); // as signed and unsigned
        a.wire.peer = b.wire;
        b.wire.peer = a.wire;
        a.posts.peer(b.token, MTU);
        b.posts.peer(a.token, MTU);
        a.posts.writesDirectly(writes);
        b.posts.writesDirectly(writes);
        a.posts.connected();
        b.posts.connected();
    }

    void until(BooleanSupplier condition) {
        for (int i = 0; !condition.getAsBoolean(); i++) {
            if (i == MANY) {
                throw new AssertionError("timed out");
            }
            turn();
        }
    }

    void turn() {
        network.step(STEP);
        a.turn();
        b.turn();
    }

    /** Lets time pass. */
    void pass(long nanos) {
        long end = network.now + nanos;
        while (network.now - end < 0) {
            turn();
        }
    }

    boolean isDone(ModelEnd end) {
        return !end.sents.isEmpty() && end.sents.get(end.sents.size() - 1).number() == end.requests() - 1;
    }
}
