/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reading returns what was written, and nothing outside the header is touched. */
class HeaderTest {
    private static final int ROUNDS = 10_000;
    private static final int AT = 8;
    private static final byte CANARY = 0x5a;

    private final ByteBuffer b = ByteBuffer.allocateDirect(64);
    private final SplittableRandom random = new SplittableRandom(4791);

    @BeforeEach
    void fill() {
        for (int i = 0; i < b.capacity(); i++) {
            b.put(i, CANARY);
        }
    }

    @Test
    void bthIsReadAsWritten() {
        for (int i = 0; i < ROUNDS; i++) {
            int opcode = random.nextInt(256);
            int pad = random.nextInt(4);
            int pkey = random.nextInt(1 << 16);
            int qpn = random.nextInt(1 << 24);
            int psn = random.nextInt(1 << 24);
            int flags = random.nextInt(8);
            Bth.write(b, AT, opcode, (flags & 1) != 0, (flags & 2) != 0, pad, pkey, qpn, (flags & 4) != 0, psn);
            assertThat(Bth.opcode(b, AT)).isEqualTo(opcode);
            assertThat(Bth.solicited(b, AT)).isEqualTo((flags & 1) != 0);
            assertThat(Bth.migReq(b, AT)).isEqualTo((flags & 2) != 0);
            assertThat(Bth.padCount(b, AT)).isEqualTo(pad);
            assertThat(Bth.version(b, AT)).isEqualTo(Bth.VERSION);
            assertThat(Bth.pkey(b, AT)).isEqualTo(pkey);
            assertThat(Bth.fecn(b, AT)).isFalse();
            assertThat(Bth.becn(b, AT)).isFalse();
            assertThat(Bth.destQpn(b, AT)).isEqualTo(qpn);
            assertThat(Bth.ackReq(b, AT)).isEqualTo((flags & 4) != 0);
            assertThat(Bth.psn(b, AT)).isEqualTo(psn);
        }
        assertUntouched(Bth.LENGTH);
    }

    @Test
    void bthFieldsDoNotSpill() {
        Bth.write(b, AT, -1, false, false, -1, -1, -1, false, -1);
        assertThat(Bth.solicited(b, AT)).isFalse();
        assertThat(Bth.migReq(b, AT)).isFalse();
        assertThat(Bth.version(b, AT)).isZero();
        assertThat(b.get(AT + 4)).isZero();
        assertThat(b.get(AT + 8)).isZero();
        assertUntouched(Bth.LENGTH);
    }

    @Test
    void rethIsReadAsWritten() {
        for (int i = 0; i < ROUNDS; i++) {
            long va = random.nextLong();
            int rkey = random.nextInt();
            long length = random.nextLong(1L << 32);
            Reth.write(b, AT, va, rkey, length);
            assertThat(Reth.va(b, AT)).isEqualTo(va);
            assertThat(Reth.rkey(b, AT)).isEqualTo(rkey);
            assertThat(Reth.length(b, AT)).isEqualTo(length);
        }
        assertUntouched(Reth.LENGTH);
    }

    @Test
    void atomicEthIsReadAsWritten() {
        for (int i = 0; i < ROUNDS; i++) {
            long va = random.nextLong();
            int rkey = random.nextInt();
            long swap = random.nextLong();
            long compare = random.nextLong();
            AtomicEth.write(b, AT, va, rkey, swap, compare);
            assertThat(AtomicEth.va(b, AT)).isEqualTo(va);
            assertThat(AtomicEth.rkey(b, AT)).isEqualTo(rkey);
            assertThat(AtomicEth.swapAdd(b, AT)).isEqualTo(swap);
            assertThat(AtomicEth.compare(b, AT)).isEqualTo(compare);
        }
        assertUntouched(AtomicEth.LENGTH);
    }

    @Test
    void dethIsReadAsWritten() {
        for (int i = 0; i < ROUNDS; i++) {
            int qkey = random.nextInt();
            int srcQp = random.nextInt();
            Deth.write(b, AT, qkey, srcQp);
            assertThat(Deth.qkey(b, AT)).isEqualTo(qkey);
            assertThat(Deth.srcQp(b, AT)).isEqualTo(srcQp & 0xffffff);
            assertThat(b.get(AT + 4)).isZero();
        }
        assertUntouched(Deth.LENGTH);
    }

    @Test
    void fourByteHeadersAreReadAsWritten() {
        for (int i = 0; i < ROUNDS; i++) {
            int value = random.nextInt();
            ImmDt.write(b, AT, value);
            assertThat(ImmDt.immData(b, AT)).isEqualTo(value);
            Ieth.write(b, AT, ~value);
            assertThat(Ieth.rkey(b, AT)).isEqualTo(~value);
            Xrceth.write(b, AT, value);
            assertThat(Xrceth.srqNum(b, AT)).isEqualTo(value & 0xffffff);
            assertThat(b.get(AT)).isZero();
        }
        assertUntouched(ImmDt.LENGTH);
    }

    @Test
    void aethIsReadAsWritten() {
        for (int syndrome = 0; syndrome < 256; syndrome++) {
            int msn = random.nextInt();
            Aeth.write(b, AT, syndrome, msn);
            assertThat(Aeth.syndrome(b, AT)).isEqualTo(syndrome);
            assertThat(Aeth.msn(b, AT)).isEqualTo(msn & 0xffffff);
        }
        assertUntouched(Aeth.LENGTH);
    }

    @Test
    void atomicAckEthIsReadAsWritten() {
        long value = random.nextLong();
        AtomicAckEth.write(b, AT, value);
        assertThat(AtomicAckEth.orig(b, AT)).isEqualTo(value);
        assertUntouched(AtomicAckEth.LENGTH);
    }

    private void assertUntouched(int length) {
        for (int i = 0; i < b.capacity(); i++) {
            if (i < AT || i >= AT + length) {
                assertThat(b.get(i)).as("byte %d", i).isEqualTo(CANARY);
            }
        }
    }
}
