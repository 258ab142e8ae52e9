/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CqInitAttrEx;
import io.verbs4j.OpsFlags;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.OpsWrOpcode;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.TmHeader;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.testsupport.Patience;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tagged messages: matched ones, unexpected ones, and what keeps the two sides of a list in step. */
@WithOneCopy
class TagMatchingPathsTest extends EachPath {
    private static final int MATCHED = WcFlags.TM_MATCH | WcFlags.TM_DATA_VALID;

    private Tags tags;

    @BeforeEach
    void connectTwo() {
        make(side -> side.extended = new CqInitAttrEx().wcFlags(WcExFlags.STANDARD | WcExFlags.TM_INFO));
        b.tags = 8;
        b.createQp(); // the first queue pair stays unused
        Side.connect(a, b);
        tags = new Tags(a, b);
    }

    @Test
    void messagesLandInBufferOfTheirTag() {
        tags.add(1, 5, 0, 1000);
        tags.add(2, 6, 2000, 1000);

        tags.sendMatched(2, 6, 700);
        b.assertPattern(2000, 1, 16, 700);
        b.assertPattern(2700, 2, 2700, 300);
        tags.sendMatched(1, 5, 0);
        b.assertPattern(0, 2, 0, 2000);
        tags.nothingMore();
    }

    @Test
    void firstMatchingBufferIsTaken() {
        tags.run(Tags.add(1, 0x34, 0xff, b.sge(0, 100)), 0);
        tags.run(Tags.add(2, 0, 0, b.sge(100, 100)), 0);
        tags.add(3, 0x1234, 200, 100);
        tags.run(Tags.add(4, 0x1ff, 0xff, b.sge(300, 100)), 0); // a bit outside the mask is set, so it never matches

        tags.sendMatched(1, 0x1234, 50);
        tags.sendMatched(2, 0x1234, 50);
        tags.sendMatched(3, 0x1234, 50);
        b.recv(9, 400, 100);
        tags.sendUnexpected(9, 0x1ff, 50);
    }

    @Test
    void unexpectedMessagesGoToReceivesUnchanged() {
        tags.add(1, 5, 0, 1000);
        b.recv(8, 2000, 1000);

        tags.sendUnexpected(8, 6, 500);
        assertThat(TmHeader.operation(b.buffer, 2000)).isEqualTo(TmHeader.EAGER);
        assertThat(TmHeader.tag(b.buffer, 2000)).isEqualTo(6);
        assertThat(TmHeader.priv(b.buffer, 2000)).isEqualTo(Tags.PRIV);
        b.assertPattern(2016, 1, 16, 500);
        tags.sendMatched(1, 5, 500); // the buffer added earlier still matches
    }

    @Test
    void buffersWaitUntilUnexpectedMessagesAreHandled() {
        b.recv(8, 2000, 1000);
        b.recv(9, 3000, 1000);
        tags.sendUnexpected(8, 5, 10);

        tags.run(Tags.add(1, 5, -1, b.sge(0, 100)), WcFlags.TM_SYNC_REQ);
        tags.run(Tags.add(2, 5, -1, b.sge(100, 100)), WcFlags.TM_SYNC_REQ);
        tags.sendUnexpected(9, 5, 10);
        tags.run(Tags.sync(1), WcFlags.TM_SYNC_REQ);
        b.recv(10, 4000, 1000);
        tags.sendUnexpected(10, 5, 10);
        tags.run(Tags.sync(2), WcFlags.TM_SYNC_REQ);
        tags.run(Tags.sync(4), WcFlags.TM_SYNC_REQ);
        tags.run(Tags.sync(3), 0);
        tags.sendMatched(1, 5, 10);
        tags.sendMatched(2, 5, 10);
    }

    @Test
    void addingCanReportUnexpectedCount() {
        b.recv(8, 2000, 1000);
        tags.sendUnexpected(8, 5, 10);

        OpsWorkRequest add = Tags.add(1, 5, -1, b.sge(0, 100));
        tags.run(add.flags(OpsFlags.SIGNALED | OpsFlags.TM_SYNC).unexpectedCnt(1), 0);
        tags.sendMatched(1, 5, 10);
        tags.run(Tags.sync(0).flags(OpsFlags.SIGNALED), 0); // without the flag the count is ignored
    }

