/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

import io.verbs4j.CompletionQueue;
import io.verbs4j.ContextAttr;
import io.verbs4j.ContextSlot;
import io.verbs4j.Errno;
import io.verbs4j.InputAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.core.Fakes;
import io.verbs4j.core.base.LibraryLevel;
import io.verbs4j.core.base.Origin;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

/** The extended verbs of level 2 over a provider that has them all. */
class ExtendedVerbsTest {
    private final ExtendedRig rig = new ExtendedRig();
    private final ProtectionDomain pd = rig.pd();
    private final CompletionQueue cq = rig.cq();
    private final XrcDomain xrcd = rig.xrcd();

    private SrqInitAttrEx xrcSrq() {
        return new SrqInitAttrEx().srqType(SrqType.XRC).pd(pd).xrcd(xrcd).cq(cq);
    }

    private QpInitAttrEx receiver() {
        return new QpInitAttrEx().qpType(QpType.XRC_RECV).xrcd(xrcd);
    }

    private QpInitAttrEx sender() {
        return new QpInitAttrEx().qpType(QpType.XRC_SEND).pd(pd).sendCq(cq);
    }

    @Test
    void everyVerbCallsItsSlot() {
        SrqInitAttrEx srqInit = xrcSrq();
        QpInitAttrEx recvInit = receiver();
        QpInitAttrEx sendInit = sender();
        QpOpenAttr open = new QpOpenAttr().qpNum(77).qpType(QpType.XRC_RECV).xrcd(xrcd);

        SharedReceiveQueue srq = rig.context.createSrqEx(srqInit);
        QueuePair recv = rig.context.createQpEx(recvInit);
        QueuePair send = rig.context.createQpEx(sendInit);
        QueuePair again = rig.context.openQp(open);

        assertThat(srq.srqNum()).isEqualTo(0xabcdef);
        assertThat(srq.cq()).isSameAs(cq);
        assertThat(recv.xrcd()).isSameAs(xrcd);
        assertThat(recv.pd()).isNull();
        assertThat(send.pd()).isSameAs(pd);
        assertThat(again.qpNum()).isEqualTo(77);
        verify(rig.createSrqEx).createSrqEx(srqInit);
        verify(rig.createQpEx).createQpEx(recvInit);
        verify(rig.createQpEx).createQpEx(sendInit);
        verify(rig.openQp).openQp(open);
        verify(rig.getSrqNum).getSrqNum(srq);
        verifyNoInteractions(rig.closeXrcd);
        for (AutoCloseable handle : new AutoCloseable[] {again, send, recv, srq}) {
            assertThat(closes(handle)).isTrue();
        }
        xrcd.close();
        xrcd.close();
        verify(rig.closeXrcd).closeXrcd(xrcd);
    }

