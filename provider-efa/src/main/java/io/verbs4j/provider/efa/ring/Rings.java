/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import io.verbs4j.rdmacore.memory.KeyTable;

/** The queue pairs of a context by their numbers, for completions. Looking up takes no lock and allocates nothing. */
public final class Rings {
    /** What a completion of a queue pair needs of it. */
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

    /** None. */
    public Rings() {}

    /** The queue pair of a number, the newest where the device gave it out anew; or null. */
    Entry find(int qpNum) {
        return table.find(qpNum);
    }

    /** Adds a queue pair. */
    public void add(int qpNum, Object qp, SendRing sends, ReceiveRing receives) {
        table.add(new Entry(qpNum, qp, sends, receives, null));
    }

    /** Removes a queue pair; one that has got its number meanwhile stays. */
    public void remove(int qpNum, Object qp) {
        table.remove(qpNum, qp);
    }
}
