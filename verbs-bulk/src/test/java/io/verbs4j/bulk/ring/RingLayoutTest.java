/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes of rings, which never change: docs/reference/bulk.md documents them. */
class RingLayoutTest {
    private final RingMemory memory = new RingMemory(4, 8);
    private final UserSide user = new UserSide(memory);
    private final EngineSide engine = new EngineSide(memory);

    private String hex(int from, int count) {
        byte[] bytes = new byte[count];
        memory.bytes().get(from, bytes);
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void headerOfNewRingIsFixed() {
        assertThat(memory.bytes().capacity()).isEqualTo(640 + 4 * 64 + 8 * 32);
        assertThat(hex(0, 24)).isEqualTo("5642524e" + "01000000" + "04000000" + "08000000" + "40000000" + "20000000");
        assertThat(hex(24, 640 - 24)).isEqualTo("00".repeat(640 - 24));
        assertThat(memory.bytes().alignedSlice(128).capacity())
                .isEqualTo(memory.bytes().capacity() / 128 * 128);
    }

    @Test
    void headsTailsAndFlagsAreStoredAtTheirOffsets() {
        assertThat(user.next()).isEqualTo(640);
        assertThat(user.next()).isEqualTo(704);
        assertThat(hex(128, 4)).as("tail before it is published").isEqualTo("00000000");
        user.publish();
        assertThat(hex(128, 4)).isEqualTo("02000000");
        assertThat(engine.peek()).isEqualTo(640);
        engine.taken();
        assertThat(hex(256, 4)).isEqualTo("01000000");
        engine.needWakeup(true);
        assertThat(hex(260, 4)).isEqualTo("01000000");
        assertThat(user.needsWakeup()).isTrue();
        engine.needWakeup(false);
        assertThat(hex(260, 4)).isEqualTo("00000000");
        engine.complete(1, 2, 3, 4, 5);
        assertThat(hex(384, 4)).isEqualTo("01000000");
        assertThat(user.peek()).isEqualTo(640 + 4 * 64);
        user.advance(1);
        assertThat(hex(512, 4)).isEqualTo("01000000");
    }

    @Test
    void completionLayoutIsFixed() {
        engine.complete(0x0102030405060708L, -110, 0x11121314, 0x21222324, 0x3132333435363738L);
        assertThat(hex(896, 32))
                .isEqualTo("0807060504030201" + "92ffffffffffffff" + "14131211" + "24232221" + "3837363534333231");
    }

    @Test
    void submissionFieldsAreReadAtTheirOffsets() {
        int at = user.next();
        ByteBuffer bytes = memory.bytes();
        for (int i = 0; i < 64; i++) {
            bytes.put(at + i, (byte) i);
        }
        assertThat(engine.u8(at + RingLayout.SQE_OPCODE)).isZero();
        assertThat(engine.u8(at + RingLayout.SQE_FLAGS)).isEqualTo(1);
        assertThat(engine.u16(at + RingLayout.SQE_STREAM)).isEqualTo(0x0302);
        assertThat(engine.i32(at + RingLayout.SQE_PEER)).isEqualTo(0x07060504);
        assertThat(engine.i64(at + RingLayout.SQE_USER_DATA)).isEqualTo(0x0f0e0d0c0b0a0908L);
        assertThat(engine.i64(at + RingLayout.SQE_LENGTH)).isEqualTo(0x1716151413121110L);
        assertThat(engine.i32(at + RingLayout.SQE_BUFFER)).isEqualTo(0x1b1a1918);
        assertThat(engine.i32(at + RingLayout.SQE_DEADLINE)).isEqualTo(0x1f1e1d1c);
        assertThat(engine.i64(at + RingLayout.SQE_LOCAL_OFFSET)).isEqualTo(0x2726252423222120L);
        assertThat(engine.i64(at + RingLayout.SQE_WINDOW)).isEqualTo(0x2f2e2d2c2b2a2928L);
        assertThat(engine.i64(at + RingLayout.SQE_REMOTE_OFFSET)).isEqualTo(0x3736353433323130L);
        assertThat(engine.i64(at + RingLayout.SQE_VALUE)).isEqualTo(0x3f3e3d3c3b3a3938L);
    }

    @Test
    void fullRingsWrapAround() {
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 4; i++) {
                assertThat(user.next()).isEqualTo(640 + i * 64);
            }
            assertThat(user.next()).isEqualTo(-1);
            user.publish();
            for (int i = 0; i < 4; i++) {
                assertThat(engine.peek()).isEqualTo(640 + i * 64);
                engine.taken();
            }
            assertThat(engine.peek()).isEqualTo(-1);
        }
    }

    /** No completion is lost, their order is kept, and no submission is taken meanwhile. */
    @Test
    void completionsWithoutRoomAreKept() {
        int count = 500;
        for (int i = 0; i < count; i++) {
            engine.complete(i, i, i, i, i);
        }
        assertThat(hex(260, 4)).isEqualTo("02000000");
        assertThat(user.next()).isPositive();
        user.publish();
        assertThat(engine.peek()).isEqualTo(-1);
        assertThat(engine.hasSubmissions()).isTrue();
        for (int i = 0; i < count; i++) {
            int at = user.peek();
            assertThat(memory.bytes().getLong(at)).isEqualTo(i);
            assertThat(memory.bytes().getLong(at + 8)).isEqualTo(i);
            assertThat(memory.bytes().getInt(at + 16)).isEqualTo(i);
            assertThat(memory.bytes().getInt(at + 20)).isEqualTo(i);
            assertThat(memory.bytes().getLong(at + 24)).isEqualTo(i);
            user.advance(1);
            if (i % 3 == 0) {
                assertThat(engine.writeBacklog()).isEqualTo(i + 6 < count);
            }
        }
        assertThat(user.peek()).isEqualTo(-1);
        assertThat(engine.writeBacklog()).isFalse();
        assertThat(hex(260, 4)).isEqualTo("00000000");
        assertThat(engine.peek()).isEqualTo(640);
    }
}
