/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode.spi;

/** The indices of an exported ring that lanes write. Each call reads memory, with acquire order. Thread-safe. */
public interface RingIndices {
    /**
     * Returns how many descriptors lanes have asked the host to announce, or on a device that reads the block itself,
     * how many it may execute.
     *
     * @return the index after the last such descriptor; starts at {@link RingExport#begin()}
     */
    long wanted();

    /**
     * Returns how many completions lanes have taken.
     *
     * @return the count; starts at {@link RingExport#consumed()}
     */
    long consumed();
}
