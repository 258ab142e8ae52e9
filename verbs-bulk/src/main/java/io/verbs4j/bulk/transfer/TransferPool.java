/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import java.util.Arrays;

/** Transfers that are used again. It grows to as many as were under way at a time. */
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

    /** The transfer under way that a peer calls by an id, or null. */
    Transfer find(long id) {
        int slot = Transfer.slotOf(id);
        if (slot < 0 || slot >= made) {
            return null;
        }
        Transfer transfer = all[slot];
        return transfer.ring != null && transfer.generation == Transfer.generationOf(id) ? transfer : null;
    }

    /** The transfer of an id, which may be one that a peer has asked for, or none that is under way; or null. */
    Transfer findAny(long id) {
        int slot = Transfer.slotOf(id);
        boolean there = slot >= 0 && slot < made && all[slot].generation == Transfer.generationOf(id);
        return there ? all[slot] : null;
    }

    /** The transfer under way of a ring that has some user data, and is not {@code except}; or null. */
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
