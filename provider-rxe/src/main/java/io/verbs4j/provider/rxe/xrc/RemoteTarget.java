/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.QpAttr;
import io.verbs4j.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A queue pair of another process, by a handle of this one: its verbs go over a connection, and its events come that way. */
public final class RemoteTarget implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

    private final FrameChannel frames;
    private final RxeXrcHandle handle;
    private final ArrayBlockingQueue<ByteBuffer> replies = new ArrayBlockingQueue<>(1);
    private volatile boolean lost;
    private volatile boolean closed;

    private RemoteTarget(FrameChannel frames, RxeXrcHandle handle) {
        this.frames = frames;
        this.handle = handle;
    }

    /** Asks all processes of a domain for a queue pair; null where none has it. */
    static RemoteTarget find(XrcDomainState domain, int qpNum, RxeXrcHandle handle) {
        if (domain.rendezvous() == null) {
            return null;
        }
        try {
            for (Path socket : domain.rendezvous().others()) {
                FrameChannel frames = ask(socket, qpNum);
                if (frames != null) {
                    RemoteTarget target = new RemoteTarget(frames, handle);
                    domain.threads().execute(target::listen);
                    return target;
                }
            }
        } catch (IOException e) {
            throw new VerbsException(Errno.EIO, "open_qp", String.valueOf(e.getMessage()), e);
        }
        return null;
    }

    private static FrameChannel ask(Path socket, int qpNum) {
        FrameChannel frames = null;
        boolean has = false;
        try {
            frames = FrameChannel.connect(socket);
            frames.begin(FrameType.OPEN).putInt(FrameType.VERSION).putInt(qpNum);
            frames.send(PATIENCE);
            has = frames.receive(PATIENCE) == FrameType.REPLY
                    && frames.content().getInt() == 0;
        } catch (IOException | RuntimeException e) {
            // a process that has died, or is about to
        }
        if (!has && frames != null) {
            frames.close();
        }
        return has ? frames : null;
    }

    private void listen() {
        try {
            while (true) {
                int type = frames.receive(FrameChannel.FOR_EVER);
                if (type == FrameType.EVENT) {
                    handle.raise(frames.content().getInt());
                } else {
                    ByteBuffer in = frames.content();
                    ByteBuffer copy =
                            ByteBuffer.allocate(in.remaining()).put(in).flip();
                    replies.offer(copy);
                }
            }
        } catch (IOException | RuntimeException e) {
            lost = true;
            replies.offer(ByteBuffer.allocate(0)); // whoever waits need not wait longer
            frames.close();
            if (!closed) {
                handle.raise(EventType.QP_FATAL);
            }
        }
    }

    private VerbsException gone(String verb) {
        return new VerbsException(
                Errno.EIO,
                verb,
                "the process that had queue pair " + handle.qpNum()
                        + " has ended or does not answer, and the queue pair with it; close this handle");
    }

    private ByteBuffer call(String verb) {
        boolean interrupted = Thread.interrupted(); // a channel would close itself on that
        try {
            replies.clear();
            if (lost) {
                throw gone(verb);
            }
            frames.send(PATIENCE);
            ByteBuffer reply = replies.poll(PATIENCE, TimeUnit.NANOSECONDS);
            if (reply == null || reply.remaining() < Integer.BYTES) {
                throw gone(verb);
            }
            int error = reply.getInt();
            if (error != 0) {
                throw new VerbsException(
                        error, verb, StandardCharsets.UTF_8.decode(reply).toString());
            }
            return reply;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VerbsException(Errno.EINTR, verb, "the thread was interrupted while it waited", e);
        } catch (IOException e) {
            throw gone(verb);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Changes attributes. */
    public synchronized void modify(QpAttr attr, int mask) {
        QpAttrFrame.write(frames.begin(FrameType.MODIFY).putInt(mask), attr);
        call("modify_qp");
    }

    /** Tells attributes. */
    public synchronized void tell(QpAttr attr) {
        frames.begin(FrameType.QUERY);
        ByteBuffer reply = call("query_qp");
        try {
            QpAttrFrame.read(reply, attr);
        } catch (RuntimeException e) {
            throw gone("query_qp");
        }
    }

    @Override
    public void close() {
        closed = true;
        frames.close();
    }
}
