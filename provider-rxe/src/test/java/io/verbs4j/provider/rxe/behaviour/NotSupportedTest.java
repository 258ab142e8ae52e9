/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.CqInitAttrMask;
import io.verbs4j.Ece;
import io.verbs4j.Errno;
import io.verbs4j.InputAttr;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.ModifyCqAttr;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.OpenAttr;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.OpsWrOpcode;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpRateLimitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueryDeviceExInput;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ReregFlags;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.core.Verbs;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever the device does not support or know fails with EOPNOTSUPP; invalid arguments fail with EINVAL. Programs of a
 * later level depend on the former.
 */
class NotSupportedTest extends TwoSides {
    /** Values that no level has defined yet. */
    private static final int UNKNOWN_ACCESS = 1 << 12;

    private static final int UNKNOWN_OPTIONAL = 1 << 27;

    private static final long UNKNOWN_BIT = 1L << 30;
    private static final long UNKNOWN_OPTIONAL_BIT = 1L << 60;

    @Override
    boolean overTheWire() {
        return false;
    }

    private static int errno(Runnable verb) {
        VerbsException e = catchThrowableOfType(VerbsException.class, verb::run);
        return e == null ? 0 : e.errno();
    }

    private static void refused(Runnable verb) {
        assertThat(errno(verb)).isEqualTo(Errno.EOPNOTSUPP);
    }

