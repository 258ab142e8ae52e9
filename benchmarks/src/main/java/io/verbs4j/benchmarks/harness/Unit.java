/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import java.util.Arrays;

/** Units of figures. */
public enum Unit {
    /** Bandwidth; 10 to the 6th. */
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

    /** Processor time of both processes for an operation. The system counts it by hundredths of a second. */
    PROCESSOR_MICROSECONDS("CPU us, less is better", true, 0.001),

    /** Processor time of both processes for 10 to the 9th bytes; likewise. */
    PROCESSOR_SECONDS_PER_GIGABYTE("CPU s/GB, less is better", true, 0.001),

    /** Memory that something takes. */
    KIBIBYTES("KiB, less is better", true, 0.001),

    /** Garbage made by an operation. No object has less than 16 bytes; what is below 1 is the measuring itself. */
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
                .orElseThrow(() -> new IllegalArgumentException("no unit is called '" + label + "'"));
    }

    /** As printed. */
    public String label() {
        return label;
    }

    /** The unit alone. */
    String symbol() {
        int comma = label.indexOf(',');
        return comma < 0 ? label : label.substring(0, comma);
    }

    /** Whether a ratio below 1 means that ours is the better one. */
    public boolean lessIsBetter() {
        return lessIsBetter;
    }

    /** What is below this is as good as nothing, and counts as this: two such values are equal. */
    double nothing() {
        return nothing;
    }
}
