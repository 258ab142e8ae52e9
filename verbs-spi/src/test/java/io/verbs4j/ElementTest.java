/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Elements that are created from a region are within it. */
class ElementTest {
    private static MemoryRegion region(long length) {
        return new MemoryRegion(BuilderFakes.MR.pd(), 0x7000, length, 0, 5, 6) {};
    }

    private static void isOutside(MemoryRegion mr, long offset, int length) {
        assertThatThrownBy(() -> ScatterGatherElement.of(mr, offset, length))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("offset " + offset + " and length " + length);
    }

    @Test
    void partsWithinRegionBecomeElements() {
        MemoryRegion mr = region(8192);
        ScatterGatherElement last = ScatterGatherElement.of(mr, 8000, 192);
        assertThat(last.addr()).isEqualTo(0x7000 + 8000);
        assertThat(last.length()).isEqualTo(192);
        assertThat(last.lkey()).isEqualTo(mr.lkey());
        assertThat(ScatterGatherElement.of(mr, 8192, 0).length()).isZero();
        assertThat(ScatterGatherElement.of(mr).length()).isEqualTo(8192);
    }

    @Test
    void partsOutsideRegionFail() {
        MemoryRegion mr = region(8192);
        isOutside(mr, 8000, 193);
        isOutside(mr, 8193, 0);
        isOutside(mr, -8, 8);
        isOutside(mr, 0, -1);
        isOutside(mr, Long.MAX_VALUE, Integer.MAX_VALUE);
        isOutside(mr, Long.MIN_VALUE, 1);
        isOutside(region(1L << 40), 1L << 40, 1);
    }

    /** Null regions, implicit ones, and keys that have no memory yet. */
    @Test
    void regionWithoutLengthSetsNoLimit() {
        for (long length : new long[] {-1, 0}) {
            assertThat(ScatterGatherElement.of(region(length), 1L << 40, 8).addr())
                    .isEqualTo(0x7000 + (1L << 40));
            isOutside(region(length), 0, -1);
        }
        assertThat(ScatterGatherElement.of(region(-1)).length()).isEqualTo(Integer.MAX_VALUE);
    }
}
