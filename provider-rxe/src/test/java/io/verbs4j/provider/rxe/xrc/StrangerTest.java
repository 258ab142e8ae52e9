/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.provider.rxe.base.Interrupts;
import io.verbs4j.provider.rxe.qp.InboundMessage;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process sends to the socket of another is not trusted. */
class StrangerTest {
    private static final long PATIENCE = Patience.NANOS;

    @TempDir
    Path folder;

    private final SplittableRandom random = new SplittableRandom(5);

    private static Path socket(XrcChildProgram child) {
        return child.domain().rendezvous().socket(child.domain().rendezvous().prefix());
    }

    @Test
    void onlyOwnerReachesSocket() throws IOException {
        try (XrcChildProgram child = new XrcChildProgram()) {
            child.join(folder.resolve("domain"));
            for (Path at = socket(child).getParent();
                    at.getFileName().toString().startsWith("verbs4j"); ) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(at)))
                        .isEqualTo("rwx------");
                at = at.getParent();
            }
        }
    }

    @Test
    void noiseEndsConnection() throws IOException {
        try (XrcChildProgram child = new XrcChildProgram()) {
            child.join(folder.resolve("domain"));
            for (int i = 0; i < 200; i++) {
                try (FrameChannel frames = FrameChannel.connect(socket(child), PATIENCE, Interrupts.END)) {
                    ByteBuffer out = frames.begin(random.nextInt(40));
                    for (int n = random.nextInt(64); n > 0; n--) {
                        out.put((byte) random.nextInt());
                    }
                    frames.send(PATIENCE);
                    int type;
                    try {
                        type = frames.receive(PATIENCE);
                    } catch (IOException e) {
                        type = 0;
                    }
                    assertThat(type).isIn(0, FrameType.REPLY);
                }
            }
            hello(child).close(); // it still listens
        }
    }

    private static FrameChannel hello(XrcChildProgram child) throws IOException {
        FrameChannel frames = FrameChannel.connect(socket(child), PATIENCE, Interrupts.END);
        frames.begin(FrameType.HELLO).putInt(FrameType.VERSION).putInt(77).putInt(1024);
        frames.send(PATIENCE);
        assertThat(frames.receive(PATIENCE)).isEqualTo(FrameType.REPLY);
        assertThat(frames.content().get()).isEqualTo((byte) InboundMessage.OK);
        return frames;
    }

    @Test
    void invalidRequestsAreRefused() throws IOException {
        try (XrcChildProgram child = new XrcChildProgram()) {
            child.join(folder.resolve("domain"));
            child.buffer.putLong(0, 42);
            for (int i = 0; i < 2000; i++) {
                try (FrameChannel frames = hello(child)) {
                    int type = 2 + random.nextInt(5);
                    ByteBuffer out = frames.begin(type).putInt(-1);
                    if (type == FrameType.PACKET) {
                        out.put((byte) (random.nextInt(10) == 0 ? random.nextInt() : Opcode.XRC | random.nextInt(32)));
                        out.put((byte) 0);
                    }
                    out.putInt(random.nextInt(4) == 0 ? random.nextInt() : child.srqNum());
                    for (int n = random.nextInt(80); n > 0; n--) {
                        out.put((byte) random.nextInt());
                    }
                    frames.send(PATIENCE);
                    try {
                        assertThat(frames.receive(PATIENCE)).isEqualTo(FrameType.REPLY);
                    } catch (IOException e) {
                        // it refused that
                    }
                }
            }
            assertThat(child.buffer.getLong(0)).isEqualTo(42);
            try (FrameChannel frames = hello(child)) {
                frames.begin(FrameType.READ)
                        .putInt(-1)
                        .putInt(child.srqNum())
                        .putInt(child.mr.rkey())
                        .putLong(child.mr.addr() + child.mr.length() - 8)
                        .putLong(9);
                frames.send(PATIENCE);
                frames.receive(PATIENCE);
                assertThat(frames.content().get()).isEqualTo((byte) InboundMessage.ACCESS);
            }
        }
    }

    @Test
    void numbersOfDeadProcessesAreReused() throws IOException {
        Path dead;
        try (XrcChildProgram child = new XrcChildProgram()) {
            child.join(folder.resolve("domain"));
            dead = socket(child).resolveSibling("fff");
            if (!Files.exists(dead)) {
                Files.createFile(dead); // like a socket that nobody listens on
            }
        }
        try (XrcChildProgram child = new XrcChildProgram()) {
            child.join(folder.resolve("domain"));
            assertThat(Files.exists(dead)).isFalse();
        }
        assertThatThrownBy(() -> FrameChannel.connect(dead, PATIENCE, Interrupts.END))
                .isInstanceOf(IOException.class);
    }
}
