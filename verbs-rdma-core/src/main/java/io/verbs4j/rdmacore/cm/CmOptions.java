/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmOption;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Librdmacm;

/** Sets options of an id. Each option has a fixed length in C, and any other is refused. */
final class CmOptions {
    /** {@code RDMA_OPTION_ID}. */
    private static final int LEVEL = 0;

    private static final int MAX_TOS = 0xff;
    private static final int MAX_ACK_TIMEOUT = 31;

    private CmOptions() {}

    static void set(String verb, long id, int option, int value) {
        switch (option) {
            case CmOption.TOS -> setByte(verb, id, option, Answers.narrow(verb, "TOS", value, MAX_TOS));
            case CmOption.ACK_TIMEOUT -> setByte(verb, id, option, ackTimeout(verb, value));
            case CmOption.REUSEADDR, CmOption.AFONLY -> {
                try (Scratch c = new Scratch(Integer.BYTES)) {
                    NativeMemory.putInt(c.address(), value == 0 ? 0 : 1);
                    CmErrors.check(verb, Librdmacm.rdma_set_option(id, LEVEL, option, c.address(), Integer.BYTES));
                }
            }
            default -> throw new VerbsException(Errno.EOPNOTSUPP, verb, "unknown option " + option);
        }
    }

    static int ackTimeout(String verb, int value) {
        return Answers.narrow(verb, "ACK_TIMEOUT", value, MAX_ACK_TIMEOUT);
    }

    private static void setByte(String verb, long id, int option, int value) {
        try (Scratch c = new Scratch(1)) {
            NativeMemory.putByte(c.address(), value);
            CmErrors.check(verb, Librdmacm.rdma_set_option(id, LEVEL, option, c.address(), 1));
        }
    }
}
