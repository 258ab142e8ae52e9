/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.control.Hello;
import io.verbs4j.bulk.recovery.Attempt;
import io.verbs4j.bulk.recovery.Recovery;
import io.verbs4j.bulk.strategy.Protocol;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which requests are posted again when a connection is lost more than once. */
class ReplayTest {
    private LinkHarness harness;
    private Link link;
    private final Recovery policy = new Recovery(TimeUnit.SECONDS.toNanos(100), true);

    @BeforeEach
    void open() {
        harness = new LinkHarness(new Protocol(false, true, false, true, true));
        link = harness.link;
        link.recovery().agree(policy);
        link.recovery().met(hello(1, 0));
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private static Hello hello(int epoch, int delivered) {
        return new Hello(Hello.VERSION, LinkHarness.SLOTS, epoch, 7, 0, 0, LinkHarness.SLOT_BYTES, 0)
                .recovering(1, delivered)
                .moving(1);
    }

    private RecordingPosts reconnect(int epoch, Home home, boolean lost) {
        assertThat(link.recovery().suspend()).isTrue();
        RecordingPosts posts = new RecordingPosts();
        posts.link = link;
        Attempt attempt = new Attempt(epoch, policy.claim());
        assertThat(link.recovery().prepare(attempt, home, posts, true)).isZero();
        if (lost) {
            home.load().lose();
        }
        assertThat(link.recovery().resume(attempt, hello(epoch, 2))).isTrue();
        return posts;
    }

    /** The next device is lost before it is used: messages that had reached the peer are not sent again. */
    @Test
    void arrivedMessagesAreNotSentAgainAfterSecondLoss() {
        for (int i = 0; i < 3; i++) {
            link.message(ControlKind.REVOKED, i, 0);
        }
        harness.turn();
        assertThat(harness.posts.messages).hasSize(3);
        link.lose(Errno.ECONNRESET);
        assertThat(reconnect(2, link.home(), true).messages).isEmpty();
        assertThat(link.state().isLost()).isTrue();
        Home home = new Home(harness.pd, new DeviceLoad(0, link.limits.deviceWindow()), () -> {});
        home.register(link, false);
        RecordingPosts posts = reconnect(3, home, false);
        harness.turn();
        assertThat(posts.messages).hasSize(1);
        assertThat(posts.messages.get(0).getLong(ControlLayout.ID)).isEqualTo(2);
        assertThat(posts.messages.get(0).getLong(ControlLayout.SEQUENCE)).isEqualTo(2);
    }
}
