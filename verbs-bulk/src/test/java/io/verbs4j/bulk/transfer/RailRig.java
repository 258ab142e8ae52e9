/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.control.RailAddress;
import io.verbs4j.bulk.control.RailKeys;
import io.verbs4j.bulk.memory.RegisteredMemory;
import io.verbs4j.bulk.memory.RemoteWindow;
import io.verbs4j.bulk.ring.EntryCode;
import io.verbs4j.bulk.strategy.Protocol;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A connection whose rails a test sets up, loses and restores; the test is the peer and the devices. */
abstract class RailRig {
    static final int PIECE = LinkHarness.PIECE;
    static final long WINDOW = 0x0102_0304_0506_0708L;
    static final long REMOTE = 1L << 40;
    static final int KEY = 77;
    static final int RAIL_KEY = 99;
    static final RailAddress ADDRESS = new RailAddress(0x11, 0x22, 0x33, 0x44);
    static final RailAddress PEER = new RailAddress(0x55, 0x66, 0x77, 0x88);

    /** Does nothing but record its calls. */
    static final class RecordingMaker implements RailMaker {
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

    final RecordingMaker maker = new RecordingMaker();
    final RecordingPosts railPosts = new RecordingPosts();
    LinkHarness harness;
    Link link;
    Rails rails;
    RecordingPosts posts;
    RegisteredMemory memory;
    DeviceLoad load;
    long sequence;

    @BeforeEach
    void open() {
        open(new Protocol(false, true, false, true, true));
    }

    void open(Protocol protocol) {
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

    void agree(boolean offers) {
        rails.setup().agree(maker, offers);
    }

    static RailId id(int attempt) {
        return new RailId(1, attempt, 1);
    }

    /** Receives a message of the peer. */
    void receive(int kind, long id, long a, long b, int key, int rights, long value) {
        ByteBuffer slots = link.slots.bytes();
        ControlLayout.body(slots, 0, kind, id, a, b, key, rights);
        ControlLayout.message(slots, 0, 0, value);
        ControlLayout.header(slots, 0, 1, LinkHarness.SLOTS + (int) sequence, 0, sequence++);
        link.received(0, 0, false, 0, ControlLayout.SIZE);
        harness.turn();
    }

    void receive(int kind, RailId id, RailAddress at) {
        receive(kind, id.encode(), at.high(), at.low(), at.port(), 0, at.numbers());
    }

    void closedThere(RailId id, boolean last) {
        receive(ControlKind.RAIL_CLOSED, id.encode(), 0, 0, 0, last ? 1 : 0, 0);
    }

    void made(RailId id) {
        rails.setup().made(id, railPosts, load, ADDRESS);
        harness.turn();
    }

    /** Returns the kinds of recorded messages, and clears them. */
    List<Integer> kinds() {
        List<Integer> kinds = posts.messages.stream()
                .map(message -> (int) message.get(ControlLayout.KIND))
                .toList();
        posts.messages.clear();
        return kinds;
    }

    List<String> calls() {
        List<String> calls = List.copyOf(maker.calls);
        maker.calls.clear();
        return calls;
    }

    void assertEnded() {
        assertThat(link.reason()).isEqualTo(Errno.EPROTO);
    }

    void assertGoesOn() {
        assertThat(link.state().isUp()).isTrue();
    }

    void closeFailed() {
        boolean unused = harness.transfers.endLinks(System.nanoTime(), null);
        harness.turn();
    }

    /** Sets up a rail on the side that has connected. */
    void offer(int attempt) {
        made(id(attempt));
        receive(ControlKind.RAIL_ANSWER, id(attempt), PEER);
        rails.setup().connected(id(attempt));
        harness.turn();
        assertThat(rails.count()).isEqualTo(1);
    }

    Transfer put(int pieces, int flags) {
        return submit(EntryCode.PUT, pieces, flags);
    }

    Transfer submit(int opcode, int pieces, int flags) {
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

    void tellWindow() {
        receive(ControlKind.WINDOW, WINDOW, 64L * PIECE, REMOTE, KEY, RemoteWindow.WRITE | RemoteWindow.READ, 0);
    }

    void tellKeys(int epoch) {
        RailKeys keys = new RailKeys();
        keys.clear();
        keys.set(1, RAIL_KEY);
        receive(ControlKind.KEYS, WINDOW, keys.a(), keys.b(), keys.key(), keys.rights(), keys.value(epoch, false));
    }

    static List<Integer> pieces(RecordingPosts of, int key) {
        return of.requests.stream()
                .filter(request -> request.rkey() == key)
                .map(request -> (int) ((request.remoteAddress() - REMOTE) / PIECE))
                .toList();
    }

    /**
     * Sets up a rail and a transfer with pieces 0, 2 and 4 in flight on the first queue pair, and 1, 3 and 5 on the
     * rail.
     */
    void spread() {
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

    void failRail(int request, int status) {
        link.sendCompleted(id(0).tag() << 16 | 1 << PostedQueue.NUMBER_BITS | request, status);
    }

    void openWithoutRead() {
        close();
        open(new Protocol(false, true, false, false, true));
    }
}
