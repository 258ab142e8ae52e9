/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.cm;

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
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.tools.traffic.Failures;
import io.verbs4j.tools.traffic.Opened;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * A byte stream over a connected queue pair, for what two sides tell each other. Pieces of up to 4 KiB are one message
 * each; an empty piece is the end. A sender that is ahead of the reader is slowed down by the device.
 */
final class CmSocket extends Socket {
    private static final int PIECE = 4096;
    private static final int RECEIVES = 32;
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Opened opened = new Opened();
    private final ByteBuffer memory = ByteBuffer.allocateDirect((RECEIVES + 1) * PIECE);
    private ProtectionDomain pd;
    private MemoryRegion region;
    private CompletionQueue sends;
    private CompletionQueue receives;
    private CompletionChannel channel;
    private CmConnection connection;
    private final Object writing = new Object();
    private boolean shut;
    private volatile boolean closed;
    private volatile int timeoutMillis;

    private final InputStream in = new In();
    private final OutputStream out = new Out();

    /** Creates a socket that is not connected. */
    CmSocket(Context context) {
        boolean done = false;
        try {
            pd = opened.keep(context.allocPd());
            region = opened.keep(pd.regMr(memory, AccessFlags.LOCAL_WRITE));
            channel = opened.keep(context.createCompChannel());
            sends = opened.keep(context.createCq(2));
            receives = opened.keep(context.createCq(RECEIVES, null, channel, 0));
            done = true;
        } finally {
            if (!done) {
                opened.close();
            }
        }
    }

    ProtectionDomain pd() {
        return pd;
    }

    QpInitAttr attr() {
        return new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(sends)
                .recvCq(receives)
                .cap(new QpCap().maxSendWr(2).maxRecvWr(RECEIVES).maxSendSge(1).maxRecvSge(1));
    }

    /** Posts all receives, before the connection is established. */
    void prepare(QueuePair qp) {
        for (int i = 0; i < RECEIVES; i++) {
            receive(qp, i);
        }
    }

    private void receive(QueuePair qp, int slot) {
        RecvWorkRequest request =
                new RecvWorkRequest().wrId(slot).sgList(ScatterGatherElement.of(region, slot * (long) PIECE, PIECE));
        int errno = qp.postRecv(request);
        if (errno != 0 && !closed) {
            throw Failures.ofPost("receive", errno, qp.explain(request));
        }
    }

    void connected(CmConnection made) {
        connection = opened.keep(made);
    }

    private boolean isDisconnected() throws IOException {
        try {
            return connection.awaitDisconnected(0, TimeUnit.NANOSECONDS);
        } catch (VerbsException e) {
            throw new IOException("the connection is closed", e);
        }
    }

    private final class In extends InputStream {
        private final WorkCompletion[] wc = {new WorkCompletion()};
        private int slot = -1;
        private int at;
        private int end;
        private boolean ended;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            while (at == end && !ended) {
                next();
            }
            if (ended) {
                return -1;
            }
            int n = Math.min(length, end - at);
            memory.get(slot * PIECE + at, to, offset, n);
            at += n;
            return n;
        }

        private void next() throws IOException {
            if (slot >= 0) {
                receive(connection.queuePair(), slot);
                slot = -1;
            }
            if (!await()) {
                ended = true;
                return;
            }
            slot = (int) wc[0].wrId();
            at = 0;
            end = wc[0].byteLen();
            ended = end == 0;
        }

        /** Waits for a piece; returns false if none will come. */
        private boolean await() throws IOException {
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
            while (true) {
                boolean last = closed || isDisconnected(); // first: what came before is there then
                int n = poll();
                if (n == 0 && !last) {
                    receives.reqNotify(false);
                    n = poll();
                }
                if (n != 0 || last) {
                    return n > 0 && wc[0].status() == WcStatus.SUCCESS;
                }
                if (timeoutMillis > 0 && System.nanoTime() - until >= 0) {
                    throw new SocketTimeoutException("nothing arrived within " + timeoutMillis + " ms");
                }
                sleep();
            }
        }

        private int poll() {
            return receives.poll(1, wc);
        }

        private void sleep() throws IOException {
            try {
                CompletionQueue ready = channel.getEvent(SLICE_NANOS, TimeUnit.NANOSECONDS);
                if (ready != null) {
                    ready.ackEvents(1);
                }
            } catch (VerbsException e) {
                throw new IOException("the connection is closed", e);
            }
        }
    }

    private final class Out extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            synchronized (writing) {
                for (int done = 0; done < length; done += PIECE) {
                    int n = Math.min(PIECE, length - done);
                    memory.put(RECEIVES * PIECE, from, offset + done, n);
                    piece(n);
                }
            }
        }
    }

    /** Sends the last slot of the memory, and waits until the peer's device has it. */
    @SuppressWarnings("ThreadPriorityCheck") // more threads may poll than there are processors
    private void piece(int length) throws IOException {
        if (shut) {
            throw new IOException("the stream is shut down");
        }
        int errno = connection
                .queuePair()
                .postSend(new SendWorkRequest()
                        .opcode(WrOpcode.SEND)
                        .sendFlags(SendFlags.SIGNALED)
                        .sgList(ScatterGatherElement.of(region, RECEIVES * (long) PIECE, length)));
        WorkCompletion[] wc = {new WorkCompletion()};
        long until = System.nanoTime() + PATIENCE_NANOS;
        int n = errno != 0 ? -errno : sends.poll(1, wc);
        while (n == 0) {
            if (isDisconnected()) {
                throw new IOException("the peer has disconnected");
            }
            if (System.nanoTime() - until >= 0) {
                throw new SocketTimeoutException("the peer does not receive");
            }
            Thread.yield();
            n = sends.poll(1, wc);
        }
        if (n < 0 || wc[0].status() != WcStatus.SUCCESS) {
            throw new IOException(n < 0 ? "the connection is closed" : WcStatus.toString(wc[0].status()));
        }
    }

    @Override
    public InputStream getInputStream() {
        return in;
    }

    @Override
    public OutputStream getOutputStream() {
        return out;
    }

    @Override
    public synchronized void setSoTimeout(int millis) {
        timeoutMillis = millis;
    }

    @Override
    public void shutdownOutput() throws IOException {
        synchronized (writing) {
            if (!shut) {
                piece(0);
                shut = true;
            }
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        opened.close();
    }
}
