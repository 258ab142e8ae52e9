/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.provider.rxe.link.SystemKernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures the cost of idle rings for a receiver: an empty poll, and a round trip over one more ring, with 0 and with
 * the given number of idle ones. Run by hand on a quiet machine: {@code java -cp ... ManyRingsBench [rings]}.
 */
final class ManyRingsBench {
    private static final int ROUNDS = 7;
    private static final int POLLS = 1_000_000;
    private static final int TRIPS = 200_000;
    private static final int WARM_UPS = 5;

    private final SystemKernel kernel = new SystemKernel();

    private ManyRingsBench() {}

    /** Takes the number of idle rings, 200 by default. */
    public static void main(String[] args) throws Exception {
        new ManyRingsBench().run(args.length > 0 ? Integer.parseInt(args[0]) : 200);
    }

    private void run(int rings) throws Exception {
        RingEnd a = new RingEnd(kernel.calls());
        RingEnd b = new RingEnd(kernel.calls());
        a.connect(b, 0);
        b.connect(a, 0);
        print(1, a, b);
        List<RingEnd> idle = new ArrayList<>();
        for (int i = 0; i < rings - 1; i++) {
            RingEnd other = new RingEnd(kernel.calls());
            other.connect(b, 1 + i);
            if (!other.isConnected()) {
                throw new IllegalStateException("no ring " + i);
            }
            idle.add(other);
        }
        print(rings, a, b);
        System.exit(idle.isEmpty() ? 1 : 0);
    }

    private static void print(int rings, RingEnd a, RingEnd b) throws InterruptedException {
        double[] polls = new double[ROUNDS];
        double[] trips = new double[ROUNDS];
        for (int i = -WARM_UPS; i < ROUNDS; i++) {
            double poll = polls(b);
            double trip = trips(a, b);
            if (i >= 0) {
                polls[i] = poll;
                trips[i] = trip;
            }
        }
        Arrays.sort(polls);
        Arrays.sort(trips);
        System.out.printf(
                Locale.ROOT,
                "%d rings: empty poll %.1f ns (%.1f to %.1f), round trip %.0f ns (%.0f to %.0f)%n",
                rings,
                polls[ROUNDS / 2],
                polls[0],
                polls[ROUNDS - 1],
                trips[ROUNDS / 2],
                trips[0],
                trips[ROUNDS - 1]);
    }

    private static double polls(RingEnd b) {
        long start = System.nanoTime();
        for (int i = 0; i < POLLS; i++) {
            b.poll(64);
        }
        return (System.nanoTime() - start) / (double) POLLS;
    }

    private static double trips(RingEnd a, RingEnd b) throws InterruptedException {
        long until = b.got + TRIPS;
        Thread echo = new Thread(() -> {
            while (b.got < until) {
                if (b.poll(64) > 0) {
                    b.send();
                }
            }
        });
        echo.start();
        long start = System.nanoTime();
        for (int i = 0; i < TRIPS; i++) {
            long before = a.got;
            a.send();
            while (a.got == before) {
                a.poll(64);
            }
        }
        double time = (System.nanoTime() - start) / (double) TRIPS;
        echo.join();
        return time;
    }
}