    private static boolean closes(AutoCloseable handle) {
        try {
            handle.close();
            return true;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void oldVerbsUseNewOnes() {
        QpInitAttr qpInit =
                new QpInitAttr().qpType(QpType.RC).sendCq(cq).recvCq(cq).cap(new QpCap().maxSendWr(3));
        SrqInitAttr srqInit = new SrqInitAttr().attr(new SrqAttr().maxWr(5));

        QueuePair qp = pd.createQp(qpInit);
        SharedReceiveQueue srq = pd.createSrq(srqInit);

        ArgumentCaptor<QpInitAttrEx> qpEx = ArgumentCaptor.forClass(QpInitAttrEx.class);
        ArgumentCaptor<SrqInitAttrEx> srqEx = ArgumentCaptor.forClass(SrqInitAttrEx.class);
        verify(rig.createQpEx).createQpEx(qpEx.capture());
        verify(rig.createSrqEx).createSrqEx(srqEx.capture());
        verify(rig.ops, never()).createQp(any(), any());
        verify(rig.ops, never()).createSrq(any(), any());
        assertThat(qpEx.getValue().compMask()).isEqualTo(QpInitAttrMask.PD);
        assertThat(qpEx.getValue().cap().maxSendWr()).isEqualTo(3);
        assertThat(srqEx.getValue().srqType()).isEqualTo(SrqType.BASIC);
        assertThat(qp.pd()).isSameAs(pd);
        assertThat(srq.pd()).isSameAs(pd);
    }

    @Test
    void grantedCapacitiesArriveThroughOldVerbs() {
        QpCap given = new QpCap().maxSendWr(64);
        SrqAttr srqGiven = new SrqAttr().maxWr(128);
        doAnswer(i -> {
                    QpInitAttrEx attr = i.getArgument(0);
                    return new Fakes.FakeQp(rig.context, attr.cap(given), 5);
                })
                .when(rig.createQpEx)
                .createQpEx(any());
        doAnswer(i -> {
                    SrqInitAttrEx attr = i.getArgument(0);
                    return new Fakes.FakeSrq(rig.context, attr.attr(srqGiven));
                })
                .when(rig.createSrqEx)
                .createSrqEx(any());
        QpInitAttr qpInit = new QpInitAttr().qpType(QpType.RC).sendCq(cq).recvCq(cq);
        SrqInitAttr srqInit = new SrqInitAttr();

        pd.createQp(qpInit);
        pd.createSrq(srqInit);

        assertThat(qpInit.cap().maxSendWr()).isEqualTo(64);
        assertThat(srqInit.attr().maxWr()).isEqualTo(128);
    }

    @Test
    void failureNamesCalledVerb() {
        doThrow(new VerbsException(Errno.ENOMEM, "create_qp_ex", "no more"))
                .when(rig.createQpEx)
                .createQpEx(any());

        VerbsException e = assertFails(
                Errno.ENOMEM,
                () -> pd.createQp(new QpInitAttr().qpType(QpType.RC).sendCq(cq).recvCq(cq)),
                "create_qp: ENOMEM: no more");
        assertThat(e.verb()).isEqualTo("create_qp");
        assertFails(Errno.ENOMEM, () -> rig.context.createQpEx(receiver()), "create_qp_ex: ENOMEM: no more");
    }

    @Test
    void unknownBitsOfLibraryRangeAreRefused() {
        QpInitAttrEx table = sender();
        table.masks(table.compMask() | 1L << 4, 0); // IBV_QP_INIT_ATTR_IND_TABLE: carries a handle
        QpInitAttrEx future = sender();
        future.masks(future.compMask() | 1L << 33, 0);
        QpInitAttrEx second = sender();
        second.masks(second.compMask(), 1L << 34);
        SrqInitAttrEx srq = xrcSrq();
        srq.masks(srq.compMask() | 1L << 40, 0);
        XrcdInitAttr domain = new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT);
        domain.masks(domain.compMask() | 1L << 32, 0);
        QpOpenAttr open = new QpOpenAttr().qpNum(1).qpType(QpType.XRC_RECV).xrcd(xrcd);
        open.masks(open.compMask() | 1L << 55, 0);
        QpInitAttrEx announced = sender();
        announced.masks(announced.compMask() | InputAttr.COMP_MASK2, 0);
        clearInvocations(rig.openXrcd);

        assertFails(
                Errno.EOPNOTSUPP,
                () -> rig.context.createQpEx(future),
                "create_qp_ex",
                "0x200000000",
                "level 4",
                "PD|XRCD|IND_TABLE");
        assertFails(
                Errno.EINVAL, () -> rig.context.createQpEx(table), "the mask lacks RX_HASH"); // known, and not alone
        assertFails(Errno.EOPNOTSUPP, () -> rig.context.createQpEx(second), "0x400000000 in the second mask");
        assertFails(Errno.EINVAL, () -> rig.context.createQpEx(announced), "second mask, which is empty");
        assertFails(Errno.EOPNOTSUPP, () -> rig.context.createSrqEx(srq), "create_srq_ex", "0x10000000000");
        assertFails(Errno.EOPNOTSUPP, () -> rig.context.openXrcd(domain), "open_xrcd", "0x100000000");
        assertFails(Errno.EOPNOTSUPP, () -> rig.context.openQp(open), "open_qp", "0x80000000000000");
        verifyNoInteractions(rig.createQpEx, rig.createSrqEx, rig.openXrcd, rig.openQp);
    }

    @Test
    void unknownBitsOfProviderRangeArePassedOn() {
        QpInitAttrEx qp = sender();
        qp.masks(qp.compMask() | 1L << 9 | 1L << 60, 1L << 2);
        SrqInitAttrEx srq = xrcSrq();
        srq.masks(srq.compMask() | 1L << 9, 0);
        XrcdInitAttr domain = new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT | 0x80000);
        domain.masks(domain.compMask() | 1L << 9, 0);
        clearInvocations(rig.openXrcd);

        rig.context.createQpEx(qp);
        rig.context.createSrqEx(srq);
        rig.context.openXrcd(domain);

        verify(rig.createQpEx).createQpEx(qp);
        verify(rig.createSrqEx).createSrqEx(srq);
        verify(rig.openXrcd).openXrcd(domain);
    }