    @Test
    void messagesWithoutTagAreNotCounted() {
        tags.run(Tags.add(1, 0, 0, b.sge(0, 100)), 0); // matches any tag
        b.recv(8, 2000, 1000);
        b.recv(9, 3000, 1000);
        b.recv(10, 4000, 1000);

        tags.send(TmHeader.NO_TAG, 5, 20);
        tags.arrives(8, WcOpcode.TM_NO_TAG, 0, 36, 0, 0);
        a.post(Side.wr(WrOpcode.SEND, 6, a.sge(0, 0)));
        tags.arrives(9, WcOpcode.TM_NO_TAG, 0, 0, 0, 0);
        a.next(6, WcStatus.SUCCESS);
        tags.send(TmHeader.FIN, 5, 20);
        tags.arrives(10, WcOpcode.TM_NO_TAG, 0, 36, 0, 0);
        tags.add(2, 6, 100, 100);
        tags.sendMatched(1, 7, 20);
    }

    @Test
    void buffersAreRemovedByHandle() {
        OpsWorkRequest first = tags.add(1, 5, 0, 100);
        OpsWorkRequest second = tags.add(2, 5, 100, 100);
        OpsWorkRequest delete = Tags.op(OpsWrOpcode.TAG_DEL, OpsFlags.SIGNALED);

        tags.run(delete.handle(first.handle()), 0);
        tags.sendMatched(2, 5, 10);
        for (OpsWorkRequest gone : new OpsWorkRequest[] {first, second}) {
            assertThat(b.srq.postSrqOps(delete.flags(0).handle(gone.handle()))).isZero();
            tags.fails(Tags.OP, WcStatus.TM_ERR);
        }
        OpsWorkRequest third = tags.add(3, 5, 0, 100); // replaces one of them
        assertThat(third.handle()).isNotIn(first.handle(), second.handle());
        for (int former : new int[] {first.handle(), second.handle()}) {
            assertThat(b.srq.postSrqOps(delete.handle(former))).isZero();
            tags.fails(Tags.OP, WcStatus.TM_ERR);
        }
        tags.sendMatched(3, 5, 10);
        third = tags.add(3, 5, 0, 100);
        assertThat(b.srq.postSrqOps(delete.handle(third.handle()))).isZero();
        tags.nothingMore(); // unsignaled and successful
    }

    @Test
    void matchOfLongMessageIsReportedAtOnce() {
        int bytes = 300_000;
        for (int i = 0; i < 5; i++) { // the first ones may be sent as packets, later ones by one copy
            b.fill(2);
            tags.run(Tags.add(1, 5, -1, b.sge(1, 777), b.sge(1000, 400_000)), 0);
            tags.send(TmHeader.EAGER, 5, bytes);
            tags.arrives(1, WcOpcode.TM_RECV, WcFlags.TM_MATCH, 0, 5, Tags.PRIV);
            tags.arrives(1, WcOpcode.TM_RECV, WcFlags.TM_DATA_VALID, bytes, 5, Tags.PRIV);
        }
        b.assertPattern(1, 1, 16, 777);
        b.assertPattern(1000, 1, 16 + 777, bytes - 777);
        b.assertPattern(1000 + bytes - 777, 2, 1000 + bytes - 777, 1000);
        tags.nothingMore();
    }

    @Test
    void longUnexpectedMessageArrivesWhole() {
        b.recv(8, 0, 400_000);

        tags.sendUnexpected(8, 5, 300_000);
        b.assertPattern(16, 1, 16, 300_000);
    }

    /** A message of exactly one packet, and one that is a byte longer. */
    @Test
    void singlePacketMessageIsReportedOnce() {
        tags.add(1, 5, 0, 4000);
        tags.add(2, 5, 4000, 4000);

        tags.sendMatched(1, 5, 1024 - TmHeader.LENGTH);
        tags.send(TmHeader.EAGER, 5, 1025 - TmHeader.LENGTH);
        tags.arrives(2, WcOpcode.TM_RECV, WcFlags.TM_MATCH, 0, 5, Tags.PRIV);
        tags.arrives(2, WcOpcode.TM_RECV, WcFlags.TM_DATA_VALID, 1025 - TmHeader.LENGTH, 5, Tags.PRIV);
        b.assertPattern(4000, 1, 16, 1025 - TmHeader.LENGTH);
    }

