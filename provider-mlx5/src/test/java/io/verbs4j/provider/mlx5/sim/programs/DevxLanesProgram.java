/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.devicecode.CpuProxy;
import io.verbs4j.devicecode.DeviceCode;
import io.verbs4j.devicecode.DeviceRing;
import io.verbs4j.devicecode.RingPart;
import io.verbs4j.devicecode.lanes.LaneJob;
import io.verbs4j.devicecode.lanes.Lanes;
import io.verbs4j.mlx5dv.Devx;
import io.verbs4j.mlx5dv.DevxException;
import io.verbs4j.mlx5dv.DevxQueuePair;
import io.verbs4j.mlx5dv.DevxQueuePairAttr;
import io.verbs4j.mlx5dv.DevxUmem;
import io.verbs4j.mlx5dv.DevxUmemAttr;
import io.verbs4j.mlx5dv.Mlx5Dv;
import io.verbs4j.mlx5dv.Uar;
import io.verbs4j.mlx5dv.UarType;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.sim.Cases;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * A program for a simulated device: lanes use a queue pair whose queues lie in the program's memory. The argument names
 * a case.
 */
public final class DevxLanesProgram implements AutoCloseable {
    private static final int HALF = 1 << 18;
    private static final int LENGTH = 256;
    private static final int SENDS = 128;
    private static final int PAGE = 4096;
    private static final int ACCESS =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(2 * HALF).order(ByteOrder.nativeOrder());
    private final Context context = Mlx5Rig.open("mlx5_0", "java");
    private final ProtectionDomain pd = context.allocPd();
    private final MemoryRegion mr = pd.regMr(memory, ACCESS);
    private final CompletionQueue peerCq = context.createCq(64);
    private final QueuePair peer = pd.createQp(Mlx5Rig.attr(QpType.RC, peerCq, null));
    private final Devx devx = context.vendor(Devx.class);
    private final Uar uar = context.vendor(Mlx5Dv.class).allocUar(UarType.NC);
    private final Lanes lanes = Lanes.of(DeviceCode.of(context), Map.of());

    private DevxLanesProgram() throws Exception {
        for (int i = 0; i < HALF; i += Integer.BYTES) {
            memory.putInt(i, i * 0x9e3779b1);
        }
    }

    public static void main(String... args) {
        Simulator.device_sim_mode(Simulator.THREAD);
        Cases.run(args[0], name -> {
            try (DevxLanesProgram program = new DevxLanesProgram()) {
                program.run(name);
            }
            Simulator.requireNoViolation();
        });
    }

    private void run(String name) {
        switch (name) {
            case "memory" -> inMemory();
            case "dmabuf" -> inDmabuf();
            case "proxy" -> proxy();
            case "failed" -> failed();
            case "exportedRegister" -> exportedRegister();
            case "withoutExport" -> withoutExport();
            case "refused" -> refused();
            default -> throw new IllegalArgumentException(name);
        }
    }

    private static long length() {
        return DevxQueuePair.memoryLength(SENDS);
    }

    private ByteBuffer rings() {
        return ByteBuffer.allocateDirect((int) length() + 2 * PAGE).alignedSlice(PAGE);
    }

    private DevxQueuePairAttr attr(DevxUmem umem, long at, long address) {
        return new DevxQueuePairAttr()
                .memory(umem, at)
                .laneAddress(address)
                .hostAddress(address)
                .uar(uar)
                .maxSendWr(SENDS);
    }

    /** The two directions have different numbers and rights. */
    private void connect(DevxQueuePair qp) {
        AhAttr path = Mlx5Rig.path(context);
        QpWalk.of(QpType.RC)
                .access(ACCESS & ~AccessFlags.LOCAL_WRITE)
                .minRnrTimer(1)
                .sqPsn(0x123456)
                .rqPsn(0x654321)
                .connect(path, peer.qpNum(), qp::modify);
        QpWalk.of(QpType.RC)
                .access(ACCESS & ~AccessFlags.LOCAL_WRITE)
                .minRnrTimer(1)
                .sqPsn(0x654321)
                .rqPsn(0x123456)
                .connect(path, qp.qpNum(), peer::modify);
    }

    private LaneJob job(int operation, int threads, int count, int batch) {
        return new LaneJob(operation, threads, count, batch)
                .memory(mr.addr(), mr.lkey(), mr.addr() + HALF, mr.rkey(), LENGTH, HALF / LENGTH);
    }

