/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
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
import io.verbs4j.provider.rxe.link.LinkOptions;
import io.verbs4j.provider.rxe.link.ProcessControl;
import io.verbs4j.provider.rxe.port.RxeConfig;
import io.verbs4j.rdmacore.sim.QpWalk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process with one connection, which a test stops and kills. Messages are numbers that count up. Carries out commands
 * line by line.
 */
final class ConnectedChildProgram {
    private static final int WINDOW = 16;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static final String SILENCE = "nothing for a while";

    private final int bytes;
    private final TestContext context;
    private final ProtectionDomain pd;
    private final ByteBuffer buffer;
    private final MemoryRegion mr;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final WorkCompletion[] wc = {new WorkCompletion()};
    private Gid peer;
    private long sent;
    private long completed;
    private long received;

    private ConnectedChildProgram(LinkOptions options, int bytes, InetAddress address) {
        this.bytes = bytes;
        context = TestContext.open(new RxeConfig(1, List.of(address), true, options, null));
        pd = context.allocPd();
        buffer = ByteBuffer.allocateDirect(2 * WINDOW * bytes);
        mr = pd.regMr(buffer, AccessFlags.LOCAL_WRITE);
        cq = context.createCq(4 * WINDOW);
        qp = pd.createQp(new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap()
                        .maxSendWr(WINDOW)
                        .maxRecvWr(WINDOW)
                        .maxSendSge(1)
                        .maxRecvSge(1)));
    }

    /** Runs until its input ends; takes the way, the message length in bytes, and optionally an address. */
    public static void main(String[] args) throws IOException {
        LinkOptions options = LinkOptions.defaults().withOneCopy(Way.valueOf(args[0]) == Way.ONE_COPY);
        InetAddress address = args.length > 2 ? InetAddress.getByName(args[2]) : TestContext.newAddress();
        ConnectedChildProgram child = new ConnectedChildProgram(options, Integer.parseInt(args[1]), address);
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
            case "counter":
                return String.valueOf(context.port().counters().get(words[1]));
            case "problem":
                return context.port().oneCopyProblem();
            case "forbid":
                ProcessControl.forbidReading();
                return "ok";
            case "ring":
                return awaitRing();
            case "again":
                again();
                return "ok";
            case "post":
                post();
                return "posted";
            case "send":
                return exchange(Long.parseLong(words[1]), received);
            case "receive":
                return exchange(0, received + Long.parseLong(words[1]));
            case "listen":
                return listen(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[1])));
            default:
                throw new IllegalArgumentException(words[0]);
        }
    }

    /** Waits until messages from here go by one copy. */
    private String awaitRing() {
        long end = System.nanoTime() + PATIENCE;
        while (context.port().openLinks().stream()
                .allMatch(link -> link.reach(peer) == null || link.reach(peer).ring() == null)) {
            if (System.nanoTime() > end) {
                return "no ring";
            }
            check(cq.poll(0, wc));
        }
        return "ok";
    }

    /** Returns the queue pair to its initial state. */
    private void again() {
        qp.modify(new QpAttr().qpState(QpState.RESET));
        sent = 0;
        completed = 0;
        received = 0;
    }

    private void connect(Gid to, int qpn, int timeout, int retryCnt) {
        peer = to;
        QpWalk walk = QpWalk.of(QpType.RC).minRnrTimer(1).timeout(timeout).retryCnt(retryCnt);
        qp.modify(walk.init());
        qp.modify(walk.rtr(QpWalk.path(peer), qpn));
        for (int i = 0; i < WINDOW; i++) {
            postReceive(i);
        }
        qp.modify(walk.rts());
    }

    private void postReceive(long number) {
        int at = (int) (number % WINDOW) * bytes;
        check(qp.postRecv(new RecvWorkRequest().wrId(number).sgList(ScatterGatherElement.of(mr, at, bytes))));
    }

    private void post() {
        int at = (WINDOW + (int) (sent % WINDOW)) * bytes;
        buffer.putLong(at, sent);
        buffer.putLong(at + bytes / 2 & -Long.BYTES, sent);
        buffer.putLong(at + bytes - Long.BYTES, sent);
        check(qp.postSend(new SendWorkRequest()
                .wrId(sent++)
                .opcode(WrOpcode.SEND)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(ScatterGatherElement.of(mr, at, bytes))));
    }

    private static void check(int error) {
        if (error != 0) {
            throw new IllegalStateException("errno " + error);
        }
    }

    /** Whether a message is the next one: at its beginning, middle and end. */
    private boolean isNext(int at) {
        return buffer.getLong(at) == received
                && buffer.getLong(at + bytes / 2 & -Long.BYTES) == received
                && buffer.getLong(at + bytes - Long.BYTES) == received;
    }

    /** Receives until nothing has arrived for a while; returns how many arrived, or what was wrong. */
    private String listen(long silence) {
        long before = received;
        String how = exchange(0, Long.MAX_VALUE, silence);
        return how.equals(SILENCE) ? Long.toString(received - before) : how;
    }

    private String exchange(long toSend, long toReceive) {
        return exchange(toSend, toReceive, PATIENCE);
    }

    /** Sends a number of messages, and continues until a number have been received in total; returns the result. */
    private String exchange(long toSend, long toReceive, long patience) {
        long last = sent + toSend;
        long end = System.nanoTime() + patience;
        while (completed < last || received < toReceive) {
            while (sent < last && sent - completed < WINDOW) {
                post();
            }
            if (cq.poll(1, wc) == 1) {
                if (wc[0].status() != WcStatus.SUCCESS) {
                    return WcStatus.toString(wc[0].status());
                } else if ((wc[0].opcode() & WcOpcode.RECV) == 0) {
                    completed++;
                } else if (!isNext((int) (received % WINDOW) * bytes)) {
                    return "unexpected message instead of " + received;
                } else {
                    postReceive(WINDOW + received++);
                }
                end = System.nanoTime() + patience;
            } else if (System.nanoTime() > end) {
                return SILENCE;
            }
        }
        return "success";
    }
}
