/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** A handle that another process has of a queue pair of this one; the counterpart of a {@link RemoteTarget}. */
final class XrcGuest implements RxeXrcQp.Handle {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(2);
    private static final int MOST_TEXT = 4000;

    private final FrameChannel frames;
    private final XrcDomainState domain;
    private final RxeXrcQp target;

    private XrcGuest(FrameChannel frames, XrcDomainState domain, RxeXrcQp target) {
        this.frames = frames;
        this.domain = domain;
        this.target = target;
    }

    /** Serves until the other process closes the handle or ends. */
    static void serve(FrameChannel frames, XrcDomainState domain) throws IOException {
        int version = frames.content().getInt();
        RxeXrcQp target = domain.target(frames.content().getInt());
        if (version != FrameType.VERSION || target == null || !domain.owner().retain(domain)) {
            answer(frames, Errno.EINVAL, "");
            return;
        }
        XrcGuest guest = new XrcGuest(frames, domain, target);
        try {
            guest.serve();
        } finally {
            domain.owner().release(domain);
        }
    }

    private void serve() throws IOException {
        if (!target.open(this)) {
            answer(frames, Errno.EINVAL, "");
            return;
        }
        try {
            answer(frames, 0, "");
            while (true) {
                int type = frames.receive(FrameChannel.FOR_EVER);
                if (type == FrameType.MODIFY) {
                    modify(frames.content());
                } else if (type == FrameType.QUERY) {
                    query();
                } else {
                    throw new IOException("unexpected frame of type " + type);
                }
            }
        } finally {
            if (target.close(this)) {
                target.control().end();
            }
        }
    }

    private void modify(ByteBuffer in) throws IOException {
        int mask = in.getInt();
        int error = 0;
        String text = "";
        try {
            target.control().modify(QpAttrFrame.read(in), mask);
        } catch (VerbsException e) {
            error = e.errno();
            text = String.valueOf(e.getMessage());
        }
        answer(frames, error, text);
    }

    private void query() throws IOException {
        QpAttr attr = new QpAttr();
        target.tell(attr, new QpInitAttr());
        synchronized (frames) {
            QpAttrFrame.write(frames.begin(FrameType.REPLY).putInt(0), attr);
            frames.send(PATIENCE);
        }
    }

    private static void answer(FrameChannel frames, int error, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        synchronized (frames) {
            frames.begin(FrameType.REPLY).putInt(error).put(Arrays.copyOf(bytes, Math.min(bytes.length, MOST_TEXT)));
            frames.send(PATIENCE);
        }
    }

    /** Uses another thread, because the caller may hold a receive lock. */
    @Override
    public void raise(int eventType) {
        try {
            domain.threads().execute(() -> send(eventType));
        } catch (OutOfMemoryError e) { // no thread is available
            frames.close();
        }
    }

    private void send(int eventType) {
        synchronized (frames) {
            try {
                frames.begin(FrameType.EVENT).putInt(eventType);
                frames.send(PATIENCE);
            } catch (IOException | RuntimeException e) {
                frames.close(); // the other side then considers the queue pair gone
            }
        }
    }
}
