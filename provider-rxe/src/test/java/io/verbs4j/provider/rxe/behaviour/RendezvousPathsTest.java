/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.TmHeader;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Requests to read the data of a tagged message: the device reads if the queue pair has no send queue for the program.
 */
@WithOneCopy
class RendezvousPathsTest extends EachPath {
    /** Offset of the data in the sender's memory. */
    private static final int DATA = 1000;

    /** Offset at which the sender receives the message that ends a request. */
    private static final int FIN = 900_000;

    private Tags tags;

    @BeforeEach
    void connectTwo() {
        connect(16);
    }

    private void connect(int reads) {
        make(side -> side.extended = new CqInitAttrEx().wcFlags(WcExFlags.STANDARD | WcExFlags.TM_INFO));
        b.tags = 8;
        b.deviceSends = true;
        b.rdAtomic = reads;
        b.createQp(); // the first queue pair stays unused
        Side.connect(a, b);
        tags = new Tags(a, b);
    }

    /** Sends a request for data without waiting for its completion, which may come after its effects. */
    private void request(long tag, int length, int rkey, int more) {
        TmHeader.writeRndv(a.buffer, 0, Tags.PRIV, tag, a.mr.addr() + DATA, rkey, length);
        a.post(Side.wr(WrOpcode.SEND, 7, a.sge(0, TmHeader.RNDV_LENGTH + more)).sendFlags(0));
    }

    private void request(long tag, int length) {
        request(tag, length, a.mr.rkey(), 0);
    }

    private void finArrives(long wrId, long tag, int length) {
        assertThat(a.next(wrId, WcStatus.SUCCESS).byteLen()).isEqualTo(TmHeader.RNDV_LENGTH);
        assertThat(TmHeader.operation(a.buffer, FIN)).isEqualTo(TmHeader.FIN);
        assertThat(TmHeader.tag(a.buffer, FIN)).isEqualTo(tag);
        assertThat(TmHeader.priv(a.buffer, FIN)).isEqualTo(Tags.PRIV);
        assertThat(TmHeader.addr(a.buffer, FIN)).isEqualTo(a.mr.addr() + DATA);
        assertThat(TmHeader.rkey(a.buffer, FIN)).isEqualTo(a.mr.rkey());
        assertThat(TmHeader.length(a.buffer, FIN)).isEqualTo(length);
    }

    @Test
    void deviceReadsDataAndSendsFin() {
        int bytes = 200_000;
        tags.run(Tags.add(1, 5, -1, b.sge(1, 777), b.sge(1000, 400_000)), 0);
        a.recv(3, FIN, 100);

        request(5, bytes);
        tags.arrives(1, WcOpcode.TM_RECV, WcFlags.TM_MATCH, 0, 5, Tags.PRIV);
        tags.arrives(1, WcOpcode.TM_RECV, WcFlags.TM_DATA_VALID, bytes, 5, Tags.PRIV);
        finArrives(3, 5, bytes);
        b.assertPattern(1, 1, DATA, 777);
        b.assertPattern(1000, 1, DATA + 777, bytes - 777);
        b.assertPattern(1000 + bytes - 777, 2, 1000 + bytes - 777, 1000);
        tags.nothingMore();
    }

    @Test
    void requestMayCarryDataAndAskForNone() {
        tags.add(1, 5, 0, 0);
        a.recv(3, FIN, 100);

        request(5, 0, a.mr.rkey(), 100);
        tags.arrives(1, WcOpcode.TM_RECV, WcFlags.TM_MATCH, 0, 5, Tags.PRIV);
        tags.arrives(1, WcOpcode.TM_RECV, WcFlags.TM_DATA_VALID, 0, 5, Tags.PRIV);
        finArrives(3, 5, 0);
    }

    @Test
    void unexpectedRequestGoesToReceive() {
        b.recv(8, 2000, 100);

        request(5, 100, a.mr.rkey(), 10);
        tags.arrives(8, WcOpcode.TM_RECV, 0, TmHeader.RNDV_LENGTH + 10, 0, 0);
        assertThat(TmHeader.operation(b.buffer, 2000)).isEqualTo(TmHeader.RNDV);
        assertThat(TmHeader.length(b.buffer, 2000)).isEqualTo(100);
        tags.run(Tags.add(1, 5, -1, b.sge(0, 100)), WcFlags.TM_SYNC_REQ);
    }

    @Test
    void tooSmallBufferGetsHeaders() {
        tags.add(1, 5, 0, 99);

        request(5, 100);
        tags.arrives(
                1, WcStatus.TM_RNDV_INCOMPLETE, WcOpcode.TM_RECV, WcFlags.TM_MATCH, TmHeader.RNDV_LENGTH, 5, Tags.PRIV);
        assertThat(TmHeader.operation(b.buffer, 0)).isEqualTo(TmHeader.RNDV);
        assertThat(TmHeader.length(b.buffer, 0)).isEqualTo(100);
        b.awaitState(QpState.RTS);
        tags.add(1, 5, 0, 100);
        tags.sendMatched(1, 5, 20);
    }

    /** The program does the rest: it reads and sends the FIN on the same queue pair. */
    @Test
    void programReadsWhenItHasSendQueue() {
        closeBoth();
        make(side -> side.extended = new CqInitAttrEx().wcFlags(WcExFlags.STANDARD | WcExFlags.TM_INFO));
        b.tags = 8;
        b.createQp();
        Side.connect(a, b);
        tags = new Tags(a, b);
        tags.add(1, 5, 0, 5000);

        request(5, 3000);
        tags.arrives(
                1, WcStatus.TM_RNDV_INCOMPLETE, WcOpcode.TM_RECV, WcFlags.TM_MATCH, TmHeader.RNDV_LENGTH, 5, Tags.PRIV);
        b.post(Side.wr(WrOpcode.RDMA_READ, 4, b.sge(0, TmHeader.length(b.buffer, 0)))
                .remoteAddr(TmHeader.addr(b.buffer, 0))
                .rkey(TmHeader.rkey(b.buffer, 0)));
        b.next(4, WcStatus.SUCCESS);
        b.assertPattern(0, 1, DATA, 3000);
    }

