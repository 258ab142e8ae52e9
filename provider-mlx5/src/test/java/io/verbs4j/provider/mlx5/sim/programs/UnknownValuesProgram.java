/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.provider.mlx5.sim.programs.DirectVerbsProgram.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AccessFlags;
import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.DeviceCap;
import io.verbs4j.DeviceKind;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WrOpcode;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.core.Verbs;
import io.verbs4j.mlx5dv.Devx;
import io.verbs4j.mlx5dv.Mlx5CqInitAttr;
import io.verbs4j.mlx5dv.Mlx5Dv;
import io.verbs4j.mlx5dv.Mlx5OpenAttr;
import io.verbs4j.mlx5dv.Mlx5QpInitAttr;
import io.verbs4j.mlx5dv.Mlx5SrqMask;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A program for a simulated device: unknown values fail with EOPNOTSUPP and wrong ones with EINVAL, results are
 * reported, and closing waits for no event. The argument is the data path.
 */
public final class UnknownValuesProgram {
    /** Bits that no header defines. */
    private static final int UNKNOWN_RIGHT = 1 << 15;

    private static final int OPTIONAL_RIGHT = 1 << 29;

    private UnknownValuesProgram() {}

    public static void main(String... args) throws Exception {
        try (Mlx5Rig rig = new Mlx5Rig("mlx5_0", args[0], QpType.RC, ByteBuffer.allocateDirect(1 << 16))) {
            assertThat(rig.context.device().kind()).isEqualTo(DeviceKind.HARDWARE);
            types(rig);
            rights(rig);
            operations(rig);
            windows(rig);
            masks(rig);
            vendors(rig);
            given(rig);
            vendor(rig.context);
            opening(rig.context.device());
            eventsThatNobodyGivesBack(rig.context, rig.pd);
            Simulator.requireNoViolation();
        }
        System.out.println("open world ok");
    }

    private static QpInitAttrEx attr(Mlx5Rig rig, int type) {
        return new QpInitAttrEx()
                .qpType(type)
                .pd(rig.pd)
                .sendCq(rig.cq)
                .recvCq(rig.cq)
                .cap(new QpCap().maxSendWr(4).maxRecvWr(4).maxSendSge(1).maxRecvSge(1));
    }

    // ---- unknown is EOPNOTSUPP, wrong is EINVAL

