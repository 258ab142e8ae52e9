/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.ContextLayout;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The slots used in contexts that no library created: of each size that a release of rdma-core had, and without the
 * extended part.
 */
class ContextFunctionsTest {
    /** More bytes than the newest release has in front of the context. */
    private static final int BEFORE = 512;

    /** Added to an offset to make distinct addresses. They are bound but never called. */
    private static final long WITHIN = 0x1000_0000L;

    private static final long BEYOND = 0xdead_0000L;

    private final long memory = NativeMemory.allocate(BEFORE + ContextFunctions.CONTEXT_SIZE);
    private final long context = memory + BEFORE;

    @AfterEach
    void free() {
        NativeMemory.free(memory);
    }

    /** Makes a context whose {@code sz} is that size; beyond it, slots hold addresses that are no functions. */
    private ContextFunctions make(long size) {
        for (int slot = -24; slot >= -BEFORE; slot -= Long.BYTES) {
            NativeMemory.putLong(context + slot, (isWithin(slot, size) ? WITHIN : BEYOND) - slot);
        }
        NativeMemory.putLong(context - 8, size);
        NativeMemory.putLong(context + ContextFunctions.MARKER, -1);
        return new ContextFunctions(context);
    }

    private static boolean isWithin(int slot, long size) {
        return ContextFunctions.CONTEXT_SIZE - slot <= size;
    }

    private static List<Field> slots() {
        List<Field> slots = new ArrayList<>();
        for (Field field : ExtendedContextLayout.class.getFields()) {
            if (!field.getName().startsWith("SIZEOF") && !field.getName().equals("SZ")) {
                slots.add(field);
            }
        }
        assertThat(slots).hasSize((696 - 328) / 8 - 1);
        return slots;
    }

    @ParameterizedTest
    @ValueSource(longs = {496, 512, 536, 592, 624, 632, 648, 672, 680, 696})
    void slotsWithinSizeAreUsed(long onX86) throws IllegalAccessException {
        long size = onX86 - ContextLayout.SIZEOF + ContextFunctions.CONTEXT_SIZE;
        ContextFunctions functions = make(size);
        assertThat(functions.extendedSize()).isEqualTo(size);
        int used = 0;
        for (Field field : slots()) {
            int slot = field.getInt(null);
            NativeFunction function = functions.extended(slot);
            if (slot == ExtendedContextLayout.ABI_PLACEHOLDER3) {
                continue; // not a function slot; never looked up
            }
            if (isWithin(slot, size)) {
                assertThat(function).as(field.getName()).isSameAs(NativeFunction.at(WITHIN - slot));
                used++;
            } else {
                assertThat(function).as(field.getName()).isNull();
            }
        }
        // The same without the condition above: sz itself and the word before it are no slots.
        assertThat(used).isEqualTo((onX86 - 328) / 8 - 2);
    }

    @Test
    void noSlotIsUsedWithoutMarker() throws IllegalAccessException {
        ContextFunctions functions = make(BEFORE + 328);
        NativeMemory.putLong(context + ContextFunctions.MARKER, 0);
        assertThat(functions.extendedSize()).isZero();
        for (Field field : slots()) {
            assertThat(functions.extended(field.getInt(null)))
                    .as(field.getName())
                    .isNull();
        }
    }

    @Test
    void nullSlotIsNotUsed() {
        ContextFunctions functions = make(696);
        NativeMemory.putLong(context + ExtendedContextLayout.OPEN_XRCD, 0);
        assertThat(functions.extended(ExtendedContextLayout.OPEN_XRCD)).isNull();
        assertThat(functions.extended(ExtendedContextLayout.CLOSE_XRCD)).isNotNull();
    }

    @Test
    void functionsOfFirstReleaseAreUsed() {
        int[] offsets = {
            ContextLayout.OPS_POST_SEND,
            ContextLayout.OPS_POST_RECV,
            ContextLayout.OPS_POST_SRQ_RECV,
            ContextLayout.OPS_POLL_CQ,
            ContextLayout.OPS_REQ_NOTIFY_CQ
        };
        for (int offset : offsets) {
            NativeMemory.putLong(context + offset, WITHIN + 0x1000 + offset);
        }
        ContextFunctions functions = new ContextFunctions(context);
        NativeFunction[] found = {
            functions.postSend(),
            functions.postRecv(),
            functions.postSrqRecv(),
            functions.pollCq(),
            functions.reqNotifyCq()
        };
        for (int i = 0; i < offsets.length; i++) {
            long address = WITHIN + 0x1000 + offsets[i];
            boolean data = offsets[i] != ContextLayout.OPS_REQ_NOTIFY_CQ;
            assertThat(found[i]).isSameAs(data ? NativeFunction.data(address) : NativeFunction.at(address));
        }
        assertThat(functions.op(ContextLayout.OPS_BIND_MW)).isNull();
    }
}
