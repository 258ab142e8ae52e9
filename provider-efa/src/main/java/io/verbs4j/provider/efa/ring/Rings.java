/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import io.verbs4j.rdmacore.memory.KeyTable;

/** The queue pairs of a context by number, for completions. Lookup takes no lock and allocates nothing. */
public final class Rings {
    /** What handling a completion needs to know of its queue pair. */
    static final class Entry extends KeyTable.Entry<Entry> {
        final SendRing sends;
        final ReceiveRing receives;

        private Entry(int qpNum, Object qp, SendRing sends, ReceiveRing receives, Entry next) {
            super(qpNum, qp, next);
            this.sends = sends;
            this.receives = receives;
        }

        @Override
        protected Entry before(Entry other) {
            return new Entry(key(), owner(), sends, receives, other);
        }
    }

    private final KeyTable<Entry> table = new KeyTable<>();

    /** Creates an empty table. */
    public Rings() {}

    /** Returns the queue pair with a number, or null. If the device has reused the number, returns the newest. */
    Entry find(int qpNum) {
        return table.find(qpNum);
    }

    /** Adds a queue pair. */
    public void add(int qpNum, Object qp, SendRing sends, ReceiveRing receives) {
        table.add(new Entry(qpNum, qp, sends, receives, null));
    }

    /** Removes a queue pair, but not a newer one with the same number. */
    public void remove(int qpNum, Object qp) {
        table.remove(qpNum, qp);
    }
}
