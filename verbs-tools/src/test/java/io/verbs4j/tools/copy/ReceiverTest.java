/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.VerbsLevel;
import io.verbs4j.bulk.BulkConfig;
import io.verbs4j.bulk.BulkEndpoint;
import io.verbs4j.bulk.BulkPeer;
import io.verbs4j.bulk.BulkProgress;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.Patience;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Senders that break the protocol, and several senders at once. */
class ReceiverTest {
    private static final int BLOCK = CopySizes.BLOCK;

    @TempDir
    Path folder;

    private Context context;
    private Receiver receiver;
    private final List<Guest> guests = new ArrayList<>();

    @BeforeEach
    void listen() {
        context = Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT);
        receiver = Receiver.listen(
                folder,
                new ReceiverLog(null, false),
                context,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void close() {
        guests.forEach(Guest::close);
        receiver.close();
        context.close();
    }

    /** A sender that sends whatever a test wants. */
    private final class Guest implements AutoCloseable {
        private final BulkEndpoint endpoint =
                BulkEndpoint.open(BulkConfig.of(context).withProgress(BulkProgress.SERVICE));
        private final Lane lane;
        private final CopyChannel channel;
        private long window;

        Guest() {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), receiver.port());
            BulkPeer peer = endpoint.connect(address, Patience.SECONDS, TimeUnit.SECONDS);
            lane = Lane.of(endpoint);
            channel = new CopyChannel(lane.ring(), lane.messages(), peer, slot -> {});
            guests.add(this);
        }

        Guest hello(long copyId) throws ConnectionLost {
            channel.send(new Message.Hello(Message.VERSION, copyId, BLOCK));
            Message answer = answer();
            assertThat(answer).isInstanceOf(Message.Welcome.class);
            window = ((Message.Welcome) answer).window();
            return this;
        }

        Message answer() throws ConnectionLost {
            Message message = channel.receive(TimeUnit.SECONDS.toNanos(Patience.SECONDS));
            assertThat(message).as("an answer").isNotNull();
            return message;
        }

        Message ask(Message message) throws ConnectionLost {
            channel.send(message);
            return answer();
        }

        void put(int slot, long index, byte[] bytes, int crcMore) {
            lane.blocks().bytes().put(slot * BLOCK, bytes);
            int crc = Checksums.crc(ByteBuffer.wrap(bytes)) + crcMore;
            channel.put(new Message.Block(slot, index, crc, false), lane.blocks(), bytes.length, window);
        }

        void assertGone() {
            assertThatThrownBy(this::answer).isInstanceOf(ConnectionLost.class);
        }

        @Override
        public void close() {
            endpoint.close();
        }
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static Message.Offer offer(String path, String name, long size) {
        return new Message.Offer(path, name, size, 1, 0600);
    }

    private static byte[] sum(byte[] bytes) {
        MessageDigest digest = Checksums.sha256();
        digest.update(bytes);
        return digest.digest();
    }

