/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.WcStatus;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.recovery.Recovery;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How rails are lost and restored, and what becomes of their bytes. */
class RailLossTest extends RailRig {
    @Test
    void bytesOfLostRailAreRepostedAfterBothSidesClose() {
        spread();
        List<Integer> lost = pieces(railPosts, RAIL_KEY).subList(1, 3);
        failRail(0, WcStatus.SUCCESS);
        failRail(1, WcStatus.RETRY_EXC_ERR);
        assertThat(railPosts.failed).isTrue();
        closeFailed();
        assertThat(calls()).as("one is in flight").doesNotContain("close 1.0");
        failRail(2, WcStatus.WR_FLUSH_ERR);
        posts.requests.clear();
        closeFailed();
        assertThat(calls()).contains("close 1.0");
        assertThat(posts.requests).as("the peer's can still take bytes").isEmpty();
        closedThere(id(0), false);
        harness.turn();
        assertThat(pieces(posts, KEY)).containsExactlyElementsOf(lost);
        assertThat(calls()).containsExactly("again 1.1");
    }

    /** Leaves pieces in flight on a rail that this side has closed, while the peer does not report that it has. */
    private void holdPieces() {
        spread();
        failRail(0, WcStatus.RETRY_EXC_ERR);
        failRail(2, WcStatus.WR_FLUSH_ERR);
        closeFailed();
        assertThat(calls()).contains("close 1.0");
    }

    private boolean expireAfter(long seconds) {
        return harness.transfers.expireRails(System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void connectionIsLostIfPeerDoesNotCloseRail() {
        link.recovery().agree(new Recovery(TimeUnit.SECONDS.toNanos(100), true));
        holdPieces();
        assertThat(expireAfter(90)).isFalse();
        assertGoesOn();
        assertThat(harness.transfers.untilDeadline(System.nanoTime(), Long.MAX_VALUE))
                .as("the driving thread wakes up for it")
                .isBetween(1L, TimeUnit.SECONDS.toNanos(100));
        assertThat(expireAfter(110)).isTrue();
        assertThat(link.state().isLost()).as("recovered like any other").isTrue();
        assertThat(harness.transfers.waitsForRails()).isFalse();
    }

    @Test
    void connectionWithoutRecoveryEndsIfPeerDoesNotCloseRail() {
        holdPieces();
        assertThat(expireAfter(20)).isFalse();
        assertThat(expireAfter(40)).isTrue();
        assertThat(link.reason()).isEqualTo(Errno.ECONNRESET);
    }

    @Test
    void connectionContinuesIfPeerClosesRailInTime() {
        holdPieces();
        closedThere(id(0), false);
        assertThat(expireAfter(40)).isFalse();
        assertGoesOn();
        assertThat(harness.transfers.waitsForRails()).isFalse();
    }

    @Test
    void emptyRailMayStayOpenAtPeer() {
        spread();
        failRail(2, WcStatus.SUCCESS);
        rails.fail(load);
        closeFailed();
        assertThat(calls()).contains("close 1.0");
        assertThat(harness.transfers.waitsForRails()).isFalse();
    }

    @Test
    void peerMayCloseRailFirst() {
        spread();
        posts.requests.clear();
        closedThere(id(0), false);
        assertThat(railPosts.failed).isTrue();
        harness.turn();
        assertThat(posts.requests).as("this side's can still send bytes").isEmpty();
        failRail(2, WcStatus.WR_FLUSH_ERR);
        closeFailed();
        assertThat(pieces(posts, KEY)).isEqualTo(pieces(railPosts, RAIL_KEY));
    }

    @Test
    void accessErrorOnRailEndsConnection() {
        spread();
        failRail(0, WcStatus.REM_ACCESS_ERR);
        assertThat(link.reason()).isEqualTo(Errno.ECONNRESET);
        assertThat(link.state().isOpen()).isFalse();
    }

    @Test
    void completionOfOldQueuePairIsIgnored() {
        spread();
        int other = id(1).tag() << 16 | 1 << PostedQueue.NUMBER_BITS | 2;
        link.sendCompleted(other, WcStatus.SUCCESS);
        assertThat(rails.areBusy()).isTrue();
        link.sendCompleted(other, WcStatus.RETRY_EXC_ERR);
        assertThat(railPosts.failed).isFalse();
    }

    @Test
    void lostRailFreesRoomOfDevice() {
        spread();
        assertThat(load.hasRoom(64 * PIECE)).isFalse();
        closedThere(id(0), false);
        failRail(2, WcStatus.WR_FLUSH_ERR);
        closeFailed();
        assertThat(load.hasRoom(64 * PIECE)).isTrue();
    }

    @Test
    void lostConnectionFreesRoomOfDevice() {
        spread();
        rails.suspend();
        assertThat(load.hasRoom(64 * PIECE)).isTrue();
        assertThat(rails.returned().isEmpty()).as("bytes are reposted").isFalse();
        assertThat(rails.count()).isZero();
    }

    @Test
    void windowIsReturnedIfBytesAreNotResent() {
        agree(true);
        offer(0);
        put(0, 0);
        tellWindow();
        tellKeys(1);
        Transfer transfer = put(40, 0);
        for (int i = 0; i < 40; i++) {
            harness.turn();
        }
        assertThat(transfer.posted).isLessThan(transfer.length);
        assertThat(link.stop(transfer, Errno.ECANCELED)).isZero();
        receive(ControlKind.REVOKE, WINDOW, 0, 0, 0, 0, 0);
        link.sent(link.posted.next() - 1 & PostedQueue.NUMBER_MASK, 0);
        int last = rails.lane(1).posted.next() - 1;
        failRail(last, WcStatus.WR_FLUSH_ERR);
        closeFailed();
        posts.messages.clear();
        closedThere(id(0), false);
        assertThat(kinds()).contains(ControlKind.REVOKED);
    }
}
