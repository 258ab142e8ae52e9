/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.discovery;

import com.example.rdma.ActivePort;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.Resources;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WaitingQueue;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Sends documents to those that ask for them. A document that fits into a datagram is sent as one; for a longer one the
 * finder connects to a port. A connection lives until its document has arrived or the finder is gone. Its only message
 * completes in either case.
 */
final class Responder implements AutoCloseable {
    /** Connections at a time: each thread has one. */
    private static final int SENDERS = 4;

    private static final int BACKLOG = 64;

    private final Resources resources = new Resources();
    private final Context context;
    private final ProtectionDomain pd;
    private final Datagrams datagrams;
    private final Map<String, MemoryRegion> documents = new HashMap<>();
    private final Map<String, byte[]> contents;
    private final CmListener listener;
    private final List<Thread> senders = new ArrayList<>();
    private volatile boolean closing;

    Responder(Context context, Map<String, byte[]> contents) {
        this.context = context;
        this.contents = contents;
        try {
            ActivePort port = ActivePort.of(context);
            pd = resources.add(context.allocPd());
            contents.forEach((name, content) -> {
                ByteBuffer memory = ByteBuffer.allocateDirect(content.length).put(0, content);
                documents.put(name, resources.add(pd.regMr(memory, 0))); // read by ourselves only
            });
            datagrams = resources.add(new Datagrams(context, port));
            datagrams.join(Group.of(port.gid()));
            InetSocketAddress address = new InetSocketAddress(port.gid().toInetAddress(), 0);
            listener = resources.add(CmListener.listen(context, address, BACKLOG));
        } catch (RuntimeException e) {
            resources.close();
            throw e;
        }
        for (int i = 0; i < SENDERS; i++) {
            Thread thread = new Thread(this::sendDocuments, "sender");
            senders.add(thread);
            thread.start();
        }
    }

    /** Answers until the thread is interrupted. */
    void run() {
        try {
            while (true) {
                datagrams
                        .receive(1, TimeUnit.HOURS)
                        .ifPresent(received -> Message.decode(received.payload())
                                .filter(question -> question.type() == Message.Type.QUERY)
                                .filter(question -> contents.containsKey(question.name()))
                                .ifPresent(question -> answer(received, question)));
            }
        } catch (VerbsException e) {
            if (e.errno() != Errno.EINTR) {
                throw e;
            }
        }
    }

    private void answer(Datagrams.Received received, Message question) {
        byte[] content = contents.get(question.name());
        Message answer = question.reply(Message.Type.ANSWER, content);
        if (answer.encode().remaining() > datagrams.maxPayload()) {
            byte[] where = ByteBuffer.allocate(2 * Integer.BYTES)
                    .putInt(content.length)
                    .putInt(listener.address().getPort())
                    .array();
            answer = question.reply(Message.Type.TOO_LONG, where);
        }
        datagrams.reply(received, answer);
    }

    private void sendDocuments() {
        while (!closing) {
            try (WaitingQueue done = new WaitingQueue(context, 1)) {
                QpInitAttr attr = new QpInitAttr()
                        .qpType(QpType.RC)
                        .sendCq(done.cq())
                        .recvCq(done.cq())
                        .cap(new QpCap().maxSendWr(1).maxSendSge(1));
                try (CmConnection finder = listener.accept(pd, attr, 1, TimeUnit.HOURS)) {
                    MemoryRegion document = finder == null
                            ? null
                            : Message.decodeName(finder.peer().privateData())
                                    .map(documents::get)
                                    .orElse(null);
                    if (document != null) {
                        send(finder, document, done);
                    }
                }
            } catch (VerbsException e) {
                if (e.errno() == Errno.EINTR) {
                    return;
                }
                if (!closing) {
                    System.err.println("a finder did not get its document: " + e.getMessage());
                }
            }
        }
    }

    private static void send(CmConnection finder, MemoryRegion document, WaitingQueue done) {
        int errno = finder.queuePair()
                .postSend(new SendWorkRequest()
                        .opcode(WrOpcode.SEND)
                        .sendFlags(SendFlags.SIGNALED)
                        .sgList(ScatterGatherElement.of(document)));
        if (errno != 0) {
            throw new IllegalStateException("postSend: " + Errno.toString(errno));
        }
        WorkCompletion[] completion = {new WorkCompletion()};
        // Ends by itself: the device asks a finder that is gone for some seconds.
        done.await(completion, 1, TimeUnit.HOURS);
        if (completion[0].status() != WcStatus.SUCCESS) {
            System.err.println("a finder did not take its document: " + completion[0]);
        }
    }

    /** Nobody new, then those who are being served, then all else. */
    @Override
    public void close() {
        closing = true;
        listener.close();
        try {
            for (Thread thread : senders) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while closing", e);
        }
        resources.close();
    }
}
