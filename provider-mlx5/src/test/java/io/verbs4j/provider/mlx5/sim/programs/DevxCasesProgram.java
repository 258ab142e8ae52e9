/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.core.Verbs;
import io.verbs4j.mlx5dv.Devx;
import io.verbs4j.mlx5dv.DevxException;
import io.verbs4j.mlx5dv.DevxObject;
import io.verbs4j.mlx5dv.DevxOpcode;
import io.verbs4j.mlx5dv.DevxStatus;
import io.verbs4j.mlx5dv.DevxUmem;
import io.verbs4j.mlx5dv.DevxUmemAttr;
import io.verbs4j.mlx5dv.Mailbox;
import io.verbs4j.mlx5dv.Mlx5Dv;
import io.verbs4j.mlx5dv.Mlx5OpenAttr;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.sim.Cases;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.SimulatedDevice;
import io.verbs4j.rdmacore.sim.Simulator;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/** Cases of commands, objects and memory of DevX on a simulated device. Each method is a case, run by its name. */
public final class DevxCasesProgram {
    private DevxCasesProgram() {}

    /** Runs the case named by the first argument; a second is the library to use as libmlx5. */
    public static void main(String... args) {
        if (args.length > 1) {
            System.setProperty("io.verbs4j.mlx5.libmlx5", args[1]);
            System.setProperty("io.verbs4j.mlx5.path", "native"); // Java's path needs mlx5dv_init_obj itself
        }
        Cases.run(args[0], name -> {
            DevxRig.run(DevxCasesProgram.class, name, null);
            Check.require(Simulator.violations() == 0, Simulator.message());
        });
    }

    static void commands() {
        try (Context context = SimulatedDevice.open("mlx5_0")) {
            Devx devx = context.vendor(Devx.class);
            Check.same(context, devx.context());
            Mailbox caps = new Mailbox(4112);
            devx.generalCmd(new Mailbox(16).opcode(DevxOpcode.QUERY_HCA_CAP), caps);
            Check.equal(1, caps.get(0x80 + 0x1fc, 4), "version of completion entries");
            Check.fails(Errno.EINVAL, () -> devx.generalCmd(new Mailbox(16).opcode(DevxOpcode.ALLOC_PD), caps));
            Check.fails(Errno.EINVAL, () -> devx.generalCmd(null, caps));
            Check.fails(Errno.EINVAL, () -> devx.generalCmd(caps, null));
            Check.fails(
                    Errno.EINVAL,
                    () -> devx.createObject(new Mailbox(16).opcode(DevxOpcode.QUERY_LAG), new Mailbox(16)));
            DevxException e = DevxRig.refused(() -> devx.createObject(
                    new Mailbox(192).opcode(DevxOpcode.CREATE_TIS).put(0x228, 24, 0xabc), new Mailbox(16)));
            Check.equal(DevxStatus.BAD_RES, e.status, "status");
            Check.equal(0x09120228, e.syndrome, "syndrome");
            Check.equal(DevxOpcode.CREATE_TIS, e.opcode, "opcode");
            Check.require(e.getMessage().contains("CREATE_TIS with status 0x05 (BAD_RES"), e.getMessage());
            Check.require(Simulator.message().contains("no transport domain 0xabc"), Simulator.message());
            e = DevxRig.refused(() -> devx.generalCmd(new Mailbox(16).opcode(0xb02), new Mailbox(16)));
            Check.equal(DevxStatus.BAD_OP, e.status, "status");
            e = DevxRig.refused(
                    () -> devx.generalCmd(new Mailbox(16).opcode(DevxOpcode.NOP).put(0x60, 1, 1), new Mailbox(16)));
            Check.equal(DevxStatus.BAD_PARAM, e.status, "status");
            Check.equal(7, devx.queryEqn(0), "event queue");
            Check.fails(Errno.ENOENT, () -> devx.queryEqn(1));
        }
    }

