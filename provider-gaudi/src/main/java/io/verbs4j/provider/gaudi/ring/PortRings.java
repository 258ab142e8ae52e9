/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.rdmacore.memory.KeyTable;

/**
 * What completions of a port need: its queue pairs by their numbers on the wire, and its doorbells. Lookup takes no
 * lock and allocates nothing.
 */
public final class PortRings {
    /** What handling a completion needs to know of its queue pair. */
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
    private volatile DoorbellFifo fifo; // null until it is set

    /** Creates an empty table. */
    public PortRings() {}

    /** Sets the FIFO by which the queue pairs ring. */
    public void ringBy(DoorbellFifo doorbells) {
        fifo = doorbells;
    }

    /** Rings waiting doorbells if there is room. */
    void settle() {
        DoorbellFifo f = fifo;
        if (f != null) {
            f.settle();
        }
    }

    /** Returns the queue pair with a number, or null. If the device has reused the number, returns the newest. */
    SendRing find(int qpNum) {
        Entry e = table.find(qpNum);
        return e == null ? null : e.sends;
    }

    /** Adds a queue pair. */
    public void add(int qpNum, SendRing sends) {
        table.add(new Entry(qpNum, sends, null));
    }

    /** Removes a queue pair, but not a newer one with the same number. */
    public void remove(int qpNum, SendRing sends) {
        table.remove(qpNum, sends);
    }
}