    private static void types(Mlx5Rig rig) {
        Context c = rig.context;
        for (int type : new int[] {5, 7, 77, -1, 0x102}) {
            refused(Errno.EOPNOTSUPP, "type", () -> c.createQpEx(attr(rig, type)));
            refused(Errno.EOPNOTSUPP, "type", () -> rig.pd.createQp(Mlx5Rig.attr(type, rig.cq, null)));
            assertThatThrownBy(() -> c.createQpEx(attr(rig, type).sendCq(null))).isInstanceOf(VerbsException.class);
            assertThatThrownBy(() -> c.createQpEx(attr(rig, type).pd(null))).isInstanceOf(VerbsException.class);
        }
        refused(Errno.EINVAL, "vendor is null", () -> c.createQpEx(attr(rig, QpType.DRIVER)));
        refused(Errno.EINVAL, "vendor is null", () -> rig.pd.createQp(Mlx5Rig.attr(QpType.DRIVER, rig.cq, null)));
        for (int type : new int[] {3, 9}) {
            SrqInitAttrEx srq = new SrqInitAttrEx().pd(rig.pd).srqType(type);
            srq.attr(new SrqAttr().maxWr(4).maxSge(1));
            refused(Errno.EOPNOTSUPP, "type", () -> c.createSrqEx(srq));
        }
        refused(Errno.EOPNOTSUPP, "", () -> rig.pd.allocMw(9));
        // Its low byte is a type that the device supports.
        refused(
                Errno.EOPNOTSUPP,
                hasWindows(rig) ? "the type is 257" : "memory windows",
                () -> rig.pd.allocMw(0x100 | MwType.TYPE_1));
        refused(
                Errno.EOPNOTSUPP,
                "oflags",
                () -> c.openXrcd(new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT | 1 << 20)));
    }

    private static void rights(Mlx5Rig rig) {
        ByteBuffer memory = ByteBuffer.allocateDirect(4096);
        refused(Errno.EOPNOTSUPP, "access", () -> rig.pd.regMr(memory, UNKNOWN_RIGHT));
        refused(Errno.EINVAL, "LOCAL_WRITE", () -> rig.pd.regMr(memory, AccessFlags.REMOTE_WRITE));
        for (int optional : new int[] {OPTIONAL_RIGHT, AccessFlags.RELAXED_ORDERING}) {
            try (MemoryRegion mr = rig.pd.regMr(memory, AccessFlags.LOCAL_WRITE | optional)) {
                assertThat(mr.lkey()).isNotZero();
            }
        }
    }

    private static void operations(Mlx5Rig rig) {
        Context c = rig.context;
        long unknown = 1L << 40;
        refused(
                Errno.EOPNOTSUPP,
                "0x10000000000",
                () -> c.createQpEx(attr(rig, QpType.RC).sendOpsFlags(unknown)));
        refused(
                Errno.EOPNOTSUPP,
                "RDMA_READ",
                () -> c.createQpEx(attr(rig, QpType.UC).sendOpsFlags(QpCreateSendOps.RDMA_READ)));
        refused(
                Errno.EOPNOTSUPP,
                "BIND_MW",
                () -> c.createQpEx(attr(rig, QpType.UD).sendOpsFlags(QpCreateSendOps.SEND | QpCreateSendOps.BIND_MW)));
        SendWorkRequest send = new SendWorkRequest().sgList(ScatterGatherElement.of(rig.mr, 0, 8));
        SendWorkRequest[] bad = {null};
        try (QueuePair qp = c.createQpEx(attr(rig, QpType.RC).sendOpsFlags(QpCreateSendOps.SEND));
                QueuePair uc = c.createQpEx(attr(rig, QpType.UC))) {
            assertThat(qp.postSend(send.opcode(WrOpcode.RDMA_WRITE))).isEqualTo(Errno.EINVAL);
            assertThat(qp.postSend(send.opcode(99))).as("the state comes first").isEqualTo(Errno.EINVAL);
            Mlx5Rig.connect(qp, rig.path(), qp.qpNum(), Mlx5Rig.WITHOUT_END);
            Mlx5Rig.connect(uc, rig.path(), qp.qpNum(), Mlx5Rig.WITHOUT_END);
            assertThat(qp.postSend(send.opcode(WrOpcode.RDMA_WRITE), bad)).isEqualTo(Errno.EOPNOTSUPP);
            assertThat(bad[0]).isSameAs(send);
            for (int opcode : new int[] {10, 11, 63, 64 + WrOpcode.SEND, 99, -1}) {
                assertThat(qp.postSend(send.opcode(opcode))).isEqualTo(Errno.EOPNOTSUPP);
                assertThat(rig.qp.postSend(send.opcode(opcode))).isEqualTo(Errno.EOPNOTSUPP);
            }
            assertThat(qp.postSend(send.opcode(WrOpcode.SEND).sendFlags(SendFlags.SIGNALED | 1 << 20)))
                    .as("an unknown flag")
                    .isEqualTo(Errno.EOPNOTSUPP);
            send.sendFlags(0);
            assertThat(uc.postSend(send.opcode(WrOpcode.RDMA_READ))).isEqualTo(Errno.EOPNOTSUPP);
            assertThat(uc.postSend(null)).isEqualTo(Errno.EINVAL);
            assertThat(qp.postSend(send.opcode(WrOpcode.SEND).sendFlags(SendFlags.SIGNALED)))
                    .isZero();
        }
    }

    /** Returns whether there are windows: not with a libmlx5 that binds them beyond its send queue. */
    private static boolean hasWindows(Mlx5Rig rig) {
        return (rig.context.queryDevice().deviceCaps() & DeviceCap.MEM_WINDOW) != 0;
    }

    private static void windows(Mlx5Rig rig) {
        if ((rig.context.queryDevice().deviceCaps() & DeviceCap.MEM_WINDOW)
                == 0) { // a libmlx5 that binds beyond its queue
            refused(Errno.EOPNOTSUPP, "memory windows", () -> rig.pd.allocMw(MwType.TYPE_1));
            refused(Errno.EOPNOTSUPP, "memory windows", () -> rig.pd.allocMw(MwType.TYPE_2));
            return;
        }
        QpInitAttr attr = Mlx5Rig.attr(QpType.UD, rig.cq, null);
        try (QueuePair ud = rig.pd.createQp(attr);
                MemoryWindow mw = rig.pd.allocMw(MwType.TYPE_1)) {
            MwBind nothing = new MwBind().mr(null).length(0);
            assertThat(ud.bindMw(mw, nothing)).as("not ready").isEqualTo(Errno.EINVAL);
            Mlx5Rig.connect(ud, rig.path(), 0, 0);
            assertThat(ud.bindMw(mw, nothing)).isEqualTo(Errno.EOPNOTSUPP);
            assertThat(ud.bindMw(null, nothing)).isEqualTo(Errno.EINVAL);
        }
        try (MemoryWindow mw = rig.pd.allocMw(MwType.TYPE_2)) {
            assertThat(mw.type()).isEqualTo(MwType.TYPE_2);
            assertThat(rig.qp.bindMw(mw, new MwBind().mr(null).length(0)))
                    .as("of another type")
                    .isEqualTo(Errno.EINVAL);
        }
    }

    private static void masks(Mlx5Rig rig) {
        QpInitAttrEx unknown = attr(rig, QpType.RC);
        unknown.masks(unknown.compMask() | 1L << 20, 0);
        refused(Errno.EOPNOTSUPP, "mask", () -> rig.context.createQpEx(unknown));
        QpInitAttrEx optional = attr(rig, QpType.RC);
        optional.masks(optional.compMask() | 1L << 60, 1L << 60);
        try (QueuePair qp = rig.context.createQpEx(optional)) {
            assertThat(qp.qpNum()).isPositive();
        }
    }

    /** Attributes of another vendor, in every verb that accepts attributes. */
    private static void vendors(Mlx5Rig rig) {
        Object another = "another's";
        refused(
                Errno.EOPNOTSUPP,
                "Mlx5QpInitAttr",
                () -> rig.context.createQpEx(attr(rig, QpType.RC).vendor(another)));
        refused(
                Errno.EOPNOTSUPP,
                "Mlx5QpInitAttr",
                () -> rig.pd.createQp(Mlx5Rig.attr(QpType.RC, rig.cq, null).vendor(another)));
        refused(Errno.EOPNOTSUPP, "Mlx5CqInitAttr", () -> rig.context.createCq(1, null, null, 0, another));
        refused(Errno.EOPNOTSUPP, "VENDOR", () -> rig.qp.modify(new QpAttr().vendor(another)));
        QpInitAttr base = Mlx5Rig.attr(QpType.RC, rig.cq, null).vendor(new Mlx5QpInitAttr().createFlags(0));
        base.cap().maxRecvWr(5);
        try (QueuePair qp = rig.pd.createQp(base);
                CompletionQueue cq = rig.context.createCq(8, "mine", null, 0, new Mlx5CqInitAttr().cqeSize(128))) {
            assertThat(qp.qpNum()).isPositive();
            assertThat(base.cap().maxRecvWr()).as("given").isEqualTo(8);
            assertThat(cq.userContext()).isEqualTo("mine");
        }
    }

    // ---- every verb reports what was granted

    private static void given(Mlx5Rig rig) throws Exception {
        QpInitAttr base = Mlx5Rig.attr(QpType.RC, rig.cq, null);
        base.cap().maxSendWr(5).maxRecvWr(5).maxSendSge(1).maxRecvSge(1);
        QpInitAttrEx extended = attr(rig, QpType.RC);
        extended.cap().maxSendWr(5).maxRecvWr(5);
        try (QueuePair old = rig.pd.createQp(base);
                QueuePair now = rig.context.createQpEx(extended)) {
            assertThat(old.qpNum()).isNotEqualTo(now.qpNum());
            assertThat(base.cap().maxRecvWr()).as("rounded up").isEqualTo(8);
            assertThat(base.cap().maxSendWr()).isGreaterThan(5);
            assertThat(extended.cap().maxRecvWr()).isEqualTo(8);
            assertThat(extended.cap().maxSendWr()).isGreaterThan(5);
        }
        SrqInitAttr srq = new SrqInitAttr().attr(new SrqAttr().maxWr(5).maxSge(1));
        SrqInitAttrEx srqEx = new SrqInitAttrEx().pd(rig.pd).srqType(SrqType.BASIC);
        srqEx.attr(new SrqAttr().maxWr(5).maxSge(1));
        Path file = Files.createTempFile("open-world", ".xrcd");
        try (SharedReceiveQueue old = rig.pd.createSrq(srq);
                SharedReceiveQueue now = rig.context.createSrqEx(srqEx);
                XrcDomain xrcd =
                        rig.context.openXrcd(new XrcdInitAttr().file(file).oflags(XrcdOpenFlags.CREAT))) {
            assertThat(old).isNotSameAs(now);
            assertThat(srq.attr().maxWr()).isGreaterThan(5);
            assertThat(srqEx.attr().maxWr()).isGreaterThan(5);
            SrqInitAttrEx xrc = new SrqInitAttrEx()
                    .pd(rig.pd)
                    .srqType(SrqType.XRC)
                    .xrcd(xrcd)
                    .cq(rig.peerCq);
            xrc.attr(new SrqAttr().maxWr(5).maxSge(1));
            try (SharedReceiveQueue shared = rig.context.createSrqEx(xrc)) {
                assertThat(shared.srqNum()).isPositive();
                assertThat(xrc.attr().maxWr()).isGreaterThan(5);
            }
        } finally {
            Files.delete(file);
        }
    }

    private static void vendor(Context context) {
        assertThat(context.vendor(Mlx5Dv.class)).isSameAs(context.vendor(Mlx5Dv.class));
        assertThat(context.vendor(Mlx5Dv.class).context()).isSameAs(context);
        refused(Errno.EOPNOTSUPP, "java.lang.String", () -> context.vendor(String.class));
    }

    // ---- opening

    private static void opening(Device device) {
        OpenAttr withDevx = new OpenAttr().vendor(new Mlx5OpenAttr().flags(Mlx5OpenAttr.DEVX));
        try (Context context = Verbs.open(device, VerbsLevel.CURRENT, withDevx)) {
            assertThat(context.vendor(Devx.class)).isSameAs(context.vendor(Devx.class));
        }
        Verbs.open(device, VerbsLevel.CURRENT, new OpenAttr().vendor(null)).close(); // as if it had not been set
        for (Object unknown : new Object[] {"another's", new Mlx5OpenAttr().flags(1 << 9)}) {
            refused(
                    Errno.EOPNOTSUPP,
                    "VENDOR",
                    () -> Verbs.open(device, VerbsLevel.CURRENT, new OpenAttr().vendor(unknown)));
        }
    }

    // ---- closing waits for nothing

    /**
     * Events of all kinds of objects that were fetched and never acknowledged, and what they can be used for after the
     * close.
     */
    private static void eventsThatNobodyGivesBack(Context context, ProtectionDomain pd) {
        assertThat(context.asyncEventDescriptor()).isPositive();
        AsyncEvent ofQp;
        CompletionQueue gone;
        try (CompletionChannel channel = context.createCompChannel()) {
            assertThat(channel.descriptor()).isPositive().isNotEqualTo(context.asyncEventDescriptor());
            try (CompletionQueue cq = context.createCq(16, null, channel, 0);
                    SharedReceiveQueue srq = pd.createSrq(
                            new SrqInitAttr().attr(new SrqAttr().maxWr(4).maxSge(1)));
                    QueuePair qp = pd.createQp(Mlx5Rig.attr(QpType.RC, cq, srq))) {
                gone = cq;
                assertThat(channel.getEvent(0, TimeUnit.NANOSECONDS)).isNull();
                assertThat(EventDescriptors.isReadable(channel.descriptor())).isFalse();
                assertThat(cq.reqNotify(false)).isZero();
                complete(context, qp);
                assertThat(EventDescriptors.isReadable(channel.descriptor())).isTrue();
                assertThat(channel.getEvent(0, TimeUnit.NANOSECONDS)).isSameAs(cq);
                assertThat(EventDescriptors.isReadable(channel.descriptor())).isFalse();
                ofQp = raise(context, EventType.COMM_EST, qp.qpNum());
                assertThat(ofQp.element()).isSameAs(qp);
                int number =
                        DvObjects.cq(((NativeCompletionQueue) cq).ibv.address()).number();
                assertThat(raise(context, EventType.CQ_ERR, number).element()).isSameAs(cq);
                int srqn = context.vendor(Mlx5Dv.class)
                        .sharedReceiveQueue(srq, Mlx5SrqMask.SRQN)
                        .srqn();
                assertThat(raise(context, EventType.SRQ_LIMIT_REACHED, srqn).element())
                        .isSameAs(srq);
            }
        }
        assertThat(ofQp.eventType()).isEqualTo(EventType.COMM_EST);
        ofQp.ack(); // does nothing
        refused(Errno.EINVAL, "closed", () -> gone.ackEvents(1));
    }

    private static AsyncEvent raise(Context context, int type, int number) {
        assertThat(Simulator.device_sim_async_event(0, type, number)).isZero();
        assertThat(EventDescriptors.isReadable(context.asyncEventDescriptor())).isTrue();
        AsyncEvent event = context.getAsyncEvent(60, TimeUnit.SECONDS);
        assertThat(event.eventType()).isEqualTo(type);
        return event;
    }

    /** Completes a request. */
    private static void complete(Context context, QueuePair qp) {
        Mlx5Rig.connect(context, qp, qp.qpNum());
        assertThat(qp.postSend(new SendWorkRequest()
                        .opcode(WrOpcode.RDMA_WRITE)
                        .sendFlags(SendFlags.SIGNALED)
                        .sgList(new ScatterGatherElement[0], 0)))
                .isZero();
        Simulator.pump();
    }
}
