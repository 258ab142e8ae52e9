/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.ContextOps;
import io.verbs4j.Errno;
import io.verbs4j.MigState;
import io.verbs4j.Mtu;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class QpModifyTest {
    private final Rig rig = new Rig();
    private final QueuePair qp = rig.qp(QpType.RC);

    @BeforeEach
    void forgetTheSetUp() {
        clearInvocations(rig.ops);
    }

    /** The provider tells from now on that the queue pair is in this state. */
    private void providerTells(int state) {
        doAnswer(i -> i.<QpAttr>getArgument(1).qpState(state)).when(rig.ops).queryQp(any(), any(), anyInt(), any());
    }

    static QpAttr toInit() {
        return new QpAttr()
                .qpState(QpState.INIT)
                .pkeyIndex(0)
                .portNum(1)
                .qpAccessFlags(AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE);
    }

    static QpAttr toRtr() {
        return new QpAttr()
                .qpState(QpState.RTR)
                .ahAttr(new AhAttr().portNum(1).dlid(1))
                .pathMtu(Mtu.MTU_1024)
                .destQpNum(17)
                .rqPsn(0)
                .maxDestRdAtomic(1)
                .minRnrTimer(12);
    }

    static QpAttr toRts() {
        return new QpAttr()
                .qpState(QpState.RTS)
                .timeout(14)
                .retryCnt(7)
                .rnrRetry(7)
                .sqPsn(0)
                .maxRdAtomic(1);
    }

    @Test
    void queuePairReachesRts() {
        qp.modify(toInit());
        qp.modify(toRtr());
        QpAttr last = toRts();
        qp.modify(last);

        verify(rig.ops).modifyQp(qp, last, last.mask());
    }

    @Test
    void impossibleTransitionIsRefused() {
        assertFails(
                Errno.EINVAL,
                () -> qp.modify(new QpAttr().qpState(QpState.RTS)),
                "modify_qp",
                "RESET to RTS of an RC queue pair is not allowed",
                "INIT");
        verify(rig.ops, never()).modifyQp(any(), any(), anyInt());
    }

    @Test
    void missingAndSurplusAttributesAreNamed() {
        assertFails(
                Errno.EINVAL,
                () -> qp.modify(new QpAttr().qpState(QpState.INIT).pkeyIndex(0).qpAccessFlags(0)),
                "missing PORT");
        assertFails(Errno.EINVAL, () -> qp.modify(toInit().qkey(1)), "surplus QKEY");
        verify(rig.ops, never()).modifyQp(any(), any(), anyInt());
    }

    @Test
    void providerJudgesUnknownBitsOutsideLibraryRange() {
        ContextOps ops = ((LibraryContext) rig.context).libraryOps();
        QpAttr attr = toInit();

        assertFails(Errno.EOPNOTSUPP, () -> ops.modifyQp(qp, attr, attr.mask() | 1 << 28), "0x10000000");
        verify(rig.ops, never()).modifyQp(any(), any(), anyInt());
        ops.modifyQp(qp, attr, attr.mask() | 1 << 25);
        verify(rig.ops).modifyQp(qp, attr, attr.mask() | 1 << 25);
    }

    @Test
    void requiredAttributesDependOnType() {
        QueuePair ud = rig.udQp();

        assertFails(Errno.EINVAL, () -> ud.modify(toInit()), "of a UD queue pair", "QKEY");
    }

    @Test
    void providersStateIsUsed() {
        qp.modify(toInit());
        providerTells(QpState.ERR); // it went there by itself

        assertFails(Errno.EINVAL, () -> qp.modify(toRtr()), "ERR to RTR");
        qp.modify(new QpAttr().qpState(QpState.RESET));
    }

    @Test
    void stateStaysWithoutStateBit() {
        providerTells(QpState.INIT);
        QpAttr attr = new QpAttr().pkeyIndex(3);

        qp.modify(attr);

        verify(rig.ops).modifyQp(qp, attr, QpAttrMask.PKEY_INDEX);
        assertFails(Errno.EINVAL, () -> qp.modify(new QpAttr().sqPsn(3)), "INIT to INIT");
    }

    @Test
    void lastModifiedStateIsUsedIfProviderHasNone() {
        doThrow(ContextOps.unsupported("query_qp")).when(rig.ops).queryQp(any(), any(), anyInt(), any());
        qp.modify(toInit());

        assertFails(Errno.EINVAL, () -> qp.modify(toRts()), "INIT to RTS");
        qp.modify(toRtr());
        qp.modify(toRts());
    }

    @Test
    void failedModifyDoesNotChangeState() {
        doThrow(new VerbsException(Errno.ENOMEM, "modify_qp", "full"))
                .when(rig.ops)
                .modifyQp(any(), any(), anyInt());

        assertFails(Errno.ENOMEM, () -> qp.modify(toInit()));
        assertFails(Errno.EINVAL, () -> qp.modify(toRtr()), "RESET to RTR");
    }

    @Test
    void otherFailureOfStateQueryIsPassedOn() {
        doThrow(new VerbsException(Errno.ENXIO, "query_qp", "the device is gone"))
                .when(rig.ops)
                .queryQp(any(), any(), anyInt(), any());

        assertFails(Errno.ENXIO, () -> qp.modify(toInit()), "the device is gone");
        verify(rig.ops, never()).modifyQp(any(), any(), anyInt());
    }

    @Test
    void impossibleStateIsProvidersDefect() {
        providerTells(7);

        assertFails(Errno.EIO, () -> qp.modify(toInit()), "provider 'fake'", "state 7");
    }

    @Test
    void currentStateOfCallerMustMatch() {
        providerTells(QpState.RTS);
        assertFails(
                Errno.EINVAL,
                () -> qp.modify(new QpAttr().qpState(QpState.RTS).curQpState(QpState.SQD)),
                "curQpState is SQD",
                "is in state RTS");
        verify(rig.ops, never()).modifyQp(any(), any(), anyInt());

        qp.modify(new QpAttr().qpState(QpState.RTS).curQpState(QpState.RTS));
    }

    static Stream<Arguments> outOfRange() {
        return Stream.of(
                Arguments.of("pkeyIndex is -1", toInit().pkeyIndex(-1)),
                Arguments.of("pkeyIndex is 65536", toInit().pkeyIndex(0x10000)),
                Arguments.of("portNum is 0", toInit().portNum(0)),
                Arguments.of("portNum is 256", toInit().portNum(256)),
                Arguments.of("pathMtu is 0", toRtr().pathMtu(0)),
                Arguments.of("pathMtu is 6; it must be a code, Mtu.MTU_256 to Mtu.MTU_4096", toRtr().pathMtu(6)),
                Arguments.of("a number of bytes; it must be a code: Mtu.MTU_256", toRtr().pathMtu(256)),
                Arguments.of(
                        "pathMtu is 4096, a number of bytes; it must be a code: Mtu.MTU_4096", toRtr().pathMtu(4096)),
                Arguments.of("destQpNum is -1", toRtr().destQpNum(-1)),
                Arguments.of("destQpNum is 16777216", toRtr().destQpNum(1 << 24)),
                Arguments.of("rqPsn is -1", toRtr().rqPsn(-1)),
                Arguments.of("rqPsn is 16777216", toRtr().rqPsn(1 << 24)),
                Arguments.of("maxDestRdAtomic is -1", toRtr().maxDestRdAtomic(-1)),
                Arguments.of("maxDestRdAtomic is 256", toRtr().maxDestRdAtomic(256)),
                Arguments.of("minRnrTimer is -1", toRtr().minRnrTimer(-1)),
                Arguments.of("minRnrTimer is 32", toRtr().minRnrTimer(32)),
                Arguments.of("ahAttr is null", toRtr().ahAttr(null)),
                Arguments.of(
                        "ahAttr.sl is 16",
                        toRtr().ahAttr(new AhAttr().portNum(1).sl(16))),
                Arguments.of("timeout is -1", toRts().timeout(-1)),
                Arguments.of("timeout is 32", toRts().timeout(32)),
                Arguments.of("retryCnt is -1", toRts().retryCnt(-1)),
                Arguments.of("retryCnt is 8", toRts().retryCnt(8)),
                Arguments.of("rnrRetry is -1", toRts().rnrRetry(-1)),
                Arguments.of("rnrRetry is 8", toRts().rnrRetry(8)),
                Arguments.of("sqPsn is -1", toRts().sqPsn(-1)),
                Arguments.of("sqPsn is 16777216", toRts().sqPsn(1 << 24)),
                Arguments.of("maxRdAtomic is -1", toRts().maxRdAtomic(-1)),
                Arguments.of("maxRdAtomic is 256", toRts().maxRdAtomic(256)),
                Arguments.of("pathMigState is -1", toRts().pathMigState(-1)),
                Arguments.of("pathMigState is 3", toRts().pathMigState(MigState.ARMED + 1)),
                Arguments.of("cap is null", toRts().cap(null)),
                Arguments.of("cap.maxSendWr is -1", toRts().cap(new QpCap().maxSendWr(-1))),
                Arguments.of("altAhAttr is null", alternate().altAhAttr(null)),
                Arguments.of("altAhAttr.portNum is 0", alternate().altAhAttr(new AhAttr())),
                Arguments.of("altPortNum is 0", alternate().altPortNum(0)),
                Arguments.of(
                        "altPortNum is 1 and altAhAttr.portNum is 2",
                        alternate().altPortNum(1)),
                Arguments.of("altPkeyIndex is -1", alternate().altPkeyIndex(-1)),
                Arguments.of("altPkeyIndex is 65536", alternate().altPkeyIndex(0x10000)),
                Arguments.of("altTimeout is -1", alternate().altTimeout(-1)),
                Arguments.of("altTimeout is 32", alternate().altTimeout(32)));
    }

    private static QpAttr alternate() {
        return toRts().altAhAttr(new AhAttr().portNum(2)).altPortNum(2);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("outOfRange")
    void valuesOutOfRangeAreRefusedBeforeProviderCall(String message, QpAttr attr) {
        assertFails(Errno.EINVAL, () -> qp.modify(attr), "modify_qp", message);
        verifyNoInteractions(rig.ops);
    }

    @Test
    void largestValueThatFitsIsAccepted() {
        qp.modify(toInit().pkeyIndex(0xffff).portNum(255).qpAccessFlags(0x1f));
        qp.modify(toRtr().pathMtu(Mtu.MTU_4096)
                .destQpNum(0xffffff)
                .rqPsn(0xffffff)
                .maxDestRdAtomic(255)
                .minRnrTimer(31));
        QpAttr last = alternate()
                .timeout(31)
                .retryCnt(7)
                .rnrRetry(7)
                .sqPsn(0xffffff)
                .maxRdAtomic(255)
                .altTimeout(31)
                .altPkeyIndex(0xffff)
                .pathMigState(MigState.REARM);
        qp.modify(last);

        verify(rig.ops).modifyQp(qp, last, last.mask());
    }

    @Test
    void attributesOutsideMaskAreIgnored() {
        QpAttr attr = toInit().timeout(99).destQpNum(-5).ahAttr(null).clearMask();
        toInit(attr);

        qp.modify(attr);

        verify(rig.ops).modifyQp(qp, attr, attr.mask());
    }

    private static void toInit(QpAttr attr) {
        attr.qpState(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(0);
    }

    @Test
    void queryNeedsAttributeObjects() {
        assertFails(Errno.EINVAL, () -> qp.query(null, 0, new QpInitAttr()), "query_qp", "attr is null");
        assertFails(Errno.EINVAL, () -> qp.query(new QpAttr(), 0, null), "query_qp", "initAttr is null");
        verifyNoInteractions(rig.ops);
    }
}
