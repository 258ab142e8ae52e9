/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.control.RailAddress;
import io.verbs4j.bulk.control.RailKeys;
import io.verbs4j.bulk.recovery.Recovery;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How rails are set up: offers, answers, refusals and repetitions. */
class RailSetupTest extends RailRig {
    @Test
    void connectingSideOffersAndConnectsRail() {
        agree(true);
        rails.setup().start();
        made(id(0));
        ByteBuffer offer = posts.messages.get(0);
        assertThat(offer.getLong(ControlLayout.ID)).isEqualTo(id(0).encode());
        assertThat(RailAddress.read(offer, 0)).isEqualTo(ADDRESS);
        receive(ControlKind.RAIL_ANSWER, id(0), PEER);
        assertThat(rails.count()).isZero();
        rails.setup().connected(id(0));
        harness.turn();
        assertThat(rails.count()).isEqualTo(1);
        assertThat(kinds()).containsExactly(ControlKind.RAIL_OFFER, ControlKind.RAIL_READY);
        assertThat(calls()).containsExactly("offer", "connect 1.0");
    }

    @Test
    void acceptingSideAnswersAndWaitsForReady() {
        agree(false);
        rails.setup().start();
        receive(ControlKind.RAIL_OFFER, id(0), PEER);
        made(id(0));
        assertThat(RailAddress.read(posts.messages.get(0), 0)).isEqualTo(ADDRESS);
        assertThat(kinds()).containsExactly(ControlKind.RAIL_ANSWER);
        assertThat(rails.count()).as("before the peer is ready").isZero();
        receive(ControlKind.RAIL_READY, id(0), PEER);
        assertThat(rails.count()).isEqualTo(1);
        assertThat(calls()).containsExactly("answer 1.0");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                ControlKind.RAIL_OFFER,
                ControlKind.RAIL_ANSWER,
                ControlKind.RAIL_READY,
                ControlKind.RAIL_CLOSED,
                ControlKind.ASK_KEYS,
                ControlKind.KEYS
            })
    void railMessageWithoutAgreementEndsConnection(int kind) {
        receive(kind, id(0), PEER);
        assertEnded();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, RailKeys.MOST + 1, 255})
    void invalidRailNumberEndsConnection(int rail) {
        agree(false);
        receive(ControlKind.RAIL_OFFER, new RailId(rail, 0, 1), PEER);
        assertEnded();
    }

    @Test
    void offerToConnectingSideEndsConnection() {
        agree(true);
        receive(ControlKind.RAIL_OFFER, id(0), PEER);
        assertEnded();
    }

    @ParameterizedTest
    @ValueSource(ints = {ControlKind.RAIL_OFFER, ControlKind.RAIL_READY, ControlKind.RAIL_ANSWER})
    void messageForUnfinishedRailEndsConnection(int kind) {
        agree(false);
        receive(ControlKind.RAIL_OFFER, id(0), PEER);
        receive(kind, id(0), PEER);
        assertEnded();
    }

    @Test
    void secondAnswerEndsConnection() {
        agree(true);
        offer(0);
        receive(ControlKind.RAIL_ANSWER, id(0), PEER);
        assertEnded();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {ControlKind.RAIL_OFFER, ControlKind.RAIL_ANSWER, ControlKind.RAIL_READY, ControlKind.RAIL_CLOSED})
    void messageOfOtherConnectionIsIgnored(int kind) {
        agree(false);
        receive(kind, new RailId(1, 0, 2), PEER);
        assertGoesOn();
        assertThat(calls()).isEmpty();
        assertThat(kinds()).isEmpty();
    }

    @Test
    void lateQueuePairIsClosed() {
        agree(true);
        made(new RailId(1, 0, 2));
        made(new RailId(1, 3, 1));
        assertThat(calls()).containsExactly("close 1.0", "close 1.3");
        assertThat(kinds()).isEmpty();
    }

    @Test
    void refusedOfferIsClosedAndNotRepeated() {
        agree(true);
        made(id(0));
        closedThere(id(0), true);
        closeFailed();
        assertThat(calls()).containsExactly("close 1.0");
        assertThat(kinds()).containsExactly(ControlKind.RAIL_OFFER, ControlKind.RAIL_CLOSED);
        assertThat(railPosts.failed).isTrue();
    }

    @Test
    void failedOfferIsRepeated() {
        agree(true);
        made(id(0));
        closedThere(id(0), false);
        closeFailed();
        assertThat(calls()).containsExactly("close 1.0", "again 1.1");
        offer(1);
    }

    @Test
    void failedQueuePairIsRetried() {
        agree(true);
        rails.setup().notMade(id(0), false);
        assertThat(calls()).containsExactly("again 1.1");
        rails.setup().notMade(id(1), false);
        assertThat(calls()).containsExactly("again 1.2");
        rails.setup().notMade(id(0), false);
        assertThat(calls()).as("of one that is over").isEmpty();
    }

    @Test
    void impossibleQueuePairIsNotRetried() {
        agree(true);
        rails.setup().notMade(id(0), true);
        harness.turn();
        assertThat(calls()).isEmpty();
        assertThat(kinds()).isEmpty();
    }

    @Test
    void offerWithoutPortIsRefused() {
        agree(false);
        receive(ControlKind.RAIL_OFFER, id(0), PEER);
        rails.setup().notMade(id(0), true);
        harness.turn();
        assertThat(posts.messages.get(0).getInt(ControlLayout.RIGHTS)).isEqualTo(1);
        assertThat(kinds()).containsExactly(ControlKind.RAIL_CLOSED);
        closedThere(id(0), false);
        receive(ControlKind.RAIL_OFFER, id(1), PEER);
        assertGoesOn();
        assertThat(calls()).containsExactly("answer 1.0", "answer 1.1");
    }

    @Test
    void offerWithdrawnBeforeAnswerIsClosed() {
        agree(false);
        receive(ControlKind.RAIL_OFFER, id(0), PEER);
        closedThere(id(0), false);
        made(id(0));
        closeFailed();
        assertThat(kinds()).containsExactly(ControlKind.RAIL_CLOSED);
        assertThat(calls()).containsExactly("answer 1.0", "close 1.0");
        receive(ControlKind.RAIL_OFFER, id(1), PEER);
        assertGoesOn();
    }

    @Test
    void queuePairMadeDuringLossIsClosed() {
        agree(true);
        link.recovery().agree(new Recovery(Long.MAX_VALUE, true));
        link.lose(Errno.ECONNRESET);
        assertThat(link.state().isLost()).isTrue();
        made(id(0));
        rails.setup().notMade(id(0), false);
        assertThat(calls()).containsExactly("close 1.0");
        assertThat(kinds()).isEmpty();
    }

    @Test
    void railOfLostDeviceIsClosed() {
        agree(true);
        load.lose();
        made(id(0));
        closeFailed();
        assertThat(railPosts.failed).isTrue();
        assertThat(kinds()).containsExactly(ControlKind.RAIL_OFFER, ControlKind.RAIL_CLOSED);
    }

    @Test
    void offerWithOldNumberEndsConnection() {
        agree(false);
        receive(ControlKind.RAIL_OFFER, id(3), PEER);
        rails.setup().notMade(id(3), false);
        closedThere(id(3), false);
        assertGoesOn();
        receive(ControlKind.RAIL_OFFER, id(3), PEER);
        assertEnded();
    }
}
