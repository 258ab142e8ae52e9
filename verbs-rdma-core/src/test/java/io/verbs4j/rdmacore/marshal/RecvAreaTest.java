/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.natives.memory.NativeMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecvAreaTest {
    private static final int CAPACITY = 3;
    private static final int MAX_SGE = 2;
    private static final int LONGEST = 0x2300_0000;

    private final RecvArea area = new RecvArea(CAPACITY, MAX_SGE, LONGEST);

    @AfterEach
    void free() {
        area.free();
    }

    private static ScatterGatherElement element(int number) {
        return new ScatterGatherElement()
                .addr(0x1100_0000_0000L + number)
                .length(0x2200_0000 + number)
                .lkey(0x3300_0000 + number);
    }

    private static void assertElement(long at, int number) {
        assertThat(NativeMemory.getLong(at)).isEqualTo(0x1100_0000_0000L + number);
        assertThat(NativeMemory.getInt(at + 8)).isEqualTo(0x2200_0000 + number);
        assertThat(NativeMemory.getInt(at + 12)).isEqualTo(0x3300_0000 + number);
    }

    /** Walks the list as a driver does: from the first request along the pointers. */
    @Test
    void driverFindsEachRequest() {
        for (int i = 0; i < CAPACITY; i++) {
            assertThat(area.put(
                            i,
                            new RecvWorkRequest()
                                    .wrId(0x7700_0000_0000L + i)
                                    .sgList(element(10 * i), element(10 * i + 1))))
                    .isTrue();
        }
        area.end(CAPACITY - 1);
        long wr = area.first();
        for (int i = 0; i < CAPACITY; i++) {
            assertThat(NativeMemory.getLong(wr)).isEqualTo(0x7700_0000_0000L + i);
            assertThat(NativeMemory.getInt(wr + 24)).isEqualTo(2);
            long sges = NativeMemory.getLong(wr + 16);
            assertElement(sges, 10 * i);
            assertElement(sges + 16, 10 * i + 1);
            NativeMemory.putLong(area.badWr(), wr);
            assertThat(area.badIndex()).isEqualTo(i);
            wr = NativeMemory.getLong(wr + 8);
        }
        assertThat(wr).isZero();
    }

    @Test
    void lengthIsLimitedToDeviceMaximum() {
        int[] lengths = {LONGEST - 1, LONGEST, LONGEST + 1, Integer.MAX_VALUE};
        for (int length : lengths) {
            assertThat(area.put(0, new RecvWorkRequest().sgList(element(1).length(length))))
                    .isTrue();
            long sge = NativeMemory.getLong(area.first() + 16);
            assertThat(NativeMemory.getInt(sge + 8)).isEqualTo(Math.min(length, LONGEST));
        }
    }

    @Test
    void listEndsAtGivenRequest() {
        assertThat(area.put(0, new RecvWorkRequest())).isTrue();
        assertThat(area.put(1, new RecvWorkRequest())).isTrue();
        area.end(1);
        assertThat(NativeMemory.getInt(area.first() + 24)).isZero();
        assertThat(NativeMemory.getLong(NativeMemory.getLong(area.first() + 8) + 8))
                .isZero();
        area.end(0);
        assertThat(NativeMemory.getLong(area.first() + 8)).isZero();
    }

    @Test
    void invalidRequestIsRefused() {
        assertThat(area.capacity()).isEqualTo(CAPACITY);
        assertThat(area.put(0, new RecvWorkRequest().sgList(element(1), element(2), element(3))))
                .isFalse();
        assertThat(area.put(0, new RecvWorkRequest().sgList(new ScatterGatherElement[] {element(1), null}, 2)))
                .isFalse();
    }
}
