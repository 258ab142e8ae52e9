/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.RecvWrLayout;
import io.verbs4j.rdmacore.layout.SendWrLayout;
import io.verbs4j.rdmacore.layout.SgeLayout;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.SendArea;
import io.verbs4j.rdmacore.object.WindowBook;
import io.verbs4j.rdmacore.object.WindowLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The requests that a driver finds in memory, and those that are never written. */
class WorkRequestAreasTest {
    private static final int MAX_SGE = 2;

    private final SendArea sends = new SendArea(
            2,
            MAX_SGE,
            QpType.RC,
            -1,
            0,
            null,
            new RegionTable(),
            new WindowLog(new WindowBook(false), () -> 7, false, 8, () -> {}));
    private final RecvArea receives = new RecvArea(2, MAX_SGE, Integer.MAX_VALUE);

    @AfterEach
    void free() {
        sends.free();
        receives.free();
    }

    private static ScatterGatherElement[] elements(int count) {
        ScatterGatherElement[] elements = new ScatterGatherElement[count];
        for (int i = 0; i < count; i++) {
            elements[i] =
                    new ScatterGatherElement().addr(0x1000 + i).length(10 + i).lkey(20 + i);
        }
        return elements;
    }

    @Test
    void sendsFormList() {
        for (int i = 0; i < 2; i++) {
            assertThat(sends.put(
                            i,
                            new SendWorkRequest()
                                    .wrId(7 + i)
                                    .opcode(WrOpcode.RDMA_WRITE_WITH_IMM)
                                    .sendFlags(SendFlags.SIGNALED)
                                    .immData(0x01020304)
                                    .remoteAddr(99)
                                    .rkey(5)
                                    .sgList(elements(2))))
                    .isZero();
        }
        sends.end(1);
        long first = sends.first();
        long second = NativeMemory.getLong(first + SendWrLayout.NEXT);
        assertThat(second).isEqualTo(first + SendWrLayout.SIZEOF);
        assertThat(NativeMemory.getLong(second + SendWrLayout.NEXT)).isZero();
        assertThat(NativeMemory.getLong(second + SendWrLayout.WR_ID)).isEqualTo(8);
        assertThat(NativeMemory.getInt(second + SendWrLayout.OPCODE)).isEqualTo(WrOpcode.RDMA_WRITE_WITH_IMM);
        assertThat(NativeMemory.getInt(second + SendWrLayout.SEND_FLAGS)).isEqualTo(SendFlags.SIGNALED);
        assertThat(NativeMemory.getNetInt(second + SendWrLayout.IMM_DATA)).isEqualTo(0x01020304);
        assertThat(NativeMemory.getLong(second + SendWrLayout.WR_RDMA_REMOTE_ADDR))
                .isEqualTo(99);
        assertThat(NativeMemory.getInt(second + SendWrLayout.WR_RDMA_RKEY)).isEqualTo(5);
        assertThat(NativeMemory.getInt(second + SendWrLayout.NUM_SGE)).isEqualTo(2);
        assertSecondElement(NativeMemory.getLong(second + SendWrLayout.SG_LIST) + SgeLayout.SIZEOF);
    }

    @Test
    void receivesFormList() {
        for (int i = 0; i < 2; i++) {
            assertThat(receives.put(i, new RecvWorkRequest().wrId(7 + i).sgList(elements(2))))
                    .isTrue();
        }
        receives.end(1);
        long second = NativeMemory.getLong(receives.first() + RecvWrLayout.NEXT);
        assertThat(second).isEqualTo(receives.first() + RecvWrLayout.SIZEOF);
        assertThat(NativeMemory.getLong(second + RecvWrLayout.NEXT)).isZero();
        assertThat(NativeMemory.getLong(second + RecvWrLayout.WR_ID)).isEqualTo(8);
        assertThat(NativeMemory.getInt(second + RecvWrLayout.NUM_SGE)).isEqualTo(2);
        assertSecondElement(NativeMemory.getLong(second + RecvWrLayout.SG_LIST) + SgeLayout.SIZEOF);
    }

    private static void assertSecondElement(long at) {
        assertThat(NativeMemory.getLong(at + SgeLayout.ADDR)).isEqualTo(0x1001);
        assertThat(NativeMemory.getInt(at + SgeLayout.LENGTH)).isEqualTo(11);
        assertThat(NativeMemory.getInt(at + SgeLayout.LKEY)).isEqualTo(21);
    }

    @ParameterizedTest
    @CsvSource({"2, -1", "1, 2", "3, 3"})
    void invalidElementCountIsRefused(int elements, int count) {
        assertThat(sends.put(0, new SendWorkRequest().opcode(WrOpcode.SEND).sgList(elements(elements), count)))
                .isEqualTo(Errno.EINVAL);
        assertThat(receives.put(0, new RecvWorkRequest().sgList(elements(elements), count)))
                .isFalse();
    }

    @Test
    void nullElementsAreRefused() {
        ScatterGatherElement[] none = null;
        ScatterGatherElement[] hole = new ScatterGatherElement[1];
        SendWorkRequest send = new SendWorkRequest().opcode(WrOpcode.SEND);
        assertThat(sends.put(0, send.sgList(none, 0))).isZero();
        assertThat(sends.put(0, send.sgList(none, 1))).isEqualTo(Errno.EINVAL);
        assertThat(sends.put(0, send.sgList(hole, 1))).isEqualTo(Errno.EINVAL);
        assertThat(receives.put(0, new RecvWorkRequest().sgList(none, 0))).isTrue();
        assertThat(receives.put(0, new RecvWorkRequest().sgList(none, 1))).isFalse();
        assertThat(receives.put(0, new RecvWorkRequest().sgList(hole, 1))).isFalse();
    }

    @Test
    void unregisteredInlineDataIsRefused() {
        SendWorkRequest send = new SendWorkRequest().opcode(WrOpcode.SEND).sgList(elements(1));
        assertThat(sends.put(0, send)).isZero();
        assertThat(sends.put(0, send.sendFlags(SendFlags.INLINE))).isEqualTo(Errno.EINVAL);
    }

    @ParameterizedTest
    @CsvSource({"-1", "11", "1000"})
    void unknownOperationIsRefused(int opcode) {
        assertThat(sends.put(0, new SendWorkRequest().opcode(opcode))).isEqualTo(Errno.EOPNOTSUPP);
    }
}
