/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The operations of level 3, posted to a device of any level: between program and provider there is nobody. What the
 * device does not have it must refuse, at the post and without a trace; what it says that it has it must do.
 */
final class OperationVerbs {
    private static final int[] OPCODES = {
        WrOpcode.LOCAL_INV,
        WrOpcode.BIND_MW,
        WrOpcode.SEND_WITH_INV,
        WrOpcode.MASKED_ATOMIC_CMP_AND_SWP,
        WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD,
        WrOpcode.FLUSH,
        WrOpcode.ATOMIC_WRITE,
        WrOpcode.REG_MR,
        WrOpcode.RDMA_READ_WITH_INV,
        WrOpcode.NOP,
        WrOpcode.CQE_WAIT,
        WrOpcode.SEND_ENABLE,
        WrOpcode.RECV_ENABLE,
    };

    private static final int RIGHTS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC;

    private static final long BEFORE = 0x1122_3344_5566_7788L;

    private final Context context;
    private final BaseVerbs base;
    private final ByteBuffer there = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
    private final ByteBuffer here = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
    private QueuePair left;
    private QueuePair right;
    private MemoryRegion remote;
    private MemoryRegion local;
    private DeviceAttrEx device;

    OperationVerbs(Context context, BaseVerbs base) {
        this.context = context;
        this.base = base;
    }

    void run() {
        Results.step("old", "create_qp_for_operations", () -> {
            device = context.queryDeviceEx();
            int flush = has(WrOpcode.FLUSH) ? AccessFlags.FLUSH_GLOBAL : 0;
            int rights = rights();
            remote = base.pd.regMr(there, rights | flush);
            local = base.pd.regMr(here, AccessFlags.LOCAL_WRITE);
            left = base.pair(base.pd, base.cq);
            right = base.pair(base.pd, base.cq);
            base.join(left, right);
            right.modify(new QpAttr().qpState(QpState.RTS).qpAccessFlags(rights & ~AccessFlags.LOCAL_WRITE | flush));
            return "";
        });
        for (int opcode : OPCODES) {
            String name = "post_" + WrOpcode.toString(opcode).toLowerCase(Locale.ROOT);
            Results.step("new", name, () -> Results.need(right, "create_qp") != null && has(opcode)
                    ? done(opcode)
                    : refused(opcode));
        }
        Results.step("new", "builder_write", this::build);
        Results.step("new", "builder_nop", this::buildNoOperation);
        Results.step("old", "send_after_operations", this::send);
        for (AutoCloseable handle : new AutoCloseable[] {left, right, local, remote}) {
            if (handle != null) {
                Results.step("old", "destroy_after_operations", () -> {
                    Results.close(handle);
                    return "";
                });
            }
        }
    }

    /** Those that the device has: by what it tells, else by trying. Who has WRITE alone has operations to look at. */
    private int rights() {
        if (device.has(DeviceAttrEx.MR_ACCESS_FLAGS) && device.has(DeviceAttrEx.QP_ACCESS_FLAGS)) {
            return RIGHTS & device.mrAccessFlags() & (device.qpAccessFlags() | AccessFlags.LOCAL_WRITE);
        }
        int rights = AccessFlags.LOCAL_WRITE;
        for (int right = 1; right <= RIGHTS; right <<= 1) {
            try {
                if ((RIGHTS & right) != 0) {
                    base.pd.regMr(there, AccessFlags.LOCAL_WRITE | right).close();
                    rights |= right;
                }
            } catch (VerbsException e) {
                if (e.errno() != Errno.EOPNOTSUPP) {
                    throw e;
                }
            }
        }
        return rights;
    }

    private boolean has(int opcode) {
        return (device.sendOpsRc() & bit(opcode)) != 0;
    }

    private static long bit(int opcode) {
        return switch (opcode) {
            case WrOpcode.LOCAL_INV -> QpCreateSendOps.LOCAL_INV;
            case WrOpcode.BIND_MW -> QpCreateSendOps.BIND_MW;
            case WrOpcode.SEND_WITH_INV -> QpCreateSendOps.SEND_WITH_INV;
            case WrOpcode.MASKED_ATOMIC_CMP_AND_SWP -> QpCreateSendOps.MASKED_ATOMIC_CMP_AND_SWP;
            case WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD -> QpCreateSendOps.MASKED_ATOMIC_FETCH_AND_ADD;
            case WrOpcode.FLUSH -> QpCreateSendOps.FLUSH;
            case WrOpcode.ATOMIC_WRITE -> QpCreateSendOps.ATOMIC_WRITE;
            case WrOpcode.REG_MR -> QpCreateSendOps.REG_MR;
            case WrOpcode.RDMA_READ_WITH_INV -> QpCreateSendOps.RDMA_READ_WITH_INV;
            case WrOpcode.NOP -> QpCreateSendOps.NOP;
            case WrOpcode.CQE_WAIT -> QpCreateSendOps.CQE_WAIT;
            case WrOpcode.SEND_ENABLE -> QpCreateSendOps.SEND_ENABLE;
            default -> QpCreateSendOps.RECV_ENABLE;
        };
    }