    @Test
    void missingAttributesAreNamed() {
        assertFails(Errno.EINVAL, () -> rig.context.openXrcd(new XrcdInitAttr().oflags(0)), "lacks FILE");
        assertFails(Errno.EINVAL, () -> rig.context.openXrcd(new XrcdInitAttr().file(Path.of("x"))), "lacks OFLAGS");
        assertFails(
                Errno.EINVAL,
                () -> rig.context.openXrcd(new XrcdInitAttr().file(null).oflags(0)),
                "set CREAT");
        assertFails(
                Errno.EINVAL,
                () -> rig.context.createSrqEx(
                        new SrqInitAttrEx().srqType(SrqType.XRC).pd(pd)),
                "lacks XRCD|CQ");
        assertFails(Errno.EINVAL, () -> rig.context.createSrqEx(new SrqInitAttrEx()), "lacks PD");
        assertFails(
                Errno.EINVAL,
                () -> rig.context.createSrqEx(new SrqInitAttrEx().pd(pd).cq(cq)),
                "CQ is set",
                "BASIC");
        assertFails(Errno.EINVAL, () -> rig.context.createSrqEx(xrcSrq().xrcd(null)), "xrcd is null");
        assertFails(
                Errno.EINVAL, () -> rig.context.createQpEx(new QpInitAttrEx().qpType(QpType.XRC_RECV)), "lacks XRCD");
        assertFails(Errno.EINVAL, () -> rig.context.createQpEx(receiver().pd(pd)), "PD is set", "XRC_RECV");
        assertFails(Errno.EINVAL, () -> rig.context.createQpEx(receiver().sendCq(cq)), "no sendCq, recvCq or srq");
        assertFails(Errno.EINVAL, () -> rig.context.createQpEx(sender().recvCq(cq)), "no recvCq or srq");
        assertFails(Errno.EINVAL, () -> rig.context.createQpEx(sender().xrcd(xrcd)), "XRCD is set");
        assertFails(
                Errno.EINVAL,
                () -> pd.createQp(new QpInitAttr().qpType(QpType.XRC_SEND).sendCq(cq)),
                "created by create_qp_ex");
        assertFails(
                Errno.EINVAL, () -> rig.context.openQp(new QpOpenAttr().qpNum(1).xrcd(xrcd)), "lacks TYPE");
        assertFails(
                Errno.EINVAL,
                () -> rig.context.openQp(new QpOpenAttr().qpNum(1).xrcd(xrcd).qpType(QpType.RC)),
                "only queue pairs of type XRC_RECV");
        assertFails(
                Errno.EINVAL,
                () -> rig.context.openQp(
                        new QpOpenAttr().qpNum(1 << 24).xrcd(xrcd).qpType(QpType.XRC_RECV)),
                "qpNum");
        for (Runnable call : new Runnable[] {
            () -> rig.context.openXrcd(null),
            () -> rig.context.createSrqEx(null),
            () -> rig.context.createQpEx(null),
            () -> rig.context.openQp(null)
        }) {
            assertFails(Errno.EINVAL, call::run, "attr is null");
        }
    }

