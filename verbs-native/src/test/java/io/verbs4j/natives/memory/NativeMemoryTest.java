/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory by address, compared with a buffer over the same memory; {@code BindingIT} runs it with both bindings. */
class NativeMemoryTest {
    private static final int ROOM = 4096;

    /** Surrounds arrays, to detect writes out of bounds. */
    private static final long MARK = 0x5555_aaaa_5555_aaaaL;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(ROOM).order(ByteOrder.nativeOrder());
    private final ByteBuffer net = buffer.duplicate().order(ByteOrder.BIG_ENDIAN);
    private final Random random = new Random(17);
    private long at;

    /** Offset at which {@link #written} writes. */
    private int place;

    @BeforeEach
    void fill() {
        at = NativeMemory.address(buffer);
        byte[] bytes = new byte[ROOM];
        random.nextBytes(bytes);
        buffer.put(0, bytes);
    }

    @AfterEach
    void keep() {
        assertThat(buffer.capacity()).isEqualTo(ROOM);
    }

    @Test
    void addressIsThatOfIndexZero() {
        ByteBuffer moved = buffer.duplicate().position(24).limit(40);
        assertThat(NativeMemory.address(moved)).isEqualTo(at);
        assertThat(NativeMemory.address(moved.slice())).isEqualTo(at + 24);
        assertThat(NativeMemory.address(buffer.asReadOnlyBuffer().position(3))).isEqualTo(at);
        assertThat(moved.position()).isEqualTo(24);
        assertThat(moved.limit()).isEqualTo(40);
    }

    @Test
    void readsWorkAtAnyAddress() {
        for (int i = 0; i < 64; i++) {
            assertThat(NativeMemory.getByte(at + i)).isEqualTo(buffer.get(i) & 0xff);
            assertThat(NativeMemory.getByteAcquire(at + i)).isEqualTo(buffer.get(i) & 0xff);
            assertThat(NativeMemory.getShort(at + i)).isEqualTo(buffer.getShort(i) & 0xffff);
            assertThat(NativeMemory.getInt(at + i)).isEqualTo(buffer.getInt(i));
            assertThat(NativeMemory.getLong(at + i)).isEqualTo(buffer.getLong(i));
            assertThat(NativeMemory.getNetShort(at + i)).isEqualTo(net.getShort(i) & 0xffff);
            assertThat(NativeMemory.getNetInt(at + i)).isEqualTo(net.getInt(i));
            assertThat(NativeMemory.getNetLong(at + i)).isEqualTo(net.getLong(i));
            assertThat(NativeMemory.getLong(NativeMemory.piece(at) + i)).isEqualTo(buffer.getLong(i));
        }
        for (int i = 0; i < 64; i += Long.BYTES) {
            assertThat(NativeMemory.getLongAcquire(at + i)).isEqualTo(buffer.getLong(i));
        }
    }

    /** Each write changes its bytes and no others. */
    @Test
    void writesChangeOnlyTheirBytes() {
        for (int i = 8; i < 64; i++) {
            int word = random.nextInt();
            long all = random.nextLong();
            written(i, 1, () -> NativeMemory.putByte(at + place, word), word & 0xffL, false);
            written(i, 2, () -> NativeMemory.putShort(at + place, word), word & 0xffffL, false);
            written(i, 4, () -> NativeMemory.putInt(at + place, word), word & 0xffffffffL, false);
            written(i, 8, () -> NativeMemory.putLong(at + place, all), all, false);
            written(i, 2, () -> NativeMemory.putNetShort(at + place, word), word & 0xffffL, true);
            written(i, 4, () -> NativeMemory.putNetInt(at + place, word), word & 0xffffffffL, true);
            written(i, 8, () -> NativeMemory.putNetLong(at + place, all), all, true);
            if (i % 4 == 0) {
                written(i, 4, () -> NativeMemory.exchangeInt(at + place, word), word & 0xffffffffL, false);
                written(i, 4, () -> NativeMemory.putIntRelease(at + place, word), word & 0xffffffffL, false);
            }
            if (i % 8 == 0) {
                written(i, 8, () -> NativeMemory.putLongRelease(at + place, all), all, false);
            }
        }
    }

    private void written(int index, int bytes, Runnable write, long value, boolean network) {
        long before = buffer.getLong(index - Long.BYTES);
        long behind = buffer.getLong(index + bytes);
        place = index;
        write.run();
        ByteBuffer view = network ? net : buffer;
        long found = switch (bytes) {
            case 1 -> view.get(index) & 0xffL;
            case 2 -> view.getShort(index) & 0xffffL;
            case 4 -> view.getInt(index) & 0xffffffffL;
            default -> view.getLong(index);
        };
        assertThat(found).isEqualTo(value);
        assertThat(buffer.getLong(index - Long.BYTES)).isEqualTo(before);
        assertThat(buffer.getLong(index + bytes)).isEqualTo(behind);
    }

    @Test
    void bytesAreCopiedAndCleared() {
        for (int length = 0; length < 200; length++) {
            byte[] wanted = new byte[length];
            buffer.get(1, wanted);
            byte end = buffer.get(2048 + length);
            NativeMemory.copy(at + 1, at + 2048, length);
            byte[] found = new byte[length];
            NativeMemory.getBytes(at + 2048, found);
            assertThat(found).isEqualTo(wanted);
            assertThat(buffer.get(2048 + length)).isEqualTo(end);
            NativeMemory.copyFew(at + 3, at + 2048, length);
            buffer.get(3, wanted);
            buffer.get(2048, found);
            assertThat(found).isEqualTo(wanted);
            assertThat(buffer.get(2048 + length)).isEqualTo(end);
            NativeMemory.clear(at + 2048, length);
            buffer.get(2048, found);
            assertThat(found).isEqualTo(new byte[length]);
            assertThat(buffer.get(2048 + length)).isEqualTo(end);
        }
    }

    @Test
    void overlappingBytesAreCopiedCorrectly() {
        byte[] wanted = new byte[1000];
        buffer.get(0, wanted);
        NativeMemory.copy(at, at + 7, wanted.length);
        byte[] found = new byte[wanted.length];
        buffer.get(7, found);
        assertThat(found).isEqualTo(wanted);
    }

    @Test
    void heapReturnsZeroedMemory() {
        for (int i = 0; i < 200; i++) {
            long memory = NativeMemory.allocate(1 + i * 7);
            assertThat(memory & 15).isZero();
            byte[] found = new byte[1 + i * 7];
            NativeMemory.getBytes(memory, found);
            assertThat(found).containsOnly(0);
            NativeMemory.putByte(memory + i * 7L, 1); // writable as well
            NativeMemory.free(memory);
        }
        NativeMemory.free(0);
        assertThatThrownBy(() -> NativeMemory.allocate(Long.MAX_VALUE / 2)).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void stringsEndWithZero() {
        NativeMemory.putString(at, "verbs".getBytes(StandardCharsets.UTF_8));
        assertThat(buffer.get(5)).isZero();
        assertThat(NativeMemory.getString(at, 64)).isEqualTo("verbs");
        assertThat(NativeMemory.getString(at, 3)).isEqualTo("ver");
    }

    @Test
    void arrayElementsAreAddressedByIndex() {
        long[] longs = {MARK, MARK, 1, 2, MARK};
        assertThat(NativeMemory.getFrom(longs, 3)).isEqualTo(2);
        NativeMemory.putPairInto(longs, 1, 11, 12);
        assertThat(longs).containsExactly(MARK, MARK, 11, 12, MARK);
    }
}
