/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.rdmacore.memory.KeyTable;
import io.verbs4j.rdmacore.object.IbvCq;

/** The queue pairs of a context that libefa posts to, by number. Lookup takes no lock and allocates nothing. */
final class EfaQps {
    private static final class Entry extends KeyTable.Entry<Entry> {
        private final EfaQp qp;

        private Entry(EfaQp qp, Entry next) {
            super(qp.qpNum(), qp, next);
            this.qp = qp;
        }

        @Override
        protected Entry before(Entry other) {
            return new Entry(qp, other);
        }
    }

    private final KeyTable<Entry> table = new KeyTable<>();

    void add(EfaQp qp) {
        table.add(new Entry(qp, null));
    }

    void remove(EfaQp qp) {
        table.remove(qp.qpNum(), qp);
    }

    /** Forwards a completion that libefa has returned to its queue pair; see {@link IbvCq}. */
    void taken(IbvCq from, int qpNum, boolean perhapsUnsolicited) {
        Entry entry = table.find(qpNum);
        if (entry != null) {
            entry.qp.taken(from, perhapsUnsolicited);
        }
    }
}
