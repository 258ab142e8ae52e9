/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.model.ModelProvider;
import io.verbs4j.bulk.model.Removal.Manner;
import io.verbs4j.bulk.transfer.Breaker;
import io.verbs4j.testsupport.Patience;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Two endpoints with removable devices, driven by one thread; {@code a} has connected to {@code b}. */
final class LossPair implements AutoCloseable {
    /** An endpoint with its test state. */
    static final class Side {
        final List<Context> contexts = new ArrayList<>();
        final List<Context> removed = new ArrayList<>();

        /** Contexts that the listener was called with. */
        final List<Context> told = new CopyOnWriteArrayList<>();

        final BulkEndpoint endpoint;
        final BulkRing ring;
        final Completions done;
        BulkPeer peer;

        Side(List<Context> devices, UnaryOperator<BulkConfig> settings) {
            contexts.addAll(devices);
            BulkListener listener = new BulkListener() {
                @Override
                public void deviceLost(Context context) {
                    told.add(context);
                }
            };
            endpoint = BulkEndpoint.open(settings.apply(
                    BulkConfig.of(devices.toArray(new Context[0])).withListener(listener)));
            ring = endpoint.ring(Pair.ENTRIES);
            done = new Completions(ring);
        }

        /** Returns the device that the connection uses. */
        int device() {
            return device(peer);
        }

        int device(BulkPeer of) {
            return contexts.indexOf(of.link().home().pd().context());
        }

        /** Removes a device. */
        Context remove(int device, Manner manner) {
            Context context = contexts.get(device);
            removed.add(context);
            ModelProvider.removal(context).remove(manner);
            return context;
        }

        /** Replaces a removed device. */
        void replace(Context lost, Context replacement) {
            contexts.set(contexts.indexOf(lost), replacement);
            endpoint.replace(lost, replacement);
        }
    }

    final Strategy strategy;
    final Side a;
    final Side b;

    /**
     * Connects the endpoints.
     *
     * @param devices number of devices of each side
     * @param tcp whether to use only TCP, so that a peer's address leads to all devices
     */
    LossPair(Strategy strategy, int devices, boolean tcp, UnaryOperator<BulkConfig> settings) {
        this.strategy = strategy;
        UnaryOperator<BulkConfig> all = config -> settings.apply(config)
                .withConnections(tcp || strategy.isByTcp() ? BulkConnections.TCP : BulkConnections.CM);
        List<Context> here = new ArrayList<>();
        List<Context> there = new ArrayList<>();
        for (int i = 0; i < devices; i++) {
            here.add(strategy.openRemovableHere(i % 2));
            there.add(strategy.openRemovableThere((i + 1) % 2));
        }
        a = new Side(here, all);
        InetSocketAddress address = tcp || strategy.isByTcp()
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)
                : new InetSocketAddress(there.get(0).queryGid(1, 0).toInetAddress(), 0);
        b = new Side(there, config -> all.apply(config).withAddress(address));
        a.peer = a.endpoint.connect(b.endpoint.address(), Patience.SECONDS, TimeUnit.SECONDS);
        until(() -> b.endpoint.peer(0) != null);
        b.peer = b.endpoint.peer(0);
        until(() -> Breaker.isUp(a.peer.link()) && Breaker.isUp(b.peer.link()));
    }

    /** Opens another device of a side, to replace a lost one. */
    Context another(Side side, int number) {
        return side == a ? strategy.openRemovableHere(number) : strategy.openRemovableThere(number);
    }

    /** Drives both sides until a condition holds. */
    void until(BooleanSupplier holds) {
        long start = System.nanoTime();
        int turn = 0;
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - start > Patience.NANOS) {
                throw new AssertionError("timed out; a: " + a.done + ", b: " + b.done);
            }
            if (turn() == 0) {
                Patience.pause(turn++);
            }
        }
    }

    /** Drives both sides once. */
    int turn() {
        return a.done.take() + b.done.take();
    }

    /** Returns the next completion of a side; drives both sides. */
    Completions.Completion next(Side side) {
        until(() -> !side.done.isEmpty());
        return side.done.remove();
    }

    @Override
    public void close() {
        a.endpoint.close();
        b.endpoint.close();
        for (Side side : List.of(a, b)) {
            side.contexts.forEach(LossPair::close);
            side.removed.forEach(LossPair::close);
        }
    }

    /** Closes a context, even if the library keeps objects whose destruction a removed device has not confirmed. */
    private static void close(Context context) {
        try {
            context.close();
        } catch (VerbsException e) {
            if (ModelProvider.removal(context) == null) {
                return; // closed before and not replaced
            }
            if (e.errno() != Errno.EBUSY || ModelProvider.removal(context).manner() != Manner.EVENT_AND_ERRORS) {
                throw e;
            }
            ModelProvider.abandon(context);
        }
    }
}
