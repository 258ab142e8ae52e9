/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.AccessFlags;
import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.EventType;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.core.Verbs;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.testsupport.Patience;
import io.verbs4j.testsupport.program.Jdk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of a shared domain, with a shared receive queue; carries out commands line by line. */
public final class XrcChildProgram implements AutoCloseable {
    static final int SLOT = 24 << 10;
    private static final int SLOTS = 64;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static final int ACCESS =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    final Context context = Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT);
    final ProtectionDomain pd = context.allocPd();
    final ByteBuffer buffer = ByteBuffer.allocateDirect(SLOTS * SLOT).order(ByteOrder.nativeOrder());
    final MemoryRegion mr = pd.regMr(buffer, ACCESS);
    final CompletionQueue cq = context.createCq(1024);
    private XrcDomain xrcd;
    private SharedReceiveQueue srq;
    private QueuePair qp;

    /** Returns the command for such a process, with the folder of the domain's file for its remains. */
    static List<String> command(Path file) {
        List<String> command = new ArrayList<>(Jdk.own()
                .command(
                        List.of("-Xmx128m", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + file.getParent()),
                        XrcChildProgram.class));
        command.add(file.toString());
        return command;
    }

    /**
     * Runs until its input ends.
     *
     * @param args the file of the domain
     */
    public static void main(String[] args) throws IOException {
        XrcChildProgram child = new XrcChildProgram();
        child.join(Path.of(args[0]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String answer;
            try {
                answer = child.obey(line.split(" ", -1));
            } catch (VerbsException e) {
                answer = "errno " + e.errno() + " " + e.getMessage();
            }
            System.out.println(answer);
            System.out.flush();
        }
    }

    int srqNum() {
        return srq.srqNum();
    }

    XrcDomainState domain() {
        return ((RxeXrcDomain) xrcd).domain;
    }

    @Override
    public void close() {
        if (xrcd != null) {
            srq.close();
            xrcd.close();
        }
        cq.close();
        mr.close();
        pd.close();
        context.close();
    }

    void join(Path file) {
        xrcd = context.openXrcd(new XrcdInitAttr().file(file).oflags(XrcdOpenFlags.CREAT));
        srq = context.createSrqEx(new SrqInitAttrEx()
                .attr(new SrqAttr().maxWr(SLOTS).maxSge(1))
                .srqType(SrqType.XRC)
                .pd(pd)
                .xrcd(xrcd)
                .cq(cq));
    }

    private String obey(String[] words) {
        return switch (words[0]) {
            case "about" -> srq.srqNum() + " " + mr.addr() + " " + mr.rkey() + " " + hex(gid());
            case "fill" -> {
                for (int slot = 0; slot < SLOTS; slot++) {
                    post(slot);
                }
                yield "ok";
            }
            case "qp" -> {
                qp = context.createQpEx(
                        new QpInitAttrEx().qpType(QpType.XRC_RECV).xrcd(xrcd));
                yield Integer.toString(qp.qpNum());
            }
            case "open" -> {
                qp = context.openQp(new QpOpenAttr()
                        .qpNum(Integer.parseInt(words[1]))
                        .xrcd(xrcd)
                        .qpType(QpType.XRC_RECV));
                yield "ok";
            }
            case "close" -> {
                qp.close();
                yield "ok";
            }
            case "connect" -> {
                connect(qp, Gid.parseHex(words[1]), Integer.parseInt(words[2]));
                yield "ok";
            }
            case "state" -> QpState.toString(qp.query(QpAttrMask.STATE).qpState());
            case "receive" -> receive(Integer.parseInt(words[1]));
            case "peek" -> Long.toString(buffer.getLong(Integer.parseInt(words[1])));
            case "loop" -> loop(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
            case "event" -> event();
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    static String hex(Gid gid) {
        return String.format("%016x%016x", gid.subnetPrefix(), gid.interfaceId());
    }

    Gid gid() {
        return context.queryGid(1, 0);
    }

    private void post(long slot) {
        int error =
                srq.postRecv(new RecvWorkRequest().wrId(slot).sgList(ScatterGatherElement.of(mr, slot * SLOT, SLOT)));
        if (error != 0) {
            throw new IllegalStateException("post: " + error);
        }
    }

    private String event() {
        while (true) {
            AsyncEvent event = context.getAsyncEvent(Patience.SECONDS, TimeUnit.SECONDS);
            if (event == null) {
                return "none";
            }
            event.ack();
            if (event.eventType() != EventType.COMM_EST) {
                return EventType.toString(event.eventType());
            }
        }
    }

    // ---- messages: of number n, sent with it as immediate data

    static int size(int n) {
        return (int) (n * 7919L % 40 == 0 ? SLOT : n * 2654435761L >>> 7 & 0x1fff);
    }

    static byte pattern(int n, int i) {
        return (byte) (n * 31 + i * 7 + (i >>> 8) * 13);
    }

    private String receive(int count) {
        WorkCompletion[] wc = {new WorkCompletion()};
        int wrong = 0;
        int previous = -1;
        long end = System.nanoTime() + PATIENCE;
        for (int n = 0; n < count; ) {
            int got = cq.poll(1, wc);
            if (got < 0 || System.nanoTime() > end) {
                return n + " of " + count + ", then " + (got < 0 ? "error " + got : "nothing more");
            }
            if (got == 1) {
                n++;
                int number = wc[0].immData();
                boolean right =
                        wc[0].status() == WcStatus.SUCCESS && number > previous && wc[0].byteLen() == size(number);
                for (int i = 0; right && i < wc[0].byteLen(); i++) {
                    right = buffer.get((int) wc[0].wrId() * SLOT + i) == pattern(number, i);
                }
                wrong += right ? 0 : 1;
                previous = number;
                post(wc[0].wrId());
            }
        }
        return count + " received, " + wrong + " wrong";
    }

    // ---- queue pairs

    static void connect(QueuePair qp, Gid remote, int remoteQpn) {
        QpWalk.reset(qp);
        QpWalk.of(qp.qpType())
                .access(ACCESS & ~AccessFlags.LOCAL_WRITE)
                .mtu(Mtu.MTU_4096)
                .minRnrTimer(1)
                .timeout(16)
                .readDepth(8)
                .psn(5)
                .connect(qp, QpWalk.path(remote), remoteQpn);
    }

    QueuePair newSender(int maxWr) {
        return context.createQpEx(new QpInitAttrEx()
                .qpType(QpType.XRC_SEND)
                .sendCq(cq)
                .pd(pd)
                .cap(new QpCap().maxSendWr(maxWr).maxSendSge(1)));
    }

    SendWorkRequest message(int n, int slot) {
        int size = size(n);
        for (int i = 0; i < size; i++) {
            buffer.put(slot * SLOT + i, pattern(n, i));
        }
        return new SendWorkRequest()
                .opcode(WrOpcode.SEND_WITH_IMM)
                .wrId(n)
                .immData(n)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(ScatterGatherElement.of(mr, (long) slot * SLOT, size));
    }

    WorkCompletion next() {
        WorkCompletion[] wc = {new WorkCompletion()};
        long end = System.nanoTime() + PATIENCE;
        while (cq.poll(1, wc) == 0) {
            if (System.nanoTime() > end) {
                throw new AssertionError("no completion");
            }
        }
        return wc[0];
    }

    /** Sends to a queue from this process through its own queue pair, within the JVM. */
    private String loop(int srqNum, int count) {
        QueuePair sender = newSender(1);
        connect(sender, gid(), qp.qpNum());
        connect(qp, gid(), sender.qpNum());
        for (int n = 0; n < count; n++) {
            sender.postSend(message(n, 0).remoteSrqn(srqNum));
            int status = next().status();
            if (status != WcStatus.SUCCESS) {
                return n + " sent, then " + WcStatus.toString(status);
            }
        }
        sender.close();
        return count + " sent";
    }
}
