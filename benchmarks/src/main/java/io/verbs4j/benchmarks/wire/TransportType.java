/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import java.util.stream.Stream;

/** A transport, as a constant of an enumeration: the processes tell each other the names of both. */
public interface TransportType {
    /** Makes an end of a transport. */
    @FunctionalInterface
    interface Maker {
        /** See {@link TransportType#open}. */
        Transport make(Link link, boolean client, int size) throws Exception;
    }

    /** Name of the constant. */
    String name();

    /**
     * Opens one end.
     *
     * @param link to the other process, which opens the other end
     * @param client whether this is the first process, which sends
     * @param size bytes of a message
     * @throws Exception where it can't
     */
    Transport open(Link link, boolean client, int size) throws Exception;

    /** Two words for {@link #named}. */
    static String label(TransportType type) {
        return ((Enum<?>) type).getDeclaringClass().getName() + " " + type.name();
    }

    /** Finds one. */
    static TransportType named(String enumeration, String constant) throws ClassNotFoundException {
        return Stream.of(Class.forName(enumeration).getEnumConstants())
                .map(TransportType.class::cast)
                .filter(type -> type.name().equals(constant))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown transport " + constant));
    }
}
