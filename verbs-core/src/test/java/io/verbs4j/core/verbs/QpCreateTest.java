/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.core.Fakes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QpCreateTest {
    private final Rig rig = new Rig();
    private final ProtectionDomain pd = rig.pd();
    private final CompletionQueue cq = rig.cq();
    private final SharedReceiveQueue srq = rig.srq(pd);

    @BeforeEach
    void forgetTheSetUp() {
        clearInvocations(rig.ops);
    }

    private void refused(QpInitAttr attr, String... words) {
        assertFails(Errno.EINVAL, () -> pd.createQp(attr), words);
        verifyNoInteractions(rig.ops);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 5, QpType.RAW_PACKET, QpType.DRIVER})
    void unknownTypeKeepsReferencesAndLifeCycle(int type) {
        QueuePair qp = pd.createQp(Rig.qpInit(cq, type));

        assertThat(qp.qpType()).isEqualTo(type);
        assertFails(Errno.EBUSY, cq::close, "1 queue pair");
        qp.modify(new QpAttr().qpState(QpState.RTS).qkey(7)); // no opinion on its states
        verify(rig.ops).modifyQp(eq(qp), any(), eq(QpAttrMask.STATE | QpAttrMask.QKEY));
        qp.close();
        assertFails(Errno.EINVAL, () -> qp.modify(new QpAttr().qpState(QpState.RESET)), "closed");
        cq.close();
    }

    @Test
    void unknownTypeNeedsNoQueue() {
        QueuePair qp = pd.createQp(Rig.qpInit(cq, QpType.DRIVER).recvCq(null));

        assertThat(qp.recvCq()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {QpType.RC, QpType.UC, QpType.UD})
    void allTypesAreAccepted(int type) {
        assertThat(pd.createQp(Rig.qpInit(cq, type)).qpType()).isEqualTo(type);
    }

    @Test
    void nothingIsNull() {
        assertFails(Errno.EINVAL, () -> pd.createQp(null), "attr is null");
        refused(Rig.qpInit(cq, QpType.RC).sendCq(null), "sendCq is null");
        refused(Rig.qpInit(cq, QpType.RC).recvCq(null), "recvCq is null");
        refused(Rig.qpInit(cq, QpType.RC).cap(null), "cap is null");
    }

    @Test
    void capacitiesAreNotNegative() {
        refused(Rig.qpInit(cq, QpType.RC).cap(new QpCap().maxSendWr(-1)), "cap.maxSendWr is -1");
        refused(Rig.qpInit(cq, QpType.RC).cap(new QpCap().maxRecvWr(-1)), "cap.maxRecvWr is -1");
        refused(Rig.qpInit(cq, QpType.RC).cap(new QpCap().maxSendSge(-1)), "cap.maxSendSge is -1");
        refused(Rig.qpInit(cq, QpType.RC).cap(new QpCap().maxRecvSge(-1)), "cap.maxRecvSge is -1");
        refused(Rig.qpInit(cq, QpType.RC).cap(new QpCap().maxInlineData(-1)), "cap.maxInlineData is -1");
    }

    @Test
    void closedSharedReceiveQueueIsRefused() {
        srq.close();
        clearInvocations(rig.ops);

        refused(Rig.qpInit(cq, QpType.RC).srq(srq), "shared receive queue of fake0 is closed");
    }

    @Test
    void sharedReceiveQueueMayBeOfAnotherDomain() {
        QpInitAttr attr = Rig.qpInit(cq, QpType.RC).srq(rig.srq(rig.pd()));

        assertThat(pd.createQp(attr).srq()).isSameAs(attr.srq());
        verify(rig.ops).createQp(pd, attr);
    }

    @Test
    void vendorAttributesArePassedOn() {
        Object vendor = new Object();
        QpInitAttr attr = Rig.qpInit(rig.cq(), QpType.DRIVER).vendor(vendor);
        QpInitAttr[] seen = new QpInitAttr[1];
        doAnswer(i -> {
                    seen[0] = i.getArgument(1);
                    return new Fakes.FakeQp(i.<ProtectionDomain>getArgument(0), seen[0], 5);
                })
                .when(rig.ops)
                .createQp(any(), any());

        rig.pd().createQp(attr);
        assertThat(seen[0].vendor()).isSameAs(vendor);

        rig.context.createQpEx(QpInitAttrEx.of(rig.pd(), attr));
        assertThat(seen[0].vendor()).isSameAs(vendor);
        assertThat(QpInitAttrEx.of(rig.pd(), attr).toBase().vendor()).isSameAs(vendor);
    }

    @Test
    void oldVerbIsNotUsedForExtendedAttributes() {
        QpInitAttrEx attr =
                QpInitAttrEx.of(rig.pd(), Rig.qpInit(rig.cq(), QpType.RC)).sendOpsFlags(QpCreateSendOps.SEND);

        assertFails(Errno.EOPNOTSUPP, () -> rig.context.createQpEx(attr), "create_qp_ex");
    }
}
