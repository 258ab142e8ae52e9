/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.PciAtomicSizes;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Masked atomics, and their expected results. See {@link MaskedRules}. */
final class MaskedRig extends RequestRig {
    static final String DESCRIBED = "the Javadoc of WrOpcode.MASKED_ATOMIC_CMP_AND_SWP and MASKED_ATOMIC_FETCH_AND_ADD";
    static final int ROUNDS = 40;
    static final int AT = 64;

    MaskedRig(ProviderKit kit) {
        super(kit);
    }

    /** {@return the widths that the device supports, in bytes} */
    List<Integer> widths() {
        int told = a.context.queryDeviceEx().maskedAtomicSizes();
        List<Integer> widths = new ArrayList<>();
        if ((told & PciAtomicSizes.SIZE_4_BYTE) != 0) {
            widths.add(Integer.BYTES);
        }
        if ((told & PciAtomicSizes.SIZE_8_BYTE) != 0) {
            widths.add(Long.BYTES);
        }
        return widths;
    }

    SendWorkRequest masked(int opcode, long wrId, int width) {
        return a.to(b, AT, a.wr(opcode, wrId, a.sge(0, width))).atomicWidth(width);
    }

    /** Posts a masked atomic; returns the fetched value. */
    long done(SendWorkRequest wr, int width, int opcode) {
        a.post(wr);
        Seen.opcode(a.next(wr.wrId(), WcStatus.SUCCESS), opcode);
        return number(a.memory.buffer, 0, width);
    }

    static long number(ByteBuffer memory, int offset, int width) {
        return width == Long.BYTES ? memory.getLong(offset) : memory.getInt(offset) & 0xffff_ffffL;
    }

    void put(int width, long value) {
        if (width == Long.BYTES) {
            b.memory.buffer.putLong(AT, value);
        } else {
            b.memory.buffer.putInt(AT, (int) value);
        }
    }

    /** {@return an operand of a random kind: few bits, all bits, bits at the ends, any bits} */
    static long operand(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> 0x8000_0000_8000_0001L;
            default -> random.nextLong();
        };
    }

    static long mask(int width) {
        return width == Long.BYTES ? -1L : 0xffff_ffffL;
    }

    void beside() {
        b.memory.untouched(0, AT);
        b.memory.untouched(AT + Long.BYTES, 1000);
        if (!widths().contains(Long.BYTES)) {
            b.memory.untouched(AT + Integer.BYTES, Integer.BYTES);
        }
    }

    /** Adds bit by bit: a carry is lost when it leaves the top of a field. */
    static long add(long old, long add, long tops, int width) {
        long sum = 0;
        long carry = 0;
        for (int bit = 0; bit < width * Byte.SIZE; bit++) {
            long here = (old >>> bit & 1) + (add >>> bit & 1) + carry;
            sum |= (here & 1) << bit;
            carry = (tops >>> bit & 1) != 0 ? 0 : here >>> 1;
        }
        return sum;
    }

    SendWorkRequest misplaced(int opcode, int width) {
        SendWorkRequest wr = masked(opcode, 1, width).swap(-1).swapMask(-1).compareAdd(1);
        return wr.remoteAddr(wr.remoteAddr() + 1);
    }
}
