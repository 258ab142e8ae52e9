/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

/**
 * What a model network does to datagrams, each in percent of them.
 *
 * @param drop are lost
 * @param duplicate come twice
 * @param delay come late, so that others overtake them
 * @param corrupt come with another length
 */
record Faults(int drop, int duplicate, int delay, int corrupt) {
    static final Faults NONE = new Faults(0, 0, 0, 0);
    static final Faults LOSS = new Faults(10, 0, 0, 0);
    static final Faults REPEATS = new Faults(0, 20, 20, 0);
    static final Faults DISORDER = new Faults(0, 0, 50, 0);
    static final Faults ALL = new Faults(10, 10, 20, 5);
}
