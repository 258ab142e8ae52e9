/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import java.util.ArrayList;
import java.util.List;

/**
 * What both sides are measured under: whether posts and polls take locks, and which doorbell register a queue pair has. Both are
 * told to libmlx5 by the environment, which decides on the register for Java too.
 */
enum Conditions {
    /** Locks; a BlueFlame register of the queue pair's own. */
    LOCKED("", false, false),

    /** No locks; the same register. */
    SINGLE("-single", true, false),

    /** No locks; the register of the page that is not cached, which all queue pairs of the context share. */
    NC_SINGLE("-nc-single", true, true),

    /** Locks, and another device: EFA, whose doorbells are always on such a page. */
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

    /** Whether the device is an EFA. */
    boolean isEfa() {
        return this == EFA;
    }

    /** What names of figures end in. */
    String suffix() {
        return suffix;
    }

    /** Whether the program says that one thread at a time uses a queue. */
    boolean isSingleThreaded() {
        return singleThreaded;
    }

    /** What the JVM is to be given. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of("-D" + NAME + "=" + name()));
        if (singleThreaded) {
            arguments.add(SINGLE_THREADED);
        }
        return arguments;
    }

    /** Those that a JVM was given. */
    static Conditions of(Iterable<String> arguments) {
        Conditions found = LOCKED;
        for (String argument : arguments) {
            if (argument.startsWith("-D" + NAME + "=")) {
                found = valueOf(argument.substring(argument.indexOf('=') + 1));
            }
        }
        return found;
    }

    /** Those of this JVM. */
    static Conditions current() {
        return valueOf(System.getProperty(NAME, LOCKED.name()));
    }

    /** Arguments of {@code env}: nothing else that libmlx5 looks at comes from the user's environment. */
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

    /** Throws where a queue pair's register is another one; so does {@code pair.c}. */
    void check(Register register, Register other) {
        boolean alone = register.address() != other.address();
        if (nonCached ? register.size() != 0 || alone : register.size() == 0 || !alone) {
            throw new IllegalStateException("the register is not that of " + this + ": " + register + ", " + other);
        }
    }
}
