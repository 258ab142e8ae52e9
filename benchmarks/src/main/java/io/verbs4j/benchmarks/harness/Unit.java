/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import java.util.Arrays;

/** Units of figures. */
public enum Unit {
    /** Bandwidth; a megabyte is 10^6 bytes. */
    MEGABYTES_PER_SECOND("MB/s", false, 0),

    /** Message rate. */
    MESSAGES_PER_SECOND("messages/s", false, 0),

    /** Rate of remote procedure calls. */
    CALLS_PER_SECOND("calls/s", false, 0),

    /** Rate of connections. */
    CONNECTIONS_PER_SECOND("connections/s", false, 0),

    /** Time of an operation. */
    NANOSECONDS("ns, less is better", true, 0),

    /** Time of a round trip. */
    MICROSECONDS("us, less is better", true, 0),

    /** Processor time of both processes for an operation. The system counts it in hundredths of a second. */
    PROCESSOR_MICROSECONDS("CPU us, less is better", true, 0.001),

    /** Processor time of both processes for 10^9 bytes. The system counts it in hundredths of a second. */
    PROCESSOR_SECONDS_PER_GIGABYTE("CPU s/GB, less is better", true, 0.001),

    /** Memory consumption. */
    KIBIBYTES("KiB, less is better", true, 0.001),

    /**
     * Garbage made by an operation. No object is smaller than 16 bytes; an average below 1 comes from the measurement
     * itself.
     */
    BYTES_PER_OPERATION("B/op, less is better", true, 1);

    private final String label;
    private final boolean lessIsBetter;
    private final double nothing;

    Unit(String label, boolean lessIsBetter, double nothing) {
        this.label = label;
        this.lessIsBetter = lessIsBetter;
        this.nothing = nothing;
    }

    /**
     * Returns the unit with a label.
     *
     * @throws IllegalArgumentException if no unit has it
     */
    static Unit labelled(String label) {
        return Arrays.stream(values())
                .filter(unit -> unit.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown unit '" + label + "'"));
    }

    /** Returns the text for results. */
    public String label() {
        return label;
    }

    /** Returns the unit without remarks. */
    String symbol() {
        int comma = label.indexOf(',');
        return comma < 0 ? label : label.substring(0, comma);
    }

    /** Returns whether a ratio below 1 means that our side is better. */
    public boolean lessIsBetter() {
        return lessIsBetter;
    }

    /** Returns the smallest meaningful value. Smaller values count as this one, so that two such values are equal. */
    double nothing() {
        return nothing;
    }
}
