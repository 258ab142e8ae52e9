/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmOption;

/** Options of an end. Guarded by the engine. */
final class EndOptions {
    private static final int MAX_TOS = 0xff;
    private static final int MAX_ACK_TIMEOUT = 31;

    private int tos;
    private boolean reuse;
    private boolean familyOnly;
    private int ackTimeout = -1;

    /** Sets an option that is known; the end has judged whether it is the time for it. */
    void set(String verb, int option, int value) {
        switch (option) {
            case CmOption.TOS -> tos = checked(verb, "TOS", value, MAX_TOS);
            case CmOption.REUSEADDR -> reuse = value != 0;
            case CmOption.AFONLY -> familyOnly = value != 0;
            default -> ackTimeout = checked(verb, "ACK_TIMEOUT", value, MAX_ACK_TIMEOUT);
        }
    }

    private static int checked(String verb, String name, int value, int max) {
        if (value < 0 || value > max) {
            throw new VerbsException(Errno.EINVAL, verb, name + " is " + value + "; it takes 0 to " + max);
        }
        return value;
    }

    int trafficClass() {
        return tos;
    }

    boolean reusesAddress() {
        return reuse;
    }

    boolean familyOnly() {
        return familyOnly;
    }

    /** Life of a packet, as the program has it. */
    int packetLife() {
        return ackTimeout < 0 ? CmTime.PACKET_LIFE : Math.max(0, ackTimeout - 1);
    }
}