    @ParameterizedTest
    @ValueSource(ints = {AccessFlags.HUGETLB, UNKNOWN_ACCESS, 1 << 19})
    void unsupportedRightsAreRefused(int right) {
        make(side -> {});
        int access = AccessFlags.LOCAL_WRITE | right;
        refused(() -> a.pd.regMr(a.buffer, access));
        refused(() -> a.pd.regMr(a.mr.addr(), 100, access));
        refused(() -> a.mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, access));
        assertThat(a.mr.access()).isEqualTo(Side.ALL_ACCESS);
        refused(() -> a.qp.modify(new QpAttr()
                .qpState(QpState.INIT)
                .pkeyIndex(0)
                .portNum(1)
                .qpAccessFlags(AccessFlags.REMOTE_READ | right)));
        assertThat(a.qp.query(QpAttrMask.STATE).qpState()).isEqualTo(QpState.RESET);
    }

    @ParameterizedTest
    @ValueSource(ints = {AccessFlags.RELAXED_ORDERING, UNKNOWN_OPTIONAL, AccessFlags.OPTIONAL_RANGE})
    void optionalRightsAreIgnored(int right) {
        start(side -> side.access |= right);
        try (MemoryRegion mr = a.pd.regMr(b.buffer, AccessFlags.LOCAL_WRITE | right)) {
            assertThat(mr.access()).isEqualTo(AccessFlags.LOCAL_WRITE);
            mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, right);
            assertThat(mr.access()).isZero();
        }
        assertThat(a.qp.query(QpAttrMask.ACCESS_FLAGS).qpAccessFlags() & AccessFlags.OPTIONAL_RANGE)
                .isZero();
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 100)), b, 0));
        a.next(1, WcStatus.SUCCESS);
        b.assertPattern(0, 1, 0, 100);
        try (MemoryWindow mw = b.pd.allocMw(MwType.TYPE_1)) {
            assertThat(b.qp.bindMw(mw, bind(AccessFlags.REMOTE_WRITE | right))).isZero();
            b.next(7, WcStatus.SUCCESS);
        }
    }

    private MwBind bind(int access) {
        return new MwBind()
                .wrId(7)
                .sendFlags(SendFlags.SIGNALED)
                .mr(b.mr)
                .addr(b.mr.addr())
                .length(100)
                .mwAccessFlags(access);
    }

    /** Pages of a JVM's memory are faulted in on first access anyway. */
    @Test
    void onDemandMemoryIsSupported() {
        start();
        try (MemoryRegion mr =
                b.pd.regMr(b.buffer, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.ON_DEMAND)) {
            assertThat(mr.access() & AccessFlags.ON_DEMAND).isNotZero();
            a.post(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 100))
                    .remoteAddr(mr.addr())
                    .rkey(mr.rkey()));
            a.next(1, WcStatus.SUCCESS);
            b.assertPattern(0, 1, 0, 100);
        }
    }

    @Test
    void unknownTypesAndBitsAreRefused() {
        make(side -> {});
        refused(() -> a.pd.allocMw(77));
        refused(() -> a.mr.rereg(1 << 5, null, 0, 0, 0));
        for (int type : new int[] {QpType.DRIVER, QpType.RAW_PACKET, 77}) {
            refused(() -> a.context.createQpEx(queuePair(type)));
        }
        refused(() -> a.context.createQpEx(marked(queuePair(QpType.RC), UNKNOWN_BIT)));
        refused(() -> a.context.createSrqEx(marked(sharedQueue(SrqType.BASIC), UNKNOWN_BIT)));
        refused(() -> a.context.createSrqEx(sharedQueue(77)));
        refused(() -> a.context.openXrcd(new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT | 1)));
        refused(() ->
                a.context.openXrcd(marked(new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT), UNKNOWN_BIT)));
        refused(() -> a.context.openQp(new QpOpenAttr().qpNum(5).qpType(QpType.DRIVER)));
    }

    @Test
    void unsupportedCompletionOptionsAreRefused() {
        make(side -> {});
        for (long flag : new long[] {WcExFlags.CVLAN, WcExFlags.FLOW_TAG, 1L << 40}) {
            refused(() -> a.context.createCqEx(new CqInitAttrEx().cqe(4).wcFlags(WcExFlags.BYTE_LEN | flag)));
        }
        refused(() -> a.context.createCqEx(new CqInitAttrEx().cqe(4).flags(1 << 2)));
        refused(() -> a.context.createCqEx(new CqInitAttrEx().cqe(4).vendor("anything")));
        refused(() -> a.context.createCqEx(marked(new CqInitAttrEx().cqe(4), UNKNOWN_BIT)));
        assertThat(errno(() -> a.context.createCqEx(marked(new CqInitAttrEx().cqe(4), CqInitAttrMask.PD))))
                .as("PD without a protection domain")
                .isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> a.context.createCqEx(new CqInitAttrEx().cqe(1 << 23))))
                .isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> a.context.createCqEx(new CqInitAttrEx()))).isEqualTo(Errno.EINVAL);
        refused(() -> a.cq.modify(marked(new ModifyCqAttr().cqCount(1), UNKNOWN_BIT)));
        assertThat(errno(() -> a.cq.modify(new ModifyCqAttr().cqCount(1 << 16))))
                .isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> a.cq.modify(new ModifyCqAttr().cqPeriod(-1)))).isEqualTo(Errno.EINVAL);
        assertThat(a.cq.startPoll(null)).as("startPoll on a basic queue").isEqualTo(Errno.EOPNOTSUPP);
        refused(a.cq::readQpNum);
    }

    @Test
    void unknownQueriesAreRefused() {
        make(side -> {});
        refused(() -> a.context.queryDeviceEx(marked(new QueryDeviceExInput(), UNKNOWN_BIT)));
        refused(() -> a.context.queryValues(1L << 40));
        assertThat(errno(() -> a.context.queryValues(0))).isEqualTo(Errno.EINVAL);
        refused(() -> a.qp.queryDataInOrder(WrOpcode.SEND, 1 << 2));
        assertThat(errno(() -> a.context.queryGidEx(1, 99))).isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> a.context.queryGidEx(2, 0))).isEqualTo(Errno.EINVAL);
    }

    @Test
    void rateLimitOfXrcIsRefused() {
        start(side -> side.qpType = side == b ? QpType.XRC_RECV : QpType.XRC_SEND);
        refused(() -> a.qp.modifyRateLimit(new QpRateLimitAttr().rateLimit(1000)));
    }

    @Test
    void optionalAttributesAreIgnored() {
        make(side -> {});
        a.context
                .createCqEx(marked(new CqInitAttrEx().cqe(4), UNKNOWN_OPTIONAL_BIT))
                .close();
        a.context.createQpEx(marked(queuePair(QpType.RC), UNKNOWN_OPTIONAL_BIT)).close();
        a.context
                .createSrqEx(marked(sharedQueue(SrqType.BASIC), UNKNOWN_OPTIONAL_BIT))
                .close();
        try (XrcDomain xrcd = a.context.openXrcd(
                marked(new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT), UNKNOWN_OPTIONAL_BIT))) {
            assertThat(xrcd).isNotNull();
        }
    }

    @Test
    void vendorOptionsAreRefused() {
        make(side -> {});
        refused(() -> Verbs.open(a.context.device(), VerbsLevel.CURRENT, new OpenAttr().vendor("anything")));
        refused(() -> a.context.vendor(Runnable.class));
    }

    @Test
    void invalidTagMatchingIsRefused() {
        make(side -> {});
        for (int tags : new int[] {0, -1, 4097}) {
            assertThat(errno(() -> a.context.createSrqEx(taggedQueue().tmCap(tags, 1))))
                    .isEqualTo(Errno.EINVAL);
        }
        assertThat(errno(() -> a.context.createSrqEx(taggedQueue().tmCap(1, 65_537))))
                .isEqualTo(Errno.EINVAL);
        SharedReceiveQueue srq = a.opened(a.context.createSrqEx(taggedQueue()));
        for (int type : new int[] {QpType.UC, QpType.UD}) {
            refused(() -> a.context.createQpEx(queuePair(type).srq(srq)));
        }
        assertThat(errno(srq::srqNum)).isEqualTo(Errno.EINVAL);
        OpsWorkRequest wr = new OpsWorkRequest().opcode(OpsWrOpcode.TAG_SYNC);
        OpsWorkRequest[] bad = new OpsWorkRequest[1];
        assertThat(srq.postSrqOps(wr.flags(1 << 2), bad)).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(bad[0]).isSameAs(wr);
        OpsWorkRequest other = new OpsWorkRequest().opcode(3);
        assertThat(srq.postSrqOps(wr.flags(0).next(other), bad)).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(bad[0]).isSameAs(other);
        SharedReceiveQueue plain = a.opened(a.context.createSrqEx(sharedQueue(SrqType.BASIC)));
        assertThat(plain.postSrqOps(wr, bad))
                .as("tag operation on a BASIC queue")
                .isEqualTo(Errno.EINVAL);
        assertThat(bad[0]).isSameAs(wr);
    }

    @Test
    void sizesOfTagListsAreLimited() {
        make(side -> {});
        SharedReceiveQueue srq = a.opened(a.context.createSrqEx(taggedQueue().tmCap(2, 5)));
        OpsWorkRequest[] bad = new OpsWorkRequest[1];
        ScatterGatherElement[] many =
                Stream.generate(() -> a.sge(0, 1)).limit(5).toArray(ScatterGatherElement[]::new);
        OpsWorkRequest add = new OpsWorkRequest().opcode(OpsWrOpcode.TAG_ADD);
        assertThat(srq.postSrqOps(add.sgList(many))).as("too many elements").isEqualTo(Errno.EINVAL);
        assertThat(srq.postSrqOps(add.sgList((ScatterGatherElement) null))).isEqualTo(Errno.EINVAL);
        assertThat(srq.postSrqOps(add.sgList(many, 4))).isZero();
        assertThat(srq.postSrqOps(add.sgList(many, 0))).isZero();
        assertThat(srq.postSrqOps(add, bad)).as("list full").isEqualTo(Errno.ENOMEM);
        assertThat(bad[0]).isSameAs(add);
        OpsWorkRequest delete = new OpsWorkRequest().opcode(OpsWrOpcode.TAG_DEL);
        assertThat(srq.postSrqOps(delete.handle(2))).as("unused handle").isEqualTo(Errno.EINVAL);
        assertThat(srq.postSrqOps(delete.handle(-1))).isEqualTo(Errno.EINVAL);
        assertThat(srq.postSrqOps(delete.handle(add.handle()))).isZero();
        assertThat(srq.postSrqOps(add)).isZero();
        OpsWorkRequest circle = new OpsWorkRequest().opcode(OpsWrOpcode.TAG_SYNC);
        assertThat(srq.postSrqOps(circle.next(circle))).as("endless list").isEqualTo(Errno.ENOMEM);
        assertThat(srq.postSrqOps(null)).isEqualTo(Errno.EINVAL);
        srq.close();
        assertThat(srq.postSrqOps(add, bad)).as("closed queue").isEqualTo(Errno.EINVAL);
    }

    @Test
    void connectionOptionsAreRefused() {
        make(side -> {});
        refused(() -> a.qp.setEce(new Ece().vendorId(1)));
        refused(a.qp::queryEce);
    }

    private SrqInitAttrEx taggedQueue() {
        return sharedQueue(SrqType.TM).cq(a.cq).tmCap(4, 4);
    }

    private QpInitAttrEx queuePair(int type) {
        return new QpInitAttrEx()
                .qpType(type)
                .pd(a.pd)
                .sendCq(a.cq)
                .recvCq(a.cq)
                .cap(new QpCap().maxSendWr(4).maxRecvWr(4).maxSendSge(1).maxRecvSge(1));
    }

    private SrqInitAttrEx sharedQueue(int type) {
        return new SrqInitAttrEx()
                .srqType(type)
                .pd(a.pd)
                .attr(new SrqAttr().maxWr(4).maxSge(1));
    }

    private static <T extends InputAttr> T marked(T attr, long bit) {
        attr.masks(attr.compMask() | bit, 0);
        return attr;
    }

    // ---- posting

    @ParameterizedTest
    @ValueSource(ints = {10, 11, 16, 99, 0xfff, 0x1006, 256, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void unknownOperationsAreRefused(int opcode) {
        start();
        SendWorkRequest[] bad = new SendWorkRequest[1];
        SendWorkRequest wr = a.to(Side.wr(opcode, 1, a.sge(0, 8)), b, 0);
        assertThat(a.qp.postSend(wr, bad)).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(bad[0]).isSameAs(wr);
        assertThat(a.qp.postSend(wr.sgList((ScatterGatherElement) null))).isEqualTo(Errno.EINVAL);
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 4, 1 << 15, Integer.MIN_VALUE})
    void unknownFlagsAreRefused(int flag) {
        start();
        SendWorkRequest wr = Side.wr(WrOpcode.SEND, 1, a.sge(0, 8)).sendFlags(SendFlags.SIGNALED | flag);
        assertThat(a.qp.postSend(wr)).isEqualTo(Errno.EOPNOTSUPP);
        try (MemoryWindow mw = b.pd.allocMw(MwType.TYPE_1)) {
            assertThat(b.qp.bindMw(mw, bind(AccessFlags.REMOTE_READ).sendFlags(flag)))
                    .isEqualTo(Errno.EOPNOTSUPP);
        }
    }

    @Test
    void invalidRequestsFailAsInvalidFirst() {
        make(side -> {});
        assertThat(a.qp.postSend(Side.wr(99, 1, a.sge(0, 8)))).as("in RESET").isEqualTo(Errno.EINVAL);
        a.qp.close();
        assertThat(a.qp.postSend(Side.wr(99, 1, a.sge(0, 8)))).as("after close").isEqualTo(Errno.EINVAL);
        assertThat(a.qp.postSend(null)).isEqualTo(Errno.EINVAL);
    }

    @Test
    void windowsOnUdAreRefused() {
        start(side -> side.qpType = QpType.UD);
        try (MemoryWindow mw = b.pd.allocMw(MwType.TYPE_1)) {
            assertThat(b.qp.bindMw(mw, bind(AccessFlags.REMOTE_READ))).isEqualTo(Errno.EOPNOTSUPP);
            assertThat(b.qp.bindMw(mw, bind(AccessFlags.LOCAL_WRITE))).isEqualTo(Errno.EINVAL);
            assertThat(b.qp.bindMw(null, bind(AccessFlags.REMOTE_READ))).isEqualTo(Errno.EINVAL);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {AccessFlags.ZERO_BASED, UNKNOWN_ACCESS})
    void unknownRightsOfWindowAreRefused(int right) {
        start();
        try (MemoryWindow mw = b.pd.allocMw(MwType.TYPE_1)) {
            assertThat(b.qp.bindMw(mw, bind(AccessFlags.REMOTE_READ | right))).isEqualTo(Errno.EOPNOTSUPP);
            assertThat(b.qp.bindMw(mw, bind(AccessFlags.LOCAL_WRITE | right))).isEqualTo(Errno.EINVAL);
        }
    }

    // ---- operations named at creation

    @Test
    void operationsOfOtherTypesAreRefusedAtCreation() {
        make(side -> {});
        refused(() -> a.context.createQpEx(queuePair(QpType.UC).sendOpsFlags(QpCreateSendOps.RDMA_READ)));
        refused(() -> a.context.createQpEx(
                queuePair(QpType.UD).sendOpsFlags(QpCreateSendOps.SEND | QpCreateSendOps.RDMA_WRITE)));
        refused(() -> a.context.createQpEx(queuePair(QpType.RC).sendOpsFlags(1L << 40)));
        try (XrcDomain xrcd = a.context.openXrcd(new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT))) {
            QpInitAttrEx receiver = new QpInitAttrEx().qpType(QpType.XRC_RECV).xrcd(xrcd);
            refused(() -> a.context.createQpEx(receiver.sendOpsFlags(QpCreateSendOps.SEND)));
        }
    }

    @Test
    void onlyNamedOperationsMayBePosted() {
        make(side -> {});
        a.qp.close();
        a.qp = a.opened(a.context.createQpEx(
                queuePair(QpType.RC).sendOpsFlags(QpCreateSendOps.RDMA_WRITE | QpCreateSendOps.BIND_MW)));
        Side.connect(a, b);
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 100)), b, 0));
        a.next(1, WcStatus.SUCCESS);
        assertThat(a.qp.postSend(Side.wr(WrOpcode.SEND, 2, a.sge(0, 8)))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(a.qp.postSend(a.to(Side.wr(WrOpcode.RDMA_READ, 2, a.sge(0, 8)), b, 0)))
                .isEqualTo(Errno.EOPNOTSUPP);
        try (MemoryWindow mw = a.pd.allocMw(MwType.TYPE_1)) {
            assertThat(a.qp.bindMw(mw, bind(AccessFlags.REMOTE_READ).mr(a.mr).addr(a.mr.addr())))
                    .isZero();
            a.next(7, WcStatus.SUCCESS);
        }
        b.recv(3, 0, 100);
        b.post(Side.wr(WrOpcode.SEND, 4, b.sge(0, 8))); // only operations of the sender are named
    }

    @Test
    void queuePairMayNameNoOperation() {
        make(side -> {});
        try (QueuePair qp = a.context.createQpEx(queuePair(QpType.RC).sendOpsFlags(0))) {
            assertThat(qp.postRecv(new RecvWorkRequest().sgList(a.sge(0, 8)))).isEqualTo(Errno.EINVAL);
        }
    }

    // ---- explanations

    /** Asserts that a refused request is explained, by the library or the device, and an accepted one is not. */
    private void assertExplained(SendWorkRequest wr, String... parts) {
        assertThat(a.qp.explain(wr)).contains(parts);
        assertThat(a.qp.postSend(wr)).isNotZero();
    }

    @Test
    void refusalsOfDeviceAreExplained() {
        make(side -> {});
        a.qp.close();
        a.qp = a.opened(a.context.createQpEx(queuePair(QpType.RC).sendOpsFlags(QpCreateSendOps.SEND)));
        Side.connect(a, b);
        assertExplained(
                a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 8)), b, 0), "RDMA_WRITE", "was created for SEND only");
        assertExplained(Side.wr(WrOpcode.SEND, 1, a.sge(0, 8)).sendFlags(1 << 9), "sendFlags has 0x200");
        SendWorkRequest fine = Side.wr(WrOpcode.SEND, 1, a.sge(0, 8));
        assertThat(a.qp.explain(fine)).isNull();
    }

    @Test
    void unregisteredInlineDataIsExplained() {
        start();
        SendWorkRequest wr = Side.wr(WrOpcode.SEND, 1, a.sge(0, 0), a.sge(0, 8)).sendFlags(SendFlags.INLINE);
        assertThat(a.qp.explain(wr)).isNull();
        wr.sgList()[1].lkey(a.mr.lkey() + 1);
        assertExplained(wr, "sgList[1] is not in memory registered", "INLINE");
    }

    @Test
    void tooLongDatagramIsExplained() {
        start(side -> side.qpType = QpType.UD);
        try (AddressHandle ah = a.pd.createAh(a.path(b.gid()))) {
            SendWorkRequest wr =
                    Side.wr(WrOpcode.SEND, 1, a.sge(0, 4096)).ah(ah).remoteQpn(b.qp.qpNum());
            assertThat(a.qp.explain(wr)).isNull();
            assertExplained(wr.sgList(a.sge(0, 5000)), "5000 bytes", "carries at most 4096");
        }
    }
}
