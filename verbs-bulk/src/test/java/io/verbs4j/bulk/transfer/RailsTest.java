/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.WcStatus;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.control.RailAddress;
import io.verbs4j.bulk.control.RailKeys;
import io.verbs4j.bulk.memory.LocalWindow;
import io.verbs4j.bulk.memory.RegisteredMemory;
import io.verbs4j.bulk.memory.RemoteWindow;
import io.verbs4j.bulk.recovery.Recovery;
import io.verbs4j.bulk.ring.EntryCode;
import io.verbs4j.bulk.strategy.Protocol;
import io.verbs4j.bulk.transfer.RecordingPosts.Request;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How rails are set up, lost and restored, and which keys they use; the test is the peer and the devices. */
class RailsTest {
    private static final int PIECE = LinkHarness.PIECE;
    private static final long WINDOW = 0x0102_0304_0506_0708L;
    private static final long REMOTE = 1L << 40;
    private static final int KEY = 77;
    private static final int RAIL_KEY = 99;
    private static final RailAddress ADDRESS = new RailAddress(0x11, 0x22, 0x33, 0x44);
    private static final RailAddress PEER = new RailAddress(0x55, 0x66, 0x77, 0x88);

    /** Does nothing but record its calls. */
    private static final class RecordingMaker implements RailMaker {
        final List<String> calls = new ArrayList<>();

        @Override
        public void offer(Link of) {
            calls.add("offer");
        }

        @Override
        public void offerAgain(Link of, RailId rail, long nanos) {
            calls.add("again " + rail.rail() + "." + rail.attempt());
        }

        @Override
        public void answer(Link of, RailId rail, RailAddress peer) {
            assertThat(peer).isEqualTo(PEER);
            calls.add("answer " + rail.rail() + "." + rail.attempt());
        }

        @Override
        public void connect(Link of, RailId rail, RailAddress peer) {
            assertThat(peer).isEqualTo(PEER);
            calls.add("connect " + rail.rail() + "." + rail.attempt());
        }

        @Override
        public void close(Link of, RailId rail) {
            calls.add("close " + rail.rail() + "." + rail.attempt());
        }
    }

    private final RecordingMaker maker = new RecordingMaker();
    private final RecordingPosts railPosts = new RecordingPosts();
    private LinkHarness harness;
    private Link link;
    private Rails rails;
    private RecordingPosts posts;
    private RegisteredMemory memory;
    private DeviceLoad load;
    private long sequence;

    @BeforeEach
    void open() {
        open(new Protocol(false, true, false, true, true));
    }

    private void open(Protocol protocol) {
        harness = new LinkHarness(protocol);
        link = harness.link;
        rails = link.rails();
        posts = harness.posts;
        load = new DeviceLoad(0, 64L * PIECE);
        ByteBuffer bytes = ByteBuffer.allocateDirect(64 * PIECE);
        MemoryRegion region = harness.resources.add(harness.pd.regMr(bytes, AccessFlags.LOCAL_WRITE));
        memory = new RegisteredMemory(0, bytes, new MemoryRegion[] {region});
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private void agree(boolean offers) {
        rails.setup().agree(maker, offers);
    }

    private static RailId id(int attempt) {
        return new RailId(1, attempt, 1);
    }

    /** Receives a message of the peer. */
    private void receive(int kind, long id, long a, long b, int key, int rights, long value) {
        ByteBuffer slots = link.slots.bytes();
        ControlLayout.body(slots, 0, kind, id, a, b, key, rights);
        ControlLayout.message(slots, 0, 0, value);
        ControlLayout.header(slots, 0, 1, LinkHarness.SLOTS + (int) sequence, 0, sequence++);
        link.received(0, 0, false, 0, ControlLayout.SIZE);
        harness.turn();
    }

    private void receive(int kind, RailId id, RailAddress at) {
        receive(kind, id.encode(), at.high(), at.low(), at.port(), 0, at.numbers());
    }

    private void closedThere(RailId id, boolean last) {
        receive(ControlKind.RAIL_CLOSED, id.encode(), 0, 0, 0, last ? 1 : 0, 0);
    }

    private void made(RailId id) {
        rails.setup().made(id, railPosts, load, ADDRESS);
        harness.turn();
    }

    /** Returns the kinds of recorded messages, and clears them. */
    private List<Integer> kinds() {
        List<Integer> kinds = posts.messages.stream()
                .map(message -> (int) message.get(ControlLayout.KIND))
                .toList();
        posts.messages.clear();
        return kinds;
    }

    private List<String> calls() {
        List<String> calls = List.copyOf(maker.calls);
        maker.calls.clear();
        return calls;
    }

    private void assertEnded() {
        assertThat(link.reason()).isEqualTo(Errno.EPROTO);
    }

    private void assertGoesOn() {
        assertThat(link.state().isUp()).isTrue();
    }

    private void closeFailed() {
        boolean unused = harness.transfers.endLinks(System.nanoTime(), null);
        harness.turn();
    }

    /** Sets up a rail on the side that has connected. */
    private void offer(int attempt) {
        made(id(attempt));
        receive(ControlKind.RAIL_ANSWER, id(attempt), PEER);
        rails.setup().connected(id(attempt));
        harness.turn();
        assertThat(rails.count()).isEqualTo(1);
    }

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

    private Transfer put(int pieces, int flags) {
        return submit(EntryCode.PUT, pieces, flags);
    }

    private Transfer submit(int opcode, int pieces, int flags) {
        Transfer transfer = harness.transfers.pool.take();
        transfer.opcode = opcode;
        transfer.flags = flags;
        transfer.peer = link.id();
        transfer.memory = memory;
        memory.use();
        transfer.localOffset = 0;
        transfer.length = (long) pieces * PIECE;
        transfer.windowId = WINDOW;
        transfer.remoteOffset = 0;
        link.submit(transfer);
        harness.turn();
        return transfer;
    }

    private void tellWindow() {
        receive(ControlKind.WINDOW, WINDOW, 64L * PIECE, REMOTE, KEY, RemoteWindow.WRITE | RemoteWindow.READ, 0);
    }

    private void tellKeys(int epoch) {
        RailKeys keys = new RailKeys();
        keys.clear();
        keys.set(1, RAIL_KEY);
        receive(ControlKind.KEYS, WINDOW, keys.a(), keys.b(), keys.key(), keys.rights(), keys.value(epoch, false));
    }

    private static List<Integer> pieces(RecordingPosts of, int key) {
        return of.requests.stream()
                .filter(request -> request.rkey() == key)
                .map(request -> (int) ((request.remoteAddress() - REMOTE) / PIECE))
                .toList();
    }

    /**
     * Sets up a rail and a transfer with pieces 0, 2 and 4 in flight on the first queue pair, and 1, 3 and 5 on the
     * rail.
     */
    private void spread() {
        agree(true);
        offer(0);
        put(0, 0).length = 0; // learns the window
        tellWindow();
        tellKeys(1);
        harness.turn();
        posts.requests.clear();
        put(6, 0);
        for (int i = 0; i < 3; i++) {
            harness.turn();
        }
        assertThat(pieces(posts, KEY)).hasSize(3);
        assertThat(pieces(railPosts, RAIL_KEY)).hasSize(3);
        assertThat(kinds()).contains(ControlKind.ASK_KEYS);
    }

    private void failRail(int request, int status) {
        link.sendCompleted(id(0).tag() << 16 | 1 << PostedQueue.NUMBER_BITS | request, status);
    }

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

    private void openWithoutRead() {
        close();
        open(new Protocol(false, true, false, false, true));
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
