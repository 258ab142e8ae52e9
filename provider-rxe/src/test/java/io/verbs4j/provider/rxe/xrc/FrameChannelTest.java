/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.Monitors;
import io.verbs4j.provider.rxe.base.Interrupts;
import io.verbs4j.provider.rxe.qp.InboundMessage;
import io.verbs4j.testsupport.Full;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The test plays another process of the domain: it replies late or never, and this process is interrupted meanwhile.
 */
@Tag("attack")
class FrameChannelTest {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static final int QPN = 0x4711;

    @TempDir
    Path folder;

    private final String temporary = System.getProperty("java.io.tmpdir");
    private Context context;
    private XrcDomain xrcd;
    private Path socket;
    private ServerSocketChannel server;
    private final Thread caller = Thread.currentThread();
    private volatile Throwable failure;

    @BeforeEach
    void open() throws IOException {
        System.setProperty("java.io.tmpdir", folder.toString());
        context = Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT);
        xrcd = context.openXrcd(new XrcdInitAttr().file(folder.resolve("file")).oflags(XrcdOpenFlags.CREAT));
        Rendezvous rendezvous = ((RxeXrcDomain) xrcd).domain.rendezvous();
        Path own = rendezvous.socket(rendezvous.prefix());
        socket = own.resolveSibling(rendezvous.prefix() == 0x123 ? "124" : "123");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket), 1);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        xrcd.close();
        context.close();
        System.setProperty("java.io.tmpdir", temporary);
        assertThat(failure).isNull();
    }

    /** The behaviour of the other process. */
    private interface Role {
        void play(FrameChannel frames) throws Exception;
    }

    private Thread other(Role role) {
        Thread thread = new Thread(() -> {
            try (FrameChannel frames = new FrameChannel(server.accept())) {
                role.play(frames);
            } catch (Throwable e) {
                failure = e;
            }
        });
        thread.start();
        return thread;
    }

    private static void receive(FrameChannel frames, int type) throws IOException {
        assertThat(frames.receive(PATIENCE)).isEqualTo(type);
    }

    private static void reply(FrameChannel frames, int error, String text) throws IOException {
        frames.begin(FrameType.REPLY).putInt(error).put(text.getBytes(StandardCharsets.US_ASCII));
        frames.send(PATIENCE);
    }

    /** Interrupts the test's thread once it waits. */
    private void interruptCaller() throws InterruptedException {
        while (caller.getState() == Thread.State.NEW) {
            Thread.onSpinWait();
        }
        TimeUnit.MILLISECONDS.sleep(200);
        caller.interrupt();
        TimeUnit.MILLISECONDS.sleep(200);
    }

    private QueuePair openQp() {
        return context.openQp(new QpOpenAttr().qpNum(QPN).xrcd(xrcd).qpType(QpType.XRC_RECV));
    }

    private static int errno(Runnable call) {
        try {
            call.run();
            return 0;
        } catch (VerbsException e) {
            return e.errno();
        }
    }

    @Test
    void interruptEndsOpenQp() throws Exception {
        Thread other = other(frames -> {
            receive(frames, FrameType.OPEN);
            interruptCaller();
        });
        assertThat(errno(this::openQp)).isEqualTo(Errno.EINTR);
        assertThat(Thread.interrupted()).isTrue();
        other.join();
    }

    @Test
    @Full
    void unansweredOpenTimesOut() throws Exception {
        Thread other = other(frames -> {
            receive(frames, FrameType.OPEN);
            assertThatThrownBy(() -> frames.receive(PATIENCE)).isInstanceOf(IOException.class); // the connection closes
        });
        assertThat(errno(this::openQp)).isEqualTo(Errno.ETIMEDOUT);
        other.join();
    }

    @Test
    void lateReplyIsNotTakenForAnotherRequest() throws Exception {
        Thread other = other(frames -> {
            receive(frames, FrameType.OPEN);
            reply(frames, 0, "");
            receive(frames, FrameType.MODIFY);
            interruptCaller();
            receive(frames, FrameType.QUERY);
            reply(frames, Errno.EBUSY, "that was the reply to modify");
            QpAttr attr = new QpAttr().qpState(QpState.RTR);
            QpAttrFrame.write(frames.begin(FrameType.REPLY).putInt(0), attr);
            frames.send(PATIENCE);
            assertThatThrownBy(() -> frames.receive(PATIENCE)).isInstanceOf(IOException.class);
        });
        try (QueuePair qp = openQp()) {
            RemoteTarget remote = ((RxeXrcQueuePair) qp).hold.remote();
            assertThat(errno(() -> remote.modify(new QpAttr(), QpAttrMask.STATE)))
                    .isEqualTo(Errno.EINTR);
            assertThat(Thread.interrupted()).isTrue();
            QpAttr told = new QpAttr();
            remote.tell(told);
            assertThat(told.qpState()).isEqualTo(QpState.RTR);
        }
        other.join();
    }

    @Test
    void waitForReplyHoldsNoMonitor() throws Exception {
        Thread other = other(frames -> {
            receive(frames, FrameType.OPEN);
            reply(frames, 0, "");
            for (int i = 0; i < 2; i++) {
                receive(frames, i == 0 ? FrameType.MODIFY : FrameType.QUERY);
                Monitors.assertNoneIsHeldBy(caller);
                QpAttrFrame.write(frames.begin(FrameType.REPLY).putInt(0), new QpAttr());
                frames.send(PATIENCE);
            }
            assertThatThrownBy(() -> frames.receive(PATIENCE)).isInstanceOf(IOException.class);
        });
        try (QueuePair qp = openQp()) {
            RemoteTarget remote = ((RxeXrcQueuePair) qp).hold.remote();
            remote.modify(new QpAttr(), QpAttrMask.STATE);
            remote.tell(new QpAttr());
        }
        other.join();
    }

    @Test
    void interruptOfPostingThreadKeepsQueuePair() throws Exception {
        Thread other = other(frames -> {
            receive(frames, FrameType.HELLO);
            interruptCaller();
            frames.begin(FrameType.REPLY).put((byte) InboundMessage.OK);
            frames.send(PATIENCE);
            receive(frames, FrameType.CHECK);
            frames.begin(FrameType.REPLY).put((byte) InboundMessage.ACCESS);
            frames.send(PATIENCE);
        });
        try (XrcPeer peer = new XrcPeer(socket, 1, 1024)) {
            assertThat(peer.check(0, 0, 0, 0, 0)).isEqualTo(InboundMessage.ACCESS);
            assertThat(Thread.interrupted()).isTrue();
        }
        other.join();
    }

    @Test
    void slowAcceptIsNotTakenForDeath() throws Exception {
        List<SocketChannel> before = new ArrayList<>();
        try {
            for (int i = 0; i < 2; i++) { // as many as may wait
                before.add(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
            }
            Thread late = new Thread(() -> {
                try {
                    TimeUnit.MILLISECONDS.sleep(300);
                    server.accept().close();
                } catch (Exception e) {
                    failure = e;
                }
            });
            late.start();
            FrameChannel.connect(socket, PATIENCE, Interrupts.END).close();
            late.join();
        } finally {
            for (SocketChannel each : before) {
                each.close();
            }
        }
    }
}
