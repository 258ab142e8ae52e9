/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.discovery;

import com.example.rdma.ActivePort;
import com.example.rdma.PeerAddress;
import com.example.rdma.RcConnection;
import com.example.rdma.Resources;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Has documents, and tells who asks. What fits a datagram it sends as one; for what does not it takes a connection. A connection
 * lives until its document is there, or the finder is gone: both is told by the completion of the one message that it carries.
 */
final class Responder implements AutoCloseable {
    private static final int MOST_CONNECTIONS = 64;

    private final Resources resources = new Resources();
    private final ActivePort port;
    private final ProtectionDomain pd;
    private final CompletionQueue done;
    private final Datagrams datagrams;
    private final Map<String, MemoryRegion> documents = new HashMap<>();
    private final Map<String, byte[]> contents;

    /** By what the finder told of its end: the same CONNECT, when it comes again, gets the same answer. */
    private final Map<PeerAddress, RcConnection> connections = new HashMap<>();

    private final WorkCompletion[] completion = {new WorkCompletion()};

    Responder(Context context, Map<String, byte[]> contents) {
        this.contents = contents;
        try {
            port = ActivePort.of(context);
            pd = resources.add(context.allocPd());
            contents.forEach((name, content) -> {
                ByteBuffer memory = ByteBuffer.allocateDirect(content.length).put(0, content);
                documents.put(name, resources.add(pd.regMr(memory, 0))); // read by ourselves only
            });
            done = resources.add(context.createCq(MOST_CONNECTIONS));
            datagrams = resources.add(new Datagrams(context, port));
            datagrams.join(Group.of(port.gid()));
        } catch (RuntimeException e) {
            resources.close();
            throw e;
        }
    }

    /** Answers until the thread is interrupted. */
    void run() {
        try {
            while (true) {
                datagrams
                        .receive(50, TimeUnit.MILLISECONDS)
                        .ifPresent(received -> Message.decode(received.payload())
                                .filter(question -> contents.containsKey(question.name()))
                                .ifPresent(question -> answer(received, question)));
                closeFinished();
            }
        } catch (VerbsException e) {
            if (e.errno() != Errno.EINTR) {
                throw e;
            }
        }
    }

    private void answer(Datagrams.Received received, Message question) {
        byte[] content = contents.get(question.name());
        switch (question.type()) {
            case QUERY -> {
                Message answer = question.reply(Message.Type.ANSWER, content);
                if (answer.encode().remaining() > datagrams.maxPayload()) {
                    byte[] length = ByteBuffer.allocate(Integer.BYTES).putInt(content.length).array();
                    answer = question.reply(Message.Type.TOO_LONG, length);
                }
                datagrams.reply(received, answer);
            }
            case CONNECT -> {
                if (question.body().length == PeerAddress.LENGTH && connections.size() < MOST_CONNECTIONS) {
                    byte[] ours = connection(question).address().encode();
                    datagrams.reply(received, question.reply(Message.Type.ACCEPT, ours));
                }
            }
            default -> {
                // for finders
            }
        }
    }

    /** The connection for a finder, made where it is not there yet. */
    private RcConnection connection(Message question) {
        PeerAddress finder = PeerAddress.decode(question.body());
        return connections.computeIfAbsent(finder, peer -> {
            QpInitAttr attr = new QpInitAttr()
                    .sendCq(done)
                    .recvCq(done)
                    .cap(new QpCap().maxSendWr(1).maxSendSge(1));
            RcConnection made = new RcConnection(pd, port, attr, 0);
            made.connect(peer);
            // At once: it is sent again until the finder, too, is connected.
            check(made.qp().postSend(new SendWorkRequest()
                    .opcode(WrOpcode.SEND)
                    .sendFlags(SendFlags.SIGNALED)
                    .sgList(ScatterGatherElement.of(documents.get(question.name())))));
            return made;
        });
    }

    private void closeFinished() {
        while (done.poll(1, completion) == 1) {
            WorkCompletion wc = completion[0];
            if (wc.status() != WcStatus.SUCCESS) {
                System.err.println("a finder did not take its document: " + wc);
            }
            connections.values().removeIf(connection -> {
                boolean finished = connection.qp().qpNum() == wc.qpNum();
                if (finished) {
                    connection.close();
                }
                return finished;
            });
        }
    }

    private static void check(int errno) {
        if (errno != 0) {
            throw new IllegalStateException("postSend: " + Errno.toString(errno));
        }
    }

    @Override
    public void close() {
        connections.values().forEach(RcConnection::close);
        resources.close();
    }
}
