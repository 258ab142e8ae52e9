/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.QpAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.base.Interrupts;
import io.verbs4j.provider.rxe.base.LateException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A queue pair of another process, behind a handle of this one. Its verbs and its events travel over a connection. */
public final class RemoteTarget implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);
    private static final int MOST_REPLIES = 64;

    /** Takes the place of a reply when no more replies will come. */
    private static final ByteBuffer NO_REPLY = ByteBuffer.allocate(0);

    private static final String VERB = "open_qp";

    /** Held for a verb and its reply. Not a monitor, because it is held while the other process answers. */
    private final ReentrantLock lock = new ReentrantLock();

    private final FrameChannel frames;
    private final XrcHold hold;
    private final ArrayBlockingQueue<ByteBuffer> replies = new ArrayBlockingQueue<>(MOST_REPLIES);

    /** Number of requests whose replies were not taken. */
    private int unheard;

    private volatile boolean lost;
    private volatile boolean closed;

    private RemoteTarget(FrameChannel frames, XrcHold hold) {
        this.frames = frames;
        this.hold = hold;
    }

    /** Asks all processes of a domain for a queue pair; returns null if none has it. */
    static RemoteTarget find(XrcDomainState domain, int qpNum, XrcHold hold) {
        if (domain.rendezvous() == null) {
            return null;
        }
        try {
            LateException late = null;
            for (Path socket : domain.rendezvous().others()) {
                try {
                    FrameChannel frames = ask(socket, qpNum);
                    if (frames != null) {
                        return start(frames, domain, hold);
                    }
                } catch (LateException e) {
                    late = e; // another process may have it
                }
            }
            if (late != null) {
                throw late;
            }
        } catch (IOException e) {
            throw LateException.failed(VERB, "could not query all processes of the domain", e);
        }
        return null;
    }

    private static RemoteTarget start(FrameChannel frames, XrcDomainState domain, XrcHold hold) {
        boolean complete = false;
        try {
            frames.interrupts(Interrupts.PUT_OFF);
            RemoteTarget target = new RemoteTarget(frames, hold);
            domain.threads().execute(target::listen);
            complete = true;
            return target;
        } finally {
            if (!complete) {
                frames.close();
            }
        }
    }

    /** Returns the connection to a process that has the queue pair; null if the process does not have it. */
    private static FrameChannel ask(Path socket, int qpNum) throws IOException {
        FrameChannel frames;
        try {
            frames = FrameChannel.connect(socket, PATIENCE, Interrupts.END);
        } catch (SocketException e) {
            if (Files.exists(socket) && !(e instanceof ConnectException)) {
                throw e; // this process lacks something
            }
            return null; // the other process has died
        }
        boolean has = false;
        try {
            frames.interrupts(Interrupts.END);
            frames.begin(FrameType.OPEN).putInt(FrameType.VERSION).putInt(qpNum);
            frames.send(PATIENCE);
            has = frames.receive(PATIENCE) == FrameType.REPLY
                    && frames.content().getInt() == 0;
        } catch (InterruptedIOException | LateException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // a process that has died, or is about to
        } finally {
            if (!has) {
                frames.close();
            }
        }
        return has ? frames : null;
    }

    private void listen() {
        try {
            while (true) {
                int type = frames.receive(FrameChannel.FOR_EVER);
                if (type == FrameType.EVENT) {
                    hold.raise(frames.content().getInt());
                } else if (!replies.offer(copy(frames.content()))) {
                    throw new IOException("more replies than requests");
                }
            }
        } catch (Throwable e) { // even a lack of memory: the loss must be reported
            lost = true;
            replies.clear();
            replies.offer(NO_REPLY); // ends the wait of a caller
            frames.close();
            if (!closed) {
                hold.raise(EventType.QP_FATAL);
            }
        }
    }

    private static ByteBuffer copy(ByteBuffer in) {
        return ByteBuffer.allocate(in.remaining()).put(in).flip();
    }

    private VerbsException gone(String verb) {
        return new VerbsException(
                Errno.EIO,
                verb,
                "the process that owned queue pair " + hold.qpNum()
                        + " has ended or does not answer, so the queue pair is gone; close this handle");
    }

    private ByteBuffer call(String verb) {
        forgetReplies();
        if (lost) {
            throw gone(verb);
        }
        try {
            frames.send(PATIENCE);
            unheard++;
        } catch (IOException e) {
            frames.close(); // half a frame may have been sent
            throw gone(verb);
        }
        ByteBuffer reply = await(verb);
        if (reply == null || reply.remaining() < Integer.BYTES) {
            throw gone(verb);
        }
        int error = reply.getInt();
        if (error != 0) {
            throw new VerbsException(
                    error, verb, StandardCharsets.UTF_8.decode(reply).toString());
        }
        return reply;
    }

    /** Discards replies to requests whose waits ended early. */
    private void forgetReplies() {
        while (replies.poll() != null) {
            unheard--;
        }
    }

    /**
     * Waits for the reply to the last request, which comes after those to earlier requests; returns null if none comes
     * in time.
     */
    @SuppressWarnings("ReferenceEquality") // compares with NO_REPLY itself, not with its content
    private ByteBuffer await(String verb) {
        boolean interrupted = Thread.interrupted(); // an earlier interrupt does not end this wait
        long end = System.nanoTime() + PATIENCE;
        try {
            ByteBuffer reply = replies.poll(PATIENCE, TimeUnit.NANOSECONDS);
            while (reply != null && reply != NO_REPLY && --unheard > 0) {
                reply = replies.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
            return reply;
        } catch (InterruptedException e) {
            interrupted = true;
            throw new VerbsException(Errno.EINTR, verb, "the thread was interrupted while waiting", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Changes attributes. */
    public void modify(QpAttr attr, int mask) {
        lock.lock();
        try {
            QpAttrFrame.write(frames.begin(FrameType.MODIFY).putInt(mask), attr);
            call("modify_qp");
        } finally {
            lock.unlock();
        }
    }

    /** Queries attributes. */
    public void tell(QpAttr attr) {
        lock.lock();
        try {
            frames.begin(FrameType.QUERY);
            read(call("query_qp"), attr);
        } finally {
            lock.unlock();
        }
    }

    private void read(ByteBuffer reply, QpAttr attr) {
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