    /** A queue pair that may not read. */
    @Test
    void withoutReadsBufferGetsHeaders() {
        closeBoth();
        connect(0);
        tags.add(1, 5, 0, 5000);

        request(5, 3000);
        tags.arrives(1, WcOpcode.TM_RECV, WcFlags.TM_MATCH, 0, 5, Tags.PRIV);
        tags.fails(1, WcStatus.TM_RNDV_INCOMPLETE);
        assertThat(TmHeader.operation(b.buffer, 0)).isEqualTo(TmHeader.RNDV);
        assertThat(TmHeader.length(b.buffer, 0)).isEqualTo(3000);
        b.awaitState(QpState.RTS);
    }

    @Test
    void keyWithoutReadFailsMessage() {
        tags.add(1, 5, 0, 5000);

        request(5, 3000, a.mr.rkey() ^ 1, 0);
        tags.arrives(1, WcOpcode.TM_RECV, WcFlags.TM_MATCH, 0, 5, Tags.PRIV);
        tags.fails(1, WcStatus.REM_ACCESS_ERR);
        b.awaitState(QpState.ERR);
        b.assertPattern(0, 2, 0, 5000);
    }

    /** More than the device accepts at a time: the sender waits. */
    @Test
    void manyRequestsAreReadInOrder() {
        closeBoth();
        make(side -> side.extended = new CqInitAttrEx().wcFlags(WcExFlags.STANDARD | WcExFlags.TM_INFO));
        b.tags = 100;
        b.deviceSends = true;
        b.createQp();
        Side.connect(a, b);
        tags = new Tags(a, b);
        int requests = 90;
        int bytes = 4000;
        for (int i = 0; i < requests; i++) {
            tags.add(i, i, i * bytes, bytes);
        }
        for (int i = 0; i < 60; i++) {
            a.recv(1000 + i, FIN, 100);
        }
        int[] left = {2 * requests, requests};
        for (int i = 0; i < requests; i++) {
            TmHeader.writeRndv(a.buffer, 0, i, i, a.mr.addr() + DATA + i, a.mr.rkey(), bytes);
            a.post(Side.wr(WrOpcode.SEND, 7, a.sge(0, TmHeader.RNDV_LENGTH)));
            for (boolean sent = false; !sent; ) {
                var wc = a.next();
                assertThat(wc.status()).isEqualTo(WcStatus.SUCCESS);
                sent = wc.wrId() == 7;
                if (!sent) {
                    left[1]--;
                    a.recv(1000, FIN, 100);
                }
            }
        }
        for (; left[1] > 0; left[1]--) {
            a.next();
        }
        for (; left[0] > 0; left[0]--) {
            var wc = b.next();
            assertThat(wc.status()).isEqualTo(WcStatus.SUCCESS);
        }
        for (int i = 0; i < requests; i++) {
            b.assertPattern(i * bytes, 1, DATA + i, bytes);
        }
    }

    /** Requests that are still unread when the queue pair fails are flushed. */
    @Test
    void requestsAreFlushedWithTheQueuePair() {
        tags.add(1, 5, 0, 5000);
        tags.add(2, 6, 5000, 5000);
        b.qp.modify(new QpAttr().qpState(QpState.SQD)); // nothing new is started

        request(5, 3000);
        tags.arrives(1, WcOpcode.TM_RECV, WcFlags.TM_MATCH, 0, 5, Tags.PRIV);
        request(6, 3000);
        tags.arrives(2, WcOpcode.TM_RECV, WcFlags.TM_MATCH, 0, 6, Tags.PRIV);
        b.qp.modify(new QpAttr().qpState(QpState.ERR));
        tags.fails(1, WcStatus.WR_FLUSH_ERR);
        tags.fails(2, WcStatus.WR_FLUSH_ERR);
        tags.nothingMore();
    }

    @Test
    void requestsWaitUntilQueuePairMaySend() {
        tags.add(1, 5, 0, 5000);
        a.recv(3, FIN, 100);
        b.qp.modify(new QpAttr().qpState(QpState.SQD));

        request(5, 3000);
        tags.arrives(1, WcOpcode.TM_RECV, WcFlags.TM_MATCH, 0, 5, Tags.PRIV);
        assertThat(b.rest(30)).isEmpty();
        b.qp.modify(new QpAttr().qpState(QpState.RTS));
        tags.arrives(1, WcOpcode.TM_RECV, WcFlags.TM_DATA_VALID, 3000, 5, Tags.PRIV);
        finArrives(3, 5, 3000);
        b.assertPattern(0, 1, DATA, 3000);
    }

    @Test
    void programCannotPostWhereDeviceSends() {
        assertThat(b.qp.postSend(Side.wr(WrOpcode.SEND, 1, b.sge(0, 10)))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(b.qp.postSend(Side.wr(WrOpcode.NOP, 1))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(b.qp.bindMw(
                        b.opened(b.pd.allocMw(MwType.TYPE_1)),
                        new MwBind().mr(b.mr).addr(b.mr.addr()).length(10)))
                .isEqualTo(Errno.EOPNOTSUPP);
    }
}
