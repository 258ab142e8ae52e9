/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.discovery;

import com.example.rdma.ActivePort;
import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.VerbsException;
import io.verbs4j.WaitingQueue;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.ConnParam;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Looks for a document on the network: by a datagram to all, and by a connection where the answer is too long for one.
 */
final class Finder implements AutoCloseable {
    /** Datagrams get lost: a question is asked again. */
    private static final int TRIES = 40;

    private static final long TRY_MILLIS = 100;

    /** Longer than the responder goes on sending. */
    private static final long DOCUMENT_SECONDS = 20;

    private static final int LONGEST_DOCUMENT = 1 << 24;

    private static final int LAST_PORT = 0xffff;

    private final Context context;
    private final ActivePort port;
    private final Gid group;
    private final Datagrams datagrams;
    private long lastNumber = System.nanoTime(); // no other search had the same, as far as that matters

    /** How a document came. */
    enum Way {
        DATAGRAM,
        CONNECTION
    }

    /**
     * What was found.
     *
     * @param content the document
     * @param way how it came
     */
    record Found(byte[] content, Way way) {}

    /** A responder that has the document. */
    private record Answer(Message message, Datagrams.Received from) {}

    Finder(Context context) {
        this.context = context;
        port = ActivePort.of(context);
        group = Group.of(port.gid());
        datagrams = new Datagrams(context, port);
    }

    /** Looks for a document; empty where nobody has it, or nobody who has it was heard. */
    Optional<Found> find(String name) {
        Message question = new Message(Message.Type.QUERY, ++lastNumber, name, Message.NOTHING);
        for (int i = 0; i < TRIES; i++) {
            datagrams.sendToGroup(group, question);
            Optional<Answer> answer = await(question.number(), Message.Type.ANSWER, Message.Type.TOO_LONG);
            if (answer.isPresent()) {
                Message told = answer.get().message();
                return told.type() == Message.Type.ANSWER
                        ? Optional.of(new Found(told.body(), Way.DATAGRAM))
                        : byConnection(told, answer.get().from());
            }
        }
        return Optional.empty();
    }

    private Optional<Found> byConnection(Message tooLong, Datagrams.Received responder) {
        if (tooLong.body().length != 2 * Integer.BYTES) {
            return Optional.empty();
        }
        ByteBuffer body = ByteBuffer.wrap(tooLong.body());
        int length = body.getInt();
        int port = body.getInt();
        if (length < 0 || length > LONGEST_DOCUMENT || port < 1 || port > LAST_PORT) {
            return Optional.empty();
        }
        InetSocketAddress address =
                new InetSocketAddress(responder.sender().grh().dgid().toInetAddress(), port);
        ByteBuffer document = ByteBuffer.allocateDirect(length);
        try (ProtectionDomain pd = context.allocPd();
                MemoryRegion region = pd.regMr(document, AccessFlags.LOCAL_WRITE);
                WaitingQueue queue = new WaitingQueue(context, 1);
                CmConnection connection = CmConnection.connect(
                        pd,
                        address,
                        receiving(queue),
                        ConnParam.DEFAULT.withPrivateData(tooLong.encodeName()),
                        // The receive is there before the responder can send: it may do so before we know that we are
                        // connected.
                        qp -> post(qp, region),
                        DOCUMENT_SECONDS,
                        TimeUnit.SECONDS)) {
            Optional<Found> found = receive(queue, document);
            connection.id().disconnect(); // the responder has nothing to wait for
            return found;
        } catch (VerbsException e) {
            System.err.println("a responder did not send its document: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static void post(QueuePair qp, MemoryRegion region) {
        int errno = qp.postRecv(new RecvWorkRequest().sgList(ScatterGatherElement.of(region)));
        if (errno != 0) {
            throw new IllegalStateException("postRecv: " + Errno.toString(errno));
        }
    }

    private static QpInitAttr receiving(WaitingQueue queue) {
        return new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(queue.cq())
                .recvCq(queue.cq())
                .cap(new QpCap().maxRecvWr(1).maxRecvSge(1));
    }

    private static Optional<Found> receive(WaitingQueue queue, ByteBuffer document) {
        WorkCompletion[] completion = {new WorkCompletion()};
        if (queue.await(completion, DOCUMENT_SECONDS, TimeUnit.SECONDS) == 0
                || completion[0].status() != WcStatus.SUCCESS) {
            return Optional.empty();
        }
        byte[] content = new byte[completion[0].byteLen()];
        document.get(0, content);
        return Optional.of(new Found(content, Way.CONNECTION));
    }

    /** Waits for an answer to a question of ours; what came late or from others is passed over. */
    private Optional<Answer> await(long number, Message.Type... types) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TRY_MILLIS);
        while (true) {
            Optional<Datagrams.Received> received =
                    datagrams.receive(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (received.isEmpty()) {
                return Optional.empty();
            }
            Optional<Message> message = Message.decode(received.get().payload());
            if (message.isPresent()
                    && message.get().number() == number
                    && List.of(types).contains(message.get().type())) {
                return Optional.of(new Answer(message.get(), received.get()));
            }
        }
    }

    @Override
    public void close() {
        datagrams.close();
    }
}
