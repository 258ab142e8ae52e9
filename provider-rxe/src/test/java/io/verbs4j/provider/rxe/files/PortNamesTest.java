/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.base.OwnProcess;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names and ports that processes of a machine with one loopback address publish to each other. */
class PortNamesTest {
    private final Gid gid = name();
    private final PortNames own = new PortNames(gid);
    private final PortNames peer = new PortNames(name());

    private static Gid name() {
        byte[] address = new byte[4];
        ThreadLocalRandom.current().nextBytes(address);
        address[0] = 127;
        try {
            return Gid.of(InetAddress.getByAddress(address));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void withdraw() {
        own.withdraw();
        peer.withdraw();
    }

    private Path file() throws IOException {
        return UserFolder.find().path().resolve("ports").resolve(OwnNamespaces.names() + "-" + gid.toHex());
    }

    /** Waits for a value, since what was read is cached briefly. */
    private static void becomes(int expected, PortNames names, Gid gid) throws InterruptedException {
        long end = System.nanoTime() + Patience.NANOS;
        while (names.find(gid) != expected && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertThat(names.find(gid)).isEqualTo(expected);
    }

    @Test
    void publishedPortIsFoundUntilWithdrawn() throws Exception {
        assertThat(peer.find(gid)).isZero();
        assertThat(own.publish(40_001)).isZero();
        becomes(40_001, peer, gid);
        assertThat(peer.name(40_001)).isEqualTo(gid);
        own.withdraw();
        becomes(0, peer, gid);
        assertThat(peer.name(40_001)).isNull();
        assertThat(file()).doesNotExist();
    }

    @Test
    void unpublishedPortHasNoName() throws Exception {
        assertThat(own.publish(40_002)).isZero();
        assertThat(peer.name(40_003)).isNull();
        assertThat(peer.name(40_002)).isEqualTo(gid);
    }

    @Test
    void nameBelongsToOneLink() throws Exception {
        assertThat(own.publish(40_004)).isZero();
        assertThat(new PortNames(gid).publish(40_005))
                .isEqualTo(OwnProcess.find().pid());
        becomes(40_004, peer, gid);
    }

    @Test
    void filesOfDeadProcessesAreRemoved() throws Exception {
        Process process = new ProcessBuilder("sleep", "0").start();
        long pid = process.pid();
        assertThat(process.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(own.publish(40_006)).isZero();
        Files.writeString(file(), "40006 " + pid + " 1");
        becomes(0, peer, gid);
        PortNames another = new PortNames(name());
        assertThat(another.publish(40_007)).isZero();
        another.withdraw();
        assertThat(file()).doesNotExist();
    }

    /** As after a cleaner of temporary files. */
    @Test
    void deletedFileIsRecreated() throws Exception {
        assertThat(own.publish(40_008)).isZero();
        Files.delete(file());
        own.refresh();
        becomes(40_008, peer, gid);
    }

    @Test
    void invalidPortIsIgnored() throws Exception {
        for (String word : new String[] {"0", "65536", "-1", "x", ""}) {
            assertThat(own.publish(40_009)).isZero();
            Files.writeString(file(), new OwnedFile(word, OwnProcess.find()).line());
            becomes(0, peer, gid);
            Files.delete(file());
            own.withdraw();
        }
    }
}
