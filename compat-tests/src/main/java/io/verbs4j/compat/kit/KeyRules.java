/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** R17: keys without memory, fast register, and RDMA read with invalidate. A side has a key; the other one uses it. */
abstract class KeyRules extends MaskedRules {
    private static final String DESCRIBED =
            "the Javadoc of WrOpcode.REG_MR, WrOpcode.LOCAL_INV and ProtectionDomain.allocMrKey";
    private static final String POST = "QueuePair.postSend";
    private static final int LOCAL = AccessFlags.LOCAL_WRITE;
    private static final int WRITES = LOCAL | AccessFlags.REMOTE_WRITE;
    private static final int ENTRIES = 3;

    /** The name of the first byte. */
    private static final long AT = 1L << 36;

    private Side owner;
    MemoryRegion key;
    private ByteBuffer memory;
    private MemoryRegion whole;
    private int[][] pieces;

    /** For {@link ProviderKit}. */
    KeyRules() {}

    void startWithKey(boolean there) {
        start();
        owner = there ? b : a;
        memory = pages(4 * PAGE);
        whole = owner.region(memory, owner.regionAccess);
        // Where pieces may be of any kind they are; else all but the last are pages.
        boolean any = (owner.context.queryDeviceEx().deviceCapFlagsEx() & DeviceCap.BLOCK_LIST) != 0;
        pieces = any ? new int[][] {{13, 1001}, {9000, 7}, {5000, 2000}} : new int[][] {{2 * PAGE, PAGE}, {0, PAGE}};
        key = aKey(ENTRIES);
    }

    private MemoryRegion aKey(int entries) {
        return made(MemoryRegion.class, owner.pd.allocMrKey(new MrKeyInitAttr().maxEntries(entries)));
    }

    int length() {
        int length = 0;
        for (int[] piece : pieces) {
            length += piece[1];
        }
        return length;
    }

    private ScatterGatherElement[] list(MemoryRegion of) {
        List<ScatterGatherElement> list = new ArrayList<>();
        for (int[] piece : pieces) {
            list.add(ScatterGatherElement.of(of, piece[0], piece[1]));
        }
        return list.toArray(ScatterGatherElement[]::new);
    }

    SendWorkRequest register(long wrId, int newKey, int access) {
        return owner.wr(WrOpcode.REG_MR, wrId, list(whole))
                .fastRegister(
                        new FastRegister().mr(key).key(newKey).access(access).addr(AT));
    }

    private int nextKey() {
        return MemoryWindow.incRkey(key.rkey());
    }

    /** Gives the key memory, which must do; answers the key from now on. */
    private int filled(int access) {
        int now = nextKey();
        owner.post(register(70, now, access));
        opcode(owner.next(70, WcStatus.SUCCESS), WcOpcode.REG_MR);
        Seen.equal("rkey() of the region after REG_MR", hex(now), hex(key.rkey()));
        Seen.equal("lkey() of the region after REG_MR", hex(now), hex(key.lkey()));
        return now;
    }

    private void takenBack(int number) {
        owner.post(owner.wr(WrOpcode.LOCAL_INV, 71).invalidateRkey(number));
        opcode(owner.next(71, WcStatus.SUCCESS), WcOpcode.LOCAL_INV);
    }

    private SendWorkRequest write(long wrId, int number, int offset, int length) {
        return a.wr(WrOpcode.RDMA_WRITE, wrId, a.sge(0, length))
                .remoteAddr(AT + offset)
                .rkey(number);
    }

    /** What the pieces hold, one after the other. */
    ByteBuffer joined() {
        ByteBuffer all = ByteBuffer.allocate(length());
        for (int[] piece : pieces) {
            all.put(memory.slice(piece[0], piece[1]));
        }
        return all;
    }

    void works(long wrId, int number) {
        a.post(write(wrId, number, 0, length()));
        a.next(wrId, WcStatus.SUCCESS);
        holds("the memory behind a key after a write", joined(), 0, a.memory, 0, length());
    }

    /** A request of the owner that is wrong: refused, or fails. */
    private void wrong(String what, SendWorkRequest wr, int... statuses) {
        int errno = owner.qp.postSend(wr);
        if (errno != 0) {
            Seen.errno("postSend of " + what, Errno.EINVAL, errno);
        } else {
            owner.next(wr.wrId(), statuses);
        }
    }