    static void objects() {
        Context context = SimulatedDevice.open("mlx5_0");
        Context other = SimulatedDevice.open("mlx5_0");
        Devx devx = context.vendor(Devx.class);
        DevxRig.Tis tis = new DevxRig.Tis(devx);
        Check.equal(5, tis.priority(), "priority");
        tis.priority(2);
        Check.equal(2, tis.priority(), "priority");
        Check.fails(
                Errno.EINVAL,
                () -> tis.object.query(tis.queryCommand().put(0x48, 24, tis.number + 1), new Mailbox(176)));
        Check.fails(
                Errno.EINVAL, () -> tis.object.query(new Mailbox(16).opcode(DevxOpcode.QUERY_LAG), new Mailbox(176)));
        DevxException e = DevxRig.refused(() -> tis.object.query(tis.queryCommand(), new Mailbox(32)));
        Check.equal(DevxStatus.BAD_OUTP_LEN, e.status, "status");
        Check.fails(Errno.EBUSY, tis.domain::close);
        Check.fails(Errno.EBUSY, context::close);
        tis.close();
        tis.close();
        Check.fails(Errno.EINVAL, tis::priority);
        Check.fails(Errno.EINVAL, () -> tis.object.modify(new Mailbox(192), new Mailbox(16)));

        DevxObject pd = devx.createObject(new Mailbox(16).opcode(DevxOpcode.ALLOC_PD), new Mailbox(16));
        Check.fails(Errno.EBUSY, context::close);
        pd.close();
        context.close();
        Check.fails(Errno.EINVAL, () -> context.vendor(Devx.class));
        Check.fails(Errno.EINVAL, () -> devx.queryEqn(0));
        Check.fails(Errno.EINVAL, devx::createCommandCompletions);
        Check.fails(Errno.EINVAL, () -> devx.createEventChannel(0));
        other.close();
    }

    static void memory() {
        try (Context context = SimulatedDevice.open("mlx5_0")) {
            Devx devx = context.vendor(Devx.class);
            ByteBuffer buffer = ByteBuffer.allocateDirect(8192);
            try (DevxUmem umem = devx.regUmem(buffer, AccessFlags.LOCAL_WRITE);
                    DevxUmem same = devx.regUmem(NativeMemory.address(buffer), 8192, 0)) {
                Check.require(umem.umemId() != same.umemId(), "two registrations share a number");
            }
            Check.fails(Errno.EINVAL, () -> devx.regUmem(ByteBuffer.allocate(64), AccessFlags.LOCAL_WRITE));
            Check.fails(Errno.EINVAL, () -> devx.regUmem((ByteBuffer) null, 0));
            Check.fails(Errno.EINVAL, () -> devx.regUmem(buffer, AccessFlags.REMOTE_WRITE));
            Check.fails(Errno.EINVAL, () -> devx.regUmem(NativeMemory.address(buffer), 0, 0));
            Check.fails(Errno.EINVAL, () -> devx.regUmem(NativeMemory.address(buffer), -1, 0));
            Check.fails(Errno.EFAULT, () -> devx.regUmem(4096, 4096, AccessFlags.LOCAL_WRITE));
            keepsItsBuffer(devx);
        }
        ReferenceQueue<ByteBuffer> collected = new ReferenceQueue<>();
        PhantomReference<ByteBuffer> reference =
                forgotten(SimulatedDevice.open("mlx5_0").vendor(Devx.class), collected);
        Check.require(!DevxRig.isCollected(collected), "the buffer was collected while the device may write to it");
        Check.require(!reference.refersTo(null), "the reference is cleared");
    }

