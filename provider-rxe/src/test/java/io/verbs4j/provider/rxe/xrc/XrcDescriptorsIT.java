/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.provider.rxe.attack.programs.DomainUserProgram;
import io.verbs4j.provider.rxe.base.Interrupts;
import io.verbs4j.provider.rxe.qp.InboundMessage;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.Jdk;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process of a domain that has run out of descriptors. */
@Full
@Tag("attack")
@EnabledOnOs(OS.LINUX)
class XrcDescriptorsIT {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    Path folder;

    private ToldProcess child;
    private Path socket;

    @BeforeEach
    void start() throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -n 256; exec \"$@\"", "sh"));
        command.addAll(Jdk.own()
                .command(
                        // So large that no garbage collection closes forgotten descriptors.
                        List.of("-Xmx512m", "-Xmn400m", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + folder),
                        DomainUserProgram.class));
        child = new ToldProcess(command);
        assertThat(open("domain")).isEqualTo("ok");
        try (Stream<Path> all = Files.walk(folder)) {
            socket = all.filter(path -> path.getFileName().toString().matches("[0-9a-f]{3}"))
                    .findAny()
                    .orElseThrow();
        }
        // Whatever is loaded now needs no descriptor later.
        greet();
        assertThat(child.ask("open " + folder + " 0")).startsWith("errno " + Errno.EIO);
    }

    @AfterEach
    void stop() {
        child.close();
    }

    private String open(String name) throws IOException {
        return child.ask("open " + folder.resolve(name) + " " + XrcdOpenFlags.CREAT);
    }

    /** Checks that it listens. */
    private void greet() throws IOException {
        try (FrameChannel frames = FrameChannel.connect(socket, PATIENCE, Interrupts.END)) {
            frames.begin(FrameType.HELLO).putInt(FrameType.VERSION).putInt(77).putInt(1024);
            frames.send(PATIENCE);
            assertThat(frames.receive(PATIENCE)).isEqualTo(FrameType.REPLY);
            assertThat(frames.content().get()).isEqualTo((byte) InboundMessage.OK);
        }
    }

    private SocketChannel connect() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
        return channel;
    }

    private int descriptors() throws IOException {
        return Integer.parseInt(child.ask("descriptors"));
    }

    /** Waits until the process has closed the descriptors of {@link #greet}; returns how many it has then. */
    private int settle() throws Exception {
        int now = descriptors();
        for (int equal = 0; equal < 5; ) {
            TimeUnit.MILLISECONDS.sleep(200);
            int earlier = now;
            now = descriptors();
            equal = now == earlier ? equal + 1 : 0;
        }
        return now;
    }

    private void awaitDescriptors(int expected) throws Exception {
        long end = System.nanoTime() + PATIENCE;
        while (descriptors() != expected && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        assertThat(descriptors()).isEqualTo(expected);
    }

    @Test
    void acceptedSocketsAreClosedWithoutDescriptors() throws Exception {
        int before = settle();
        for (int left = 1; left < 8; left++) { // enough to accept, and for some of the rest
            assertThat(child.ask("exhaust " + left)).isEqualTo("ok");
            for (int i = 0; i < 10; i++) {
                connect().close();
            }
            TimeUnit.MILLISECONDS.sleep(100);
            assertThat(child.ask("release")).isEqualTo("ok");
        }
        greet();
        awaitDescriptors(before);
    }

    @Test
    void listenerWithoutDescriptorsReportsAndDoesNotSpin() throws Exception {
        settle();
        assertThat(child.ask("exhaust 0")).isEqualTo("ok");
        try (SocketChannel waits = connect()) {
            assertThat(waits.isConnected()).isTrue();
            Duration before = child.process.info().totalCpuDuration().orElseThrow();
            long start = System.nanoTime();
            TimeUnit.SECONDS.sleep(2);
            Duration used =
                    child.process.info().totalCpuDuration().orElseThrow().minus(before);
            assertThat(used).isLessThan(Duration.ofNanos((System.nanoTime() - start) / 4));
            assertThat(open("domain")).startsWith("errno " + Errno.EMFILE);
            assertThat(child.ask("release")).isEqualTo("ok");
        }
        greet();
    }
}
