/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;

/**
 * R14: memory windows of type 2, which {@code b} binds and {@code a} uses, and keys that are taken back. No rule takes back what is free
 * by a message: there is a kernel that falls over it.
 */
abstract class WindowRules extends AskedRules {
    private static final String PAGE = "ibv_post_send(3) (IBV_WR_BIND_MW, IBV_WR_LOCAL_INV), ibv_bind_mw(3)";
    private static final int AT = 1000;
    private static final int LENGTH = 100;
    private static final int WRITES = AccessFlags.REMOTE_WRITE;

    private MemoryWindow mw;

    /** For {@link ProviderKit}. */
    WindowRules() {}

    private void startWithWindow() {
        start();
        mw = opened(b.pd.allocMw(MwType.TYPE_2));
    }

    private MwBind part(int rights) {
        return new MwBind().mr(b.mr).addr(b.mr.addr() + AT).length(LENGTH).mwAccessFlags(rights);
    }

    private SendWorkRequest bind(long wrId, int key, MwBind what) {
        return b.wr(WrOpcode.BIND_MW, wrId).mw(mw).mwRkey(key).mwBind(what);
    }

    private SendWorkRequest invalidate(long wrId, int key) {
        return b.wr(WrOpcode.LOCAL_INV, wrId).invalidateRkey(key);
    }

    private int nextKey() {
        return MemoryWindow.incRkey(mw.rkey());
    }

    /** Binds, which must do; answers the key. */
    private int bound(int rights) {
        int key = nextKey();
        b.post(bind(50, key, part(rights)));
        Seen.equal("the window's key once a bind is posted", Integer.toHexString(key), Integer.toHexString(mw.rkey()));
        WorkCompletion wc = b.next(50, WcStatus.SUCCESS);
        Seen.equal("the opcode of the completion of BIND_MW", opcode(WcOpcode.BIND_MW), opcode(wc.opcode()));
        return key;
    }

    private static String opcode(int value) {
        return WcOpcode.toString(value);
    }

    private void takenBack(int key) {
        b.post(invalidate(51, key));
        WorkCompletion wc = b.next(51, WcStatus.SUCCESS);
        Seen.equal("the opcode of the completion of LOCAL_INV", opcode(WcOpcode.LOCAL_INV), opcode(wc.opcode()));
    }

    private SendWorkRequest write(long wrId, int key, int offset, int length) {
        return a.wr(WrOpcode.RDMA_WRITE, wrId, a.sge(0, length))
                .remoteAddr(b.mr.addr() + AT + offset)
                .rkey(key);
    }

    private void works(long wrId, int key) {
        a.post(write(wrId, key, 0, LENGTH));
        a.next(wrId, WcStatus.SUCCESS);
        b.memory.holds(AT, a.memory, 0, LENGTH);
    }

    private void fails(SendWorkRequest wr) {
        a.post(wr);
        a.next(wr.wrId(), WcStatus.REM_ACCESS_ERR);
        b.awaitState(QpState.ERR);
        connectAnew();
    }

    private void connectAnew() {
        a.qp = a.anotherQp();
        b.qp = b.anotherQp();
        Side.connect(a, b);
    }

