/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.ProtectionDomain;
import java.security.SecureRandom;

/**
 * All keys of a device. Keys are 32 random bits, all of them: who has one has learnt nothing about the others.
 */
public final class MemoryKeys {
    private final SecureRandom random = new SecureRandom();
    private final IntTable<MemoryKey> table = new IntTable<>();

    /** Makes a key under a new number. */
    MemoryKey add(ProtectionDomain pd, long addr, long length, int access, MemoryKey parent, boolean mayGoAway) {
        while (true) {
            int number = random.nextInt();
            if (number != 0) { // programs take 0 for "no key"
                MemoryKey key = new MemoryKey(number, pd, addr, length, access, parent, mayGoAway);
                if (table.putIfAbsent(number, key)) {
                    return key;
                }
            }
        }
    }

    /** Ends a key; when this returns nobody touches its memory through it. */
    public void remove(MemoryKey key) {
        table.remove(key.key());
        key.revoke();
    }

    /**
     * Finds a key that lets its holder do something, and pins it.
     *
     * @return the key, to be unpinned; null where there is none that does
     */
    public MemoryKey pin(int number, ProtectionDomain holder, long from, long count, int rights) {
        MemoryKey key = table.get(number);
        return key != null && key.allows(holder, from, count, rights) && key.pin() ? key : null;
    }

    /** How many there are. */
    public int count() {
        return table.size();
    }
}
