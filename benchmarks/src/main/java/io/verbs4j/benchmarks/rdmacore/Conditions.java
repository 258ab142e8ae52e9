/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import java.util.ArrayList;
import java.util.List;

/**
 * The conditions that both sides are measured under: whether posts and polls take locks, and which doorbell register a
 * queue pair has. libmlx5 reads both from the environment, and also chooses the register for Java.
 */
enum Conditions {
    /** With locks, and a BlueFlame register for each queue pair. */
    LOCKED("", false, false),

    /** Without locks, and a BlueFlame register for each queue pair. */
    SINGLE("-single", true, false),

    /** Without locks, and the register of the uncached page, which all queue pairs of the context share. */
    NC_SINGLE("-nc-single", true, true),

    /** With locks, on another device: EFA, whose doorbells are always on an uncached page. */
    EFA("", false, true);

    private static final String SINGLE_THREADED = "-Dio.verbs4j.mlx5.single-threaded=true";
    private static final String NAME = "benchmarks.conditions";

    private final String suffix;
    private final boolean singleThreaded;
    private final boolean nonCached;

    Conditions(String suffix, boolean singleThreaded, boolean nonCached) {
        this.suffix = suffix;
        this.singleThreaded = singleThreaded;
        this.nonCached = nonCached;
    }

    /** Returns whether the device is an EFA. */
    boolean isEfa() {
        return this == EFA;
    }

    /** Returns the suffix of figures' names. */
    String suffix() {
        return suffix;
    }

    /** Returns whether the program promises that only one thread at a time uses a queue. */
    boolean isSingleThreaded() {
        return singleThreaded;
    }

    /** Returns the arguments for the JVM. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of("-D" + NAME + "=" + name()));
        if (singleThreaded) {
            arguments.add(SINGLE_THREADED);
        }
        return arguments;
    }

    /** Returns the conditions that a JVM's arguments set. */
    static Conditions of(Iterable<String> arguments) {
        Conditions found = LOCKED;
        for (String argument : arguments) {
            if (argument.startsWith("-D" + NAME + "=")) {
                found = valueOf(argument.substring(argument.indexOf('=') + 1));
            }
        }
        return found;
    }

    /** Returns the conditions of this JVM. */
    static Conditions current() {
        return valueOf(System.getProperty(NAME, LOCKED.name()));
    }

    /** Returns arguments of {@code env} that set these conditions, and remove the user's other settings of libmlx5. */
    List<String> environment() {
        return List.of(
                "-u",
                "MLX5_NUM_LOW_LAT_UUARS",
                "-u",
                "MLX5_TOTAL_UUARS",
                "-u",
                "MLX5_POST_SEND_PREFER_BF",
                "MLX5_SINGLE_THREADED=" + (singleThreaded ? 1 : 0),
                "MLX5_SHUT_UP_BF=" + (nonCached ? 1 : 0));
    }

    /** Throws if a queue pair has another register; {@code pair.c} checks the same. */
    void check(Register register, Register other) {
        boolean alone = register.address() != other.address();
        if (nonCached ? register.size() != 0 || alone : register.size() == 0 || !alone) {
            throw new IllegalStateException("the register is not that of " + this + ": " + register + ", " + other);
        }
    }
}
