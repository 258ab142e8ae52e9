/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import java.util.stream.Stream;

/** A kind of transport, as a constant of an enum: the processes exchange the names of the enum and the constant. */
public interface TransportType {
    /** Creates one end of a transport. */
    @FunctionalInterface
    interface Maker {
        /** Creates the end; see {@link TransportType#open}. */
        Transport make(Link link, boolean client, int size) throws Exception;
    }

    /** {@return the name of the constant} */
    String name();

    /**
     * Opens one end.
     *
     * @param link link to the other process, which opens the other end
     * @param client whether this is the first process, which sends
     * @param size size of a message in bytes
     * @throws Exception if it fails
     */
    Transport open(Link link, boolean client, int size) throws Exception;

    /** Returns the two words that {@link #named} takes. */
    static String label(TransportType type) {
        return ((Enum<?>) type).getDeclaringClass().getName() + " " + type.name();
    }

    /** Finds a transport type by its enum and constant. */
    static TransportType named(String enumeration, String constant) throws ClassNotFoundException {
        return Stream.of(Class.forName(enumeration).getEnumConstants())
                .map(TransportType.class::cast)
                .filter(type -> type.name().equals(constant))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown transport " + constant));
    }
}
