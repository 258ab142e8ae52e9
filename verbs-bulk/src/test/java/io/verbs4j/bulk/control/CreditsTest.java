/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A model of two sides that send as their credits allow, with events in any order. */
class CreditsTest {
    private static final int MESSAGES = 500;

    private record Message(boolean credit, boolean eager, int posted, int eagerTaken) {}

    private static final class Side {
        final int slots;
        final int peerSlots;
        final SendCredits credits = new SendCredits();
        final ReceiveCredits receives;
        final Deque<Message> inbox = new ArrayDeque<>();
        int free;
        int held;
        int sent;
        int taken;
        int creditMessages;

        Side(int slots, int peerSlots) {
            this.slots = slots;
            this.peerSlots = peerSlots;
            free = slots;
            receives = new ReceiveCredits(slots);
            credits.start(peerSlots);
        }

        /** Sends one message if allowed. */
        boolean send(Side peer, Random random) {
            boolean slotsOwed = receives.owesSlots() && credits.mayUrgently();
            boolean eagerOwed = receives.owesEager() && credits.may();
            if (slotsOwed || eagerOwed) {
                post(peer, true, false);
                creditMessages++;
                return true;
            }
            if (sent < MESSAGES && credits.may()) {
                boolean eager = credits.mayEager() && random.nextInt(4) > 0;
                post(peer, false, eager);
                sent++;
                return true;
            }
            return false;
        }

        private void post(Side peer, boolean credit, boolean eager) {
            assertThat(peer.free).as("posted receives").isPositive();
            peer.free--;
            peer.inbox.add(new Message(credit, eager, receives.tellPosted(), receives.tellEagerTaken()));
            credits.sent();
            if (eager) {
                credits.sentEager();
            }
        }

        boolean receive() {
            Message message = inbox.poll();
            if (message == null) {
                return false;
            }
            credits.told(message.posted, message.eagerTaken, peerSlots);
            taken += message.credit ? 0 : 1;
            if (message.eager) {
                held++;
                assertThat(held).as("slots held by the program").isLessThanOrEqualTo(slots / 2);
            } else {
                repost();
            }
            return true;
        }

        private void repost() {
            free++;
            receives.posted();
        }

        boolean takeHeld() {
            if (held == 0) {
                return false;
            }
            held--;
            receives.eagerTaken();
            repost();
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 9, 10, 11, 12, 16, 31, 32, 33, 64})
    void sidesNeverStallOrSendWithoutReceive(int slots) {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            boolean programTakes = seed % 3 > 0;
            Side a = new Side(slots, seed % 2 == 0 ? slots : 8);
            Side b = new Side(a.peerSlots, slots);
            int bias = random.nextInt(5);
            int idle = 0;
            while (idle < 200) {
                Side side = random.nextBoolean() ? a : b;
                Side peer = side == a ? b : a;
                boolean done = switch (random.nextInt(4 + bias)) {
                    case 0 -> side.receive();
                    case 1 -> programTakes && side.takeHeld();
                    default -> side.send(peer, random);
                };
                idle = done ? 0 : idle + 1;
            }
            for (Side side : new Side[] {a, b}) {
                assertThat(side.sent).as("messages sent, seed %d", seed).isEqualTo(MESSAGES);
                assertThat(side.taken).as("messages received, seed %d", seed).isEqualTo(MESSAGES);
                assertThat(side.creditMessages)
                        .as("messages that carry only credits")
                        .isLessThan(2 * MESSAGES);
            }
        }
    }
}