    /** Registers memory, then drops the references to buffer and registration. */
    private static PhantomReference<ByteBuffer> forgotten(Devx devx, ReferenceQueue<ByteBuffer> collected) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
        devx.regUmem(buffer, AccessFlags.LOCAL_WRITE);
        return new PhantomReference<>(buffer, collected);
    }

    private static void keepsItsBuffer(Devx devx) {
        ReferenceQueue<ByteBuffer> collected = new ReferenceQueue<>();
        ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
        PhantomReference<ByteBuffer> reference = new PhantomReference<>(buffer, collected);
        DevxUmem umem = devx.regUmem(buffer, AccessFlags.LOCAL_WRITE);
        buffer = null;
        Check.require(!DevxRig.isCollected(collected), "the buffer was collected while it is registered");
        umem.close();
        umem = null;
        Check.require(DevxRig.isCollected(collected), "the buffer was not collected after deregistration");
        Check.require(reference.refersTo(null), "another object was collected");
    }

    static void memoryEx() {
        try (Context context = SimulatedDevice.open("mlx5_0")) {
            Devx devx = context.vendor(Devx.class);
            ByteBuffer buffer = ByteBuffer.allocateDirect(8192);
            DevxUmemAttr attr = new DevxUmemAttr().buffer(buffer).access(AccessFlags.LOCAL_WRITE);
            devx.regUmem(attr).close();
            devx.regUmem(attr.pgszBitmap(1 << 12)).close();
            Check.fails(Errno.EINVAL, () -> devx.regUmem(attr.pgszBitmap(1 << 11)));
            Check.fails(Errno.EINVAL, () -> devx.regUmem((DevxUmemAttr) null));
            Check.fails(Errno.EINVAL, () -> devx.regUmem(new DevxUmemAttr()));
            int fd = MemoryErrnosProgram.file(8192);
            DevxUmemAttr behind =
                    new DevxUmemAttr().access(AccessFlags.LOCAL_WRITE).dmabufFd(fd);
            devx.regUmem(behind.range(0, 8192)).close();
            devx.regUmem(behind.range(4096, 4096)).close();
            Check.fails(Errno.EINVAL, () -> devx.regUmem(behind.range(4096, 8192)));
            Libc.close(fd);
            Check.fails(Errno.EBADF, () -> devx.regUmem(behind.range(0, 8192)));
            attr.pgszBitmap(-1L << 12).dmabufFd(-1);
            VerbsException e = Check.failure(() -> devx.regUmem(attr));
            Check.require(e.errno() == Errno.EBADF || e.errno() == Errno.EOPNOTSUPP, "dma-buf: " + e);
        }
    }

    /** A key for such memory, in a work request that Java writes. */
    static void key() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(8192);
        try (Mlx5Rig rig = new Mlx5Rig("mlx5_0", "java", QpType.RC, buffer)) {
            Devx devx = rig.context.vendor(Devx.class);
            ByteBuffer source = ByteBuffer.allocateDirect(4096);
            Mailbox out = new Mailbox(16);
            try (DevxUmem umem = devx.regUmem(source, AccessFlags.LOCAL_WRITE)) {
                Mailbox in = new Mailbox(272)
                        .opcode(DevxOpcode.CREATE_MKEY)
                        .put(0x94, 2, 3)
                        .put(0x96, 2, 1)
                        .put(0xa0, 24, 0xffffff)
                        .put(0xb8, 8, 0x77)
                        .put(0xe8, 24, rig.context.vendor(Mlx5Dv.class).pdNumber(rig.pd))
                        .put(0x100, 64, 0x10000)
                        .put(0x140, 64, 4096)
                        .put(0x320, 32, umem.umemId());
                DevxObject key = devx.createObject(in, out);
                int lkey = out.getInt(0x48, 24) << 8 | 0x77;
                Check.fails(Errno.EBUSY, umem::close);
                source.put(100, (byte) 42);
                int posted = rig.qp.postSend(new SendWorkRequest()
                        .opcode(WrOpcode.RDMA_WRITE)
                        .sendFlags(SendFlags.SIGNALED)
                        .remoteAddr(NativeMemory.address(buffer))
                        .rkey(rig.mr.rkey())
                        .sgList(new ScatterGatherElement()
                                .addr(0x10000 + 100)
                                .length(1)
                                .lkey(lkey)));
                Check.equal(0, posted, "post");
                Simulator.pump();
                WorkCompletion[] wc = {new WorkCompletion()};
                Check.equal(1, rig.cq.poll(1, wc), "completions");
                Check.equal(WcStatus.SUCCESS, wc[0].status(), "status");
                Check.equal(42, buffer.get(0), "what arrived");
                key.close();
            }
        }
    }

    static void verbsObjects() {
        try (Mlx5Rig rig = new Mlx5Rig("mlx5_0", "java", QpType.RC, ByteBuffer.allocateDirect(4096));
                Context other = SimulatedDevice.open("mlx5_0")) {
            Devx devx = rig.context.vendor(Devx.class);
            Mailbox out = new Mailbox(272);
            Mailbox query = new Mailbox(16).opcode(DevxOpcode.QUERY_QP).put(0x48, 24, rig.qp.qpNum());
            devx.query(rig.qp, query, out);
            Check.equal(QpState.RTS, out.get(0xc0, 4), "state");
            Check.equal(rig.peer.qpNum(), out.get(0xc0 + 0xa8, 24), "peer");
            Check.fails(Errno.EINVAL, () -> devx.query(rig.peer, query, out));
            Check.fails(Errno.EINVAL, () -> other.vendor(Devx.class).query(rig.qp, query, out));
            Check.fails(Errno.EINVAL, () -> devx.query((CompletionQueue) null, query, out));
            moderate(devx, rig.cq);

            devx.modify(
                    rig.qp, new Mailbox(16).opcode(DevxOpcode.QP_2ERR).put(0x48, 24, rig.qp.qpNum()), new Mailbox(16));
            devx.query(rig.qp, query, out);
            Check.equal(QpState.ERR, out.get(0xc0, 4), "state");
            DevxException e = DevxRig.refused(() -> devx.modify(
                    rig.qp,
                    new Mailbox(272).opcode(DevxOpcode.RTS2RTS_QP).put(0x48, 24, rig.qp.qpNum()),
                    new Mailbox(16)));
            Check.equal(DevxStatus.BAD_QP_STATE, e.status, "status");
            rig.qp.close();
            Check.fails(Errno.EINVAL, () -> devx.query(rig.qp, query, out));
        }
        userIndices();
    }

    private static void moderate(Devx devx, CompletionQueue cq) {
        int number = DvObjects.cq(((NativeCompletionQueue) cq).ibv.address()).number();
        Mailbox out = new Mailbox(272);
        devx.modify(
                cq,
                new Mailbox(272)
                        .opcode(DevxOpcode.MODIFY_CQ)
                        .put(0x48, 24, number)
                        .put(0x60, 32, 3)
                        .put(0x104, 12, 16)
                        .put(0x110, 16, 32),
                new Mailbox(16));
        devx.query(cq, new Mailbox(16).opcode(DevxOpcode.QUERY_CQ).put(0x48, 24, number), out);
        Check.equal(16, out.get(0x80 + 0x84, 12), "period");
        Check.equal(32, out.get(0x80 + 0x90, 16), "count");
    }

    /** The library gives each shared queue of type XRC an index, which only the device reports. */
    private static void userIndices() {
        try (Context context = SimulatedDevice.open("mlx5_0");
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                CompletionQueue secondCq = context.createCq(16);
                XrcDomain domain =
                        context.openXrcd(new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT));
                SharedReceiveQueue a = context.createSrqEx(xrc(pd, cq, domain));
                SharedReceiveQueue b = context.createSrqEx(xrc(pd, secondCq, domain))) {
            Devx devx = context.vendor(Devx.class);
            Set<Long> seen = new HashSet<>();
            for (SharedReceiveQueue srq : new SharedReceiveQueue[] {a, b}) {
                Mailbox out = new Mailbox(80);
                devx.query(srq, new Mailbox(16).opcode(DevxOpcode.QUERY_XRC_SRQ).put(0x48, 24, srq.srqNum()), out);
                Check.require(seen.add(out.get(0x80 + 0x88, 24)), "two queues share an index");
            }
        }
    }

    private static SrqInitAttrEx xrc(ProtectionDomain pd, CompletionQueue cq, XrcDomain domain) {
        return new SrqInitAttrEx()
                .attr(new SrqAttr().maxWr(8).maxSge(1))
                .srqType(SrqType.XRC)
                .pd(pd)
                .cq(cq)
                .xrcd(domain);
    }

    /** libmlx5 supports event queues through VFIO only. */
    static void eventQueues() {
        try (Context context = SimulatedDevice.open("mlx5_0")) {
            Devx devx = context.vendor(Devx.class);
            Check.fails(Errno.EOPNOTSUPP, devx::allocMsiVector);
            Check.fails(Errno.EOPNOTSUPP, () -> devx.createEq(new Mailbox(272), new Mailbox(16)));
        }
    }

    static void exports() {
        try (Context context = SimulatedDevice.open("mlx5_0")) {
            Devx devx = context.vendor(Devx.class);
            DevxRig.Tis tis = new DevxRig.Tis(devx);
            Mailbox out = new Mailbox(176);
            try (DevxObject same = devx.importObject(tis.object.export())) {
                same.query(tis.queryCommand(), out);
                Check.equal(5, out.get(0x80 + 0x0c, 4), "priority");
            }
            Check.equal(5, tis.priority(), "priority of the object, which still exists");
            tis.close();
            Check.fails(Errno.EINVAL, () -> tis.object.export());
            Check.fails(Errno.EINVAL, () -> devx.importObject(new byte[1]));
            Check.fails(Errno.EINVAL, () -> devx.importUmem(null));
            try (DevxUmem umem = devx.regUmem(ByteBuffer.allocateDirect(4096), 0);
                    DevxUmem same = devx.importUmem(umem.export())) {
                Check.equal(umem.umemId(), same.umemId(), "number");
            }
        }
    }

    /** With rdma-core 33, functions added later are reported by name. */
    static void lacking() {
        try (Context context = SimulatedDevice.open("mlx5_0")) {
            Devx devx = context.vendor(Devx.class);
            ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
            DevxRig.lacks("mlx5dv_devx_umem_reg_ex", 35, () -> devx.regUmem(new DevxUmemAttr().buffer(buffer)));
            DevxRig.lacks("mlx5dv_devx_alloc_msi_vector", 40, devx::allocMsiVector);
            DevxRig.lacks("mlx5dv_devx_create_eq", 40, () -> devx.createEq(new Mailbox(272), new Mailbox(16)));
            try (DevxUmem umem = devx.regUmem(buffer, 0)) {
                DevxRig.lacks("_mlx5dv_get_export_sizes", 63, umem::export);
            }
            DevxRig.lacks("_mlx5dv_get_export_sizes", 63, () -> devx.importObject(new byte[24]));
        }
    }

    /** With a library that has the general command and nothing else. */
    static void almostNothing() {
        try (Context context = SimulatedDevice.open("mlx5_0")) {
            Devx devx = context.vendor(Devx.class);
            DevxRig.lacks(
                    "mlx5dv_devx_obj_create",
                    21,
                    () -> devx.createObject(new Mailbox(16).opcode(DevxOpcode.ALLOC_PD), new Mailbox(16)));
            DevxRig.lacks("mlx5dv_devx_create_event_channel", 25, () -> devx.createEventChannel(0));
            DevxRig.lacks("mlx5dv_devx_query_eqn", 21, () -> devx.queryEqn(0));
        }
    }

    static void noDevx() {
        try (Context context = SimulatedDevice.open("mlx5_0")) {
            VerbsException e = Check.failure(() -> context.vendor(Devx.class));
            Check.equal(Errno.EOPNOTSUPP, e.errno(), "errno");
            Check.require(e.getMessage().contains("without DevX"), e.getMessage());
            OpenAttr withDevx = new OpenAttr().vendor(new Mlx5OpenAttr().flags(Mlx5OpenAttr.DEVX));
            // like the kernel
            Check.fails(Errno.EINVAL, () -> Verbs.open(context.device(), VerbsLevel.CURRENT, withDevx));
        }
    }
}
