/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.collective;

import io.verbs4j.Device;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * An all-reduce over a ring, as a program: each rank has a vector, and in the end all have the sum of all of them.
 *
 * <pre>
 *   AllReduce [DEVICES [RANKS [LENGTH]]]
 * </pre>
 *
 * <p>DEVICES is what the names of the devices begin with, which the ranks take in turn; without it, the default one.
 * All that is used is RDMA writes, which each device has. Where the device can, the queue pairs with a neighbour have
 * one number on all ports.
 */
public final class AllReduce {
    private AllReduce() {}

    /** See the class. */
    public static void main(String[] args) throws Exception {
        int ranks = args.length > 1 ? Integer.parseInt(args[1]) : 4;
        int length = args.length > 2 ? Integer.parseInt(args[2]) : 1_000_003;
        List<Device> devices = args.length == 0
                ? List.of(Verbs.defaultDevice())
                : Verbs.devices().stream()
                        .filter(d -> d.name().startsWith(args[0]))
                        .toList();
        if (devices.isEmpty()) {
            throw new IllegalArgumentException("no device is called " + args[0] + "...; " + Verbs.report());
        }
        run(devices, ranks, length);
    }

    private static void run(List<Device> devices, int ranks, int length) throws Exception {
        List<Rank> ring = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(ranks);
        try {
            for (int i = 0; i < ranks; i++) {
                Device device = devices.get(i % devices.size());
                ring.add(new Rank(Verbs.open(device, VerbsLevel.CURRENT), i, ranks, length));
                fill(ring.get(i).vector(), i);
                System.out.println("rank " + i + " on " + device.name() + ": "
                        + ring.get(i).next().numbers());
            }
            for (int i = 0; i < ranks; i++) {
                Link out = ring.get(i).next();
                Link in = ring.get((i + 1) % ranks).previous();
                Link.Address there = in.address();
                in.connect(out.address());
                out.connect(there);
            }
            List<Future<?>> running = new ArrayList<>();
            for (Rank rank : ring) {
                running.add(threads.submit(rank::allReduce));
            }
            for (Future<?> one : running) {
                one.get();
            }
            for (Rank rank : ring) {
                verify(rank.vector(), ranks);
            }
            System.out.println("all-reduce of " + length + " numbers over " + ranks + " ranks: verified");
        } finally {
            threads.shutdownNow();
            ring.forEach(Rank::close);
        }
    }

    private static void fill(IntBuffer vector, int rank) {
        for (int i = 0; i < vector.capacity(); i++) {
            vector.put(i, value(rank, i));
        }
    }

    /** What a rank begins with. */
    private static int value(int rank, int i) {
        return (rank + 1) * 1_000_003 ^ i * 31;
    }

    private static void verify(IntBuffer vector, int ranks) {
        for (int i = 0; i < vector.capacity(); i++) {
            int sum = 0;
            for (int rank = 0; rank < ranks; rank++) {
                sum += value(rank, i);
            }
            if (vector.get(i) != sum) {
                throw new IllegalStateException("number " + i + " is " + vector.get(i) + ", not " + sum);
            }
        }
    }
}
