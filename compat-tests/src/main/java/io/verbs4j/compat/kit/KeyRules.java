/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.KeyRig.AT;
import static io.verbs4j.compat.kit.KeyRig.DESCRIBED;
import static io.verbs4j.compat.kit.KeyRig.ENTRIES;
import static io.verbs4j.compat.kit.KeyRig.LOCAL;
import static io.verbs4j.compat.kit.KeyRig.POST;
import static io.verbs4j.compat.kit.KeyRig.WRITES;
import static io.verbs4j.compat.kit.Memory.PAGE;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;

/** R17: keys without memory, fast register, and RDMA read with invalidate. One side has a key; the other uses it. */
interface KeyRules {
    @Rule(
            id = "R17.01",
            since = 3,
            says = "fast register makes one region of pieces, for the peer and for its own side, again and again,"
                    + " with another key each time",
            look = {POST, "the function in the slot ALLOC_MR_KEY"},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.FAST_REGISTER})
    default void r1701Registers(KeyRig rig) {
        rig.startWithKey(true);
        Seen.equal("length() of a new key", 0L, rig.key.length());
        Seen.equal("rkey() of a new key, which must equal lkey(),", rig.key.lkey(), rig.key.rkey());
        for (int i = 1; i <= 3; i++) {
            int number = rig.filled(WRITES);
            rig.works(i, number);
            // Across the gap between two pieces, for the peer and for the own side.
            int middle = rig.pieces[0][1] - 3;
            rig.a.post(rig.a
                    .wr(WrOpcode.RDMA_WRITE, 10 + i, rig.a.sge(500, 6))
                    .remoteAddr(AT + middle)
                    .rkey(number));
            rig.a.next(10 + i, WcStatus.SUCCESS);
            Seen.holds("the memory where two pieces meet", rig.joined(), middle, rig.a.memory, 500, 6);
            ScatterGatherElement own =
                    new ScatterGatherElement().addr(AT + middle).length(6).lkey(number);
            rig.b.post(rig.b
                    .wr(WrOpcode.RDMA_WRITE, 20, own)
                    .remoteAddr(rig.a.mr.addr() + 9000)
                    .rkey(rig.a.mr.rkey()));
            rig.b.next(20, WcStatus.SUCCESS);
            Seen.holds("the data written from where two pieces meet", rig.a.memory.buffer, 9000, rig.a.memory, 500, 6);
            rig.takenBack(number);
        }
        Seen.equal("the first byte beside the pieces", (byte) 0, rig.memory.get(rig.pieces[0][0] + rig.pieces[0][1]));
    }

    @Rule(
            id = "R17.02",
            since = 3,
            says = "a key without memory opens nothing, nor does one that the region had before",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.FAST_REGISTER})
    default void r1702Free(KeyRig rig) {
        rig.startWithKey(true);
        rig.fails(rig.write(1, rig.key.rkey(), 0, 8), WcStatus.REM_ACCESS_ERR);
        rig.startWithKey(true);
        int first = rig.filled(WRITES);
        rig.takenBack(first);
        rig.fails(rig.write(2, first, 0, 8), WcStatus.REM_ACCESS_ERR);
        rig.startWithKey(true);
        first = rig.filled(WRITES);
        rig.takenBack(first);
        rig.works(3, rig.filled(WRITES));
        rig.fails(rig.write(4, first, 0, 8), WcStatus.REM_ACCESS_ERR);
    }

    @Rule(
            id = "R17.03",
            since = 3,
            says = "a key that has memory gets none, and what has none is not taken back",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.FAST_REGISTER})
    default void r1703States(KeyRig rig) {
        rig.startWithKey(true);
        rig.filled(WRITES);
        rig.wrong(
                "REG_MR of a key that has memory",
                rig.register(1, rig.nextKey(), WRITES),
                WcStatus.LOC_QP_OP_ERR,
                WcStatus.MW_BIND_ERR);
        rig.startWithKey(true);
        int number = rig.filled(WRITES);
        rig.takenBack(number);
        rig.wrong(
                "LOCAL_INV of a key that has no memory",
                rig.owner.wr(WrOpcode.LOCAL_INV, 2).invalidateRkey(number),
                WcStatus.LOC_QP_OP_ERR,
                WcStatus.MW_BIND_ERR);
        rig.startWithKey(true);
        rig.wrong(
                "LOCAL_INV of a region of regMr",
                rig.owner.wr(WrOpcode.LOCAL_INV, 3).invalidateRkey(rig.whole.rkey()),
                WcStatus.LOC_QP_OP_ERR,
                WcStatus.MW_BIND_ERR);
    }

    @Rule(
            id = "R17.04",
            since = 3,
            says = "a key gives the bytes and the rights that it was registered with, and no others",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.RDMA_READ, Capability.FAST_REGISTER})
    default void r1704Rights(KeyRig rig) {
        rig.startWithKey(true);
        int number = rig.filled(LOCAL | AccessFlags.REMOTE_READ);
        rig.memory.put(rig.pieces[0][0], (byte) 99);
        rig.a.post(
                rig.a.wr(WrOpcode.RDMA_READ, 1, rig.a.sge(0, 8)).remoteAddr(AT).rkey(number));
        rig.a.next(1, WcStatus.SUCCESS);
        Seen.equal("the first byte read through a key", (byte) 99, rig.a.memory.buffer.get(0));
        rig.fails(rig.write(2, number, 0, 8), WcStatus.REM_ACCESS_ERR);
        rig.startWithKey(true);
        rig.fails(rig.write(3, rig.filled(WRITES), 1, rig.length()), WcStatus.REM_ACCESS_ERR);
        rig.startWithKey(true);
        rig.fails(rig.write(4, rig.filled(WRITES), -1, 8), WcStatus.REM_ACCESS_ERR);
    }

    @Rule(
            id = "R17.05",
            since = 3,
            says = "of memory that is not the domain's, is not writable or reaches beyond its region, no key is made"
                    + " that opens it",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.FAST_REGISTER})
    default void r1705Pieces(KeyRig rig) {
        rig.startWithKey(true);
        rig.opensNothing(ScatterGatherElement.of(rig.whole, 0, PAGE).lkey(rig.whole.lkey() ^ 0x5a5a_5a00));
        rig.startWithKey(true);
        rig.opensNothing(new ScatterGatherElement()
                .addr(rig.whole.addr() + 3L * PAGE)
                .length(2 * PAGE)
                .lkey(rig.whole.lkey()));
        rig.startWithKey(true);
        MemoryRegion constant = rig.b.region(Memory.pages(PAGE), 0);
        rig.opensNothing(ScatterGatherElement.of(constant));
        if (rig.b.context.queryDevice().maxPd() > 1) {
            rig.startWithKey(true);
            ProtectionDomain foreign = rig.opened(rig.b.context.allocPd());
            rig.opensNothing(ScatterGatherElement.of(rig.opened(foreign.regMr(Memory.pages(PAGE), WRITES))));
        }
    }

    @Rule(
            id = "R17.06",
            since = 3,
            says = "what fast register lacks is told when it is posted, and the key stays as it is",
            look = {POST, "the function in the slot ALLOC_MR_KEY"},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.FAST_REGISTER})
    default void r1706Posted(KeyRig rig) {
        rig.startWithKey(true);
        int most = rig.owner.context.queryDeviceEx().maxFastRegLen();
        Seen.atLeast("maxFastRegLen", ENTRIES, most);
        rig.aKey(most);
        if (most < Integer.MAX_VALUE) {
            Seen.refuses("allocMrKey of one entry more than maxFastRegLen", () -> rig.aKey(most + 1), Errno.EINVAL);
        }
        int before = rig.key.rkey();
        rig.refused(
                "REG_MR to a key that differs from the region's above the low 8 bits",
                rig.register(1, before ^ 0x100, WRITES));
        rig.refused(
                "REG_MR without a region",
                rig.register(2, rig.nextKey(), WRITES).fastRegister(new FastRegister()));
        rig.refused(
                "REG_MR without fastRegister",
                rig.register(3, rig.nextKey(), WRITES).fastRegister(null));
        rig.refused(
                "REG_MR without pieces", rig.register(4, rig.nextKey(), WRITES).sgList(new ScatterGatherElement[0]));
        ScatterGatherElement page = ScatterGatherElement.of(rig.whole, 0, PAGE);
        rig.refused(
                "REG_MR of one piece more than the key was created for",
                rig.register(5, rig.nextKey(), WRITES).sgList(page, page, page, page));
        SendWorkRequest ordinary = rig.register(6, MemoryWindow.incRkey(rig.whole.rkey()), WRITES);
        ordinary.fastRegister().mr(rig.whole);
        rig.refused("REG_MR of a region of regMr", ordinary);
        rig.refused(
                "REG_MR with REMOTE_WRITE but without LOCAL_WRITE",
                rig.register(7, rig.nextKey(), AccessFlags.REMOTE_WRITE));
        Seen.equal("rkey() of the region", Seen.hex(before), Seen.hex(rig.key.rkey()));
        rig.filled(WRITES);
    }

    @Rule(
            id = "R17.07",
            since = 3,
            says = "fast register and its taking back take their turn in the queue",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.FAST_REGISTER})
    default void r1707Order(KeyRig rig) {
        rig.startWithKey(false);
        int start = rig.key.lkey();
        SendWorkRequest list = null;
        for (int i = 3; i >= 1; i--) {
            int now = start & ~0xff | start + i & 0xff;
            ScatterGatherElement own =
                    new ScatterGatherElement().addr(AT).length(rig.length()).lkey(now);
            if (i < 3) {
                list = rig.a
                        .wr(WrOpcode.LOCAL_INV, 10L * i + 2)
                        .invalidateRkey(now)
                        .next(list);
            }
            list = rig.a
                    .to(rig.b, 100, rig.a.wr(WrOpcode.RDMA_WRITE, 10L * i + 1, own))
                    .next(list);
            list = rig.register(10L * i, now, LOCAL).next(list);
        }
        rig.memory.put(rig.pieces[0][0], (byte) 77);
        rig.a.post(list);
        for (long wrId : new long[] {10, 11, 12, 20, 21, 22, 30, 31}) {
            rig.a.next(wrId, WcStatus.SUCCESS);
        }
        Seen.equal("the first byte written from a key", (byte) 77, rig.b.memory.buffer.get(100));
    }

    @Rule(
            id = "R17.08",
            since = 3,
            says = "a region that a key has pieces of is not closed, or the key opens nothing then; a key is closed"
                    + " at any time",
            look = "ContextOps.deregMr",
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.FAST_REGISTER})
    default void r1708Closed(KeyRig rig) {
        rig.startWithKey(true);
        int number = rig.filled(WRITES);
        try {
            rig.whole.close();
            rig.fails(rig.write(1, number, 0, 8), WcStatus.REM_ACCESS_ERR, WcStatus.REM_OP_ERR);
        } catch (VerbsException e) {
            Seen.equal("the errno of closing a region that a key uses", Errno.name(Errno.EBUSY), Errno.name(e.errno()));
            rig.works(1, number);
        }
        rig.startWithKey(true);
        number = rig.filled(WRITES);
        rig.key.close();
        rig.fails(rig.write(2, number, 0, 8), WcStatus.REM_ACCESS_ERR);
        rig.whole.close();
    }

    // ---- RDMA read with invalidate

    @Rule(
            id = "R17.09",
            since = 3,
            says = "an RDMA read with invalidate fetches the bytes, tells the key, and has taken it back when it"
                    + " completes",
            look = POST,
            man = "the Javadoc of WrOpcode.RDMA_READ_WITH_INV",
            needs = {Capability.RC, Capability.RDMA_READ, Capability.FAST_REGISTER, Capability.READ_WITH_INV})
    default void r1709ReadWithInvalidate(KeyRig rig) {
        rig.startWithKey(false);
        for (int i = 0; i < 2; i++) {
            int number = rig.filled(LOCAL);
            rig.a.post(rig.readInto(1, number, rig.length()));
            WorkCompletion wc = rig.a.next(1, WcStatus.SUCCESS);
            Seen.opcode(wc, WcOpcode.RDMA_READ);
            Seen.equal("wcFlags", WcFlags.toString(WcFlags.WITH_INV), WcFlags.toString(wc.wcFlags()));
            Seen.equal("invalidatedRkey", Seen.hex(number), Seen.hex(wc.invalidatedRkey()));
            Seen.holds("the data read", rig.joined(), 0, rig.b.memory, 300, rig.length());
        }
        ScatterGatherElement gone =
                new ScatterGatherElement().addr(AT).length(8).lkey(rig.key.lkey());
        rig.a.post(rig.a.to(rig.b, 300, rig.a.wr(WrOpcode.RDMA_READ, 2, gone)));
        rig.a.next(2, WcStatus.LOC_PROT_ERR);
    }

    @Rule(
            id = "R17.10",
            since = 3,
            says = "an RDMA read with invalidate has one element, of a key that fast register has given memory to",
            look = POST,
            man = "the Javadoc of WrOpcode.RDMA_READ_WITH_INV",
            needs = {Capability.RC, Capability.RDMA_READ, Capability.FAST_REGISTER, Capability.READ_WITH_INV})
    default void r1710ReadRefused(KeyRig rig) {
        rig.startWithKey(false);
        rig.refused(
                "RDMA_READ_WITH_INV without an element",
                rig.readInto(1, rig.key.lkey(), 8).sgList(new ScatterGatherElement[0]));
        rig.start(s -> s.maxSge = 2);
        rig.owner = rig.a;
        rig.refused(
                "RDMA_READ_WITH_INV with two elements",
                rig.a.to(rig.b, 0, rig.a.wr(WrOpcode.RDMA_READ_WITH_INV, 2, rig.a.sge(0, 8), rig.a.sge(8, 8))));
        rig.wrong(
                "RDMA_READ_WITH_INV into a region of regMr",
                rig.a.to(rig.b, 300, rig.a.wr(WrOpcode.RDMA_READ_WITH_INV, 3, rig.a.sge(0, 8))),
                WcStatus.LOC_PROT_ERR,
                WcStatus.LOC_QP_OP_ERR,
                WcStatus.MW_BIND_ERR);
    }
}
