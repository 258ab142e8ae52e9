/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doNothing;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RwqIndTable;
import io.verbs4j.RwqIndTableInitAttr;
import io.verbs4j.RxHashConf;
import io.verbs4j.RxHashFields;
import io.verbs4j.RxHashFunction;
import io.verbs4j.WorkQueue;
import io.verbs4j.WqAttr;
import io.verbs4j.WqFlags;
import io.verbs4j.WqInitAttr;
import io.verbs4j.WqState;
import io.verbs4j.core.Fakes;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The library's part of the verbs about work queues, their tables, and queue pairs that receive by them. */
class WqVerbsTest {
    private final EthernetRig rig = new EthernetRig();
    private final Context context = rig.context;

    private WorkQueue wq() {
        return context.createWq(rig.wqAttr());
    }

    private RwqIndTable table(WorkQueue... queues) {
        return context.createRwqIndTable(new RwqIndTableInitAttr().indTbl(queues));
    }

    private static RxHashConf hash() {
        return new RxHashConf()
                .rxHashFunction(RxHashFunction.TOEPLITZ)
                .rxHashKey(new byte[40])
                .rxHashFieldsMask(RxHashFields.SRC_IPV4);
    }

    private QpInitAttrEx spreading(RwqIndTable table) {
        return new QpInitAttrEx()
                .qpType(QpType.RAW_PACKET)
                .pd(rig.pd())
                .rwqIndTbl(table)
                .rxHashConf(hash());
    }

    @Test
    void workQueueKeepsWhatItRefersTo() {
        WqInitAttr attr = rig.wqAttr().userContext("mine");
        ProtectionDomain pd = attr.pd();
        CompletionQueue cq = attr.cq();
        WorkQueue wq = context.createWq(attr);

        verify(rig.createWq).createWq(attr);
        assertThat(wq.userContext()).isEqualTo("mine");
        assertThat(wq.wqState()).isEqualTo(WqState.RESET);
        assertFails(Errno.EBUSY, pd::close, "1 work queue");
        assertFails(Errno.EBUSY, cq::close, "1 work queue");
        assertFails(Errno.EBUSY, context::close, "1 work queue");
        wq.close();
        wq.close();
        verify(rig.destroyWq, times(1)).destroyWq(wq);
        pd.close();
        cq.close();
    }

    @Test
    void attributesOfWorkQueuesAreChecked() {
        WqInitAttr later = rig.wqAttr();
        later.masks(1L << 40, 0);

        assertFails(Errno.EINVAL, () -> context.createWq(null), "create_wq", "attr is null");
        assertFails(Errno.EINVAL, () -> context.createWq(rig.wqAttr().maxWr(0)), "maxWr is 0");
        assertFails(Errno.EINVAL, () -> context.createWq(rig.wqAttr().maxSge(-1)), "maxSge is -1");
        assertFails(Errno.EINVAL, () -> context.createWq(rig.wqAttr().pd(null)), "pd is null");
        assertFails(Errno.EINVAL, () -> context.createWq(rig.wqAttr().cq(null)), "cq is null");
        assertFails(Errno.EOPNOTSUPP, () -> context.createWq(later), "0x10000000000");
        ProtectionDomain foreign = new EthernetRig().pd();
        assertFails(Errno.EINVAL, () -> context.createWq(rig.wqAttr().pd(foreign)), "pd", "another context");
        verify(rig.createWq, never()).createWq(any());
        context.createWq(rig.wqAttr().wqType(77).maxSge(0)); // a type that came later is the provider's
    }

