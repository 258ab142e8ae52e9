/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.quirk;

/** The quirks of libefa. */
final class EfaQuirks extends Quirks {
    /** More than the entries of any queue of the device. */
    private static final int MOST_COMPLETIONS = 1 << 20;

    @Override
    public int mostStrangers() {
        return MOST_COMPLETIONS;
    }
}
