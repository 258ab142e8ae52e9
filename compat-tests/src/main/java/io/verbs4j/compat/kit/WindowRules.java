/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.WindowRig.AT;
import static io.verbs4j.compat.kit.WindowRig.LENGTH;
import static io.verbs4j.compat.kit.WindowRig.PAGE;
import static io.verbs4j.compat.kit.WindowRig.WRITES;

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
 * R14: memory windows of type 2, which {@code b} binds and {@code a} uses, and the invalidation of keys. No rule
 * invalidates an unbound key by a message, because that crashes a kernel.
 */
interface WindowRules {
    @Rule(
            id = "R14.01",
            since = 3,
            says = "a window of type 2 opens what it is bound to, again and again, with another key each time",
            look = {"ContextOps.allocMw", "QueuePair.postSend"},
            man = PAGE,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    default void r1401Bind(WindowRig rig) {
        rig.startWithWindow();
        Seen.equal("type() of the window", MwType.TYPE_2, rig.mw.type());
        for (int i = 1; i <= 3; i++) {
            int key = rig.bound(WRITES);
            rig.works(i, key);
            rig.takenBack(key);
        }
    }

    @Rule(
            id = "R14.02",
            since = 3,
            says = "a key that was taken back opens nothing, nor does one that the window had before",
            look = "QueuePair.postSend",
            man = PAGE,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    default void r1402Invalidated(WindowRig rig) {
        rig.startWithWindow();
        int first = rig.bound(WRITES);
        rig.takenBack(first);
        rig.bound(WRITES);
        rig.fails(rig.write(1, first, 0, LENGTH));
        rig.another();
        int last = rig.bound(WRITES);
        rig.takenBack(last);
        rig.fails(rig.write(2, last, 0, LENGTH));
    }

    @Rule(
            id = "R14.03",
            since = 3,
            says = "a window of type 2 is open to the peer of the queue pair that it is bound on, and to no other",
            look = "QueuePair.postSend",
            man = PAGE,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    default void r1403OtherQueuePair(WindowRig rig) {
        rig.startWithWindow();
        int key = rig.bound(WRITES);
        QueuePair own = rig.a.qp;
        rig.a.qp = rig.a.anotherQp();
        QueuePair other = rig.b.anotherQp();
        Side.connect(rig.a, rig.a.qp, rig.b, other);
        rig.a.post(rig.write(1, key, 0, LENGTH));
        rig.a.next(1, WcStatus.REM_ACCESS_ERR);
        rig.a.qp = own;
        rig.works(2, key);
    }

    @Rule(
            id = "R14.04",
            since = 3,
            says = "a window of type 2 opens no byte beside what it is bound to",
            look = "QueuePair.postSend",
            man = PAGE,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    default void r1404Bounds(WindowRig rig) {
        rig.startWithWindow();
        int key = rig.bound(WRITES);
        rig.works(1, key);
        rig.fails(rig.write(2, key, 1, LENGTH));
    }

    @Rule(
            id = "R14.05",
            since = 3,
            says = "a window of type 2 gives the rights that it is bound with, and no others",
            look = "QueuePair.postSend",
            man = PAGE,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.RDMA_READ, Capability.TYPE_2_WINDOWS})
    default void r1405Rights(WindowRig rig) {
        rig.startWithWindow();
        int key = rig.bound(AccessFlags.REMOTE_READ);
        rig.a.post(rig.a
                .wr(WrOpcode.RDMA_READ, 1, rig.a.sge(0, LENGTH))
                .remoteAddr(rig.b.mr.addr() + AT)
                .rkey(key));
        rig.a.next(1, WcStatus.SUCCESS);
        rig.fails(rig.write(2, key, 0, LENGTH));
    }

    @Rule(
            id = "R14.06",
            since = 3,
            says = "what a bind or an invalidation lacks is told when it is posted, and the window stays as it is",
            look = "QueuePair.postSend",
            man = PAGE,
            needs = {Capability.RC, Capability.TYPE_2_WINDOWS})
    default void r1406Posted(WindowRig rig) {
        rig.startWithWindow();
        int key = rig.mw.rkey();
        rig.refused(
                "a bind to a key that differs from the window's above the low 8 bits",
                rig.bind(1, key ^ 0x100, rig.part(WRITES)));
        rig.refused(
                "a bind without a region",
                rig.bind(2, rig.nextKey(), rig.part(WRITES).mr(null)));
        rig.refused("a bind without mwBind", rig.bind(3, rig.nextKey(), null));
        rig.refused(
                "a bind without a window",
                rig.bind(4, rig.nextKey(), rig.part(WRITES)).mw(null));
        if (rig.has(Capability.MEMORY_WINDOWS)) {
            MemoryWindow other = rig.opened(rig.b.pd.allocMw(MwType.TYPE_1));
            rig.refused(
                    "a bind of a window of type 1",
                    rig.bind(5, MemoryWindow.incRkey(other.rkey()), rig.part(WRITES))
                            .mw(other));
        }
        rig.refused(
                "a bind with data", rig.bind(6, rig.nextKey(), rig.part(WRITES)).sgList(rig.b.sge(0, 8)));
        rig.refused("LOCAL_INV with data", rig.invalidate(7, key).sgList(rig.b.sge(0, 8)));
        Seen.equal("the window's key", key, rig.mw.rkey());
        rig.bound(WRITES);
    }

    @Rule(
            id = "R14.07",
            since = 3,
            says = "a window that is bound can't be bound, nor one to what its region does not have; it keeps its key",
            look = "QueuePair.postSend",
            man = PAGE,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    default void r1407BadBinds(WindowRig rig) {
        rig.startWithWindow();
        int key = rig.bound(WRITES);
        rig.bindFails("a bind of a window that is bound", key, rig.part(WRITES));
        rig.another();
        rig.bindFails(
                "a bind beyond the region", rig.mw.rkey(), rig.part(WRITES).length(rig.b.mr.length()));
        MemoryRegion closed = rig.b.region(new Memory(Side.BYTES, 3).buffer, AccessFlags.LOCAL_WRITE | WRITES);
        rig.bindFails(
                "a bind to a region without MW_BIND",
                rig.mw.rkey(),
                rig.part(WRITES).mr(closed).addr(closed.addr()));
        MemoryRegion constant = rig.b.region(new Memory(Side.BYTES, 4).buffer, AccessFlags.MW_BIND);
        rig.bindFails(
                "a bind with write access to a region that is not writable",
                rig.mw.rkey(),
                rig.part(WRITES).mr(constant).addr(constant.addr()));
        rig.bound(WRITES);
    }

    @Rule(
            id = "R14.08",
            since = 3,
            says = "what is not bound on a queue pair can't be taken back there",
            look = "QueuePair.postSend",
            man = PAGE,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    default void r1408Free(WindowRig rig) {
        rig.startWithWindow();
        rig.notTakenBack("LOCAL_INV of a window that was never bound", rig.mw.rkey());
        int key = rig.bound(WRITES);
        rig.works(1, key);
        rig.notTakenBack("LOCAL_INV with another key than the window's", key ^ 1);
        key = rig.bound(WRITES);
        QueuePair own = rig.b.qp;
        rig.b.qp = rig.b.anotherQp();
        QueuePair there = rig.a.anotherQp();
        Side.connect(rig.a, there, rig.b, rig.b.qp);
        QueuePair other = rig.b.qp;
        int errno = other.postSend(rig.invalidate(8, key));
        Seen.check(
                errno == Errno.EINVAL || errno == 0 && rig.b.next().status() != WcStatus.SUCCESS,
                "LOCAL_INV succeeded on another queue pair than the window is bound on");
        rig.b.qp = own;
        rig.works(2, key);
        rig.takenBack(key);
        rig.notTakenBack("a second LOCAL_INV", key);
    }

    @Rule(
            id = "R14.09",
            since = 3,
            says = "binds and invalidations take their turn in the queue, with a fence and without",
            look = "QueuePair.postSend",
            man = PAGE,
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    default void r1409Order(WindowRig rig) {
        rig.startWithWindow();
        rig.inTurn(0);
        rig.takenBack(rig.mw.rkey());
        rig.inTurn(SendFlags.FENCE);
        rig.works(1, rig.mw.rkey());
    }

    @Rule(
            id = "R14.10",
            since = 3,
            says = "a device has windows of type 2A, which any domain's queue pair binds, or 2B, which one of theirs"
                    + " binds; it says which",
            look = {"ContextOps.queryDevice", "QueuePair.postSend"},
            man = "ibv_query_device(3) (IBV_DEVICE_MEM_WINDOW_TYPE_2A, IBV_DEVICE_MEM_WINDOW_TYPE_2B)",
            needs = {Capability.RC, Capability.TYPE_2_WINDOWS})
    default void r1410Domains(WindowRig rig) {
        rig.startWithWindow();
        long caps = rig.b.context.queryDevice().deviceCaps();
        boolean byQueuePair = (caps & DeviceCap.MEM_WINDOW_TYPE_2A) != 0;
        Seen.check(
                byQueuePair != ((caps & DeviceCap.MEM_WINDOW_TYPE_2B) != 0)
                        && (caps & DeviceCap.MEM_MGT_EXTENSIONS) != 0,
                "deviceCaps is " + DeviceCap.toString(caps)
                        + "; it must have MEM_MGT_EXTENSIONS, and one of MEM_WINDOW_TYPE_2A and MEM_WINDOW_TYPE_2B");
        ProtectionDomain foreign = rig.opened(rig.b.context.allocPd());
        Memory memory = new Memory(Side.BYTES, 5);
        MemoryRegion mr = rig.opened(foreign.regMr(memory.buffer, AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND));
        rig.mw = rig.opened(foreign.allocMw(MwType.TYPE_2));
        MwBind bind = rig.part(0).mr(mr).addr(mr.addr());
        if (byQueuePair) {
            rig.b.post(rig.bind(1, rig.nextKey(), bind));
            rig.b.next(1, WcStatus.SUCCESS);
        } else {
            rig.bindFails("a bind of another domain's window", rig.mw.rkey(), bind);
        }
    }

    @Rule(
            id = "R14.11",
            since = 3,
            says = "a window of type 2 that is bound can be closed, and nothing is open by its key then",
            look = "ContextOps.deallocMw",
            man = "ibv_dealloc_mw(3)",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    default void r1411Closed(WindowRig rig) {
        rig.startWithWindow();
        int key = rig.bound(WRITES);
        rig.mw.close();
        rig.fails(rig.write(1, key, 0, LENGTH));
        rig.mw = rig.opened(rig.b.pd.allocMw(MwType.TYPE_2));
        rig.works(2, rig.bound(WRITES));
        QueuePair gone = rig.b.qp;
        boolean held = false;
        try {
            gone.close();
        } catch (VerbsException e) {
            held = e.errno() == Errno.EBUSY;
            Seen.check(held, "close of a queue pair that a window is bound on failed with " + Errno.name(e.errno()));
        }
        rig.mw.close();
        if (held) {
            gone.close();
        }
        rig.mw = rig.opened(rig.b.pd.allocMw(MwType.TYPE_2));
        rig.connectAnew();
        rig.works(3, rig.bound(WRITES));
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
    default void r1412Send(WindowRig rig) {
        rig.startWithWindow();
        for (int length : new int[] {0, 20, 5 * Side.MTU + 1}) {
            int key = rig.bound(WRITES);
            rig.works(1, key);
            rig.b.recv(2, 8000, 6000);
            SendWorkRequest wr = rig.a.wr(WrOpcode.SEND_WITH_INV, 3);
            rig.a.post((length == 0 ? wr : wr.sgList(rig.a.sge(100, length))).invalidateRkey(key));
            WorkCompletion sent = rig.a.next(3, WcStatus.SUCCESS);
            Seen.equal(
                    "the opcode of the completion of SEND_WITH_INV",
                    WindowRig.opcode(WcOpcode.SEND),
                    WindowRig.opcode(sent.opcode()));
            WorkCompletion wc = rig.b.next(2, WcStatus.SUCCESS);
            Seen.equal("byteLen", length, wc.byteLen());
            Seen.equal(
                    "wcFlags of the receive",
                    WcFlags.toString(WcFlags.WITH_INV),
                    WcFlags.toString(wc.wcFlags() & ~WcFlags.GRH));
            Seen.equal("invalidatedRkey", Integer.toHexString(key), Integer.toHexString(wc.invalidatedRkey()));
            rig.b.memory.holds(8000, rig.a.memory, 100, length);
        }
        rig.fails(rig.write(4, rig.mw.rkey(), 0, LENGTH));
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
    default void r1413WrongKey(WindowRig rig) {
        rig.startWithWindow();
        int key = rig.bound(WRITES);
        rig.b.recv(2, 8000, 100);
        rig.a.post(rig.a.wr(WrOpcode.SEND_WITH_INV, 3, rig.a.sge(100, 20)).invalidateRkey(key ^ 1));
        rig.a.next();
        WorkCompletion wc = rig.b.next();
        Seen.check(wc.status() != WcStatus.SUCCESS, "the receive completed successfully");
        rig.b.awaitState(QpState.ERR);
        rig.connectAnew();
        rig.another();
        rig.works(4, rig.bound(WRITES));
    }
}