    @Test
    void parentsStayWhileTheyHaveChildren() {
        SharedReceiveQueue srq = rig.context.createSrqEx(xrcSrq());
        QueuePair recv = rig.context.createQpEx(receiver());

        assertFails(Errno.EBUSY, xrcd::close, "close_xrcd", "1 queue pair", "1 shared receive queue");
        assertFails(Errno.EBUSY, cq::close, "1 shared receive queue");
        recv.close();
        srq.close();
        QueuePair opened = rig.context.openQp(
                new QpOpenAttr().qpNum(9).qpType(QpType.XRC_RECV).xrcd(xrcd));
        assertFails(Errno.EBUSY, xrcd::close, "1 queue pair");
        assertFails(Errno.EBUSY, rig.context::close, "1 XRC domain");
        opened.close();
        xrcd.close();
        assertFails(Errno.EINVAL, () -> rig.context.createQpEx(receiver()), "XRC domain of ext0 is closed");
        verify(rig.ops).destroyQp(recv);
        verify(rig.ops).destroySrq(srq);
    }

    @Test
    void xrcQueueIsRefusedForQueuePair() {
        SharedReceiveQueue srq = rig.context.createSrqEx(xrcSrq());

        assertFails(
                Errno.EINVAL,
                () -> pd.createQp(
                        new QpInitAttr().qpType(QpType.RC).sendCq(cq).recvCq(cq).srq(srq)),
                "remoteSrqn");
    }

    @Test
    void onlyXrcQueuesHaveNumbers() {
        SharedReceiveQueue basic = pd.createSrq(new SrqInitAttr());
        SharedReceiveQueue xrc = rig.context.createSrqEx(xrcSrq());

        assertFails(Errno.EINVAL, basic::srqNum, "get_srq_num", "type BASIC has no number");
        doReturn(1 << 24).when(rig.getSrqNum).getSrqNum(xrc);
        assertFails(Errno.EIO, xrc::srqNum, "does not fit in 24 bits");
        xrc.close();
        assertFails(Errno.EINVAL, xrc::srqNum, "is closed");
    }

    /** The provider knows whether they have one. */
    @Test
    void providerNumbersQueuesOfLaterTypes() {
        SharedReceiveQueue later = rig.context.createSrqEx(xrcSrq().srqType(99));

        assertThat(later.srqNum()).isEqualTo(0xabcdef);
        verify(rig.getSrqNum).getSrqNum(later);
    }

    private SrqInitAttrEx tmSrq() {
        return new SrqInitAttrEx().srqType(SrqType.TM).pd(pd).cq(cq).tmCap(8, 4);
    }

    @Test
    void tagMatchingQueuesNeedAllAttributes() {
        SrqInitAttrEx attr = tmSrq();
        SharedReceiveQueue srq = rig.context.createSrqEx(attr);

        verify(rig.createSrqEx).createSrqEx(attr);
        assertThat(srq.srqNum())
                .as("the provider decides whether it has a number")
                .isEqualTo(0xabcdef);
        assertFails(Errno.EBUSY, cq::close, "1 shared receive queue");
        srq.close();
        for (SrqInitAttrEx wrong : List.of(
                new SrqInitAttrEx().srqType(SrqType.TM).pd(pd).cq(cq),
                new SrqInitAttrEx().srqType(SrqType.TM).pd(pd).tmCap(8, 4),
                new SrqInitAttrEx().srqType(SrqType.TM).cq(cq).tmCap(8, 4))) {
            assertFails(Errno.EINVAL, () -> rig.context.createSrqEx(wrong), "create_srq_ex", "the mask lacks");
        }
        assertFails(Errno.EINVAL, () -> rig.context.createSrqEx(tmSrq().xrcd(xrcd)), "XRCD is set, but the type is TM");
        assertFails(Errno.EINVAL, () -> rig.context.createSrqEx(tmSrq().tmCap(0, 1)), "tmMaxNumTags is 0");
        assertFails(Errno.EINVAL, () -> rig.context.createSrqEx(tmSrq().tmCap(1, 0)), "tmMaxOps is 0");
        assertFails(Errno.EINVAL, () -> rig.context.createSrqEx(tmSrq().cq(null)), "cq is null");
        assertFails(
                Errno.EINVAL, () -> rig.context.createSrqEx(xrcSrq().tmCap(8, 4)), "TM is set, but the type is XRC");
        assertFails(
                Errno.EINVAL,
                () -> rig.context.createSrqEx(new SrqInitAttrEx().pd(pd).tmCap(8, 4)),
                "TM is set, but the type is BASIC");
    }

