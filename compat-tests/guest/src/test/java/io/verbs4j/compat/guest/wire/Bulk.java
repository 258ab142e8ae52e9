/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.wire;

import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;

/**
 * Much data over one connection. A round is a WRITE, a SEND and a READ of {@link #SIZE} bytes each, and every byte is
 * checked. The WRITE has arrived once the SEND has. Up to {@link #WINDOW} rounds are outstanding; the responder returns
 * each by an empty SEND.
 */
final class Bulk {
    static final int SIZE = 256 << 10;
    static final int WINDOW = 3;
    private static final int ROUND = 3;
    private static final int BEGIN = End.HALF + 4096;
    private static final int STRIDE = SIZE + 4096;

    private final End end;
    private final int rounds;
    private final byte[] theirs;

    private Bulk(End end, long bytes, byte[] theirs) {
        this.end = end;
        this.rounds = (int) ((bytes + (long) ROUND * SIZE - 1) / ((long) ROUND * SIZE));
        this.theirs = theirs;
    }

    /** {@return the number of bytes moved if this many are requested} */
    static long bytes(long asked) {
        return new Bulk(null, asked, null).rounds * (long) ROUND * SIZE;
    }

    static void run(End end, long bytes, boolean requests, Talk talk) throws java.io.IOException {
        Bulk bulk = new Bulk(end, bytes, End.pattern(requests ? Case.RESPONDER : Case.REQUESTER));
        Throwable trouble = null;
        try {
            for (int k = 0; k < WINDOW; k++) {
                bulk.receive(k, requests);
            }
        } catch (RuntimeException e) {
            trouble = e;
        }
        talk.meet(trouble);
        try {
            if (requests) {
                bulk.request();
            } else {
                bulk.respond();
            }
        } catch (RuntimeException e) {
            trouble = e;
        }
        talk.meet(trouble);
    }

    /** Varies the location of the data of each round. */
    private static int from(int round, int part) {
        return (round * ROUND + part) * 4099 % (End.HALF - SIZE);
    }

    private static int slot(int round, int part) {
        return BEGIN + (round % WINDOW * ROUND + part) * STRIDE;
    }

    private void receive(int round, boolean requests) {
        if (requests) {
            end.receive(round);
        } else {
            end.blank(slot(round, 0), SIZE);
            end.blank(slot(round, 1), SIZE);
            end.receive(round, end.list(slot(round, 1), SIZE, false));
        }
    }

    private void request() {
        int begun = 0;
        int givenBack = 0;
        int read = 0;
        while (givenBack < rounds || read < rounds) {
            while (begun < rounds && begun < Math.min(givenBack, read) + WINDOW) {
                begin(begun++);
            }
            WorkCompletion wc = end.next(WcStatus.SUCCESS);
            if (wc.opcode() == WcOpcode.RECV) {
                givenBack++;
                end.receive(wc.wrId());
            } else if (wc.opcode() == WcOpcode.RDMA_READ) {
                if (wc.wrId() != read) {
                    throw new IllegalStateException("round " + wc.wrId() + " came before " + read);
                }
                end.holds(slot(read, 2), SIZE, theirs, from(read, 2));
                read++;
            }
        }
    }

    private void begin(int round) {
        end.blank(slot(round, 2), SIZE);
        var read =
                end.to(from(round, 2), end.request(WrOpcode.RDMA_READ, round, end.list(slot(round, 2), SIZE, false)));
        var send = end.request(WrOpcode.SEND, round, end.list(from(round, 1), SIZE, false))
                .sendFlags(0)
                .next(read);
        end.post(end.to(slot(round, 0), end.request(WrOpcode.RDMA_WRITE, round, end.list(from(round, 0), SIZE, false)))
                .sendFlags(0)
                .next(send));
    }

    /**
     * Waits until the returned rounds are acknowledged: an acknowledgement for a closed queue pair would count as a
     * refusal.
     */
    private void respond() {
        int round = 0;
        for (int acknowledged = 0; acknowledged < rounds; ) {
            WorkCompletion wc = end.next(WcStatus.SUCCESS);
            if (wc.opcode() != WcOpcode.RECV) {
                acknowledged++;
                continue;
            }
            end.holds(slot(round, 0), SIZE, theirs, from(round, 0));
            end.holds(slot(round, 1), SIZE, theirs, from(round, 1));
            if (round + WINDOW < rounds) {
                receive(round + WINDOW, false);
            }
            end.post(end.request(WrOpcode.SEND, round));
            round++;
        }
    }
}
