/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

/** How messages of the embedded device go between two processes of a machine. */
public enum Way {
    /** By one copy, which is what happens by itself. */
    ONE_COPY("onecopy-"),

    /** By packets through sockets, as between machines. */
    PACKETS("packets-");

    private final String prefix;

    Way(String prefix) {
        this.prefix = prefix;
    }

    /** What the name of a figure begins with. */
    public String prefix() {
        return prefix;
    }
}
