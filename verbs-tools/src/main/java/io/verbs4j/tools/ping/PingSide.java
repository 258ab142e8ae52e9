/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.ping;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.net.RemoteMemory;
import io.verbs4j.tools.traffic.Completions;
import io.verbs4j.tools.traffic.Failures;
import io.verbs4j.tools.traffic.Opened;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * What either side of a ping works with. Messages are 16 bytes, big-endian:
 *
 * <pre>
 *   0         8      12     16
 *   | address | rkey | size |
 * </pre>
 *
 * The client's messages say where the server reads or writes; the server's are a go-ahead, and their contents do not
 * matter.
 */
final class PingSide implements AutoCloseable {
    static final int MESSAGE = 16;

    private static final long RECV = 1;
    private static final long SEND = 2;
    private static final long RDMA = 3;

    private static final int OUT = MESSAGE;
    private static final int CONTROL = 2 * MESSAGE;
    private static final int SENDS = 16;

    /** The same as rping. */
    static final ConnParam PARAM = ConnParam.DEFAULT.withResponderResources(1).withInitiatorDepth(1);

    private final Opened opened = new Opened();
    private final ByteBuffer control = ByteBuffer.allocateDirect(CONTROL);
    private final long timeoutNanos;
    private ProtectionDomain pd;
    private MemoryRegion controlRegion;
    private CompletionQueue cq;
    private Completions completions;
    private CmConnection connection;

    PingSide(Context context, PingOptions options) {
        timeoutNanos = options.timeoutNanos();
        boolean done = false;
        try {
            pd = opened.keep(context.allocPd());
            controlRegion = opened.keep(pd.regMr(control, AccessFlags.LOCAL_WRITE));
            CompletionChannel channel = options.events ? opened.keep(context.createCompChannel()) : null;
            cq = opened.keep(context.createCq(2 * SENDS, null, channel, 0));
            completions = new Completions(cq);
            done = true;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    MemoryRegion register(ByteBuffer data, int access) {
        return opened.keep(pd.regMr(data, access));
    }

    ProtectionDomain pd() {
        return pd;
    }

    QpInitAttr attr() {
        return new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(SENDS).maxRecvWr(2).maxSendSge(1).maxRecvSge(1));
    }

    void connected(CmConnection made) {
        connection = opened.keep(made);
        connection.keepAlive(0, TimeUnit.SECONDS); // --timeout distinguishes a dead peer from one that has disconnected
    }

    CmConnection connection() {
        return connection;
    }

    /** Posts the receive of the next message; the first one before the connection is established. */
    void postRecv(QueuePair qp) {
        RecvWorkRequest request =
                new RecvWorkRequest().wrId(RECV).sgList(ScatterGatherElement.of(controlRegion, 0, MESSAGE));
        int errno = qp.postRecv(request);
        if (errno != 0) {
            throw Failures.ofPost("receive", errno, qp.explain(request));
        }
    }

    void send(long address, int rkey, int size) {
        control.putLong(OUT, address).putInt(OUT + 8, rkey).putInt(OUT + 12, size);
        post(
                "send",
                new SendWorkRequest()
                        .wrId(SEND)
                        .opcode(WrOpcode.SEND)
                        .sgList(ScatterGatherElement.of(controlRegion, OUT, MESSAGE)));
    }

    /** Reads or writes the peer's memory, and waits until that is done; returns false if the peer has disconnected. */
    boolean rdma(int opcode, MemoryRegion local, int length, RemoteMemory remote) {
        post(
                WrOpcode.toString(opcode),
                new SendWorkRequest()
                        .wrId(RDMA)
                        .opcode(opcode)
                        .remoteAddr(remote.addr())
                        .rkey(remote.rkey())
                        .sgList(ScatterGatherElement.of(local, 0, length)));
        return await(RDMA);
    }

    private void post(String what, SendWorkRequest request) {
        QueuePair qp = connection.queuePair();
        int errno = qp.postSend(request.sendFlags(SendFlags.SIGNALED));
        if (errno != 0) {
            throw Failures.ofPost(what, errno, qp.explain(request));
        }
    }

    /** Waits for a message; returns null if the peer has disconnected. */
    RemoteMemory receive() {
        if (!await(RECV)) {
            return null;
        }
        RemoteMemory told = new RemoteMemory(control.getLong(0), control.getInt(8), control.getInt(12));
        postRecv(connection.queuePair());
        return told;
    }

    /** Waits for one completion; skips completions of sends. */
    private boolean await(long awaited) {
        while (true) {
            int n;
            try {
                n = completions.await(timeoutNanos, this::isDisconnected);
            } catch (ToolException e) {
                if (isDisconnected()) {
                    return false; // posted requests are flushed then
                }
                throw e;
            }
            if (n == 0 && isDisconnected()) {
                return false;
            }
            if (n == 0) {
                throw ToolException.failed("nothing arrived for " + timeoutNanos / 1_000_000_000L
                        + " s: is the peer's program still running, and is it rping or 'verbs ping'?");
            }
            boolean came = false;
            for (int i = 0; i < n; i++) {
                WorkCompletion wc = completions.get(i);
                if (wc.wrId() != SEND && wc.wrId() != awaited) {
                    throw ToolException.failed("the peer sent a message out of turn: is it rping or 'verbs ping'?");
                }
                if (wc.wrId() == RECV && wc.byteLen() != MESSAGE) {
                    throw ToolException.failed("a message of " + wc.byteLen() + " bytes arrived, but rping's have "
                            + MESSAGE + ": is the peer rping or 'verbs ping'?");
                }
                came |= wc.wrId() == awaited;
            }
            if (came) {
                return true;
            }
        }
    }

    private boolean isDisconnected() {
        return connection.awaitDisconnected(0, TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        opened.close();
    }
}
