/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import io.verbs4j.WcStatus;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.RailKeys;
import io.verbs4j.bulk.memory.LocalWindow;
import io.verbs4j.bulk.memory.RemoteWindow;
import io.verbs4j.bulk.ring.EntryCode;
import io.verbs4j.bulk.transfer.RecordingPosts.Request;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** How transfers use rails, and with which keys. */
class RailTransfersTest extends RailRig {
    @Test
    void fencedTransferWaitsForBytesOnRails() {
        spread();
        posts.requests.clear();
        link.sent(link.posted.next() - 1 & PostedQueue.NUMBER_MASK, 0);
        Transfer fenced = put(1, EntryCode.FENCE);
        assertThat(fenced.posted).isZero();
        failRail(2, WcStatus.SUCCESS);
        harness.turn();
        assertThat(posts.requests).containsExactly(new Request("write", memory.address(0), PIECE, KEY, REMOTE));
    }

    @Test
    void keysOfLostRailAreNotUsed() {
        spread();
        failRail(2, WcStatus.SUCCESS);
        closedThere(id(0), false);
        closeFailed();
        offer(1);
        posts.requests.clear();
        railPosts.requests.clear();
        put(4, 0);
        assertThat(railPosts.requests).isEmpty();
        assertThat(pieces(posts, KEY)).hasSize(4);
        assertThat(kinds()).as("the peer is queried").contains(ControlKind.ASK_KEYS);
        tellKeys(1);
        put(4, 0);
        assertThat(pieces(railPosts, RAIL_KEY)).isNotEmpty();
    }

    @Test
    void keysOfOtherConnectionAreNotUsed() {
        agree(true);
        offer(0);
        put(0, 0);
        tellWindow();
        tellKeys(2);
        put(4, 0);
        assertThat(railPosts.requests).isEmpty();
    }

    @Test
    void peerGetsKeysOfItsWindowsOnly() {
        agree(false);
        receive(ControlKind.RAIL_OFFER, id(0), PEER);
        made(id(0));
        receive(ControlKind.RAIL_READY, id(0), PEER);
        ByteBuffer part = memory.bytes().slice(PIECE, PIECE);
        MemoryRegion region = harness.resources.add(harness.pd.regMr(part, AccessFlags.REMOTE_READ));
        assertThat(harness.windows.add(
                        new LocalWindow(WINDOW, memory, PIECE, PIECE, new MemoryRegion[] {region}, RemoteWindow.READ)))
                .isTrue();
        posts.messages.clear();
        receive(ControlKind.ASK_KEYS, WINDOW + 1, 0, 0, 0, 0, 0);
        assertThat(posts.messages).isEmpty();
        receive(ControlKind.ASK_KEYS, WINDOW, 0, 0, 0, 0, 0);
        RailKeys keys = new RailKeys();
        keys.read(posts.messages.get(0), 0, 5);
        assertThat(keys.has(1, 5)).isTrue();
        assertThat(keys.get(1)).isEqualTo(region.rkey());
        assertThat(keys.has(2, 5)).isFalse();
        assertThat(keys.has(1, 4)).as("keys of other rails").isFalse();
    }

    @Test
    void memoryAtOtherDeviceAddressGetsNoKey() {
        load = new DeviceLoad(1, 64L * PIECE);
        agree(false);
        receive(ControlKind.RAIL_OFFER, id(0), PEER);
        made(id(0));
        MemoryRegion[] regions = new MemoryRegion[2];
        for (int i = 0; i < regions.length; i++) {
            ByteBuffer part = memory.bytes().slice(i * PIECE, PIECE);
            regions[i] = harness.resources.add(harness.pd.regMr(part, AccessFlags.REMOTE_READ));
        }
        assertThat(harness.windows.add(new LocalWindow(WINDOW, memory, 0, PIECE, regions, RemoteWindow.READ)))
                .isTrue();
        posts.messages.clear();
        receive(ControlKind.ASK_KEYS, WINDOW, 0, 0, 0, 0, 0);
        RailKeys keys = new RailKeys();
        keys.read(posts.messages.get(0), 0, 0);
        assertThat(keys.has(1, 0)).isFalse();
    }

