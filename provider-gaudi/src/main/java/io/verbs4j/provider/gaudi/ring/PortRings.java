/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.rdmacore.memory.KeyTable;

/** The queue pairs of a port by their numbers on the wire, for completions. Looking up takes no lock and allocates nothing. */
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

    /** None. */
    public PortRings() {}

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
