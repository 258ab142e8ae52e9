/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import io.verbs4j.PciAtomicSizes;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** R16 again: masked atomics, against a model that goes bit by bit. */
abstract class MaskedRules extends RequestRules {
    private static final String DESCRIBED =
            "the Javadoc of WrOpcode.MASKED_ATOMIC_CMP_AND_SWP and MASKED_ATOMIC_FETCH_AND_ADD";
    private static final int ROUNDS = 40;
    private static final int AT = 64;

    /** For {@link ProviderKit}. */
    MaskedRules() {}

    /** What the device has, in bytes. */
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

    /** Does it with what the memory holds; answers what was fetched. */
    private long done(SendWorkRequest wr, int width, int opcode) {
        a.post(wr);
        opcode(a.next(wr.wrId(), WcStatus.SUCCESS), opcode);
        return number(a.memory.buffer, 0, width);
    }

    private static long number(ByteBuffer memory, int offset, int width) {
        return width == Long.BYTES ? memory.getLong(offset) : memory.getInt(offset) & 0xffff_ffffL;
    }

    private void put(int width, long value) {
        if (width == Long.BYTES) {
            b.memory.buffer.putLong(AT, value);
        } else {
            b.memory.buffer.putInt(AT, (int) value);
        }
    }

    /** Operands of all kinds: of few bits, of many, of bits at the ends. */
    private static long operand(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> 0x8000_0000_8000_0001L;
            default -> random.nextLong();
        };
    }

    private static long mask(int width) {
        return width == Long.BYTES ? -1L : 0xffff_ffffL;
    }

    @Rule(
            id = "R16.08",
            since = 3,
            says =
                    "a masked compare and swap compares the bits of one mask, swaps those of the other, and gives the old value",
            look = "QueuePair.postSend",
            man = DESCRIBED,
            needs = {Capability.RC, Capability.ATOMICS, Capability.MASKED_ATOMICS})
    final void r1608CompareAndSwap() {
        start();
        SplittableRandom random = new SplittableRandom(8);
        for (int width : widths()) {
            for (int i = 0; i < ROUNDS; i++) {
                long old = operand(random) & mask(width);
                long compareMask = operand(random);
                long swap = operand(random);
                long swapMask = operand(random);
                long compare = random.nextBoolean() ? old ^ operand(random) & ~compareMask : operand(random);
                put(width, old);
                SendWorkRequest wr = masked(WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, i, width)
                        .compareAdd(compare)
                        .compareAddMask(compareMask)
                        .swap(swap)
                        .swapMask(swapMask);
                String what = " of a masked compare and swap of " + width + " bytes, old " + hex(old) + ", compare "
                        + hex(compare) + "/" + hex(compareMask) + ", swap " + hex(swap) + "/" + hex(swapMask);
                Seen.equal("what was fetched" + what, hex(old), hex(done(wr, width, WcOpcode.MASKED_COMP_SWAP)));
                boolean equal = ((old ^ compare) & compareMask & mask(width)) == 0;
                long now = equal ? (old & ~swapMask | swap & swapMask) & mask(width) : old;
                Seen.equal("the memory after it," + what, hex(now), hex(number(b.memory.buffer, AT, width)));
            }
        }
        beside();
    }

    private void beside() {
        b.memory.untouched(0, AT);
        b.memory.untouched(AT + Long.BYTES, 1000);
        if (!widths().contains(Long.BYTES)) {
            b.memory.untouched(AT + Integer.BYTES, Integer.BYTES);
        }
    }

    /** Bit by bit: a carry is lost where it leaves the top of a field. */
    private static long add(long old, long add, long tops, int width) {
        long sum = 0;
        long carry = 0;
        for (int bit = 0; bit < width * Byte.SIZE; bit++) {
            long here = (old >>> bit & 1) + (add >>> bit & 1) + carry;
            sum |= (here & 1) << bit;
            carry = (tops >>> bit & 1) != 0 ? 0 : here >>> 1;
        }
        return sum;
    }

    @Rule(
            id = "R16.09",
            since = 3,
            says = "a masked fetch and add adds in fields, whose top bits the mask tells, and gives the old value",
            look = "QueuePair.postSend",
            man = DESCRIBED,
            needs = {Capability.RC, Capability.ATOMICS, Capability.MASKED_ATOMICS})
    final void r1609FetchAndAdd() {
        start();
        SplittableRandom random = new SplittableRandom(9);
        for (int width : widths()) {
            for (int i = 0; i < ROUNDS; i++) {
                long old = operand(random) & mask(width);
                long added = operand(random);
                long tops = operand(random);
                put(width, old);
                SendWorkRequest wr = masked(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, i, width)
                        .compareAdd(added)
                        .compareAddMask(tops);
                String what = " of a masked fetch and add of " + width + " bytes, old " + hex(old) + ", add "
                        + hex(added) + ", tops of fields " + hex(tops);
                Seen.equal("what was fetched" + what, hex(old), hex(done(wr, width, WcOpcode.MASKED_FETCH_ADD)));
                Seen.equal(
                        "the memory after it," + what,
                        hex(add(old, added, tops, width)),
                        hex(number(b.memory.buffer, AT, width)));
            }
        }
        beside();
        if (widths().contains(Long.BYTES)) {
            put(Long.BYTES, 40);
            SendWorkRequest wr =
                    masked(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, 1, 0).sgList(a.sge(0, Long.BYTES));
            done(wr.compareAdd(2), Long.BYTES, WcOpcode.MASKED_FETCH_ADD);
            Seen.equal("40 + 2 where atomicWidth is 0", 42L, b.memory.buffer.getLong(AT));
        }
    }

    @Rule(
            id = "R16.10",
            since = 3,
            says =
                    "masked atomics need a width that there is, an address that is a multiple of it, and the right of atomics",
            look = "QueuePair.postSend",
            man = DESCRIBED,
            needs = {Capability.RC, Capability.ATOMICS, Capability.MASKED_ATOMICS, Capability.REGION_KEYS})
    final void r1610Refused() {
        start();
        List<Integer> widths = widths();
        for (int opcode : new int[] {WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD}) {
            for (int width : widths) {
                start();
                refusedOrFails(
                        "a masked atomic of " + width + " bytes at an address that is 1 beyond a multiple",
                        misplaced(opcode, width),
                        WcStatus.REM_INV_REQ_ERR);
                b.memory.untouched(0, 1000);
            }
            start();
            refusedOrFails("a masked atomic of 3 bytes", masked(opcode, 1, 3), WcStatus.REM_INV_REQ_ERR);
            int width = widths.get(0);
            start();
            MemoryRegion other = b.region(pages(PAGE), AccessFlags.LOCAL_WRITE);
            fails(masked(opcode, 1, width).remoteAddr(other.addr()).rkey(other.rkey()), WcStatus.REM_ACCESS_ERR);
            start(s -> s.access = 0);
            fails(masked(opcode, 1, width), WcStatus.REM_ACCESS_ERR, WcStatus.REM_INV_REQ_ERR);
            b.memory.untouched(0, 1000);
        }
    }

    private SendWorkRequest misplaced(int opcode, int width) {
        SendWorkRequest wr = masked(opcode, 1, width).swap(-1).swapMask(-1).compareAdd(1);
        return wr.remoteAddr(wr.remoteAddr() + 1);
    }
}