    /** The states that there are, and a change of flags by itself. */
    @Test
    void statesChangeInOrder() {
        WorkQueue wq = wq();
        int[] path = {WqState.RDY, WqState.RDY, WqState.RESET, WqState.RESET, WqState.RDY, WqState.ERR, WqState.RESET};
        for (int state : path) {
            wq.modify(new WqAttr().wqState(state).currWqState(wq.wqState()));
            assertThat(wq.wqState()).isEqualTo(state);
        }
        wq.modify(new WqAttr().flags(0).flagsMask(WqFlags.CVLAN_STRIPPING));
        verify(rig.modifyWq, times(path.length + 1)).modifyWq(any(), any());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 2, is in state RESET which leads to RDY alone",
        "2, 1, is in state ERR which leads to RESET alone",
        "1, 3, wqState is 3",
        "1, -1, wqState is -1",
    })
    void impossibleStateChangesAreRefused(int from, int to, String words) {
        WorkQueue wq = wq();
        ((EthernetRig.FakeWq) wq).state(from);

        String message = assertFails(Errno.EINVAL, () -> wq.modify(new WqAttr().wqState(to)), "modify_wq")
                .getMessage()
                .replace(",", "");
        assertThat(message).contains(words);
        verify(rig.modifyWq, never()).modifyWq(any(), any());
    }

    @Test
    void changesAreChecked() {
        WorkQueue wq = wq();
        WqAttr later = new WqAttr().wqState(WqState.RDY);
        later.masks(later.compMask() | 1L << 40, 0);

        assertFails(Errno.EINVAL, () -> wq.modify(null), "attr is null");
        assertFails(Errno.EINVAL, () -> wq.modify(new WqAttr()), "the mask is 0");
        assertFails(
                Errno.EINVAL,
                () -> wq.modify(new WqAttr().wqState(WqState.RDY).currWqState(WqState.ERR)),
                "currWqState is ERR",
                "is in state RESET");
        assertFails(Errno.EINVAL, () -> wq.modify(new WqAttr().flags(0)), "flagsMask is 0");
        assertFails(
                Errno.EINVAL,
                () -> wq.modify(new WqAttr().flags(3).flagsMask(2)),
                "flags has CVLAN_STRIPPING, which flagsMask lacks");
        assertFails(Errno.EOPNOTSUPP, () -> wq.modify(later), "0x10000000000");
        verify(rig.modifyWq, never()).modifyWq(any(), any());
        wq.close();
        assertFails(Errno.EINVAL, () -> wq.modify(new WqAttr().wqState(WqState.RDY)), "modify_wq", "closed");
    }

    @Test
    void providerThatReportsNoStateIsBroken() {
        WorkQueue wq = wq();
        doNothing().when(rig.modifyWq).modifyWq(any(), any());

        assertFails(Errno.EIO, () -> wq.modify(new WqAttr().wqState(WqState.RDY)), "modify_wq", "did not report");
        ((EthernetRig.FakeWq) wq).state(WqState.ERR);
        wq.modify(new WqAttr().wqState(WqState.RESET).currWqState(WqState.ERR)); // failed meanwhile, as it may
    }

    @Test
    void tableKeepsItsQueues() {
        WorkQueue one = wq();
        WorkQueue other = wq();
        RwqIndTable table = table(one, other, one, one);

        assertThat(table.size()).isEqualTo(4);
        assertThat(table.workQueue(1)).isSameAs(other);
        assertFails(Errno.EBUSY, one::close, "destroy_wq", "1 indirection table;");
        assertFails(Errno.EBUSY, other::close, "1 indirection table;");
        table.close();
        table.close();
        verify(rig.destroyRwqIndTable, times(1)).destroyRwqIndTable(table);
        one.close();
        other.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 6, 16})
    void tableSizeIsPowerOfTwoWithinLimit(int size) {
        WorkQueue[] queues = new WorkQueue[size];
        Arrays.fill(queues, wq());

        assertFails(
                Errno.EINVAL,
                () -> table(queues),
                "create_rwq_ind_table",
                "indTbl has " + size + " work queues",
                size == 16 ? "at most 8" : "a power of two");
        verify(rig.createRwqIndTable, never()).createRwqIndTable(any());
    }

    @Test
    void tablesAreChecked() {
        EthernetRig other = new EthernetRig();
        WorkQueue foreign = other.context.createWq(other.wqAttr());
        RwqIndTableInitAttr later = new RwqIndTableInitAttr().indTbl(wq());
        later.masks(1L << 40, 0);

        assertFails(Errno.EINVAL, () -> context.createRwqIndTable(null), "attr is null");
        assertFails(Errno.EINVAL, () -> table(wq(), null), "indTbl[1] is null");
        assertFails(Errno.EOPNOTSUPP, () -> context.createRwqIndTable(later), "0x10000000000");
        WorkQueue closed = wq();
        closed.close();
        assertFails(Errno.EINVAL, () -> table(closed), "closed");
        assertFails(Errno.EINVAL, () -> table(wq(), foreign), "indTbl[1]", "another context");
    }

    @Test
    void queuePairKeepsItsTable() {
        RwqIndTable table = table(wq());
        QueuePair qp = context.createQpEx(spreading(table));

        assertThat(qp.rwqIndTbl()).isSameAs(table);
        assertThat(qp.recvCq()).isNull();
        assertFails(Errno.EBUSY, table::close, "destroy_rwq_ind_table", "1 queue pair");
        qp.close();
        table.close();
    }

    @Test
    void spreadingQueuePairHasNoReceiveQueue() {
        RwqIndTable table = table(wq());
        QpInitAttrEx receives = spreading(table);
        receives.cap().maxRecvWr(1);
        QpInitAttrEx elements = spreading(table);
        elements.cap().maxRecvSge(1);

        for (QpInitAttrEx attr :
                new QpInitAttrEx[] {receives, elements, spreading(table).recvCq(rig.cq())}) {
            assertFails(Errno.EINVAL, () -> context.createQpEx(attr), "create_qp_ex", "no receive queue of its own");
        }
        verify(rig.createQpEx, never()).createQpEx(any());
    }

    @Test
    void tableAndHashComeTogether() {
        RwqIndTable table = table(wq());
        QpInitAttrEx withoutConf = spreading(table);
        withoutConf.rxHashConf(null);
        QpInitAttrEx emptyConf = spreading(table).rxHashConf(null);
        emptyConf.masks(emptyConf.compMask() | QpInitAttrMask.RX_HASH, 0);

        assertFails(Errno.EINVAL, () -> context.createQpEx(withoutConf), "the mask lacks RX_HASH");
        assertFails(Errno.EINVAL, () -> context.createQpEx(spreading(null)), "the mask lacks IND_TABLE");
        assertFails(Errno.EINVAL, () -> context.createQpEx(emptyConf), "rxHashConf is null");
    }

    @Test
    void hashMustBeSupportedByDevice() {
        RwqIndTable table = table(wq());

        assertFails(
                Errno.EINVAL,
                () -> context.createQpEx(spreading(table).rxHashConf(hash().rxHashKey(new byte[16]))),
                "rxHashKey has 16 bytes",
                "40");
        refuses(table, RxHashFields.SRC_IPV4 | RxHashFields.SRC_IPV6, Errno.EINVAL, "SRC_IPV4|SRC_IPV6");
        refuses(
                table,
                RxHashFields.DST_PORT_TCP | RxHashFields.DST_PORT_UDP,
                Errno.EINVAL,
                "DST_PORT_TCP|DST_PORT_UDP");
        refuses(table, RxHashFields.SRC_IPV4 | RxHashFields.IPSEC_SPI, Errno.EOPNOTSUPP, "has IPSEC_SPI, but");
        assertFails(
                Errno.EOPNOTSUPP,
                () -> context.createQpEx(spreading(table).rxHashConf(hash().rxHashFunction(2))),
                "rxHashFunction is 0x2");
        assertFails(Errno.EOPNOTSUPP, () -> context.createQpEx(spreading(table).qpType(QpType.UD)), "qpType is UD");
        verify(rig.createQpEx, never()).createQpEx(any());
    }

    @Test
    void headersOfSegmentsFitTheirField() {
        QpInitAttrEx attr = new QpInitAttrEx().qpType(QpType.RAW_PACKET).pd(rig.pd());

        assertFails(Errno.EINVAL, () -> context.createQpEx(attr.maxTsoHeader(65_536)), "maxTsoHeader is 65536");
        assertFails(Errno.EINVAL, () -> context.createQpEx(attr.maxTsoHeader(-1)), "maxTsoHeader is -1");
        context.createQpEx(attr.maxTsoHeader(65_535));
        verify(rig.createQpEx, times(1)).createQpEx(attr);
    }

    private void refuses(RwqIndTable table, long fields, int errno, String words) {
        assertFails(
                errno,
                () -> context.createQpEx(spreading(table).rxHashConf(hash().rxHashFieldsMask(fields))),
                "rxHashFieldsMask has",
                words);
    }

    /** Of a device that does not tell, the provider judges. */
    @Test
    void unreportedLimitsAreLeftToTheVerb() {
        EthernetRig silent = new EthernetRig(ContextSlot.QUERY_DEVICE_EX);
        WorkQueue[] queues = new WorkQueue[64];
        Arrays.fill(queues, silent.context.createWq(silent.wqAttr()));
        RwqIndTable table = silent.context.createRwqIndTable(new RwqIndTableInitAttr().indTbl(queues));
        QpInitAttrEx attr = new QpInitAttrEx()
                .qpType(QpType.UD)
                .pd(silent.pd())
                .sendCq(silent.cq())
                .rwqIndTbl(table)
                .rxHashConf(hash().rxHashFunction(2).rxHashFieldsMask(RxHashFields.IPSEC_SPI));

        assertThat(silent.context.createQpEx(attr).rwqIndTbl()).isSameAs(table);
    }

    @Test
    void brokenProvidersAreReported() {
        WqInitAttr attr = rig.wqAttr();
        EthernetRig.FakeWq another = new EthernetRig.FakeWq(context, rig.wqAttr());
        when(rig.createWq.createWq(attr)).thenReturn(another);
        WorkQueue wq = wq();
        doReturn(new EthernetRig.FakeTable(context, new RwqIndTableInitAttr().indTbl(wq, wq)))
                .when(rig.createRwqIndTable)
                .createRwqIndTable(any());
        doAnswer(i -> new Fakes.FakeQp(
                        context,
                        new QpInitAttrEx()
                                .qpType(QpType.RAW_PACKET)
                                .pd(i.<QpInitAttrEx>getArgument(0).pd()),
                        9))
                .when(rig.createQpEx)
                .createQpEx(any());

        assertFails(Errno.EIO, () -> context.createWq(attr), "another protection domain or completion queue");
        assertFails(Errno.EIO, () -> table(wq), "another size");
        RwqIndTable table = table(wq, wq);
        assertFails(Errno.EIO, () -> context.createQpEx(spreading(table)), "another indirection table");
        table.close();
    }

    @Test
    void workQueueHasEvents() {
        WorkQueue wq = wq();
        AsyncEvent event = AsyncEvent.of(EventType.WQ_FATAL, wq);
        when(rig.ops.getAsyncEvent(0)).thenReturn(event);

        assertThat(context.getAsyncEvent(0, TimeUnit.SECONDS)).isSameAs(event);
        event.ack();
        assertFails(Errno.EINVAL, event::ack, "acknowledge each event once");
    }

    @Test
    void providerWithoutVerbsIsNamed() {
        EthernetRig bare = new EthernetRig(
                ContextSlot.CREATE_WQ,
                ContextSlot.MODIFY_WQ,
                ContextSlot.DESTROY_WQ,
                ContextSlot.CREATE_RWQ_IND_TABLE,
                ContextSlot.DESTROY_RWQ_IND_TABLE);

        assertFails(
                Errno.EOPNOTSUPP,
                () -> bare.context.createWq(bare.wqAttr()),
                "the device can't: create_wq came with level 4",
                "provider 'ext' of level 4");
        assertFails(
                Errno.EOPNOTSUPP,
                () -> bare.context.createRwqIndTable(new RwqIndTableInitAttr()),
                "the device can't: create_rwq_ind_table came with level 4");
    }

    @ParameterizedTest
    @ValueSource(ints = {ContextSlot.DESTROY_WQ, ContextSlot.DESTROY_RWQ_IND_TABLE})
    void createWithoutDestroyIsRefused(int destroy) {
        String verb = ContextSlot.verb(destroy);

        assertFails(Errno.EIO, () -> new EthernetRig(destroy), "create" + verb.substring("destroy".length()), verb);
    }
}
