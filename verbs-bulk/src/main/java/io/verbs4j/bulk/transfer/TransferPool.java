/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import java.util.Arrays;

/** Reusable transfers. Grows to the maximum number that was ever in flight. */
final class TransferPool {
    private static final int FIRST_ROOM = 64;

    private Transfer[] all = new Transfer[FIRST_ROOM];
    private Transfer[] free = new Transfer[FIRST_ROOM];
    private int made;
    private int freeCount;

    Transfer take() {
        if (freeCount > 0) {
            return free[--freeCount];
        }
        if (made == all.length) {
            all = Arrays.copyOf(all, made * 2);
            free = new Transfer[made * 2];
        }
        Transfer transfer = new Transfer(made);
        all[made++] = transfer;
        return transfer;
    }

    void give(Transfer transfer) {
        transfer.clear();
        free[freeCount++] = transfer;
    }

    /** Returns the ring's transfer in flight that a peer names by an id, or null. */
    Transfer find(long id) {
        int slot = Transfer.slotOf(id);
        if (slot < 0 || slot >= made) {
            return null;
        }
        Transfer transfer = all[slot];
        return transfer.ring != null && transfer.generation == Transfer.generationOf(id) ? transfer : null;
    }

    /** Returns the transfer with an id, even one requested by a peer or not in flight; or null. */
    Transfer findAny(long id) {
        int slot = Transfer.slotOf(id);
        boolean there = slot >= 0 && slot < made && all[slot].generation == Transfer.generationOf(id);
        return there ? all[slot] : null;
    }

    /** Returns a ring's transfer in flight with this user data, other than {@code except}; or null. */
    Transfer find(Submitter ring, long userData, Transfer except) {
        for (int i = 0; i < made; i++) {
            Transfer transfer = all[i];
            if (transfer.ring == ring && transfer.userData == userData && transfer != except) {
                return transfer;
            }
        }
        return null;
    }
}
