/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.benchmarks.rc.RcEnd;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntSupplier;

/**
 * One JVM of {@link Layers}: the same batch of writes through the API and directly to the ring, in turn.
 *
 * <pre>LayersProgram SITE SECONDS</pre>
 *
 * prints the nanoseconds, then the bytes of garbage, of a post for both.
 */
final class LayersProgram {
    private static final String EXCLUDE = "io.verbs4j.exclude";
    private static final String OTHER_PROVIDERS = "io.verbs4j.provider.rxe.*,io.verbs4j.rdmacore.RdmaCoreProvider";
    private static final int IMPLEMENTATIONS = 4;

    /** Number of batches that each of the other devices posts first: enough for the JVM to consider them frequent. */
    private static final int BATCHES_ELSEWHERE = 500;

    private final SendWorkRequest[] badWr = new SendWorkRequest[1];
    private final List<Pair> pairs = new ArrayList<>();
    private final List<SendWorkRequest[]> requests = new ArrayList<>();
    private final Set<Class<?>> implementations = new HashSet<>();

    private LayersProgram() {}

    /** Runs the program. */
    public static void main(String[] args) throws Exception {
        System.out.println(new LayersProgram().run(Layers.Site.valueOf(args[0]), Double.parseDouble(args[1])));
        System.exit(0); // the embedded device has threads
    }

    private String run(Layers.Site site, double seconds) throws Exception {
        if (!site.hasOtherProviders()) {
            System.setProperty(EXCLUDE, OTHER_PROVIDERS);
        }
        DataPath.JAVA.set();
        Pair pair = add(new Pair(DeviceSim.open()));
        Conditions.current()
                .check(Register.of(pair.from().qp()), Register.of(pair.to().qp()));
        TwoLoops loops = switch (site) {
            case FOUR_COPIES_IN_TURN -> inTurn();
            default -> one(site);
        };
        if (implementations.size() != site.implementations()) {
            throw new IllegalStateException(site + ": posts came from " + implementations);
        }
        double[] values = loops.measure(seconds);
        for (Pair each : pairs) {
            each.close();
        }
        DeviceSim.check();
        return String.format(Locale.ROOT, "%.3f %.3f %.3f %.3f", values[0], values[1], values[2], values[3]);
    }

    private Pair add(Pair pair) {
        pairs.add(pair);
        requests.add(pair.requests(WrOpcode.RDMA_WRITE, false));
        implementations.add(pair.from().qp().getClass());
        return pair;
    }

    private TwoLoops one(Layers.Site site) throws Exception {
        if (site.hasOtherProviders()) {
            add(new Pair(RcEnd.openDevice()));
            DataPath.JNA.set();
            add(new Pair(DeviceSim.open()));
            DataPath.JAVA.set();
            addCopy();
            for (int i = 0; i < BATCHES_ELSEWHERE; i++) {
                for (int k = 0; k < pairs.size(); k++) {
                    othersPost(site, pairs.get(k), requests.get(k));
                }
            }
        }
        QueuePair qp = pairs.get(0).from().qp();
        Ring ring = Ring.of(qp);
        Object sends = ring.ring();
        Object lock = ring.lock();
        SendWorkRequest[] writes = requests.get(0);
        IntSupplier api = switch (site) {
            case SHARED_SITE -> () -> Sites.shared(qp, writes, badWr);
            case ONE_PROVIDER_BADWR, FOUR_PROVIDERS_BADWR -> () -> Sites.ownBadWr(qp, writes, badWr);
            default -> () -> Sites.own(qp, writes);
        };
        return new TwoLoops(List.of(pairs.get(0)), api, () -> Direct.post(sends, lock, writes, badWr));
    }

    private void othersPost(Layers.Site site, Pair pair, SendWorkRequest[] writes) {
        pair.fill();
        QueuePair qp = pair.from().qp();
        RcEnd.posted(
                site == Layers.Site.SHARED_SITE ? Sites.shared(qp, writes, badWr) : Sites.elsewhere(qp, writes, badWr));
        DeviceSim.pump();
        pair.takeAll();
        pair.check();
    }

    private void addCopy() throws Exception {
        String before = System.setProperty(EXCLUDE, OTHER_PROVIDERS);
        add(new Pair(new ProviderCopy().open(DeviceSim.NAME)));
        if (before == null) {
            System.clearProperty(EXCLUDE);
        }
    }

    private TwoLoops inTurn() throws Exception {
        while (pairs.size() < IMPLEMENTATIONS) {
            addCopy();
        }
        QueuePair[] qps = pairs.stream().map(p -> p.from().qp()).toArray(QueuePair[]::new);
        SendWorkRequest[][] writes = requests.toArray(SendWorkRequest[][]::new);
        Object[] rings = new Object[IMPLEMENTATIONS];
        for (int i = 0; i < IMPLEMENTATIONS; i++) {
            rings[i] = Ring.of(qps[i]).ring();
        }
        DirectEach.Loaders.all =
                Arrays.stream(qps).map(qp -> qp.getClass().getClassLoader()).toArray(ClassLoader[]::new);
        return new TwoLoops(pairs, () -> Sites.inTurn(qps, writes, badWr), () -> DirectEach.post(rings, writes, badWr));
    }
}
