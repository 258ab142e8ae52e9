/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

/**
 * Faults of a model network, each in percent of its datagrams.
 *
 * @param drop are lost
 * @param duplicate arrive twice
 * @param delay arrive late, so that others overtake them
 * @param corrupt arrive with another length
 */
record Faults(int drop, int duplicate, int delay, int corrupt) {
    static final Faults NONE = new Faults(0, 0, 0, 0);
    static final Faults LOSS = new Faults(10, 0, 0, 0);
    static final Faults REPEATS = new Faults(0, 20, 20, 0);
    static final Faults DISORDER = new Faults(0, 0, 50, 0);
    static final Faults ALL = new Faults(10, 10, 20, 5);
}