    /** Everything that one of these operations could want; a device that took it for another one would do something. */
    private SendWorkRequest request(int opcode) {
        there.clear();
        here.clear();
        while (there.hasRemaining()) {
            there.putLong(BEFORE);
            here.putLong(~BEFORE);
        }
        SendWorkRequest request = new SendWorkRequest().wrId(opcode).opcode(opcode).sendFlags(SendFlags.SIGNALED);
        request.remoteAddr(remote.addr()).rkey(remote.rkey()).invalidateRkey(remote.rkey());
        request.compareAdd(BEFORE).compareAddMask(0xffL).swap(0L).swapMask(0xff00L).atomicWidth(Long.BYTES);
        request.atomicWriteValue(~BEFORE).flushType(FlushType.GLOBAL).flushLevel(FlushLevel.RANGE).flushLength(8);
        request.fastRegister(new FastRegister().mr(remote).key(remote.rkey()).access(RIGHTS).addr(8));
        return request.waitCq(base.cq).enableQp(right).waitCount(1);
    }

    private ScatterGatherElement element() {
        return new ScatterGatherElement().addr(local.addr()).length(Long.BYTES).lkey(local.lkey());
    }

    private String refused(int opcode) {
        if (!device.has(DeviceAttrEx.SEND_OPS_RC) && BaseVerbs.providerLevel >= 3) {
            return "nothing reports whether the device supports it";
        }
        SendWorkRequest request = request(opcode).sgList(element());
        SendWorkRequest[] bad = {null};
        int errno = left.postSend(request, bad);
        if (errno != Errno.EINVAL && errno != Errno.EOPNOTSUPP) {
            throw new IllegalStateException("the post returned " + Errno.name(errno));
        }
        MemoryVerbs.same(request, bad[0]);
        untouched(there, BEFORE);
        untouched(here, ~BEFORE);
        MemoryVerbs.same(0, base.cq.poll(1, new WorkCompletion[] {new WorkCompletion()}));
        return "refused, " + Errno.name(errno);
    }

    private static void untouched(ByteBuffer buffer, long value) {
        for (int i = 0; i < buffer.capacity(); i += Long.BYTES) {
            MemoryVerbs.same(value, buffer.getLong(i));
        }
    }

    /** One that needs a key or another queue first is somebody else's to try. */
    private String done(int opcode) {
        SendWorkRequest request = request(opcode);
        switch (opcode) {
            case WrOpcode.MASKED_ATOMIC_CMP_AND_SWP:
                complete(request.sgList(element()), WcOpcode.MASKED_COMP_SWAP);
                return written(0x1122_3344_5566_0088L, BEFORE);
            case WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD:
                complete(request.sgList(element()).compareAdd(0x10).compareAddMask(0), WcOpcode.MASKED_FETCH_ADD);
                return written(BEFORE + 0x10, BEFORE);
            case WrOpcode.ATOMIC_WRITE:
                complete(request, WcOpcode.ATOMIC_WRITE);
                return written(~BEFORE, ~BEFORE);
            case WrOpcode.FLUSH:
                complete(request, WcOpcode.FLUSH);
                return written(BEFORE, ~BEFORE);
            case WrOpcode.NOP:
                complete(request, WcOpcode.NOP);
                return written(BEFORE, ~BEFORE);
            default:
                return "not tried; the device reports support";
        }
    }

    private String written(long remoteValue, long localValue) {
        MemoryVerbs.same(remoteValue, there.getLong(0));
        MemoryVerbs.same(BEFORE, there.getLong(8));
        MemoryVerbs.same(localValue, here.getLong(0));
        return "done";
    }

    private void complete(SendWorkRequest request, int opcode) {
        BaseVerbs.post(left.postSend(request), "post_send");
        WorkCompletion[] wc = {new WorkCompletion()};
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (base.cq.poll(1, wc) == 0 && System.nanoTime() - end < 0) {
            Thread.yield();
        }
        MemoryVerbs.same(request.wrId(), wc[0].wrId());
        MemoryVerbs.same(WcStatus.toString(WcStatus.SUCCESS), WcStatus.toString(wc[0].status()));
        MemoryVerbs.same(WcOpcode.toString(opcode), WcOpcode.toString(wc[0].opcode()));
    }

    /** A provider that has never heard of the builder gets the requests one by one. */
    private String build() {
        base.prepare(18);
        SendBuilder builder = Results.need(left, "create_qp").builder();
        builder.start();
        builder.write(5, SendFlags.SIGNALED, base.target.rkey(), base.target.addr())
                .sge(base.source.lkey(), base.source.addr(), BaseVerbs.SIZE);
        BaseVerbs.post(builder.complete(), "post_built");
        BaseVerbs.await(base.cq, 1);
        return base.verify(18);
    }

    private String buildNoOperation() {
        SendBuilder builder = Results.need(left, "create_qp").builder();
        builder.start();
        builder.nop(6, SendFlags.SIGNALED);
        if (!has(WrOpcode.NOP) && BaseVerbs.providerLevel >= 3 && !device.has(DeviceAttrEx.SEND_OPS_RC)) {
            builder.abort();
            return "nothing reports whether the device supports it";
        }
        int errno = builder.complete();
        MemoryVerbs.same(has(WrOpcode.NOP), errno == 0);
        if (errno == 0) {
            BaseVerbs.await(base.cq, 1);
            return "done";
        }
        MemoryVerbs.same(0, builder.posted());
        MemoryVerbs.same(0, base.cq.poll(1, new WorkCompletion[] {new WorkCompletion()}));
        return "refused, " + Errno.name(errno);
    }

    /** The queue pair goes on as though nothing had been posted. */
    private String send() {
        QueuePair qp = Results.need(left, "create_qp");
        base.prepare(17);
        SendWorkRequest write = base.request(WrOpcode.RDMA_WRITE);
        BaseVerbs.post(
                qp.postSend(write.remoteAddr(base.target.addr()).rkey(base.target.rkey())),
                "post_send");
        BaseVerbs.await(base.cq, 1);
        return base.verify(17);
    }
}
