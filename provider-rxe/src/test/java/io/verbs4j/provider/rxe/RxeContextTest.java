/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AttrArray;
import io.verbs4j.CompletionQueue;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Errno;
import io.verbs4j.GidEntry;
import io.verbs4j.GidType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqAttrMask;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.link.LinkOptions;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.ExportDevice;
import io.verbs4j.slot.QueryGidEx;
import io.verbs4j.slot.QueryGidTable;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Requests that a header and a library of a later level may make, and that those of today cannot express. */
class RxeContextTest {
    private static final int UNKNOWN = 1 << 25;

    private static AbstractThrowableAssert<?, ? extends Throwable> refused(ThrowingCallable verb) {
        return assertThatThrownBy(verb).isInstanceOfSatisfying(VerbsException.class, e -> {
            if (e.errno() != Errno.EOPNOTSUPP) {
                throw e;
            }
        });
    }

    @Test
    void unknownMaskBitsAreRefused() {
        try (TestContext context = TestContext.open((String) null);
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                SharedReceiveQueue srq = pd.createSrq(
                        new SrqInitAttr().attr(new SrqAttr().maxWr(4).maxSge(1)));
                QueuePair qp = pd.createQp(new QpInitAttr()
                        .qpType(QpType.RC)
                        .sendCq(cq)
                        .recvCq(cq)
                        .cap(new QpCap().maxSendWr(4).maxRecvWr(4)))) {
            ContextOps ops = context.libraryOps();
            QpAttr attr = new QpAttr().qpState(QpState.RESET);
            refused(() -> ops.modifyQp(qp, attr, QpAttrMask.STATE | UNKNOWN)).hasMessageContaining("0x2000000");
            refused(() -> ops.queryQp(qp, attr, QpAttrMask.STATE | UNKNOWN, new QpInitAttr()))
                    .hasMessageContaining("0x2000000");
            refused(() -> ops.modifySrq(srq, new SrqAttr().srqLimit(1), SrqAttrMask.LIMIT | UNKNOWN))
                    .hasMessageContaining("0x2000000");
        }
    }

    /**
     * Receive limits of a queue pair that receives from another queue, or not at all: ibv_create_qp(3) ignores them.
     */
    @Test
    void receiveLimitsWithoutReceiveQueueAreIgnored() {
        try (TestContext context = TestContext.open((String) null);
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                SharedReceiveQueue srq = pd.createSrq(
                        new SrqInitAttr().attr(new SrqAttr().maxWr(4).maxSge(1)))) {
            QpCap beyond = new QpCap().maxSendWr(4).maxRecvWr(Integer.MAX_VALUE).maxRecvSge(Integer.MAX_VALUE);
            QpInitAttr attr = new QpInitAttr()
                    .qpType(QpType.RC)
                    .sendCq(cq)
                    .recvCq(cq)
                    .srq(srq)
                    .cap(beyond);
            try (QueuePair qp = pd.createQp(attr)) {
                assertThat(attr.cap().maxRecvWr()).isZero();
                assertThat(qp.srq()).isSameAs(srq);
            }
            QpInitAttrEx xrc = new QpInitAttrEx()
                    .qpType(QpType.XRC_SEND)
                    .sendCq(cq)
                    .pd(pd)
                    .cap(new QpCap().maxSendWr(4).maxRecvWr(Integer.MAX_VALUE).maxRecvSge(Integer.MAX_VALUE));
            ContextTable slots = new ContextTable(ContextSlot.COUNT);
            ((RxeContext) context.libraryOps()).fill(slots);
            CreateQpEx verb = (CreateQpEx) slots.provider(ContextSlot.CREATE_QP_EX);
            verb.createQpEx(xrc).close();
            assertThat(xrc.cap().maxRecvWr()).isZero();
        }
    }

    /** A library of level 1 has no table, and always calls this. */
    @Test
    void attributesOfOtherVendorAreRefused() {
        try (TestContext context = TestContext.open((String) null);
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16)) {
            QpInitAttr attr = new QpInitAttr()
                    .qpType(QpType.RC)
                    .sendCq(cq)
                    .recvCq(cq)
                    .cap(new QpCap().maxSendWr(4).maxRecvWr(4))
                    .vendor("anything");
            refused(() -> pd.createQp(attr)).hasMessageContaining("0x80000001");
            refused(() -> context.createCq(16, null, null, 0, "anything"));
            try (QueuePair qp = pd.createQp(attr.vendor(null))) {
                QpAttr reset = new QpAttr().qpState(QpState.RESET).vendor("anything");
                refused(() -> qp.modify(reset)).hasMessageContaining("VENDOR");
            }
        }
    }

    @Test
    void nothingIsExportedWithoutSystemCalls() {
        LinkOptions options = LinkOptions.defaults().withKind(LinkOptions.Kind.NIO);
        try (TestContext context = TestContext.open(options)) {
            ContextTable slots = new ContextTable(ContextSlot.COUNT);
            ((RxeContext) context.libraryOps()).fill(slots);
            ExportDevice export = (ExportDevice) slots.provider(ContextSlot.EXPORT_DEVICE);
            assertThatThrownBy(export::exportDevice)
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP))
                    .hasMessageContaining("io.verbs4j.rxe.link is nio");
        }
    }

    @Test
    void gidTableFitsCallersOfOtherLevels() {
        try (TestContext context = TestContext.open((String) null)) {
            ContextTable slots = new ContextTable(ContextSlot.COUNT);
            ((RxeContext) context.libraryOps()).fill(slots);
            QueryGidTable table = (QueryGidTable) slots.provider(ContextSlot.QUERY_GID_TABLE);
            int length = context.port().gids().size();
            AttrArray longer = new AttrArray(length + 1, GidEntry.WORDS + 3);
            assertThat(table.queryGidTable(0, longer)).isEqualTo(length);
            assertThat(longer.get(0, GidEntry.GID_TYPE_WORD)).isEqualTo(GidType.ROCE_V2);
            assertThat(longer.get(0, GidEntry.WORDS)).isZero();
            AttrArray shorter = new AttrArray(length, 2);
            assertThat(table.queryGidTable(0, shorter)).isEqualTo(length);
            assertThat(shorter.get(0, 1)).isEqualTo(context.port().gid(0).interfaceId());
            refused(() -> table.queryGidTable(1, longer)).hasMessageContaining("0x1");
            AttrArray none = new AttrArray(length - 1, GidEntry.WORDS);
            assertThatThrownBy(() -> table.queryGidTable(0, none)).hasMessageContaining("room for 0 entries");
            QueryGidEx one = (QueryGidEx) slots.provider(ContextSlot.QUERY_GID_EX);
            refused(() -> one.queryGidEx(1, 0, 1, new GidEntry())).hasMessageContaining("0x1");
        }
    }
}