    /** Lanes write all of the memory, read it back from what was changed meanwhile, and add to a number in it. */
    private void use(DeviceRing ring) {
        LaneJob writes = job(WrOpcode.RDMA_WRITE, 8, 1_000, 3);
        lanes.run(ring, writes);
        writes.requireAll(ring);
        requireCopied();
        LaneJob reads = job(WrOpcode.RDMA_READ, 2, HALF / LENGTH, 1);
        for (int i = 0; i < HALF; i += Integer.BYTES) {
            memory.putInt(HALF + i, i + 1);
        }
        lanes.run(ring, reads);
        Check.equal(0, reads.failed(), "failed");
        requireCopied();
        Check.equal(HALF - 3, memory.getInt(HALF - Integer.BYTES), "what was read last");
        memory.putLong(HALF, 0);
        lanes.run(ring, job(WrOpcode.ATOMIC_FETCH_AND_ADD, 2, 100, 1));
        Check.equal(200L * 201 / 2, memory.getLong(HALF), "sum");
        serve();
    }

    /** The peer uses the memory, too. */
    private void serve() {
        for (int opcode : new int[] {WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ, WrOpcode.ATOMIC_FETCH_AND_ADD}) {
            SendWorkRequest wr = new SendWorkRequest()
                    .opcode(opcode)
                    .sendFlags(SendFlags.SIGNALED)
                    .sgList(ScatterGatherElement.of(mr, 0, Long.BYTES))
                    .remoteAddr(mr.addr() + HALF)
                    .rkey(mr.rkey())
                    .compareAdd(5);
            memory.putLong(0, 7).putLong(HALF, 9);
            Check.equal(0, peer.postSend(wr, new SendWorkRequest[1]), "postSend");
            WorkCompletion[] wc = {new WorkCompletion()};
            while (peerCq.poll(1, wc) == 0) {
                Thread.onSpinWait();
            }
            Check.equal(WcStatus.SUCCESS, wc[0].status(), "status of " + opcode);
            Check.equal(opcode == WrOpcode.RDMA_WRITE ? 7 : 9, memory.getLong(0), "here");
            Check.equal(
                    opcode == WrOpcode.RDMA_WRITE ? 7 : opcode == WrOpcode.RDMA_READ ? 9 : 14,
                    memory.getLong(HALF),
                    "there");
        }
    }

    private void requireCopied() {
        for (int i = 0; i < HALF; i += Integer.BYTES) {
            Check.equal(memory.getInt(i), memory.getInt(HALF + i), "at " + i);
        }
    }

    private void inMemory() {
        ByteBuffer rings = rings();
        try (DevxUmem umem = devx.regUmem(rings, AccessFlags.LOCAL_WRITE);
                DevxQueuePair qp = DevxQueuePair.create(pd, attr(umem, PAGE, NativeMemory.address(rings) + PAGE))) {
            connect(qp);
            try (DeviceRing ring = DeviceRing.export(context, qp)) {
                ring.check(1, 1);
                use(ring);
            }
            requireInside(qp, NativeMemory.address(rings) + PAGE);
            Check.require(umem.umemId() != 0, "no number");
        }
    }

    private static void requireInside(DevxQueuePair qp, long begin) {
        for (long address : new long[] {qp.completions(), qp.sends(), qp.record(), qp.cqRecord()}) {
            Check.require(address >= begin && address < begin + length(), "outside: " + (address - begin));
        }
        Check.equal(SENDS, qp.places(), "places");
    }

    /** Lanes see the memory through a mapping of their own, and the host not at all. */
    private void inDmabuf() {
        int fd = MemoryErrnosProgram.file((int) length() + PAGE);
        long map = Libc.mmap(0, length() + PAGE, Libc.PROT_READ_WRITE, Libc.MAP_SHARED, fd, 0);
        NativeMemory.fill(map + PAGE, 64 * SENDS, (byte) 0xff);
        DevxUmemAttr whole = new DevxUmemAttr()
                .range(PAGE, length())
                .access(AccessFlags.LOCAL_WRITE)
                .dmabufFd(fd);
        try (DevxUmem umem = devx.regUmem(whole)) {
            Libc.close(fd); // the registration keeps the file's memory
            try (DevxQueuePair qp =
                    DevxQueuePair.create(pd, attr(umem, 0, map + PAGE).hostAddress(0))) {
                connect(qp);
                try (DeviceRing ring = DeviceRing.export(context, qp)) {
                    use(ring);
                    Check.fails(Errno.EOPNOTSUPP, "host cannot ring", ring::useProxy);
                }
            }
        }
        Libc.munmap(map, length() + PAGE);
    }

    private void proxy() {
        ByteBuffer rings = rings();
        try (DevxUmem umem = devx.regUmem(rings, AccessFlags.LOCAL_WRITE);
                DevxQueuePair qp = DevxQueuePair.create(pd, attr(umem, 0, NativeMemory.address(rings)));
                CpuProxy proxy = new CpuProxy()) {
            connect(qp);
            try (DeviceRing ring = DeviceRing.export(context, qp)) {
                proxy.add(ring);
                use(ring);
                proxy.remove(ring);
            }
        }
    }

