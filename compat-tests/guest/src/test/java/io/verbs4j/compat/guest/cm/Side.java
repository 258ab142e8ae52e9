/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.cm;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.core.Verbs;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An open device, an event channel, and the resources of queue pairs. Requests are identified by kind: receives, sends,
 * RDMA.
 */
final class Side implements AutoCloseable {
    static final int RECEIVE = 0;
    static final int SEND = 1;
    static final int RDMA = 2;

    /** The time limit of any step, in seconds. */
    static final long PATIENCE = 120;

    private static final int DEPTH = 64;
    private static final int BYTES = 256 << 10;

    final Context context;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
    final MemoryRegion mr;
    final EventChannel channel = EventChannel.create();

    /** The last completion of each kind. */
    final WorkCompletion[] last = {new WorkCompletion(), new WorkCompletion(), new WorkCompletion()};

    private final int[] done = new int[last.length];
    private final boolean[] flushed = new boolean[last.length];
    private final WorkCompletion[] wc = {new WorkCompletion()};

    Side(String device) {
        Device found = Verbs.devices().stream()
                .filter(d -> d.name().equals(device))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + device + ": " + Verbs.report()));
        context = Verbs.open(found, VerbsLevel.CURRENT);
        pd = context.allocPd();
        cq = context.createCq(8 * DEPTH);
        mr = pd.regMr(memory, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ);
    }

    QpInitAttr attr(int type) {
        return new QpInitAttr()
                .qpType(type)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(DEPTH).maxRecvWr(DEPTH).maxSendSge(1).maxRecvSge(1));
    }

    // ---- events

    /** Takes the next event, which must be of that type. */
    CmEvent next(int type) {
        CmEvent event = channel.getEvent(PATIENCE, TimeUnit.SECONDS);
        if (event == null || event.type() != type) {
            throw new IllegalStateException(
                    CmEventType.toString(type) + " expected, not " + (event == null ? "nothing" : event));
        }
        return event;
    }

    /** {@return an id with a resolved route to an address} */
    CmId resolved(int portSpace, InetAddress source, InetSocketAddress address) {
        CmId id = channel.createId(context, portSpace);
        id.resolveAddress(
                source == null ? null : new InetSocketAddress(source, 0), address, 2000, TimeUnit.MILLISECONDS);
        next(CmEventType.ADDR_RESOLVED);
        id.resolveRoute(2000, TimeUnit.MILLISECONDS);
        next(CmEventType.ROUTE_RESOLVED);
        return id;
    }

    // ---- requests

    void receive(QueuePair qp, int offset, int length) {
        check("postRecv", qp.postRecv(new RecvWorkRequest().wrId(RECEIVE).sgList(element(offset, length))));
    }

    SendWorkRequest request(int opcode, int kind, int offset, int length) {
        return new SendWorkRequest()
                .opcode(opcode)
                .wrId(kind)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(element(offset, length));
    }

    private ScatterGatherElement element(int offset, int length) {
        return ScatterGatherElement.of(mr, offset, length);
    }

    void post(QueuePair qp, SendWorkRequest wr) {
        check("postSend", qp.postSend(wr));
    }

    private static void check(String verb, int errno) {
        if (errno != 0) {
            throw new IllegalStateException(verb + " returned " + errno);
        }
    }

    /**
     * Waits for a request of a kind that may be the last of its connection: the peer may be gone before it
     * acknowledges.
     */
    void awaitLast(int kind) {
        await(kind, true);
    }

    /** Waits until a request of a kind completes. */
    void await(int kind) {
        await(kind, false);
    }

    private void await(int kind, boolean perhapsFlushed) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        while (!isDone(kind) && !(perhapsFlushed && flushed[kind])) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("no completion of kind " + kind + " in time");
            }
            LockSupport.parkNanos(20_000); // the other process may need the processor
        }
    }

    /** Whether a request of a kind has completed; counts each completion once. */
    boolean isDone(int kind) {
        while (done[kind] == 0 && cq.poll(1, wc) == 1) {
            int which = (int) wc[0].wrId();
            if (wc[0].status() == WcStatus.WR_FLUSH_ERR) {
                flushed[which] = true; // its connection is gone
                continue;
            }
            if (wc[0].status() != WcStatus.SUCCESS) {
                throw new IllegalStateException(
                        "request of kind " + which + " ended with " + WcStatus.toString(wc[0].status()));
            }
            done[which]++;
            WorkCompletion before = last[which];
            last[which] = wc[0];
            wc[0] = before;
        }
        if (done[kind] == 0) {
            return false;
        }
        done[kind]--;
        return true;
    }

    /** Closes everything; the connection manager keeps running until its time waits are over. */
    @Override
    public void close() {
        channel.close();
        mr.close();
        cq.close();
        pd.close();
        context.close();
    }
}