    @Test
    void peerIsNotifiedAfterAllRailsComplete() {
        spread();
        link.sent(link.posted.next() - 1 & PostedQueue.NUMBER_MASK, 0);
        failRail(2, WcStatus.SUCCESS);
        posts.requests.clear();
        posts.messages.clear();
        Transfer put = put(2, EntryCode.NOTIFY);
        put.value = 5;
        harness.turn();
        assertThat(posts.requests).extracting(Request::operation).containsOnly("write");
        assertThat(railPosts.requests).extracting(Request::operation).containsOnly("write");
        link.sent(link.posted.next() - 1 & PostedQueue.NUMBER_MASK, 0);
        harness.turn();
        assertThat(kinds()).as("one piece is in flight on the rail").isEmpty();
        failRail(3, WcStatus.SUCCESS);
        harness.turn();
        assertThat(kinds()).containsExactly(ControlKind.NOTIFY);
    }

    @Test
    void keysOfMessageAreSentOnceDespiteFewCredits() {
        agree(true);
        offer(0);
        while (link.sender.mayMessage()) {
            link.message(ControlKind.CREDIT, 0, 0);
            harness.turn();
        }
        submit(EntryCode.SEND, 1, 0);
        posts.messages.clear();
        receive(ControlKind.CREDIT, 0, 0, 0, 0, 0, 0);
        assertThat(kinds()).containsExactly(ControlKind.KEYS);
        receive(ControlKind.CREDIT, 0, 0, 0, 0, 0, 0);
        assertThat(kinds()).containsExactly(ControlKind.RTS);
    }

    @Test
    void keysArrivingDuringLossOfRailAreNotUsed() {
        agree(true);
        offer(0);
        put(0, 0);
        tellWindow();
        harness.turn();
        failRail(0, WcStatus.RETRY_EXC_ERR);
        assertThat(railPosts.failed).isTrue();
        tellKeys(1);
        closedThere(id(0), false);
        closeFailed();
        offer(1);
        put(4, 0);
        assertThat(railPosts.requests).isEmpty();
    }

    @Test
    void putIsSpreadOnDeviceWithoutRead() {
        openWithoutRead();
        spread();
        assertThat(railPosts.requests).extracting(Request::operation).containsOnly("write");
    }

    /** DONE arrives after the bytes because one queue pair keeps the order. */
    @Test
    void bytesRequestedByPeerUseFirstQueuePair() {
        openWithoutRead();
        spread();
        link.sent(link.posted.next() - 1 & PostedQueue.NUMBER_MASK, 0);
        posts.requests.clear();
        railPosts.requests.clear();
        kinds();
        MemoryRegion region = harness.resources.add(harness.pd.regMr(memory.bytes(), AccessFlags.REMOTE_READ));
        assertThat(harness.windows.add(
                        new LocalWindow(WINDOW, memory, 0, 64 * PIECE, new MemoryRegion[] {region}, RemoteWindow.READ)))
                .isTrue();
        receive(ControlKind.ASK_PUT, 5, WINDOW, 0, KEY, 4 * PIECE, REMOTE);
        assertThat(pieces(posts, KEY)).containsExactly(0, 1, 2, 3);
        assertThat(railPosts.requests).isEmpty();
        assertThat(kinds()).containsExactly(ControlKind.DONE);
    }

    @Test
    void keysAreNotSentForRequestedBytes() {
        openWithoutRead();
        agree(true);
        offer(0);
        kinds();
        submit(EntryCode.GET, 1, 0);
        tellWindow();
        assertThat(kinds()).containsExactly(ControlKind.LOOKUP, ControlKind.ASK_PUT);
        submit(EntryCode.SEND, 1, 0);
        assertThat(kinds()).containsExactly(ControlKind.RTS);
    }

    @Test
    void spreadReceiveDoesNotNotifyPeer() {
        agree(true);
        offer(0);
        posts.messages.clear();
        Transfer receive = harness.transfers.pool.take();
        receive.opcode = EntryCode.RECV;
        receive.flags = EntryCode.NOTIFY;
        receive.memory = memory;
        memory.use();
        receive.length = PIECE;
        receive.posted = PIECE;
        receive.done = PIECE;
        receive.spread = true;
        link.sender.fly(receive);
        link.idle(receive);
        harness.turn();
        assertThat(kinds()).containsExactly(ControlKind.FIN);
    }
}
