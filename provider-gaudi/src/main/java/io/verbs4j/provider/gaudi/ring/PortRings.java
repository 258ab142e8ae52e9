/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.rdmacore.memory.KeyTable;

/** What completions of a port need: its queue pairs by their numbers on the wire, and its doorbells. Looking up takes no lock and allocates nothing. */
public final class PortRings {
    /** What a completion of a queue pair needs of it. */
    static final class Entry extends KeyTable.Entry<Entry> {
        final SendRing sends;

        private Entry(int qpNum, SendRing sends, Entry next) {
            super(qpNum, sends, next);
            this.sends = sends;
        }

        @Override
        protected Entry before(Entry other) {
            return new Entry(key(), sends, other);
        }
    }

    private final KeyTable<Entry> table = new KeyTable<>();
    private volatile DoorbellFifo fifo; // null before there is one

    /** None. */
    public PortRings() {}

    /** Its queue pairs ring by this FIFO. */
    public void ringBy(DoorbellFifo doorbells) {
        fifo = doorbells;
    }

    /** Rings what found no room, if there is some now. */
    void settle() {
        DoorbellFifo f = fifo;
        if (f != null) {
            f.settle();
        }
    }

    /** The queue pair of a number, the newest where the device gave it out anew; or null. */
    SendRing find(int qpNum) {
        Entry e = table.find(qpNum);
        return e == null ? null : e.sends;
    }

    /** Adds a queue pair. */
    public void add(int qpNum, SendRing sends) {
        table.add(new Entry(qpNum, sends, null));
    }

    /** Removes a queue pair; one that has got its number meanwhile stays. */
    public void remove(int qpNum, SendRing sends) {
        table.remove(qpNum, sends);
    }
}
