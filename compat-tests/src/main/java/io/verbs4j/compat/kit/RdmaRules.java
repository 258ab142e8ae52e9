/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;

/** R5: RDMA and atomics, and R7: which memory may be accessed. */
interface RdmaRules {
    @Rule(
            id = "R5.01",
            says = "RDMA write puts the bytes at the given address, and nothing beside them",
            look = "QueuePair.postSend",
            man = "ibv_post_send(3), DESCRIPTION (IBV_WR_RDMA_WRITE)",
            needs = {Capability.RC, Capability.RDMA_WRITE})
    default void r501Write(Rig rig) {
        rig.start();
        for (int size : new int[] {1, Side.MTU, 5000}) {
            rig.a.post(rig.a.to(rig.b, 20_001, rig.a.wr(WrOpcode.RDMA_WRITE, 9, rig.a.sge(7, size))));
            WorkCompletion wc = rig.a.next(9, WcStatus.SUCCESS);
            Seen.equal("opcode", WcOpcode.toString(WcOpcode.RDMA_WRITE), WcOpcode.toString(wc.opcode()));
            rig.b.memory.holds(20_001, rig.a.memory, 7, size);
        }
        rig.b.memory.untouched(0, 20_001);
        rig.b.memory.untouched(25_001, 10_000);
        rig.b.nothing("on the side that was written to");
    }

