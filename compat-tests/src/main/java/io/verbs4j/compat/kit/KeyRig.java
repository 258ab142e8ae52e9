/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.Memory.PAGE;

import io.verbs4j.AccessFlags;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A key without memory, and memory to register with it. See {@link KeyRules}. */
final class KeyRig extends RequestRig {
    static final String DESCRIBED =
            "the Javadoc of WrOpcode.REG_MR, WrOpcode.LOCAL_INV and ProtectionDomain.allocMrKey";
    static final String POST = "QueuePair.postSend";
    static final int LOCAL = AccessFlags.LOCAL_WRITE;
    static final int WRITES = LOCAL | AccessFlags.REMOTE_WRITE;
    static final int ENTRIES = 3;

    /** The address of the first byte. */
    static final long AT = 1L << 36;

    Side owner;
    MemoryRegion key;
    ByteBuffer memory;
    MemoryRegion whole;
    int[][] pieces;

    KeyRig(ProviderKit kit) {
        super(kit);
    }

    void startWithKey(boolean there) {
        start();
        owner = there ? b : a;
        memory = Memory.pages(4 * PAGE);
        whole = owner.region(memory, owner.regionAccess);
        // Pieces of any kind if the device supports them; otherwise each is one page.
        boolean any = (owner.context.queryDeviceEx().deviceCapFlagsEx() & DeviceCap.BLOCK_LIST) != 0;
        pieces = any ? new int[][] {{13, 1001}, {9000, 7}, {5000, 2000}} : new int[][] {{2 * PAGE, PAGE}, {0, PAGE}};
        key = aKey(ENTRIES);
    }

    MemoryRegion aKey(int entries) {
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

    int nextKey() {
        return MemoryWindow.incRkey(key.rkey());
    }

    /** Gives the key memory, which must succeed; returns the new key. */
    int filled(int access) {
        int now = nextKey();
        owner.post(register(70, now, access));
        Seen.opcode(owner.next(70, WcStatus.SUCCESS), WcOpcode.REG_MR);
        Seen.equal("rkey() of the region after REG_MR", Seen.hex(now), Seen.hex(key.rkey()));
        Seen.equal("lkey() of the region after REG_MR", Seen.hex(now), Seen.hex(key.lkey()));
        return now;
    }

    void takenBack(int number) {
        owner.post(owner.wr(WrOpcode.LOCAL_INV, 71).invalidateRkey(number));
        Seen.opcode(owner.next(71, WcStatus.SUCCESS), WcOpcode.LOCAL_INV);
    }

    SendWorkRequest write(long wrId, int number, int offset, int length) {
        return a.wr(WrOpcode.RDMA_WRITE, wrId, a.sge(0, length))
                .remoteAddr(AT + offset)
                .rkey(number);
    }

    /** {@return the contents of the pieces, one after the other} */
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
        Seen.holds("the memory of a key after a write", joined(), 0, a.memory, 0, length());
    }

    /** Posts a wrong request of the owner: it must be refused or fail. */
    void wrong(String what, SendWorkRequest wr, int... statuses) {
        int errno = owner.qp.postSend(wr);
        if (errno != 0) {
            Seen.errno("postSend of " + what, Errno.EINVAL, errno);
        } else {
            owner.next(wr.wrId(), statuses);
        }
    }

    /**
     * Checks that a wrong piece gives no access: registering it fails or, if the device checks memory at its use, using
     * it does.
     */
    void opensNothing(ScatterGatherElement piece) {
        int now = nextKey();
        SendWorkRequest wr = register(1, now, WRITES).sgList(piece);
        int errno = b.qp.postSend(wr);
        if (errno != 0) {
            Seen.errno("postSend of REG_MR with an invalid piece", Errno.EINVAL, errno);
            return;
        }
        WorkCompletion wc = b.next();
        if (wc.status() != WcStatus.SUCCESS) {
            Seen.check(
                    wc.status() == WcStatus.LOC_PROT_ERR || wc.status() == WcStatus.MW_BIND_ERR,
                    "the status of REG_MR with an invalid piece is " + WcStatus.toString(wc.status())
                            + ", not LOC_PROT_ERR");
            return;
        }
        a.post(write(2, now, 0, piece.length()));
        Seen.check(a.next().status() != WcStatus.SUCCESS, "REG_MR accepted an invalid piece, and a peer wrote to it");
    }

    void refused(String what, SendWorkRequest wr) {
        Seen.errno("postSend of " + what, Errno.EINVAL, owner.qp.postSend(wr));
    }

    SendWorkRequest readInto(long wrId, int number, int length) {
        ScatterGatherElement own =
                new ScatterGatherElement().addr(AT).length(length).lkey(number);
        return a.to(b, 300, a.wr(WrOpcode.RDMA_READ_WITH_INV, wrId, own));
    }
}
