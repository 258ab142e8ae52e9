/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

/** Numbers and bits that no level has. */
final class Unknown {
    static final int NO_FLAG = 1 << 20;
    static final int NO_OPCODE = 99;

    /** A mask bit that must be refused. */
    static final long UNKNOWN = 1L << 30;

    /** An optional mask bit that must be dropped. */
    static final long DROPPED = 1L << 60;

    private Unknown() {}
}