    @Rule(
            id = "R5.02",
            says = "RDMA write with immediate data takes a receive, which tells data and length",
            look = "QueuePair.postSend",
            man = "ibv_post_send(3), DESCRIPTION (IBV_WR_RDMA_WRITE_WITH_IMM)",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.IMMEDIATE})
    default void r502WriteImmediate(Rig rig) {
        rig.start();
        rig.b.recv(3, 40_000, 0);
        rig.a.post(rig.a.to(
                rig.b,
                0,
                rig.a.wr(WrOpcode.RDMA_WRITE_WITH_IMM, 9, rig.a.sge(0, 2000)).immData(77)));
        WorkCompletion got = rig.b.next(3, WcStatus.SUCCESS);
        Seen.equal("opcode", WcOpcode.toString(WcOpcode.RECV_RDMA_WITH_IMM), WcOpcode.toString(got.opcode()));
        Seen.equal("immData", 77, got.immData());
        Seen.equal("byteLen", 2000, got.byteLen());
        rig.b.memory.holds(0, rig.a.memory, 0, 2000);
    }

    @Rule(
            id = "R5.03",
            says = "RDMA read fetches the bytes",
            look = "QueuePair.postSend",
            man = "ibv_post_send(3), DESCRIPTION (IBV_WR_RDMA_READ)",
            needs = {Capability.RC, Capability.RDMA_READ})
    default void r503Read(Rig rig) {
        rig.start();
        for (int size : new int[] {1, Side.MTU, 5000}) {
            rig.a.post(rig.a.to(rig.b, 333, rig.a.wr(WrOpcode.RDMA_READ, 4, rig.a.sge(11, size))));
            WorkCompletion wc = rig.a.next(4, WcStatus.SUCCESS);
            Seen.equal("opcode", WcOpcode.toString(WcOpcode.RDMA_READ), WcOpcode.toString(wc.opcode()));
            rig.a.memory.holds(11, rig.b.memory, 333, size);
        }
        rig.a.memory.untouched(5011, 5000);
        rig.b.memory.untouched(0, Side.BYTES);
    }

    @Rule(
            id = "R5.04",
            says = "fetch and add, and compare and swap, work on numbers in the machine's order and give the old value",
            look = "QueuePair.postSend",
            man = "ibv_post_send(3), DESCRIPTION (IBV_WR_ATOMIC_FETCH_AND_ADD)",
            needs = {Capability.RC, Capability.ATOMICS})
    default void r504Atomics(Rig rig) {
        rig.start();
        rig.b.memory.buffer.putLong(64, 40);
        rig.a.post(rig.a.to(
                rig.b,
                64,
                rig.a.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 1, rig.a.sge(0, 8)).compareAdd(2)));
        rig.a.next(1, WcStatus.SUCCESS);
        Seen.equal("the value that fetch and add returned", 40L, rig.a.memory.buffer.getLong(0));
        Seen.equal("40 + 2 in the memory", 42L, rig.b.memory.buffer.getLong(64));
        rig.a.post(rig.a
                .to(rig.b, 64, rig.a.wr(WrOpcode.ATOMIC_CMP_AND_SWP, 2, rig.a.sge(8, 8)))
                .compareAdd(42)
                .swap(-5));
        rig.a.next(2, WcStatus.SUCCESS);
        Seen.equal("the value that compare and swap returned", 42L, rig.a.memory.buffer.getLong(8));
        Seen.equal("the value swapped in", -5L, rig.b.memory.buffer.getLong(64));
        rig.a.post(rig.a
                .to(rig.b, 64, rig.a.wr(WrOpcode.ATOMIC_CMP_AND_SWP, 3, rig.a.sge(8, 8)))
                .compareAdd(1)
                .swap(1));
        rig.a.next(3, WcStatus.SUCCESS);
        Seen.equal("the value after a swap that did not match", -5L, rig.b.memory.buffer.getLong(64));
    }

    /** {@return the operations of the device that access memory of this side; those that fetch bytes come last} */
    private static List<Integer> localOperations(Rig rig) {
        List<Integer> all = new ArrayList<>();
        if (rig.has(Capability.SEND)) {
            all.add(WrOpcode.SEND);
        }
        if (rig.has(Capability.RDMA_WRITE)) {
            all.add(WrOpcode.RDMA_WRITE);
        }
        all.addAll(fetchingOperations(rig));
        return all;
    }

    private static List<Integer> fetchingOperations(Rig rig) {
        List<Integer> all = new ArrayList<>();
        if (rig.has(Capability.RDMA_READ)) {
            all.add(WrOpcode.RDMA_READ);
        }
        if (rig.has(Capability.ATOMICS) && rig.has(Capability.RC)) {
            all.add(WrOpcode.ATOMIC_FETCH_AND_ADD);
        }
        return all;
    }

    /**
     * Checks that each operation, on its own connection, refuses local memory that it must not access. The memory has 8
     * bytes, the size of atomics.
     */
    private static void refusesLocally(Rig rig, List<Integer> opcodes, Supplier<ScatterGatherElement> memory) {
        for (int opcode : opcodes) {
            rig.start();
            if (opcode == WrOpcode.SEND) {
                rig.b.recv(1, 0, 100);
            }
            SendWorkRequest wr = rig.a.request(opcode, rig.b, 1, 64, memory.get());
            if (rig.has(Capability.REGION_KEYS)) {
                rig.a.post(wr);
            } else {
                int errno = rig.a.qp.postSend(wr); // if the device does not check keys, the post may
                if (errno != 0) {
                    Seen.errno("postSend of " + WrOpcode.toString(opcode), Errno.EINVAL, errno);
                    continue;
                }
            }
            WorkCompletion wc = rig.a.next();
            Seen.check(
                    wc.status() == WcStatus.LOC_PROT_ERR,
                    "the status of completion 1 is " + WcStatus.toString(wc.status()) + ", not "
                            + WcStatus.toString(WcStatus.LOC_PROT_ERR) + ", after " + WrOpcode.toString(opcode));
        }
    }

    @Rule(
            id = "R7.01",
            says = "a local key that does not fit fails each operation with LOC_PROT_ERR",
            look = {"QueuePair.postSend", "ContextOps.regMrBuffer"},
            man = "ibv_poll_cq(3), DESCRIPTION (IBV_WC_LOC_PROT_ERR)",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r701LocalKey(Rig rig) {
        refusesLocally(
                rig,
                localOperations(rig),
                () -> new ScatterGatherElement().addr(rig.a.mr.addr()).length(8).lkey(rig.a.mr.lkey() ^ 0x5a5a5a));
    }

    @Rule(
            id = "R7.02",
            says = "each operation stays within its region",
            look = {"QueuePair.postSend", "ContextOps.regMrBuffer"},
            man = "ibv_poll_cq(3), DESCRIPTION (IBV_WC_LOC_PROT_ERR)",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r702LocalBounds(Rig rig) {
        refusesLocally(
                rig,
                localOperations(rig),
                () -> new ScatterGatherElement()
                        .addr(rig.a.mr.addr() + Side.BYTES - 4)
                        .length(8)
                        .lkey(rig.a.mr.lkey()));
    }

    @Rule(
            id = "R7.03",
            says = "memory of another protection domain can't be used",
            look = {"QueuePair.postSend", "ContextOps.regMrBuffer"},
            man = "ibv_alloc_pd(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r703Domains(Rig rig) {
        refusesLocally(rig, localOperations(rig), () -> ScatterGatherElement.of(foreign(rig), 0, 8));
    }

    /**
     * {@return memory of another domain than a's: of a second domain of its context or, if there is none, of the other
     * side}
     */
    private static MemoryRegion foreign(Rig rig) {
        if (rig.a.context.queryDevice().maxPd() > 1) {
            ProtectionDomain second = rig.opened(rig.a.context.allocPd());
            return rig.opened(second.regMr(ByteBuffer.allocateDirect(64), AccessFlags.LOCAL_WRITE));
        }
        Assumptions.assumeTrue(
                Objects.equals(rig.kit.deviceName(), rig.kit.peerDeviceName()) && rig.a.pd != rig.b.pd,
                "R7.03 requires a second protection domain: maxPd of queryDevice is 1, and the other side uses the same"
                        + " domain, or keys of another device, which mean nothing here");
        return rig.b.mr;
    }

    @Rule(
            id = "R7.04",
            says = "a region that was closed is not touched any more",
            look = "ContextOps.deregMr",
            man = "ibv_dereg_mr(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r704Closed(Rig rig) {
        refusesLocally(rig, localOperations(rig), () -> {
            MemoryRegion region = rig.a.region(ByteBuffer.allocateDirect(8), AccessFlags.LOCAL_WRITE);
            ScatterGatherElement sge = ScatterGatherElement.of(region);
            region.close();
            return sge;
        });
    }

    @Rule(
            id = "R7.05",
            says = "a wrong remote key is refused with REM_ACCESS_ERR, and nothing is written",
            look = "QueuePair.postSend",
            man = "ibv_poll_cq(3), DESCRIPTION (IBV_WC_REM_ACCESS_ERR)",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.REGION_KEYS})
    default void r705RemoteKey(Rig rig) {
        rig.start();
        rig.a.post(rig.a
                .to(rig.b, 0, rig.a.wr(WrOpcode.RDMA_WRITE, 1, rig.a.sge(0, 8)))
                .rkey(rig.b.mr.rkey() ^ 0x5a5a5a));
        rig.a.next(1, WcStatus.REM_ACCESS_ERR);
        rig.b.memory.untouched(0, Side.BYTES);
    }

    @Rule(
            id = "R7.06",
            says = "remote access stays within the region",
            look = "QueuePair.postSend",
            man = "ibv_poll_cq(3), DESCRIPTION (IBV_WC_REM_ACCESS_ERR)",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.REGION_KEYS})
    default void r706RemoteBounds(Rig rig) {
        for (long offset : new long[] {-1, Side.BYTES - 7L, Side.BYTES, Long.MAX_VALUE}) {
            rig.start();
            rig.a.post(rig.a
                    .wr(WrOpcode.RDMA_WRITE, 1, rig.a.sge(0, 8))
                    .remoteAddr(rig.b.mr.addr() + offset)
                    .rkey(rig.b.mr.rkey()));
            rig.a.next(1, WcStatus.REM_ACCESS_ERR);
            rig.b.memory.untouched(0, Side.BYTES);
        }
    }

    @Rule(
            id = "R7.07",
            says = "remote access needs the right of the region",
            look = {"QueuePair.postSend", "ContextOps.regMrBuffer"},
            man = "ibv_reg_mr(3), DESCRIPTION (access)",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.REGION_KEYS})
    default void r707RegionRight(Rig rig) {
        rig.start();
        MemoryRegion closed = rig.b.region(ByteBuffer.allocateDirect(64), AccessFlags.LOCAL_WRITE);
        rig.a.post(rig.a
                .wr(WrOpcode.RDMA_WRITE, 1, rig.a.sge(0, 8))
                .remoteAddr(closed.addr())
                .rkey(closed.rkey()));
        rig.a.next(1, WcStatus.REM_ACCESS_ERR);
    }

    @Rule(
            id = "R7.08",
            says = "remote access needs the right of the queue pair",
            look = {"QueuePair.postSend", "ContextOps.modifyQp"},
            man = "ibv_modify_qp(3), DESCRIPTION (qp_access_flags)",
            needs = {Capability.RC, Capability.RDMA_WRITE})
    default void r708QueuePairRight(Rig rig) {
        rig.start(s -> s.access = 0);
        rig.a.post(rig.a.to(rig.b, 0, rig.a.wr(WrOpcode.RDMA_WRITE, 1, rig.a.sge(0, 8))));
        // A responder may report an access error, or a request that this queue pair does not support.
        rig.a.refused(1, WcStatus.REM_ACCESS_ERR, WcStatus.REM_INV_REQ_ERR);
        rig.b.memory.untouched(0, Side.BYTES);
    }

    @Rule(
            id = "R7.09",
            says = "a receive that is too small fails both sides",
            look = "QueuePair.postSend",
            man = "ibv_poll_cq(3), DESCRIPTION (IBV_WC_LOC_LEN_ERR, IBV_WC_REM_INV_REQ_ERR)",
            needs = {Capability.RC, Capability.SEND})
    default void r709TooSmall(Rig rig) {
        rig.start();
        rig.b.recv(1, 0, 99);
        rig.a.post(rig.a.wr(WrOpcode.SEND, 1, rig.a.sge(0, 100)));
        rig.b.next(1, WcStatus.LOC_LEN_ERR);
        rig.a.next(1, WcStatus.REM_INV_REQ_ERR);
        rig.b.memory.untouched(99, 1000);
    }

    @Rule(
            id = "R7.10",
            says = "a receive needs memory that may be written",
            look = {"QueuePair.postRecv", "ContextOps.regMrBuffer"},
            man = "ibv_reg_mr(3), DESCRIPTION (IBV_ACCESS_LOCAL_WRITE)",
            needs = {Capability.RC, Capability.SEND})
    default void r710LocalWrite(Rig rig) {
        rig.start();
        MemoryRegion readOnly = rig.b.region(ByteBuffer.allocateDirect(64), 0);
        rig.b.recv(new io.verbs4j.RecvWorkRequest().wrId(1).sgList(ScatterGatherElement.of(readOnly)));
        rig.a.post(rig.a.wr(WrOpcode.SEND, 1, rig.a.sge(0, 8)));
        rig.b.next(1, WcStatus.LOC_PROT_ERR);
    }

    @Rule(
            id = "R7.11",
            says = "a memory window opens the part that it is bound to, and no more",
            look = {"QueuePair.bindMw", "ContextOps.allocMw"},
            man = "ibv_bind_mw(3), DESCRIPTION",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.MEMORY_WINDOWS})
    default void r711Window(Rig rig) {
        rig.start();
        MemoryWindow mw = rig.opened(rig.b.pd.allocMw(MwType.TYPE_1));
        MwBind bind = new MwBind()
                .wrId(5)
                .sendFlags(io.verbs4j.SendFlags.SIGNALED)
                .mr(rig.b.mr)
                .addr(rig.b.mr.addr() + 1000)
                .length(100)
                .mwAccessFlags(AccessFlags.REMOTE_WRITE);
        Seen.errno("bindMw", 0, rig.b.qp.bindMw(mw, bind));
        rig.b.next(5, WcStatus.SUCCESS);
        rig.a.post(rig.a
                .wr(WrOpcode.RDMA_WRITE, 1, rig.a.sge(0, 100))
                .remoteAddr(rig.b.mr.addr() + 1000)
                .rkey(mw.rkey()));
        rig.a.next(1, WcStatus.SUCCESS);
        rig.b.memory.holds(1000, rig.a.memory, 0, 100);
        rig.a.post(rig.a
                .wr(WrOpcode.RDMA_WRITE, 2, rig.a.sge(0, 101))
                .remoteAddr(rig.b.mr.addr() + 1000)
                .rkey(mw.rkey()));
        rig.a.next(2, WcStatus.REM_ACCESS_ERR);
    }

    @Rule(
            id = "R7.12",
            says = "what is fetched from the other side needs memory that may be written",
            look = {"QueuePair.postSend", "ContextOps.regMrBuffer"},
            man = "ibv_reg_mr(3), DESCRIPTION (IBV_ACCESS_LOCAL_WRITE)",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.RDMA_READ)
    default void r712FetchedIntoReadOnly(Rig rig) {
        refusesLocally(
                rig,
                fetchingOperations(rig),
                () -> ScatterGatherElement.of(rig.a.region(ByteBuffer.allocateDirect(8), 0)));
    }
}