    private void failed() {
        ByteBuffer rings = rings();
        try (DevxUmem umem = devx.regUmem(rings, AccessFlags.LOCAL_WRITE);
                DevxQueuePair qp = DevxQueuePair.create(pd, attr(umem, 0, NativeMemory.address(rings)))) {
            connect(qp);
            try (DeviceRing ring = DeviceRing.export(context, qp)) {
                LaneJob job = job(WrOpcode.RDMA_WRITE, 2, 100, 1);
                job.rkey(mr.rkey() ^ 0x5a00);
                lanes.run(ring, job);
                Check.equal(200, job.failed(), "failed");
                Check.equal(WcStatus.REM_ACCESS_ERR, job.firstStatus(), "status of the first");
                qp.modify(new QpAttr().qpState(QpState.ERR));
                LaneJob late = job(WrOpcode.RDMA_WRITE, 1, 10, 1);
                lanes.run(ring, late);
                Check.equal(WcStatus.WR_FLUSH_ERR, late.firstStatus(), "status in ERR");
            }
        }
    }

    /** Lanes ring through the exported page only: the page of this process is not written. */
    private void exportedRegister() {
        ByteBuffer rings = rings();
        try (ExportedFd page = uar.exportDmabufFd();
                DevxUmem umem = devx.regUmem(rings, AccessFlags.LOCAL_WRITE);
                DevxQueuePair qp = DevxQueuePair.create(pd, attr(umem, 0, NativeMemory.address(rings)))) {
            long map = Libc.mmap(0, PAGE, Libc.PROT_READ_WRITE, Libc.MAP_SHARED, page.fd(), 0);
            connect(qp);
            try (DeviceRing ring = DeviceRing.export(context, qp)) {
                ring.map(RingPart.BELL, map + uar.regAddress() - uar.baseAddress());
                use(ring);
            }
            Libc.munmap(map, PAGE);
        }
        uar.close();
        Check.fails(Errno.EINVAL, "closed", uar::exportDmabufFd);
    }

    private void withoutExport() {
        DevxRig.lacks("mlx5dv_devx_uar_export_dmabuf_fd", 62, uar::exportDmabufFd);
    }

    private void refused() {
        ByteBuffer rings = rings();
        long address = NativeMemory.address(rings);
        try (DevxUmem umem = devx.regUmem(rings, AccessFlags.LOCAL_WRITE);
                DevxUmem small = devx.regUmem(rings.slice(0, PAGE), AccessFlags.LOCAL_WRITE)) {
            Check.fails(Errno.EINVAL, "required", () -> DevxQueuePair.create(pd, new DevxQueuePairAttr()));
            Check.fails(
                    Errno.EINVAL,
                    "32768",
                    () -> DevxQueuePair.create(pd, attr(umem, 0, address).maxSendWr(0)));
            Check.fails(Errno.EINVAL, "32768", () -> DevxQueuePair.memoryLength(1 << 16));
            Check.fails(Errno.EINVAL, "4096", () -> DevxQueuePair.create(pd, attr(umem, 64, address)));
            DevxQueuePairAttr tooShort = attr(small, 0, 0).hostAddress(0);
            Check.require(
                    Check.failure(() -> DevxQueuePair.create(pd, tooShort)) instanceof DevxException, "too short");
            try (DevxQueuePair qp = DevxQueuePair.create(pd, attr(umem, 0, address))) {
                states(qp);
                Check.fails(Errno.EBUSY, umem::close);
                try (Context other = Mlx5Rig.open("mlx5_0", "java");
                        DeviceRing ring = DeviceRing.export(context, qp)) {
                    Check.require(ring.size() > 0, "no block");
                    Check.fails(Errno.EBUSY, "before", () -> DeviceRing.export(context, qp));
                    Check.fails(Errno.EINVAL, "another context", () -> DeviceRing.export(other, qp));
                    Check.fails(Errno.EOPNOTSUPP, "String", () -> DeviceRing.export(context, "queue"));
                    Check.fails(Errno.EOPNOTSUPP, "null", () -> DeviceRing.export(context, null));
                }
            }
        }
    }

    private static void states(DevxQueuePair qp) {
        Check.fails(Errno.EINVAL, "null", () -> qp.modify(null));
        Check.fails(Errno.EINVAL, "RESET", () -> qp.modify(new QpAttr().qpState(QpState.RESET)));
        Check.fails(Errno.EINVAL, "ACCESS_FLAGS", () -> qp.modify(new QpAttr().qpState(QpState.INIT)));
        QpAttr rts = new QpAttr()
                .qpState(QpState.RTS)
                .sqPsn(0)
                .timeout(14)
                .retryCnt(7)
                .rnrRetry(7)
                .maxRdAtomic(1);
        Check.require(Check.failure(() -> qp.modify(rts)) instanceof DevxException, "from RESET to RTS");
    }

    @Override
    public void close() {
        uar.close();
        peer.close();
        peerCq.close();
        mr.close();
        pd.close();
        context.close();
    }
}
