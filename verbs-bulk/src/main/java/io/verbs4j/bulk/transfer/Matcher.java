/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.control.SendCredits;
import io.verbs4j.bulk.transfer.Arrivals.Arrival;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** Matches the messages of a connection with the receives of its streams, both in order. */
final class Matcher {
    private static final int PAGE = 256;

    private final Link link;

    /** By the upper and lower byte of the stream number. */
    private final Arrivals[][] streams = new Arrivals[PAGE][];

    private final Deque<Arrival> free = new ArrayDeque<>();
    private int held;
    private int announced;

    Matcher(Link link) {
        this.link = link;
    }

    private Arrivals stream(int number) {
        Arrivals[] page = streams[number / PAGE];
        if (page == null) {
            page = new Arrivals[PAGE];
            streams[number / PAGE] = page;
        }
        if (page[number % PAGE] == null) {
            page[number % PAGE] = new Arrivals();
        }
        return page[number % PAGE];
    }

    /** Accepts a receive of the program. */
    void receive(Transfer receive) {
        Arrivals stream = stream(receive.stream);
        if (stream.first() == null) {
            receive.phase = Transfer.Phase.MATCHING;
            stream.receives().add(receive);
            return;
        }
        Arrival arrival = stream.removeFirst();
        if (arrival.slot >= 0) {
            held--;
        } else {
            announced--;
        }
        deliver(receive, arrival);
        free.push(arrival);
    }

    /**
     * Handles a message that has arrived.
     *
     * @param slot its slot, which is released when the bytes were copied
     * @return false if the peer violates the protocol
     */
    boolean eager(int slot, ByteBuffer bytes, int at, int stream) {
        Arrival arrival = arrival(bytes, at);
        arrival.slot = slot;
        if (!match(stream, arrival)) {
            return ++held <= SendCredits.eagerSlots(link.limits.slots());
        }
        return true;
    }

    /**
     * Handles a message that the peer has announced.
     *
     * @return false if the peer violates the protocol
     */
    boolean announced(ByteBuffer bytes, int at, int stream) {
        Arrival arrival = arrival(bytes, at);
        arrival.slot = -1;
        link.rails.memory().take(arrival.transfer, arrival.railKeys);
        if (!match(stream, arrival)) {
            return ++announced <= Limits.ANNOUNCED;
        }
        return true;
    }

    private Arrival arrival(ByteBuffer bytes, int at) {
        Arrival arrival = free.isEmpty() ? new Arrival() : free.pop();
        arrival.transfer = bytes.getLong(at + ControlLayout.ID);
        arrival.length = bytes.getLong(at + ControlLayout.A);
        arrival.address = bytes.getLong(at + ControlLayout.B);
        arrival.key = bytes.getInt(at + ControlLayout.KEY);
        arrival.learned = link.addresses.moves();
        arrival.value = bytes.getLong(at + ControlLayout.VALUE);
        return arrival;
    }

    private boolean match(int number, Arrival arrival) {
        Arrivals stream = stream(number);
        Transfer receive = stream.receives().first();
        if (receive == null) {
            stream.add(arrival);
            return false;
        }
        stream.receives().remove(receive);
        deliver(receive, arrival);
        free.push(arrival);
        return true;
    }

    private void deliver(Transfer receive, Arrival arrival) {
        boolean fits = arrival.length <= receive.length;
        receive.value = arrival.value;
        if (arrival.slot >= 0) {
            if (fits) {
                copy(receive, arrival);
            }
            link.receiver.eagerTaken(arrival.slot);
            if (fits) {
                link.transfers.completer.succeed(receive);
            } else {
                link.transfers.completer.fail(receive, Errno.EMSGSIZE);
            }
        } else if (fits) {
            receive.length = arrival.length;
            receive.remoteAddress = arrival.address;
            receive.remoteKey = arrival.key;
            receive.ownRailKeys.copy(arrival.railKeys);
            receive.learned = arrival.learned;
            receive.remoteTransfer = arrival.transfer;
            link.asker.fetch(receive);
        } else {
            link.message(ControlKind.FIN, arrival.transfer, -Errno.EMSGSIZE);
            link.transfers.completer.fail(receive, Errno.EMSGSIZE);
        }
    }

    private void copy(Transfer receive, Arrival arrival) {
        int length = (int) arrival.length;
        int from = link.slots.slot(arrival.slot) + ControlLayout.SIZE;
        receive.memory.bytes().put((int) receive.localOffset, link.slots.received(), from, length);
        receive.done = length;
        receive.copied = length > 0;
    }

    /** Withdraws an announced message for the peer. */
    void withdraw(long transfer) {
        for (Arrivals[] page : streams) {
            for (int i = 0; page != null && i < PAGE; i++) {
                Arrival arrival = page[i] == null ? null : page[i].remove(transfer);
                if (arrival != null) {
                    announced--;
                    free.push(arrival);
                    link.message(ControlKind.FIN, transfer, -Errno.ECANCELED);
                    return;
                }
            }
        }
    }

    /** Ends all receives. */
    void fail(int errno) {
        for (Arrivals[] page : streams) {
            for (int i = 0; page != null && i < PAGE; i++) {
                if (page[i] != null) {
                    link.transfers.failAll(page[i].receives(), errno);
                }
            }
        }
    }
}
