/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Gid;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.wire.Icrc;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which packets are sent together: equal ones to one destination, the last of which may be shorter. */
class TxBatchTest {
    private static final Gid A = Gid.of(0, 0xffff_7f00_0001L);
    private static final Gid B = Gid.of(0, 0xffff_7f00_0002L);
    private static final Gid C = Gid.of(0, 0xffff_7f00_0003L);

    private final List<String> calls = new ArrayList<>();
    private final Recorder batch = new Recorder();

    private final class Recorder extends TxBatch {
        private final Icrc icrc = new Icrc();

        Recorder() {
            super(A.subnetPrefix(), A.interfaceId(), MAX_SEGMENTS, null);
        }

        @Override
        int ipId(int index) {
            return index;
        }

        @Override
        void transmit(long dstHigh, long dstLow, int offset, int length, int packets, int size) {
            int number = 0;
            for (int at = offset; at < offset + length; at += size) {
                int n = Math.min(size, offset + length - at);
                assertThat(icrc.verify(buffer(), at, n, 0, A.interfaceId(), dstHigh, dstLow, 4791, 4791))
                        .isTrue();
                assertThat(icrc.solvedId()).isEqualTo(number++);
            }
            assertThat(number).isEqualTo(packets);
            assertThat(packets).isLessThanOrEqualTo(64);
            assertThat(length).isLessThanOrEqualTo(65507);
            calls.add((dstLow == B.interfaceId() ? "B" : "C") + packets + "x" + size + "=" + length);
        }
    }

    private void send(Gid to, int... payloads) {
        for (int payload : payloads) {
            Traffic.send(batch, to, 1, payload);
        }
    }

    @Test
    void equalPacketsGoTogether() {
        send(B, 100, 100, 100);
        assertThat(calls).isEmpty();
        assertThat(batch.isEmpty()).isFalse();
        batch.flush();
        batch.flush();
        assertThat(batch.isEmpty()).isTrue();
        assertThat(calls).containsExactly("B3x116=348");
    }

    @Test
    void shorterPacketEndsCall() {
        send(B, 100, 100, 4, 100, 4);
        assertThat(calls).containsExactly("B3x116=252", "B2x116=136");
        assertThat(batch.isEmpty()).isTrue();
    }

    @Test
    void longerPacketStartsCall() {
        send(B, 4, 4, 100, 104, 104);
        batch.flush();
        assertThat(calls).containsExactly("B2x20=40", "B1x116=116", "B2x120=240");
    }

    @Test
    void otherDestinationStartsCall() {
        send(B, 100, 100);
        send(C, 100);
        send(B, 100);
        batch.flush();
        assertThat(calls).containsExactly("B2x116=232", "C1x116=116", "B1x116=116");
    }

    @Test
    void callsStayWithinLimitsOfKernel() {
        for (int i = 0; i < 130; i++) {
            send(B, 4);
        }
        batch.flush();
        assertThat(calls).containsExactly("B64x20=1280", "B64x20=1280", "B2x20=40");
        calls.clear();
        for (int i = 0; i < 32; i++) {
            send(B, 4096);
        }
        batch.flush();
        assertThat(calls).containsExactly("B15x4112=61680", "B15x4112=61680", "B2x4112=8224");
        calls.clear();
        send(B, 65488, 65488, 0);
        assertThat(calls).containsExactly("B1x65504=65504", "B1x65504=65504");
        batch.flush();
        assertThat(calls).hasSize(3).endsWith("B1x16=16");
    }

    @Test
    void unfinishedPacketIsForgotten() {
        batch.begin(B.subnetPrefix(), B.interfaceId(), 1000);
        assertThat(batch.isEmpty()).isTrue();
        batch.flush();
        send(B, 4);
        batch.begin(B.subnetPrefix(), B.interfaceId(), 1000);
        batch.flush();
        batch.begin(C.subnetPrefix(), C.interfaceId(), 1000);
        send(B, 4);
        batch.flush();
        assertThat(calls).containsExactly("B1x20=20", "B1x20=20");
    }

    @Test
    void packetBeyondDatagramIsRefused() {
        assertThatThrownBy(() -> batch.begin(B.subnetPrefix(), B.interfaceId(), 65504))
                .isInstanceOf(IllegalArgumentException.class);
        send(B, 8);
        assertThatThrownBy(() -> batch.begin(B.subnetPrefix(), B.interfaceId(), 1 << 20))
                .isInstanceOf(IllegalArgumentException.class);
        send(B, 8);
        batch.flush();
        assertThat(calls).containsExactly("B1x24=24", "B1x24=24");
    }

    @Test
    void bufferIsDirectAndBigEndian() {
        assertThat(batch.buffer().isDirect()).isTrue();
        assertThat(batch.buffer().order()).isEqualTo(ByteOrder.BIG_ENDIAN);
        assertThat(batch.bufferAddress()).isEqualTo(NativeMemory.address(batch.buffer()));
    }
}
