/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Determines which faults happen to which packet. This is a pure function of the seed, the direction and the packet's
 * number.
 *
 * <p>As text: {@code drop=0.05,duplicate=0.05,delay=0.05,reorder=0.05,truncate=0.05,corrupt=0.05,seed=7}. Each part is
 * optional. {@code delay-ms} sets how long a delayed packet is held (default 5). {@code side} selects the direction:
 * {@code receive} (default), {@code send} or {@code both}.
 */
public final class FaultPlan {
    static final int DROP = 0;
    static final int DUPLICATE = 1;
    static final int DELAY = 2;
    static final int REORDER = 3;
    static final int TRUNCATE = 4;
    static final int CORRUPT = 5;

    /** Names of the faults, by their number. */
    static final String[] NAMES = {"drop", "duplicate", "delay", "reorder", "truncate", "corrupt"};

    static final int RECEIVE = 1;
    static final int SEND = 2;

    private static final String ALLOWED =
            "allowed: drop, duplicate, delay, reorder, truncate and corrupt, each with a probability"
                    + " from 0 to 1; seed=<whole number>; delay-ms=<0 to 60000>; side=receive, send or both";
    private static final int MAX_DELAY_MS = 60_000;
    private static final long NANOS_PER_MS = 1_000_000;

    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private final double[] probabilities = new double[NAMES.length];
    private long seed;
    private int delayMs = 5;
    private int sides = RECEIVE;

    private FaultPlan() {}

    /**
     * Parses a plan.
     *
     * @param text as above
     * @return the plan
     * @throws IllegalArgumentException if a part is invalid; the message names it
     */
    public static FaultPlan parse(String text) {
        FaultPlan plan = new FaultPlan();
        Set<String> seen = new LinkedHashSet<>();
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals < 0) {
                throw bad(text, part, part.isBlank() ? "is empty" : "has no '='");
            }
            String name = part.substring(0, equals).trim().toLowerCase(Locale.ROOT);
            if (!seen.add(name)) {
                throw bad(text, part, "repeats an earlier part");
            }
            plan.set(text, part, name, part.substring(equals + 1).trim());
        }
        return plan;
    }

    private void set(String text, String part, String name, String value) {
        switch (name) {
            case "seed":
                seed = number(text, part, value, Long.MIN_VALUE, Long.MAX_VALUE);
                break;
            case "delay-ms":
                delayMs = (int) number(text, part, value, 0, MAX_DELAY_MS);
                break;
            case "side":
                sides = side(text, part, value);
                break;
            default:
                probabilities[fault(text, part, name)] = probability(text, part, value);
                break;
        }
    }

    private static int fault(String text, String part, String name) {
        for (int i = 0; i < NAMES.length; i++) {
            if (NAMES[i].equals(name)) {
                return i;
            }
        }
        throw bad(text, part, "is unknown");
    }

    private static int side(String text, String part, String value) {
        switch (value) {
            case "receive":
                return RECEIVE;
            case "send":
                return SEND;
            case "both":
                return RECEIVE | SEND;
            default:
                throw bad(text, part, "must be receive, send or both");
        }
    }

    private static double probability(String text, String part, String value) {
        double p;
        try {
            p = Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw bad(text, part, "needs a number");
        }
        if (!(p >= 0 && p <= 1)) { // written this way to reject NaN
            throw bad(text, part, "must be between 0 and 1");
        }
        return p;
    }

    private static long number(String text, String part, String value, long least, long most) {
        try {
            long n = Long.parseLong(value);
            if (n >= least && n <= most) {
                return n;
            }
        } catch (NumberFormatException e) {
            throw bad(text, part, "needs a whole number");
        }
        throw bad(text, part, "is out of range");
    }

    private static IllegalArgumentException bad(String text, String part, String what) {
        return new IllegalArgumentException("faults '" + text + "': '" + part.trim() + "' " + what + "; " + ALLOWED);
    }

    /** Returns whether packets of a direction are affected at all. */
    boolean covers(int side) {
        return (sides & side) != 0;
    }

    /** Returns the faults of a packet, as bits {@code 1 << fault}. A dropped packet has no other fault. */
    int faults(int side, long packet) {
        long state = start(side, packet);
        int mask = 0;
        for (int fault = 0; fault < NAMES.length; fault++) {
            state += GOLDEN;
            // Draws for every fault in any case, so that one probability does not shift the packets hit by the others.
            if ((mix(state) >>> 11) * 0x1p-53 < probabilities[fault]) {
                mask |= 1 << fault;
            }
        }
        return (mask & 1 << DROP) != 0 ? 1 << DROP : mask;
    }

    /** Returns random bits for the details of a packet's faults. */
    long detail(int side, long packet, int which) {
        return mix(start(side, packet) + (NAMES.length + 1L + which) * GOLDEN);
    }

    private long start(int side, long packet) {
        return mix(mix(seed + side) + packet * 0xd1342543de82ef95L);
    }

    /** {@return the nanoseconds for which a delayed packet is held} */
    long delayNanos() {
        return delayMs * NANOS_PER_MS;
    }

    /** The finalizer of SplitMix64. */
    private static long mix(long z) {
        long a = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        long b = (a ^ a >>> 27) * 0x94d049bb133111ebL;
        return b ^ b >>> 31;
    }
}
