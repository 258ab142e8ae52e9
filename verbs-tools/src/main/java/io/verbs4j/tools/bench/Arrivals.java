/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.tools.base.ToolException;

/**
 * Tracks which messages have arrived if they come in any order, and none may be lost or duplicated. The sender is never
 * further ahead of the first missing message than the window.
 */
final class Arrivals {
    private final boolean[] early;
    private long next;

    Arrivals(int window) {
        early = new boolean[window];
    }

    /** {@return the first missing message} */
    long next() {
        return next;
    }

    /** Records a message, which must be a new one. */
    void note(long sequence) {
        if (sequence < next || sequence - next < early.length && early[at(sequence)]) {
            throw ToolException.failed("message " + sequence + " arrived twice");
        }
        if (sequence - next >= early.length) {
            throw ToolException.failed("message " + sequence + " arrived, and message " + next + " is missing");
        }
        early[at(sequence)] = true;
        for (; early[at(next)]; next++) {
            early[at(next)] = false;
        }
    }

    private int at(long sequence) {
        return (int) (sequence % early.length);
    }
}
