/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmOption;

/** Options of an end. Guarded by the engine. */
final class EndOptions {
    private static final int MAX_TOS = 0xff;
    private static final int MAX_ACK_TIMEOUT = 31;
    private static final int UNSET = -1;

    private int tos = UNSET;
    private boolean reuse;
    private boolean familyOnly;
    private int ackTimeout = UNSET;

    /** Sets a known option; the end has checked that it is not too late. */
    void set(String verb, int option, int value) {
        switch (option) {
            case CmOption.TOS -> tos = checked(verb, name(option), value, MAX_TOS);
            case CmOption.REUSEADDR -> reuse = value != 0;
            case CmOption.AFONLY -> familyOnly = value != 0;
            default -> ackTimeout = checked(verb, name(option), value, MAX_ACK_TIMEOUT);
        }
    }

    private static int checked(String verb, String name, int value, int max) {
        if (value < 0 || value > max) {
            throw new VerbsException(Errno.EINVAL, verb, name + " is " + value + "; it must be 0 to " + max);
        }
        return value;
    }

    static String name(int option) {
        return switch (option) {
            case CmOption.TOS -> "TOS";
            case CmOption.REUSEADDR -> "REUSEADDR";
            case CmOption.AFONLY -> "AFONLY";
            default -> "ACK_TIMEOUT";
        };
    }

    static void requireBefore(String later, int option, boolean early) {
        if (!early) {
            throw new VerbsException(
                    Errno.EINVAL, "set_option", name(option) + " is set too late: it must be set before " + later);
        }
    }

    /** Copies the options that an accepted end inherits from its listener. */
    void inherit(EndOptions listener) {
        tos = listener.tos;
        ackTimeout = listener.ackTimeout;
    }

    int trafficClass() {
        return trafficClass(0);
    }

    /** Returns the traffic class, or {@code usual} if the program has set none. */
    int trafficClass(int usual) {
        return tos == UNSET ? usual : tos;
    }

    boolean reusesAddress() {
        return reuse;
    }

    boolean familyOnly() {
        return familyOnly;
    }

    /** Returns the acknowledgement timeout exactly as the program has set it, or {@code usual} if it has set none. */
    int ackTimeout(int usual) {
        return ackTimeout == UNSET ? usual : ackTimeout;
    }
}
