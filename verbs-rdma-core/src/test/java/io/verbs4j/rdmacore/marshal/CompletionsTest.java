/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.layout.WcLayout;
import org.junit.jupiter.api.Test;

/** The word and the flag of a completion that have two meanings. */
class CompletionsTest {
    private static final int WORD = 0x01020304;

    private static WorkCompletion read(int opcode, int flags, boolean kernelsFlag) {
        try (Scratch c = new Scratch(WcLayout.SIZEOF)) {
            NativeMemory.putInt(c.address() + WcLayout.OPCODE, opcode);
            NativeMemory.putInt(c.address() + WcLayout.WC_FLAGS, flags);
            NativeMemory.putInt(c.address() + WcLayout.INVALIDATED_RKEY, WORD);
            WorkCompletion wc = new WorkCompletion();
            Completions.read(c.address(), wc, kernelsFlag);
            return wc;
        }
    }

    @Test
    void onlyImmediateDataIsInNetworkOrder() {
        assertThat(read(WcOpcode.RECV, WcFlags.WITH_INV, false).invalidatedRkey())
                .isEqualTo(WORD);
        assertThat(read(WcOpcode.RECV, WcFlags.WITH_IMM, false).immData()).isEqualTo(NativeMemory.fromNetwork(WORD));
    }

    @Test
    void kernelFlagIsTranslatedIfDriverPassesItOn() {
        int both = WcFlags.GRH | WcFlags.IP_CSUM_OK;
        WorkCompletion wc = read(WcOpcode.RECV, both, true);
        assertThat(wc.wcFlags()).isEqualTo(WcFlags.GRH | WcFlags.WITH_INV);
        assertThat(wc.invalidatedRkey()).isEqualTo(WORD);
        assertThat(read(WcOpcode.RECV, both, false).wcFlags()).isEqualTo(both);
        assertThat(read(WcOpcode.SEND, both, true).wcFlags()).isEqualTo(both);
    }
}
