/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.MaskedRig.AT;
import static io.verbs4j.compat.kit.MaskedRig.DESCRIBED;
import static io.verbs4j.compat.kit.MaskedRig.ROUNDS;
import static io.verbs4j.compat.kit.Memory.PAGE;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.util.List;
import java.util.SplittableRandom;

/** R16 again: masked atomics, compared with a bitwise model. */
interface MaskedRules {
    @Rule(
            id = "R16.08",
            since = 3,
            says = "a masked compare and swap compares the bits of one mask, swaps those of the other, and gives the"
                    + " old value",
            look = "QueuePair.postSend",
            man = DESCRIBED,
            needs = {Capability.RC, Capability.ATOMICS, Capability.MASKED_ATOMICS})
    default void r1608CompareAndSwap(MaskedRig rig) {
        rig.start();
        SplittableRandom random = new SplittableRandom(8);
        for (int width : rig.widths()) {
            for (int i = 0; i < ROUNDS; i++) {
                long old = MaskedRig.operand(random) & MaskedRig.mask(width);
                long compareMask = MaskedRig.operand(random);
                long swap = MaskedRig.operand(random);
                long swapMask = MaskedRig.operand(random);
                long compare = random.nextBoolean()
                        ? old ^ MaskedRig.operand(random) & ~compareMask
                        : MaskedRig.operand(random);
                rig.put(width, old);
                SendWorkRequest wr = rig.masked(WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, i, width)
                        .compareAdd(compare)
                        .compareAddMask(compareMask)
                        .swap(swap)
                        .swapMask(swapMask);
                String what = " of a masked compare and swap of " + width + " bytes, old " + Seen.hex(old)
                        + ", compare " + Seen.hex(compare) + "/" + Seen.hex(compareMask) + ", swap " + Seen.hex(swap)
                        + "/" + Seen.hex(swapMask);
                Seen.equal(
                        "the fetched value" + what,
                        Seen.hex(old),
                        Seen.hex(rig.done(wr, width, WcOpcode.MASKED_COMP_SWAP)));
                boolean equal = ((old ^ compare) & compareMask & MaskedRig.mask(width)) == 0;
                long now = equal ? (old & ~swapMask | swap & swapMask) & MaskedRig.mask(width) : old;
                Seen.equal(
                        "the result in memory" + what,
                        Seen.hex(now),
                        Seen.hex(MaskedRig.number(rig.b.memory.buffer, AT, width)));
            }
        }
        rig.beside();
    }

    @Rule(
            id = "R16.09",
            since = 3,
            says = "a masked fetch and add adds in fields, whose top bits the mask tells, and gives the old value",
            look = "QueuePair.postSend",
            man = DESCRIBED,
            needs = {Capability.RC, Capability.ATOMICS, Capability.MASKED_ATOMICS})
    default void r1609FetchAndAdd(MaskedRig rig) {
        rig.start();
        SplittableRandom random = new SplittableRandom(9);
        for (int width : rig.widths()) {
            for (int i = 0; i < ROUNDS; i++) {
                long old = MaskedRig.operand(random) & MaskedRig.mask(width);
                long added = MaskedRig.operand(random);
                long tops = MaskedRig.operand(random);
                rig.put(width, old);
                SendWorkRequest wr = rig.masked(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, i, width)
                        .compareAdd(added)
                        .compareAddMask(tops);
                String what = " of a masked fetch and add of " + width + " bytes, old " + Seen.hex(old) + ", add "
                        + Seen.hex(added) + ", top bits of the fields " + Seen.hex(tops);
                Seen.equal(
                        "the fetched value" + what,
                        Seen.hex(old),
                        Seen.hex(rig.done(wr, width, WcOpcode.MASKED_FETCH_ADD)));
                Seen.equal(
                        "the result in memory" + what,
                        Seen.hex(MaskedRig.add(old, added, tops, width)),
                        Seen.hex(MaskedRig.number(rig.b.memory.buffer, AT, width)));
            }
        }
        rig.beside();
        if (rig.widths().contains(Long.BYTES)) {
            rig.put(Long.BYTES, 40);
            SendWorkRequest wr =
                    rig.masked(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, 1, 0).sgList(rig.a.sge(0, Long.BYTES));
            rig.done(wr.compareAdd(2), Long.BYTES, WcOpcode.MASKED_FETCH_ADD);
            Seen.equal("40 + 2 with atomicWidth 0", 42L, rig.b.memory.buffer.getLong(AT));
        }
    }

    @Rule(
            id = "R16.10",
            since = 3,
            says = "masked atomics need a width that there is, an address that is a multiple of it, and the right of"
                    + " atomics",
            look = "QueuePair.postSend",
            man = DESCRIBED,
            needs = {Capability.RC, Capability.ATOMICS, Capability.MASKED_ATOMICS, Capability.REGION_KEYS})
    default void r1610Refused(MaskedRig rig) {
        rig.start();
        List<Integer> widths = rig.widths();
        for (int opcode : new int[] {WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD}) {
            for (int width : widths) {
                rig.start();
                rig.refusedOrFails(
                        "a masked atomic of " + width + " bytes at a misaligned address, 1 beyond a multiple,",
                        rig.misplaced(opcode, width),
                        WcStatus.REM_INV_REQ_ERR);
                rig.b.memory.untouched(0, 1000);
            }
            rig.start();
            rig.refusedOrFails("a masked atomic of 3 bytes", rig.masked(opcode, 1, 3), WcStatus.REM_INV_REQ_ERR);
            int width = widths.get(0);
            rig.start();
            MemoryRegion other = rig.b.region(Memory.pages(PAGE), AccessFlags.LOCAL_WRITE);
            rig.fails(
                    rig.masked(opcode, 1, width).remoteAddr(other.addr()).rkey(other.rkey()), WcStatus.REM_ACCESS_ERR);
            rig.start(s -> s.access = 0);
            rig.fails(rig.masked(opcode, 1, width), WcStatus.REM_ACCESS_ERR, WcStatus.REM_INV_REQ_ERR);
            rig.b.memory.untouched(0, 1000);
        }
    }
}
