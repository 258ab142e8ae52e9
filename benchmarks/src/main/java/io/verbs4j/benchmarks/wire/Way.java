/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

/** The ways that messages of the embedded device travel between two processes of one machine. */
public enum Way {
    /** One copy, the default. */
    ONE_COPY("onecopy-"),

    /** Packets through sockets, as between machines. */
    PACKETS("packets-");

    private final String prefix;

    Way(String prefix) {
        this.prefix = prefix;
    }

    /** Returns the prefix of figures' names. */
    public String prefix() {
        return prefix;
    }
}
