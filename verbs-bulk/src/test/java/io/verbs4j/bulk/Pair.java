/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.Context;
import io.verbs4j.Resources;
import io.verbs4j.testsupport.Patience;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Two endpoints on two devices, driven by one thread; {@code a} has connected to {@code b}. */
final class Pair implements AutoCloseable {
    static final int ENTRIES = 256;

    final Resources resources = new Resources();
    final Context aContext;
    final Context bContext;
    final BulkEndpoint a;
    final BulkEndpoint b;
    final BulkRing aRing;
    final BulkRing bRing;
    final BulkPeer toB;
    final BulkPeer toA;
    final Completions aDone;
    final Completions bDone;

    Pair(Strategy strategy) {
        this(strategy, config -> config);
    }

    Pair(Strategy strategy, UnaryOperator<BulkConfig> settings) {
        this(strategy, settings, ENTRIES);
    }

    Pair(Strategy strategy, UnaryOperator<BulkConfig> settings, int entries) {
        aContext = resources.add(strategy.openFirst());
        bContext = resources.add(strategy.openSecond());
        a = resources.add(BulkEndpoint.open(settings.apply(strategy.config(aContext, 1, resources))));
        b = resources.add(BulkEndpoint.open(
                settings.apply(strategy.config(bContext, 0, resources)).withAddress(new InetSocketAddress(0))));
        aRing = a.ring(entries);
        bRing = b.ring(entries);
        aDone = new Completions(aRing);
        bDone = new Completions(bRing);
        toB = a.connect(b.address(), Patience.SECONDS, TimeUnit.SECONDS);
        until(() -> b.peer(0) != null);
        toA = b.peer(0);
    }

    /** Drives both sides until a condition holds. */
    void until(BooleanSupplier holds) {
        long start = System.nanoTime();
        int turn = 0;
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - start > Patience.NANOS) {
                throw new AssertionError("timed out; a: " + aDone + ", b: " + bDone);
            }
            if (turnBoth() == 0) {
                Patience.pause(turn++);
            }
        }
    }

    /** Drives both sides once. */
    int turnBoth() {
        return aDone.take() + bDone.take();
    }

    /** Returns the next completion of a ring; drives both sides. */
    Completions.Completion next(Completions of) {
        until(() -> !of.isEmpty());
        return of.remove();
    }

    @Override
    public void close() {
        resources.close();
    }
}
