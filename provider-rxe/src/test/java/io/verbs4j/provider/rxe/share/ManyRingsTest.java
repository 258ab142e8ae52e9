/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.link.SystemKernel;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** A receiver with many senders visits only the rings marked as having data, and misses nothing. */
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
@ParameterizedClass(name = "older sender {0}")
@ValueSource(booleans = {false, true})
class ManyRingsTest {
    private static final int MANY = 100;
    private static final int MESSAGES = 400_000;

    @Parameter
    boolean older;

    private final SystemKernel kernel = new SystemKernel();
    private final List<RingEnd> senders = new ArrayList<>();
    private final Random random = new Random(3);
    private final RingEnd receiver;

    ManyRingsTest() throws IOException {
        receiver = new RingEnd(kernel.calls());
    }

    @AfterEach
    void close() {
        senders.forEach(RingEnd::close);
        receiver.close();
        kernel.close();
    }

    private RingEnd another() throws IOException {
        RingEnd sender = new RingEnd(kernel.calls(), older);
        sender.connect(receiver, senders.size());
        assertThat(sender.isConnected()).isTrue();
        senders.add(sender);
        return sender;
    }

    private void senders(int count) throws IOException {
        while (senders.size() < count) {
            another();
        }
    }

    private void receive(long until) {
        while (receiver.got < until) {
            receiver.poll(16);
        }
        assertThat(receiver.poll(16)).isZero();
        assertThat(receiver.got).isEqualTo(until);
    }

    @Test
    void packetsAreFoundWhileRingsBecomeMany() throws IOException {
        for (int i = 0; i < MANY; i++) {
            another().send();
            senders.get(random.nextInt(senders.size())).send();
            if (i % 7 == 0) {
                receiver.poll(3);
            }
        }
        receive(2 * MANY);
    }

    @Test
    void packetsAreFoundWhenRingsBecomeFewAndManyAgain() throws IOException, InterruptedException {
        senders(MANY);
        senders.forEach(RingEnd::send);
        receive(MANY);
        for (RingEnd gone : senders.subList(2, MANY)) {
            gone.close();
        }
        long polled = receiver.got;
        while (receiver.oneCopy.isNoted()) { // it takes a second until it checks who is still there
            receiver.oneCopy.maintain();
            senders.get(0).send();
            receive(++polled);
            Thread.sleep(10);
        }
        senders.get(1).send();
        receive(++polled);
        senders.get(0).send();
        senders(MANY + 20); // in the places of those that are gone
        senders.subList(MANY, MANY + 20).forEach(RingEnd::send);
        receive(polled + 21);
    }

    @Test
    void noPacketIsMissedAtAnyTime() throws IOException, InterruptedException {
        senders(MANY);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 2; t++) {
            int odd = t;
            Thread thread = new Thread(() -> {
                Random mine = new Random(odd);
                for (int i = 0; i < MESSAGES / 2; i++) {
                    RingEnd sender = senders.get(2 * mine.nextInt(MANY / 2) + odd);
                    for (int turn = 0; !sender.hasRoom(); turn++) {
                        Patience.pause(turn);
                    }
                    sender.send();
                    if (i % 64 == 0) {
                        LockSupport.parkNanos(1); // the receiver finds them empty again and again
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        receive(MESSAGES);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void busyRingDoesNotStarveOthers() throws IOException {
        senders(MANY);
        for (int i = 0; i < 1000; i++) {
            senders.get(40).send();
        }
        senders.get(41).send();
        senders.get(3).send();
        receiver.poll(8);
        receiver.poll(8);
        receiver.poll(8);
        assertThat(receiver.next[41]).isEqualTo(1);
        assertThat(receiver.next[3]).isEqualTo(1);
        receive(1002);
    }

    @Test
    void packetsBehindFailedOneAreReceived() throws IOException {
        senders(MANY);
        for (int i = 0; i < 3; i++) {
            senders.get(50).send();
        }
        receiver.throwsOnce();
        assertThatThrownBy(() -> receiver.poll(16)).isInstanceOf(IllegalStateException.class);
        receive(3);
    }

    @Test
    void pollingAllocatesNothing() throws IOException {
        senders(MANY);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        long sent = 0;
        for (int round = 0; round < 12; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 1000; i++) {
                senders.get(i % MANY).send();
                receiver.poll(16);
                sent++;
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(receiver.got).isEqualTo(sent);
        assertThat(least).isLessThan(1000); // one byte per packet would be more
    }

    @Test
    void channelsAreFoundByAddress() throws IOException {
        for (int i = 0; i < 300; i++) {
            byte[] ip = {127, 77, (byte) (i >>> 8), (byte) i};
            Gid to = Gid.of(InetAddress.getByAddress(ip));
            assertThat(receiver.oneCopy.channel(to.subnetPrefix(), to.interfaceId()))
                    .isNull();
            Channel channel = receiver.oneCopy.reach(to);
            assertThat(channel.to()).isEqualTo(to);
            assertThat(receiver.oneCopy.reach(to)).isSameAs(channel);
        }
        for (int i = 0; i < 300; i++) {
            byte[] ip = {127, 77, (byte) (i >>> 8), (byte) i};
            Gid to = Gid.of(InetAddress.getByAddress(ip));
            assertThat(receiver.oneCopy
                            .channel(to.subnetPrefix(), to.interfaceId())
                            .to())
                    .isEqualTo(to);
        }
    }
}
