/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.TestContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/** A process with one connection, which a test stops and kills. Messages are numbers, which count up. Does what it is told, line by line. */
final class ConnectedChild {
    private static final int WINDOW = 16;
    private static final int BYTES = Long.BYTES;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    private final TestContext context = TestContext.open((String) null);
    private final ProtectionDomain pd = context.allocPd();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(2 * WINDOW * BYTES);
    private final MemoryRegion mr = pd.regMr(buffer, AccessFlags.LOCAL_WRITE);
    private final CompletionQueue cq = context.createCq(4 * WINDOW);
    private final QueuePair qp = pd.createQp(new QpInitAttr()
            .qpType(QpType.RC)
            .sendCq(cq)
            .recvCq(cq)
            .cap(new QpCap().maxSendWr(WINDOW).maxRecvWr(WINDOW).maxSendSge(1).maxRecvSge(1)));
    private final WorkCompletion[] wc = {new WorkCompletion()};
    private long sent;
    private long completed;
    private long received;

    private ConnectedChild() {}

    /** Runs until its input ends. */
    public static void main(String[] args) throws IOException {
        ConnectedChild child = new ConnectedChild();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(child.obey(line.split(" ", -1)));
        }
    }

    private String obey(String[] words) {
        switch (words[0]) {
            case "about":
                return HexFormat.of().formatHex(context.queryGid(1, 0).toBytes()) + " " + qp.qpNum();
            case "connect":
                connect(
                        Gid.parseHex(words[1]),
                        Integer.parseInt(words[2]),
                        Integer.parseInt(words[3]),
                        Integer.parseInt(words[4]));
                return "ok";
            case "post":
                post();
                return "posted";
            case "send":
                return exchange(Long.parseLong(words[1]), received);
            case "receive":
                return exchange(0, received + Long.parseLong(words[1]));
            default:
                throw new IllegalArgumentException(words[0]);
        }
    }

    private void connect(Gid peer, int qpn, int timeout, int retryCnt) {
        AhAttr path = new AhAttr().isGlobal(true).portNum(1);
        path.grh().dgid(peer).hopLimit(64);
        qp.modify(new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(0));
        qp.modify(new QpAttr()
                .qpState(QpState.RTR)
                .pathMtu(Mtu.MTU_1024)
                .destQpNum(qpn)
                .rqPsn(0)
                .ahAttr(path)
                .maxDestRdAtomic(1)
                .minRnrTimer(1));
        for (int i = 0; i < WINDOW; i++) {
            postReceive(i);
        }
        qp.modify(new QpAttr()
                .qpState(QpState.RTS)
                .sqPsn(0)
                .timeout(timeout)
                .retryCnt(retryCnt)
                .rnrRetry(7)
                .maxRdAtomic(1));
    }

    private void postReceive(long number) {
        int at = (int) (number % WINDOW) * BYTES;
        check(qp.postRecv(new RecvWorkRequest().wrId(number).sgList(ScatterGatherElement.of(mr, at, BYTES))));
    }

    private void post() {
        int at = (WINDOW + (int) (sent % WINDOW)) * BYTES;
        buffer.putLong(at, sent);
        check(qp.postSend(new SendWorkRequest()
                .wrId(sent++)
                .opcode(WrOpcode.SEND)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(ScatterGatherElement.of(mr, at, BYTES))));
    }

    private static void check(int error) {
        if (error != 0) {
            throw new IllegalStateException("errno " + error);
        }
    }

    /** Sends so many messages, and goes on until so many have come in all; answers how that went. */
    private String exchange(long toSend, long toReceive) {
        long last = sent + toSend;
        long end = System.nanoTime() + PATIENCE;
        while (completed < last || received < toReceive) {
            while (sent < last && sent - completed < WINDOW) {
                post();
            }
            if (cq.poll(1, wc) == 1) {
                if (wc[0].status() != WcStatus.SUCCESS) {
                    return WcStatus.toString(wc[0].status());
                } else if ((wc[0].opcode() & WcOpcode.RECV) == 0) {
                    completed++;
                } else if (buffer.getLong((int) (received % WINDOW) * BYTES) != received) {
                    return "another message than " + received;
                } else {
                    postReceive(WINDOW + received++);
                }
                end = System.nanoTime() + PATIENCE;
            } else if (System.nanoTime() > end) {
                return "nothing for a minute";
            }
        }
        return "success";
    }
}
