/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.tools.base.ToolException;

/**
 * Keeps as many messages in flight as fit. The server has a receive for each slot, and now and then sends a message
 * that reports its progress (a credit), so that the client never sends a message that finds no receive. The number of a
 * message is sent as immediate data: a service that loses messages leaves gaps. If messages come in any order, a credit
 * reports up to which number none is missing.
 */
final class SendBandwidth implements Test {
    private static final long CREDIT = 1L << 40;

    private final Side side;
    private final Step step;

    // The client's.
    private final Places outgoing;
    private long sent;
    private long credited;

    // The server's.
    private long received;
    private long next;
    private long lastCredit;
    private final Places credits = new Places(Layout.CREDITS);
    private final Arrivals arrivals;

    SendBandwidth(Side side) {
        this.side = side;
        this.step = side.step;
        outgoing = new Places(step.depth());
        arrivals = new Arrivals(step.slots());
    }

    @Override
    public long client(Meter meter) {
        for (int i = 0; i < Layout.CREDITS; i++) {
            postCreditRecv(i);
        }
        while (meter.wantsMore() || outgoing.taken() > 0) {
            while (meter.wantsMore() && outgoing.any() && sent - credited < step.slots()) {
                int place = outgoing.take();
                int offset = Layout.out(step, place);
                side.fill(offset, true, sent);
                side.postMessage(WrOpcode.SEND_WITH_IMM, place, offset, step.size(), sent);
                meter.posted();
                sent++;
            }
            boolean mayWaitForEver = side.reliable() || outgoing.taken() > 0;
            int n = mayWaitForEver ? side.awaitOwn() : side.awaitFor(Side.LOSS_NANOS);
            if (n == 0) {
                if (side.control.hasLine()) {
                    side.awaitOwn();
                }
                credited = sent; // the messages that would have caused a credit, or the credit itself, are lost
            }
            for (int i = 0; i < n; i++) {
                completedAtClient(side.completions().get(i), meter);
            }
        }
        return sent;
    }

    private void completedAtClient(WorkCompletion wc, Meter meter) {
        if ((wc.wrId() & CREDIT) == 0) {
            outgoing.giveBack((int) wc.wrId());
            meter.completed();
            return;
        }
        int slot = (int) (wc.wrId() & ~CREDIT);
        long told =
                side.buffer.getLong(Layout.creditIn(step, slot) + step.service().headroom());
        credited = Math.max(credited, told);
        postCreditRecv(slot);
    }

    private void postCreditRecv(int slot) {
        side.endpoint.postRecv(
                CREDIT | slot,
                Layout.creditIn(step, slot),
                Layout.CREDIT_LENGTH + step.service().headroom());
    }

    @Override
    public void prepareServer() {
        for (int i = 0; i < step.slots(); i++) {
            side.postRecv(i);
        }
    }

    @Override
    public long server() {
        while (!side.control.hasLine()) {
            completedAtServer(side.await());
        }
        long expected = Control.number(side.control.receive("stop"), "sent");
        while (received < expected || credits.taken() > 0) {
            int n = side.awaitFor(side.reliable() ? side.timeoutNanos : Side.LOSS_NANOS);
            if (n == 0 && (side.reliable() || credits.taken() > 0)) {
                throw ToolException.failed("only " + received + " of " + expected + " messages arrived");
            }
            if (n == 0) {
                break; // the rest is lost
            }
            completedAtServer(n);
        }
        return received;
    }

    private void completedAtServer(int n) {
        for (int i = 0; i < n; i++) {
            WorkCompletion wc = side.completions().get(i);
            if ((wc.wrId() & CREDIT) != 0) {
                credits.giveBack((int) (wc.wrId() & ~CREDIT));
            } else {
                arrived(wc);
            }
        }
        if (next - lastCredit >= step.slots() / 2 && credits.any()) {
            credit();
        }
    }

    private void arrived(WorkCompletion wc) {
        int gap = wc.immData() - (int) next;
        if (gap != 0 && side.reliable() && step.service().keepsOrder()) {
            throw ToolException.failed("message " + (next + gap) + " arrived where " + next + " was expected");
        }
        long sequence = next + gap; // a datagram that was overtaken or duplicated has a negative gap
        int length = wc.byteLen() - step.service().headroom();
        if (length != step.size()) {
            throw ToolException.failed("message " + sequence + " has " + length + " bytes instead of " + step.size());
        }
        side.verify(Layout.in(step, wc.wrId()) + step.service().headroom(), true, sequence);
        received++;
        if (side.reliable()) {
            arrivals.note(sequence);
            next = arrivals.next();
        } else {
            next = Math.max(next, sequence + 1);
        }
        side.postRecv(wc.wrId());
    }

    /**
     * Sends a credit. Credits are at least half the slots apart, so that one in flight can't be overtaken by all
     * others.
     */
    private void credit() {
        int place = credits.take();
        int offset = Layout.creditOut(step, place);
        side.buffer.putLong(offset, next);
        side.postMessage(WrOpcode.SEND_WITH_IMM, CREDIT | place, offset, Layout.CREDIT_LENGTH, next);
        lastCredit = next;
    }
}
