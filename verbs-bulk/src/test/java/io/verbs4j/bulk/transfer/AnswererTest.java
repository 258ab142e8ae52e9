/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.memory.LocalWindow;
import io.verbs4j.bulk.memory.RegisteredMemory;
import io.verbs4j.bulk.memory.RemoteWindow;
import io.verbs4j.bulk.strategy.Protocol;
import io.verbs4j.bulk.transfer.RecordingPosts.Request;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The owner of the memory checks a peer's requests, whatever the peer has checked. */
class AnswererTest {
    private static final int PIECE = LinkHarness.PIECE;
    private static final int OFFSET = 100;
    private static final int LENGTH = 10_000;
    private static final int KEY = 77;
    private static final long ADDRESS = 1L << 40;

    private LinkHarness harness;
    private Link link;
    private RecordingPosts posts;
    private RegisteredMemory memory;

    @BeforeEach
    void open() {
        harness = new LinkHarness(new Protocol(false, true, false, false, true));
        link = harness.link;
        posts = harness.posts;
        ByteBuffer bytes = ByteBuffer.allocateDirect(LENGTH + 2 * OFFSET);
        memory = new RegisteredMemory(
                0, bytes, new MemoryRegion[] {harness.resources.add(harness.pd.regMr(bytes, AccessFlags.LOCAL_WRITE))});
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private void window(long id, int rights) {
        ByteBuffer part = memory.bytes().slice(OFFSET, LENGTH);
        MemoryRegion region = harness.resources.add(harness.pd.regMr(part, AccessFlags.REMOTE_READ));
        assertThat(harness.windows.add(
                        new LocalWindow(id, memory, OFFSET, region.length(), new MemoryRegion[] {region}, rights)))
                .isTrue();
    }

    private void assertRefused(int errno, long window, long offset, int length) {
        posts.messages.clear();
        assertThat(link.answerer.ask(5, window, offset, length, KEY, ADDRESS)).isTrue();
        harness.turn();
        assertThat(posts.requests).as("requests").isEmpty();
        assertThat(posts.messages).hasSize(1);
        assertDone(posts.messages.get(0), -errno, 0);
    }

    private static void assertDone(ByteBuffer message, long result, long bytes) {
        assertThat(message.get(ControlLayout.KIND)).isEqualTo((byte) ControlKind.DONE);
        assertThat(message.getLong(ControlLayout.ID)).isEqualTo(5);
        assertThat(message.getLong(ControlLayout.A)).isEqualTo(result);
        assertThat(message.getLong(ControlLayout.B)).isEqualTo(bytes);
    }

    @Test
    void boundsRightsAndWindowAreChecked() {
        window(1, RemoteWindow.READ);
        window(2, RemoteWindow.WRITE);
        assertRefused(Errno.ESTALE, 3, 0, 8);
        assertRefused(Errno.EACCES, 2, 0, 8);
        assertRefused(Errno.ERANGE, 1, 1, LENGTH);
        assertRefused(Errno.ERANGE, 1, -1, 8);
        assertRefused(Errno.ERANGE, 1, Long.MAX_VALUE, 8);
        assertThat(link.answerer.ask(5, 1, 0, 0, KEY, ADDRESS)).as("no bytes").isFalse();
        assertThat(link.answerer.ask(5, 1, 0, -1, KEY, ADDRESS))
                .as("a length below 0")
                .isFalse();
    }

    @Test
    void bytesOfWindowAreWrittenInPiecesAndThenReported() {
        window(1, RemoteWindow.READ);
        assertThat(link.answerer.ask(5, 1, 8, 2 * PIECE, KEY, ADDRESS)).isTrue();
        assertThat(memory.closeIfUnused()).isFalse();
        harness.turn();
        long from = memory.address(0) + OFFSET + 8;
        assertThat(posts.requests)
                .containsExactly(
                        new Request("write", from, PIECE, KEY, ADDRESS),
                        new Request("write", from + PIECE, PIECE, KEY, ADDRESS + PIECE));
        assertThat(posts.messages).hasSize(1);
        assertDone(posts.messages.get(0), 2 * PIECE, 2 * PIECE);
    }

    /** The peer must not report that it no longer uses a window while its bytes are still to be written. */
    @Test
    void windowStaysInUseUntilBytesAreWritten() {
        window(1, RemoteWindow.READ);
        assertThat(link.answerer.ask(5, 1, 0, 8, KEY, ADDRESS)).isTrue();
        assertThat(link.answerer.uses(1)).isTrue();
        assertThat(link.answerer.uses(2)).isFalse();
        harness.turn();
        assertThat(link.answerer.uses(1)).isFalse();
    }

    @Test
    void withdrawnAnswerStops() {
        window(1, RemoteWindow.READ);
        assertThat(link.answerer.ask(5, 1, 0, 8, KEY, ADDRESS)).isTrue();
        link.answerer.withdraw(4);
        assertThat(link.answerer.first()).isNotNull();
        link.answerer.withdraw(5);
        assertThat(link.answerer.first()).isNull();
        harness.turn();
        assertThat(posts.requests).isEmpty();
        assertDone(posts.messages.get(0), -Errno.ECANCELED, 0);
        link.sent(0, 0); // the message
        assertThat(memory.closeIfUnused()).as("the window still uses it").isFalse();
        harness.windows.close();
        assertThat(memory.closeIfUnused())
                .as("its memory is unused without the window")
                .isTrue();
    }

    @Test
    void unknownMessageIsNotGranted() {
        assertThat(link.answerer.grant(12, 5, KEY, ADDRESS)).isFalse();
        assertThat(link.asker.done(12, 8, 8)).isFalse();
    }

    @Test
    void requestsBeyondAgreedNumberAreRefused() {
        window(1, RemoteWindow.READ);
        for (int n = 0; n < Limits.ANNOUNCED; n++) {
            assertThat(link.answerer.ask(n, 1, 0, 8, KEY, ADDRESS)).isTrue();
        }
        assertThat(link.answerer.ask(5, 1, 0, 8, KEY, ADDRESS)).isFalse();
    }
}