    private List<String> names() throws Exception {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    /** Asserts that the receiver still serves. */
    private void assertServes() throws Exception {
        Guest guest = new Guest().hello(77);
        byte[] bytes = random(100);
        assertThat(guest.ask(offer("", "good", 100))).isInstanceOf(Message.Start.class);
        guest.channel.send(new Message.Go(0));
        guest.put(3, 0, bytes, 0);
        assertThat(guest.answer()).isEqualTo(new Message.Ack(3, 0));
        assertThat(guest.ask(new Message.End(sum(bytes)))).isEqualTo(new Message.Done());
        guest.channel.send(new Message.Bye());
        guest.channel.flush();
        assertThat(receiver.await(true)).isTrue();
        assertThat(Files.readAllBytes(folder.resolve("good"))).isEqualTo(bytes);
    }

    /** The receiver ends the connection as soon as it has the last message. */
    @Test
    void lastMessageIsSentAlthoughConnectionHasEnded() throws Exception {
        Guest guest = new Guest().hello(1);
        guest.channel.send(new Message.Bye());
        for (int turn = 0; guest.channel.peer().isOpen(); turn++) {
            Patience.pause(turn);
        }
        guest.channel.flush();
        guest.assertGone();
    }

    @Test
    void hostileNamesAreRefusedAndSenderMayContinue() throws Exception {
        Guest guest = new Guest().hello(1);
        for (String path : List.of("../x", "/x", "a/../../x", "..")) {
            assertThat(guest.ask(offer(path, "x", 1))).isInstanceOf(Message.Failed.class);
        }
        for (String name : List.of("../x", "/x", "", "..")) {
            assertThat(guest.ask(offer("", name, 1))).isInstanceOf(Message.Failed.class);
        }
        assertThat(guest.ask(offer("", "x", -1))).isInstanceOf(Message.Failed.class);
        assertThat(guest.ask(offer("", "x", 1))).isInstanceOf(Message.Start.class);
        guest.close();
        assertServes();
        assertThat(names()).containsExactly("good");
    }

    @Test
    void unexpectedMessageEndsConnection() throws Exception {
        List<Message> firsts = List.of(offer("", "x", 1), new Message.Bye(), new Message.Go(0), new Message.Done());
        for (Message first : firsts) {
            Guest guest = new Guest();
            guest.channel.send(first);
            guest.assertGone();
        }
        List<Message> afterOffer = List.of(
                new Message.Go(1),
                new Message.Go(-1),
                new Message.Block(0, 0, 0, false),
                new Message.End(new byte[32]),
                new Message.Bye());
        for (Message next : afterOffer) {
            Guest guest = new Guest().hello(2);
            assertThat(guest.ask(offer("", "x", 2 * BLOCK))).isInstanceOf(Message.Start.class);
            guest.channel.send(next);
            guest.assertGone();
        }
        List<Message> afterGo = List.of(
                new Message.Block(CopySizes.SLOTS, 0, 0, true),
                new Message.Block(-1, 0, 0, true),
                new Message.Block(0, 1, 0, true),
                new Message.End(new byte[32]));
        for (Message next : afterGo) {
            Guest guest = new Guest().hello(3);
            assertThat(guest.ask(offer("", "x", 2 * BLOCK))).isInstanceOf(Message.Start.class);
            guest.channel.send(new Message.Go(0));
            guest.channel.send(next);
            guest.assertGone();
        }
        assertServes();
        assertThat(names()).containsExactly("good");
    }

    @Test
    void otherVersionGetsReasonBeforeConnectionEnds() throws Exception {
        Guest guest = new Guest();
        guest.channel.send(new Message.Hello(9, 1, BLOCK));
        while (guest.channel.peer().isOpen()) {
            Thread.sleep(10);
        }
        Message answer = guest.answer(); // the last message is received although the connection has ended
        assertThat(answer).isInstanceOf(Message.Failed.class);
        assertThat(((Message.Failed) answer).text()).contains("it speaks 1, the sender 9");
        guest.assertGone();
    }

    @Test
    void corruptBlockIsRefusedAndWrongChecksumDeletesFile() throws Exception {
        Guest guest = new Guest().hello(4);
        byte[] bytes = random(BLOCK + 5);
        byte[] head = java.util.Arrays.copyOf(bytes, BLOCK);
        byte[] tail = java.util.Arrays.copyOfRange(bytes, BLOCK, BLOCK + 5);
        assertThat(guest.ask(offer("", "x", bytes.length))).isInstanceOf(Message.Start.class);
        guest.channel.send(new Message.Go(0));
        guest.put(0, 0, head, 0);
        assertThat(guest.answer()).isEqualTo(new Message.Ack(0, 0));
        guest.put(1, 1, tail, 1);
        assertThat(guest.answer().toString()).contains("block 1 (bytes 1048576 to 1048580) differs");
        assertThat(names()).containsExactly(".x.verbs-part", ".x.verbs-state");

        assertThat(guest.ask(offer("", "x", bytes.length))).isEqualTo(new Message.Start(BLOCK, false, ""));
        assertThat(guest.answer()).isEqualTo(new Message.Prefix(BLOCK, sum(head)));
        guest.channel.send(new Message.Go(BLOCK));
        guest.put(0, 1, tail, 0);
        assertThat(guest.answer()).isEqualTo(new Message.Ack(0, 1));
        assertThat(guest.ask(new Message.End(new byte[32])).toString()).contains("the copy differs");
        assertThat(names()).isEmpty();
        guest.channel.send(new Message.Bye());
        guest.channel.flush();
        assertThat(receiver.await(true)).as("everything was received").isFalse();
    }

    @Test
    void abandonedFileIsDeleted() throws Exception {
        Guest guest = new Guest().hello(5);
        assertThat(guest.ask(offer("", "x", 2 * BLOCK))).isInstanceOf(Message.Start.class);
        guest.channel.send(new Message.Go(0));
        guest.put(0, 0, random(BLOCK), 0);
        assertThat(guest.answer()).isEqualTo(new Message.Ack(0, 0));
        guest.channel.send(new Message.Abandon("it has changed"));
        assertThat(guest.ask(offer("", "y", 1))).isEqualTo(new Message.Start(0, false, ""));
        assertThat(names()).contains(".y.verbs-part").doesNotContain(".x.verbs-part");
    }

    @Test
    void fileOfAnotherSenderIsBusyButSameSenderTakesOver() throws Exception {
        Guest first = new Guest().hello(6);
        assertThat(first.ask(offer("", "x", BLOCK))).isInstanceOf(Message.Start.class);
        Guest other = new Guest().hello(7);
        assertThat(other.ask(offer("", "x", BLOCK)).toString()).contains("another sender is copying to 'x'");
        Guest again = new Guest().hello(6);
        assertThat(again.ask(offer("", "x", BLOCK))).isInstanceOf(Message.Start.class);
        first.assertGone();
    }

    @Test
    void ninthSenderIsRejectedUntilAnotherLeaves() throws Exception {
        List<Guest> eight = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            eight.add(new Guest().hello(i));
        }
        Guest ninth = new Guest();
        assertThat(ninth.ask(new Message.Hello(Message.VERSION, 9, BLOCK)).toString())
                .contains("already serving 8 senders");
        ninth.close();
        eight.get(0).close();
        Message answer = null;
        while (!(answer instanceof Message.Welcome)) {
            Guest next = new Guest();
            answer = next.ask(new Message.Hello(Message.VERSION, 10, BLOCK));
            if (!(answer instanceof Message.Welcome)) {
                next.close();
            }
        }
    }

    /** The receiver serves others while a rejected sender stays silent. */
    @Test
    void silentRejectedSendersDoNotBlockOthers() throws Exception {
        List<Guest> eight = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            eight.add(new Guest().hello(i));
        }
        List<Guest> silent = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            silent.add(new Guest());
        }
        eight.get(0).close();
        for (int turn = 0; receiver.isFull(); turn++) {
            Patience.pause(turn); // a sender that comes too early has to wait behind the silent ones
        }
        assertThat(new Guest().ask(new Message.Hello(Message.VERSION, 9, BLOCK)))
                .isInstanceOf(Message.Welcome.class);
        assertThat(silent)
                .as("still connected")
                .anyMatch(guest -> guest.channel.peer().isOpen());
    }
}