    @Rule(
            id = "R14.01",
            since = 3,
            says = "a window of type 2 opens what it is bound to, again and again, with another key each time",
            look = {"ContextOps.allocMw", "QueuePair.postSend"},
            man = PAGE,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    final void r1401Bind() {
        startWithWindow();
        Seen.equal("type() of the window", MwType.TYPE_2, mw.type());
        for (int i = 1; i <= 3; i++) {
            int key = bound(WRITES);
            works(i, key);
            takenBack(key);
        }
    }

    @Rule(
            id = "R14.02",
            since = 3,
            says = "a key that was taken back opens nothing, nor does one that the window had before",
            look = "QueuePair.postSend",
            man = PAGE,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    final void r1402Invalidated() {
        startWithWindow();
        int first = bound(WRITES);
        takenBack(first);
        bound(WRITES);
        fails(write(1, first, 0, LENGTH));
        another();
        int last = bound(WRITES);
        takenBack(last);
        fails(write(2, last, 0, LENGTH));
    }

    @Rule(
            id = "R14.03",
            since = 3,
            says = "a window of type 2 is open to the peer of the queue pair that it is bound on, and to no other",
            look = "QueuePair.postSend",
            man = PAGE,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    final void r1403OtherQueuePair() {
        startWithWindow();
        int key = bound(WRITES);
        QueuePair own = a.qp;
        a.qp = a.anotherQp();
        QueuePair other = b.anotherQp();
        Side.connect(a, a.qp, b, other);
        a.post(write(1, key, 0, LENGTH));
        a.next(1, WcStatus.REM_ACCESS_ERR);
        a.qp = own;
        works(2, key);
    }

    @Rule(
            id = "R14.04",
            since = 3,
            says = "a window of type 2 opens no byte beside what it is bound to",
            look = "QueuePair.postSend",
            man = PAGE,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    final void r1404Bounds() {
        startWithWindow();
        int key = bound(WRITES);
        works(1, key);
        fails(write(2, key, 1, LENGTH));
    }

    @Rule(
            id = "R14.05",
            since = 3,
            says = "a window of type 2 gives the rights that it is bound with, and no others",
            look = "QueuePair.postSend",
            man = PAGE,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.RDMA_READ, Capability.TYPE_2_WINDOWS})
    final void r1405Rights() {
        startWithWindow();
        int key = bound(AccessFlags.REMOTE_READ);
        a.post(a.wr(WrOpcode.RDMA_READ, 1, a.sge(0, LENGTH))
                .remoteAddr(b.mr.addr() + AT)
                .rkey(key));
        a.next(1, WcStatus.SUCCESS);
        fails(write(2, key, 0, LENGTH));
    }

    @Rule(
            id = "R14.06",
            since = 3,
            says = "what a bind or an invalidation lacks is told when it is posted, and the window stays as it is",
            look = "QueuePair.postSend",
            man = PAGE,
            needs = {Capability.RC, Capability.TYPE_2_WINDOWS})
    final void r1406Posted() {
        startWithWindow();
        int key = mw.rkey();
        refused("a bind to a key that is not the window's but for 8 bits", bind(1, key ^ 0x100, part(WRITES)));
        refused("a bind without a region", bind(2, nextKey(), part(WRITES).mr(null)));
        refused("a bind without what it is to", bind(3, nextKey(), null));
        refused("a bind of no window", bind(4, nextKey(), part(WRITES)).mw(null));
        if (hasMemoryWindows()) {
            MemoryWindow other = opened(b.pd.allocMw(MwType.TYPE_1));
            refused(
                    "a bind of a window of type 1",
                    bind(5, MemoryWindow.incRkey(other.rkey()), part(WRITES)).mw(other));
        }
        refused("a bind with data", bind(6, nextKey(), part(WRITES)).sgList(b.sge(0, 8)));
        refused("LOCAL_INV with data", invalidate(7, key).sgList(b.sge(0, 8)));
        Seen.equal("the window's key", key, mw.rkey());
        bound(WRITES);
    }

    private void refused(String what, SendWorkRequest wr) {
        Seen.errno("postSend of " + what, Errno.EINVAL, b.qp.postSend(wr));
    }

    @Rule(
            id = "R14.07",
            since = 3,
            says = "a window that is bound can't be bound, nor one to what its region does not have; it keeps its key",
            look = "QueuePair.postSend",
            man = PAGE,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    final void r1407BadBinds() {
        startWithWindow();
        int key = bound(WRITES);
        bindFails("a bind of a window that is bound", key, part(WRITES));
        another();
        bindFails("a bind beyond the region", mw.rkey(), part(WRITES).length(b.mr.length()));
        MemoryRegion closed = b.region(new Memory(Side.BYTES, 3).buffer, AccessFlags.LOCAL_WRITE | WRITES);
        bindFails(
                "a bind to a region without MW_BIND",
                mw.rkey(),
                part(WRITES).mr(closed).addr(closed.addr()));
        MemoryRegion constant = b.region(new Memory(Side.BYTES, 4).buffer, AccessFlags.MW_BIND);
        bindFails(
                "a bind that opens a region for writing that is not writable",
                mw.rkey(),
                part(WRITES).mr(constant).addr(constant.addr()));
        bound(WRITES);
    }

    /** It is refused, or its completion says so. */
    private void bindFails(String what, int keyBefore, MwBind bind) {
        int errno = b.qp.postSend(bind(9, nextKey(), bind));
        if (errno == 0) {
            WorkCompletion wc = b.next();
            Seen.equal(
                    "the status of " + what, WcStatus.toString(WcStatus.MW_BIND_ERR), WcStatus.toString(wc.status()));
            b.awaitState(QpState.ERR);
            connectAnew();
        } else {
            Seen.errno("postSend of " + what, Errno.EINVAL, errno);
        }
        Seen.equal("the window's key after " + what, keyBefore, mw.rkey());
    }

    @Rule(
            id = "R14.08",
            since = 3,
            says = "what is not bound on a queue pair can't be taken back there",
            look = "QueuePair.postSend",
            man = PAGE,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    final void r1408Free() {
        startWithWindow();
        notTakenBack("LOCAL_INV of a window that was never bound", mw.rkey());
        int key = bound(WRITES);
        works(1, key);
        notTakenBack("LOCAL_INV with another key than the window's", key ^ 1);
        key = bound(WRITES);
        QueuePair own = b.qp;
        b.qp = b.anotherQp();
        QueuePair there = a.anotherQp();
        Side.connect(a, there, b, b.qp);
        QueuePair other = b.qp;
        int errno = other.postSend(invalidate(8, key));
        Seen.check(
                errno == Errno.EINVAL || errno == 0 && b.next().status() != WcStatus.SUCCESS,
                "LOCAL_INV on another queue pair than the window is bound on was done");
        b.qp = own;
        works(2, key);
        takenBack(key);
        notTakenBack("a second LOCAL_INV", key);
    }

    private void notTakenBack(String what, int key) {
        int errno = b.qp.postSend(invalidate(8, key));
        if (errno == 0) {
            WorkCompletion wc = b.next();
            boolean told = wc.status() == WcStatus.LOC_QP_OP_ERR || wc.status() == WcStatus.MW_BIND_ERR;
            Seen.check(told, "the status of " + what + " is " + WcStatus.toString(wc.status()));
            b.awaitState(QpState.ERR);
            connectAnew();
        } else {
            Seen.errno("postSend of " + what, Errno.EINVAL, errno);
        }
        another(); // whether the old one stays bound is the device's matter
    }

    private void another() {
        mw.close();
        mw = opened(b.pd.allocMw(MwType.TYPE_2));
    }

    @Rule(
            id = "R14.09",
            since = 3,
            says = "binds and invalidations take their turn in the queue, with a fence and without",
            look = "QueuePair.postSend",
            man = PAGE,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    final void r1409Order() {
        startWithWindow();
        inTurn(0);
        takenBack(mw.rkey());
        inTurn(SendFlags.FENCE);
        works(1, mw.rkey());
    }

    /** Binds, takes back, and binds again, with other requests between. */
    private void inTurn(int fence) {
        int first = nextKey();
        int second = MemoryWindow.incRkey(first);
        SendWorkRequest list = b.to(a, 4000, b.wr(WrOpcode.RDMA_WRITE, 14, b.sge(0, 1000)));
        list = bind(13, second, part(WRITES)).next(list);
        list = invalidate(12, first).sendFlags(SendFlags.SIGNALED | fence).next(list);
        list = b.to(a, 4000, b.wr(WrOpcode.RDMA_WRITE, 11, b.sge(0, 1000))).next(list);
        b.post(bind(10, first, part(WRITES)).next(list));
        for (int wrId = 10; wrId <= 14; wrId++) {
            b.next(wrId, WcStatus.SUCCESS);
        }
        Seen.equal("the window's key", second, mw.rkey());
    }

    @Rule(
            id = "R14.10",
            since = 3,
            says =
                    "a device has windows of type 2A, which any domain's queue pair binds, or 2B, which one of theirs binds; it says which",
            look = {"ContextOps.queryDevice", "QueuePair.postSend"},
            man = "ibv_query_device(3) (IBV_DEVICE_MEM_WINDOW_TYPE_2A, IBV_DEVICE_MEM_WINDOW_TYPE_2B)",
            needs = {Capability.RC, Capability.TYPE_2_WINDOWS})
    final void r1410Domains() {
        startWithWindow();
        long caps = b.context.queryDevice().deviceCaps();
        boolean byQueuePair = (caps & DeviceCap.MEM_WINDOW_TYPE_2A) != 0;
        Seen.check(
                byQueuePair != ((caps & DeviceCap.MEM_WINDOW_TYPE_2B) != 0)
                        && (caps & DeviceCap.MEM_MGT_EXTENSIONS) != 0,
                "deviceCaps is " + DeviceCap.toString(caps)
                        + "; it must have MEM_MGT_EXTENSIONS, and one of MEM_WINDOW_TYPE_2A and MEM_WINDOW_TYPE_2B");
        ProtectionDomain foreign = opened(b.context.allocPd());
        Memory memory = new Memory(Side.BYTES, 5);
        MemoryRegion mr = opened(foreign.regMr(memory.buffer, AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND));
        mw = opened(foreign.allocMw(MwType.TYPE_2));
        MwBind bind = part(0).mr(mr).addr(mr.addr());
        if (byQueuePair) {
            b.post(bind(1, nextKey(), bind));
            b.next(1, WcStatus.SUCCESS);
        } else {
            bindFails("a bind of another domain's window", mw.rkey(), bind);
        }
    }

    @Rule(
            id = "R14.11",
            since = 3,
            says = "a window of type 2 that is bound can be closed, and nothing is open by its key then",
            look = "ContextOps.deallocMw",
            man = "ibv_dealloc_mw(3)",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    final void r1411Closed() {
        startWithWindow();
        int key = bound(WRITES);
        mw.close();
        fails(write(1, key, 0, LENGTH));
        mw = opened(b.pd.allocMw(MwType.TYPE_2));
        works(2, bound(WRITES));
        QueuePair gone = b.qp;
        boolean held = false;
        try {
            gone.close();
        } catch (VerbsException e) {
            held = e.errno() == Errno.EBUSY;
            Seen.check(held, "close of a queue pair that a window is bound on answered " + Errno.name(e.errno()));
        }
        mw.close();
        if (held) {
            gone.close();
        }
        mw = opened(b.pd.allocMw(MwType.TYPE_2));
        connectAnew();
        works(3, bound(WRITES));
    }

    @Rule(
            id = "R14.12",
            since = 3,
            says = "a message with an invalidation arrives, tells the key, and has taken it back",
            look = "QueuePair.postSend",
            man = "ibv_post_send(3) (IBV_WR_SEND_WITH_INV), ibv_poll_cq(3) (IBV_WC_WITH_INV)",
            needs = {
                Capability.RC,
                Capability.SEND,
                Capability.RDMA_WRITE,
                Capability.TYPE_2_WINDOWS,
                Capability.SEND_WITH_INV
            })
    final void r1412Send() {
        startWithWindow();
        for (int length : new int[] {0, 20, 5 * Side.MTU + 1}) {
            int key = bound(WRITES);
            works(1, key);
            b.recv(2, 8000, 6000);
            SendWorkRequest wr = a.wr(WrOpcode.SEND_WITH_INV, 3);
            a.post((length == 0 ? wr : wr.sgList(a.sge(100, length))).invalidateRkey(key));
            WorkCompletion sent = a.next(3, WcStatus.SUCCESS);
            Seen.equal("the opcode of the completion of SEND_WITH_INV", opcode(WcOpcode.SEND), opcode(sent.opcode()));
            WorkCompletion wc = b.next(2, WcStatus.SUCCESS);
            Seen.equal("byteLen", length, wc.byteLen());
            Seen.equal(
                    "wcFlags of the receive",
                    WcFlags.toString(WcFlags.WITH_INV),
                    WcFlags.toString(wc.wcFlags() & ~WcFlags.GRH));
            Seen.equal("invalidatedRkey", Integer.toHexString(key), Integer.toHexString(wc.invalidatedRkey()));
            b.memory.holds(8000, a.memory, 100, length);
        }
        fails(write(4, mw.rkey(), 0, LENGTH));
    }

    @Rule(
            id = "R14.13",
            since = 3,
            says = "a message with a key that is not in force completes no receive",
            look = "QueuePair.postSend",
            man = "ibv_post_send(3) (IBV_WR_SEND_WITH_INV)",
            needs = {
                Capability.RC,
                Capability.SEND,
                Capability.RDMA_WRITE,
                Capability.TYPE_2_WINDOWS,
                Capability.SEND_WITH_INV
            })
    final void r1413WrongKey() {
        startWithWindow();
        int key = bound(WRITES);
        b.recv(2, 8000, 100);
        a.post(a.wr(WrOpcode.SEND_WITH_INV, 3, a.sge(100, 20)).invalidateRkey(key ^ 1));
        a.next();
        WorkCompletion wc = b.next();
        Seen.check(wc.status() != WcStatus.SUCCESS, "the receive has completed with success");
        b.awaitState(QpState.ERR);
        connectAnew();
        another();
        works(4, bound(WRITES));
    }
}