    @Rule(
            id = "R17.01",
            since = 3,
            says =
                    "fast register makes one region of pieces, for the peer and for its own side, again and again, with another key each time",
            look = {POST, "the function in the slot ALLOC_MR_KEY"},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.FAST_REGISTER})
    final void r1701Registers() {
        startWithKey(true);
        Seen.equal("length() of a new key", 0L, key.length());
        Seen.equal("whether lkey() and rkey() of a new key are one", key.lkey(), key.rkey());
        for (int i = 1; i <= 3; i++) {
            int number = filled(WRITES);
            works(i, number);
            // One byte from the end to the end, and from the middle on, across what is between pieces.
            int middle = pieces[0][1] - 3;
            a.post(a.wr(WrOpcode.RDMA_WRITE, 10 + i, a.sge(500, 6))
                    .remoteAddr(AT + middle)
                    .rkey(number));
            a.next(10 + i, WcStatus.SUCCESS);
            holds("the memory where two pieces meet", joined(), middle, a.memory, 500, 6);
            ScatterGatherElement own =
                    new ScatterGatherElement().addr(AT + middle).length(6).lkey(number);
            b.post(b.wr(WrOpcode.RDMA_WRITE, 20, own)
                    .remoteAddr(a.mr.addr() + 9000)
                    .rkey(a.mr.rkey()));
            b.next(20, WcStatus.SUCCESS);
            holds("what was written from where two pieces meet", a.memory.buffer, 9000, a.memory, 500, 6);
            takenBack(number);
        }
        Seen.equal("the first byte beside the pieces", (byte) 0, memory.get(pieces[0][0] + pieces[0][1]));
    }

    @Rule(
            id = "R17.02",
            since = 3,
            says = "a key without memory opens nothing, nor does one that the region had before",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.FAST_REGISTER})
    final void r1702Free() {
        startWithKey(true);
        fails(write(1, key.rkey(), 0, 8), WcStatus.REM_ACCESS_ERR);
        startWithKey(true);
        int first = filled(WRITES);
        takenBack(first);
        fails(write(2, first, 0, 8), WcStatus.REM_ACCESS_ERR);
        startWithKey(true);
        first = filled(WRITES);
        takenBack(first);
        works(3, filled(WRITES));
        fails(write(4, first, 0, 8), WcStatus.REM_ACCESS_ERR);
    }

    @Rule(
            id = "R17.03",
            since = 3,
            says = "a key that has memory gets none, and what has none is not taken back",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.FAST_REGISTER})
    final void r1703States() {
        startWithKey(true);
        filled(WRITES);
        wrong(
                "REG_MR of a key that has memory",
                register(1, nextKey(), WRITES),
                WcStatus.LOC_QP_OP_ERR,
                WcStatus.MW_BIND_ERR);
        startWithKey(true);
        int number = filled(WRITES);
        takenBack(number);
        wrong(
                "LOCAL_INV of a key that has no memory",
                owner.wr(WrOpcode.LOCAL_INV, 2).invalidateRkey(number),
                WcStatus.LOC_QP_OP_ERR,
                WcStatus.MW_BIND_ERR);
        startWithKey(true);
        wrong(
                "LOCAL_INV of a region of regMr",
                owner.wr(WrOpcode.LOCAL_INV, 3).invalidateRkey(whole.rkey()),
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
    final void r1704Rights() {
        startWithKey(true);
        int number = filled(LOCAL | AccessFlags.REMOTE_READ);
        memory.put(pieces[0][0], (byte) 99);
        a.post(a.wr(WrOpcode.RDMA_READ, 1, a.sge(0, 8)).remoteAddr(AT).rkey(number));
        a.next(1, WcStatus.SUCCESS);
        Seen.equal("the first byte that was read through a key", (byte) 99, a.memory.buffer.get(0));
        fails(write(2, number, 0, 8), WcStatus.REM_ACCESS_ERR);
        startWithKey(true);
        fails(write(3, filled(WRITES), 1, length()), WcStatus.REM_ACCESS_ERR);
        startWithKey(true);
        fails(write(4, filled(WRITES), -1, 8), WcStatus.REM_ACCESS_ERR);
    }

    @Rule(
            id = "R17.05",
            since = 3,
            says =
                    "of memory that is not the domain's, is not writable or reaches beyond its region, no key is made that opens it",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.FAST_REGISTER})
    final void r1705Pieces() {
        startWithKey(true);
        opensNothing(ScatterGatherElement.of(whole, 0, PAGE).lkey(whole.lkey() ^ 0x5a5a_5a00));
        startWithKey(true);
        opensNothing(new ScatterGatherElement()
                .addr(whole.addr() + 3L * PAGE)
                .length(2 * PAGE)
                .lkey(whole.lkey()));
        startWithKey(true);
        MemoryRegion constant = b.region(pages(PAGE), 0);
        opensNothing(ScatterGatherElement.of(constant));
        if (b.context.queryDevice().maxPd() > 1) {
            startWithKey(true);
            ProtectionDomain foreign = opened(b.context.allocPd());
            opensNothing(ScatterGatherElement.of(opened(foreign.regMr(pages(PAGE), WRITES))));
        }
    }

    /** It fails when it is registered, or, on a device that looks at memory when it is used, then. */
    private void opensNothing(ScatterGatherElement piece) {
        int now = nextKey();
        SendWorkRequest wr = register(1, now, WRITES).sgList(piece);
        int errno = b.qp.postSend(wr);
        if (errno != 0) {
            Seen.errno("postSend of REG_MR with a piece that is not to be had", Errno.EINVAL, errno);
            return;
        }
        WorkCompletion wc = b.next();
        if (wc.status() != WcStatus.SUCCESS) {
            Seen.check(
                    wc.status() == WcStatus.LOC_PROT_ERR || wc.status() == WcStatus.MW_BIND_ERR,
                    "the status of REG_MR with a piece that is not to be had is " + WcStatus.toString(wc.status())
                            + ", not LOC_PROT_ERR");
            return;
        }
        a.post(write(2, now, 0, piece.length()));
        Seen.check(
                a.next().status() != WcStatus.SUCCESS,
                "REG_MR took a piece that is not to be had, and a peer has written there");
    }

    @Rule(
            id = "R17.06",
            since = 3,
            says = "what fast register lacks is told when it is posted, and the key stays as it is",
            look = {POST, "the function in the slot ALLOC_MR_KEY"},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.FAST_REGISTER})
    final void r1706Posted() {
        startWithKey(true);
        int most = owner.context.queryDeviceEx().maxFastRegLen();
        Seen.atLeast("maxFastRegLen", ENTRIES, most);
        aKey(most);
        if (most < Integer.MAX_VALUE) {
            Seen.refuses("allocMrKey of one entry more than maxFastRegLen tells", () -> aKey(most + 1), Errno.EINVAL);
        }
        int before = key.rkey();
        refused("REG_MR to a key that is not the region's but for 8 bits", register(1, before ^ 0x100, WRITES));
        refused("REG_MR of no region", register(2, nextKey(), WRITES).fastRegister(new FastRegister()));
        refused("REG_MR without saying of what", register(3, nextKey(), WRITES).fastRegister(null));
        refused("REG_MR without pieces", register(4, nextKey(), WRITES).sgList(new ScatterGatherElement[0]));
        ScatterGatherElement page = ScatterGatherElement.of(whole, 0, PAGE);
        refused(
                "REG_MR of one piece more than the key was made for",
                register(5, nextKey(), WRITES).sgList(page, page, page, page));
        SendWorkRequest ordinary = register(6, MemoryWindow.incRkey(whole.rkey()), WRITES);
        ordinary.fastRegister().mr(whole);
        refused("REG_MR of a region of regMr", ordinary);
        refused("REG_MR that opens for writing by others alone", register(7, nextKey(), AccessFlags.REMOTE_WRITE));
        Seen.equal("rkey() of the region", hex(before), hex(key.rkey()));
        filled(WRITES);
    }

    private void refused(String what, SendWorkRequest wr) {
        Seen.errno("postSend of " + what, Errno.EINVAL, owner.qp.postSend(wr));
    }

    @Rule(
            id = "R17.07",
            since = 3,
            says = "fast register and its taking back take their turn in the queue",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.FAST_REGISTER})
    final void r1707Order() {
        startWithKey(false);
        int start = key.lkey();
        SendWorkRequest list = null;
        for (int i = 3; i >= 1; i--) {
            int now = start & ~0xff | start + i & 0xff;
            ScatterGatherElement own =
                    new ScatterGatherElement().addr(AT).length(length()).lkey(now);
            if (i < 3) {
                list = a.wr(WrOpcode.LOCAL_INV, 10L * i + 2).invalidateRkey(now).next(list);
            }
            list = a.to(b, 100, a.wr(WrOpcode.RDMA_WRITE, 10L * i + 1, own)).next(list);
            list = register(10L * i, now, LOCAL).next(list);
        }
        memory.put(pieces[0][0], (byte) 77);
        a.post(list);
        for (long wrId : new long[] {10, 11, 12, 20, 21, 22, 30, 31}) {
            a.next(wrId, WcStatus.SUCCESS);
        }
        Seen.equal("the first byte that was written from a key", (byte) 77, b.memory.buffer.get(100));
    }

    @Rule(
            id = "R17.08",
            since = 3,
            says =
                    "a region that a key has pieces of is not closed, or the key opens nothing then; a key is closed at any time",
            look = "ContextOps.deregMr",
            man = DESCRIBED,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.FAST_REGISTER})
    final void r1708Closed() {
        startWithKey(true);
        int number = filled(WRITES);
        try {
            whole.close();
            fails(write(1, number, 0, 8), WcStatus.REM_ACCESS_ERR, WcStatus.REM_OP_ERR);
        } catch (VerbsException e) {
            Seen.equal("the errno of closing a region that a key has", Errno.name(Errno.EBUSY), Errno.name(e.errno()));
            works(1, number);
        }
        startWithKey(true);
        number = filled(WRITES);
        key.close();
        fails(write(2, number, 0, 8), WcStatus.REM_ACCESS_ERR);
        whole.close();
    }

    // ---- RDMA read with invalidate

    SendWorkRequest readInto(long wrId, int number, int length) {
        ScatterGatherElement own =
                new ScatterGatherElement().addr(AT).length(length).lkey(number);
        return a.to(b, 300, a.wr(WrOpcode.RDMA_READ_WITH_INV, wrId, own));
    }

    @Rule(
            id = "R17.09",
            since = 3,
            says =
                    "an RDMA read with invalidate fetches the bytes, tells the key, and has taken it back when it completes",
            look = POST,
            man = "the Javadoc of WrOpcode.RDMA_READ_WITH_INV",
            needs = {Capability.RC, Capability.RDMA_READ, Capability.FAST_REGISTER, Capability.READ_WITH_INV})
    final void r1709ReadWithInvalidate() {
        startWithKey(false);
        for (int i = 0; i < 2; i++) {
            int number = filled(LOCAL);
            a.post(readInto(1, number, length()));
            WorkCompletion wc = a.next(1, WcStatus.SUCCESS);
            opcode(wc, WcOpcode.RDMA_READ);
            Seen.equal("wcFlags", WcFlags.toString(WcFlags.WITH_INV), WcFlags.toString(wc.wcFlags()));
            Seen.equal("invalidatedRkey", hex(number), hex(wc.invalidatedRkey()));
            holds("what was read", joined(), 0, b.memory, 300, length());
        }
        ScatterGatherElement gone =
                new ScatterGatherElement().addr(AT).length(8).lkey(key.lkey());
        a.post(a.to(b, 300, a.wr(WrOpcode.RDMA_READ, 2, gone)));
        a.next(2, WcStatus.LOC_PROT_ERR);
    }

    @Rule(
            id = "R17.10",
            since = 3,
            says = "an RDMA read with invalidate has one element, of a key that fast register has given memory to",
            look = POST,
            man = "the Javadoc of WrOpcode.RDMA_READ_WITH_INV",
            needs = {Capability.RC, Capability.RDMA_READ, Capability.FAST_REGISTER, Capability.READ_WITH_INV})
    final void r1710ReadRefused() {
        startWithKey(false);
        refused(
                "RDMA_READ_WITH_INV without an element",
                readInto(1, key.lkey(), 8).sgList(new ScatterGatherElement[0]));
        start(s -> s.maxSge = 2);
        owner = a;
        refused(
                "RDMA_READ_WITH_INV with two elements",
                a.to(b, 0, a.wr(WrOpcode.RDMA_READ_WITH_INV, 2, a.sge(0, 8), a.sge(8, 8))));
        wrong(
                "RDMA_READ_WITH_INV into a region of regMr",
                a.to(b, 300, a.wr(WrOpcode.RDMA_READ_WITH_INV, 3, a.sge(0, 8))),
                WcStatus.LOC_PROT_ERR,
                WcStatus.LOC_QP_OP_ERR,
                WcStatus.MW_BIND_ERR);
    }
}