    @Test
    void immediateDataIsReported() {
        tags.add(1, 5, 0, 100);
        b.recv(8, 200, 100);
        tags.header(TmHeader.EAGER, 5);

        a.post(Side.wr(WrOpcode.SEND_WITH_IMM, 7, a.sge(0, 26)).immData(0x1234));
        WorkCompletion wc = b.next(1, WcStatus.SUCCESS);
        assertThat(wc.immData()).isEqualTo(0x1234);
        assertThat(wc.wcFlags()).isEqualTo(MATCHED | WcFlags.WITH_IMM);
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE_WITH_IMM, 7, a.sge(0, 26)).immData(0x1235), b, 500));
        wc = b.next(8, WcStatus.SUCCESS);
        assertThat(WcOpcode.toString(wc.opcode())).isEqualTo("RECV_RDMA_WITH_IMM");
        assertThat(wc.immData()).isEqualTo(0x1235);
    }

    @Test
    void pollWithSizeReportsTag() {
        tags.add(1, 5, 0, 100);
        tags.send(TmHeader.EAGER, 5, 10);

        WorkCompletion[] wc = {new WorkCompletion()};
        for (int turn = 0; b.cq.poll(1, wc, WorkCompletion.SIZE) == 0; turn++) {
            Patience.pause(turn);
        }
        assertThat(wc[0].tmTag()).isEqualTo(5);
        assertThat(wc[0].tmPriv()).isEqualTo(Tags.PRIV);
        assertThat(wc[0].compMask()).isEqualTo(1L << WorkCompletion.TM_TAG | 1L << WorkCompletion.TM_PRIV);
    }

    @Test
    void tooLongMessageFailsBothSides() {
        tags.add(1, 5, 0, 100);
        tags.header(TmHeader.EAGER, 5);

        a.post(Side.wr(WrOpcode.SEND, 7, a.sge(0, 16 + 101)));
        tags.fails(1, WcStatus.LOC_LEN_ERR);
        a.next(7, WcStatus.REM_INV_REQ_ERR);
        b.awaitState(QpState.ERR);
    }

    @Test
    void senderWaitsForReceiveOrTag() {
        tags.header(TmHeader.EAGER, 5);
        a.post(Side.wr(WrOpcode.SEND, 7, a.sge(0, 26)));
        assertThat(a.rest(50)).isEmpty();
        tags.add(1, 5, 0, 100);
        a.next(7, WcStatus.SUCCESS);
        tags.arrives(1, WcOpcode.TM_RECV, MATCHED, 10, 5, Tags.PRIV);
        tags.run(Tags.sync(0), 0); // none was counted
    }

    @Test
    void unknownOperationIsRefused() {
        refused(9, 16);
    }

    @Test
    void truncatedHeaderIsRefused() {
        refused(TmHeader.EAGER, 15);
    }

    @Test
    void truncatedRequestIsRefused() {
        refused(TmHeader.RNDV, 31);
    }

    @Test
    void tooLongRequestIsRefused() {
        int longest = a.context.queryDeviceEx().tmMaxRndvHdrSize();
        refused(TmHeader.RNDV, longest + 1);
    }

    private void refused(int operation, int bytes) {
        tags.run(Tags.add(1, 0, 0, b.sge(0, 1000)), 0);
        b.recv(8, 2000, 1000);
        tags.header(operation, 5);

        a.post(Side.wr(WrOpcode.SEND, 7, a.sge(0, bytes)));
        a.next(7, WcStatus.REM_INV_REQ_ERR);
        b.awaitState(QpState.ERR);
        tags.nothingMore();
        b.assertPattern(0, 2, 0, 3000);
    }

    /** A buffer whose key does not permit the write fails the message, as with any receive. */
    @Test
    void keyOfBufferIsCheckedOnArrival() {
        tags.run(Tags.add(1, 5, -1, b.sge(0, 100).lkey(b.mr.lkey() ^ 1)), 0);
        tags.header(TmHeader.EAGER, 5);

        a.post(Side.wr(WrOpcode.SEND, 7, a.sge(0, 26)));
        tags.fails(1, WcStatus.LOC_PROT_ERR);
        a.next(7, WcStatus.REM_OP_ERR);
    }

    /** Buffers belong to the queue, not to a queue pair. */
    @Test
    void buffersOutliveQueuePairs() {
        OpsWorkRequest add = tags.add(1, 5, 0, 100);
        b.qp.modify(new QpAttr().qpState(QpState.ERR));
        b.awaitState(QpState.ERR);

        tags.nothingMore();
        tags.run(Tags.op(OpsWrOpcode.TAG_DEL, OpsFlags.SIGNALED).handle(add.handle()), 0);
    }

    @Test
    void tagsMatchInAnyOrder() {
        int[] order = {3, 0, 7, 1, 6, 2, 5, 4};
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < order.length; i++) {
                tags.add(i, 100 + i, i * 100, 100);
            }
            for (int i : order) {
                tags.sendMatched(i, 100 + i, 84);
            }
            Arrays.sort(order, 0, round % order.length);
        }
        tags.nothingMore();
    }
}