    @Test
    void tagMatchingQueuesServeQueuePairs() {
        SharedReceiveQueue srq = rig.context.createSrqEx(tmSrq());

        QueuePair qp = pd.createQp(
                new QpInitAttr().qpType(QpType.RC).sendCq(cq).recvCq(cq).srq(srq));
        assertFails(Errno.EBUSY, srq::close, "destroy_srq", "1 queue pair");
        qp.close();
    }

    @Test
    void providerMustReturnWhatWasRequested() {
        doReturn(null).when(rig.openXrcd).openXrcd(any());
        assertFails(Errno.EIO, rig::xrcd, "open_xrcd", "returned null");
        doReturn(new Fakes.FakeSrq(rig.context, xrcSrq().srqType(SrqType.BASIC)))
                .when(rig.createSrqEx)
                .createSrqEx(any());
        assertFails(Errno.EIO, () -> rig.context.createSrqEx(xrcSrq()), "another type");
        doReturn(new Fakes.FakeQp(rig.context, receiver().xrcd(null), 1))
                .when(rig.createQpEx)
                .createQpEx(any());
        assertFails(Errno.EIO, () -> rig.context.createQpEx(receiver()), "another XRC domain");
        doReturn(new Fakes.FakeQp(rig.context, new QpOpenAttr().qpNum(8).xrcd(xrcd)))
                .when(rig.openQp)
                .openQp(any());
        assertFails(
                Errno.EIO,
                () -> rig.context.openQp(
                        new QpOpenAttr().qpNum(9).qpType(QpType.XRC_RECV).xrcd(xrcd)),
                "another number");
        doThrow(new IllegalStateException("oops")).when(rig.openXrcd).openXrcd(any());
        assertFails(Errno.EIO, rig::xrcd, "open_xrcd", "provider 'ext' failed with", "oops");
    }

    @Test
    void partiesAreReported() {
        ContextAttr attr = rig.context.queryContext();

        assertThat(attr.callerLevel()).isEqualTo(2);
        assertThat(attr.libraryLevel()).isEqualTo(4);
        assertThat(attr.libraryOrigin()).isEqualTo(Origin.of(LibraryLevel.class));
        assertThat(attr.providerName()).isEqualTo("ext");
        assertThat(attr.providerLevel()).isEqualTo(2);
        assertThat(attr.providerOrigin()).isEqualTo("ext.jar");
        assertThat(attr.tableSize()).isEqualTo(58);
        for (int slot = 0; slot < ContextSlot.COUNT; slot++) {
            assertThat(attr.hasVerb(slot)).as(ContextSlot.verb(slot)).isEqualTo(slot < ContextSlot.LEVEL_2_COUNT);
            assertThat(attr.slots().get(slot, ContextAttr.SLOT_LEVEL)).isEqualTo(ContextSlot.level(slot));
        }
        assertThat(new Rig().context.queryContext().callerLevel())
                .as("what a program of level 1 passed")
                .isEqualTo(1);
    }
}
