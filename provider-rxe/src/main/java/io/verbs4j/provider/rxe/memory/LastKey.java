/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * The key that a queue pair's messages used last: the next one mostly uses it again and need not look for it. It may have ended meanwhile,
 * which who pins it learns. Guarded by what guards the messages.
 *
 * <p>{@link MemoryKeys#use} does not count who uses a {@linkplain MemoryKey#isSteady steady} key, which two atomic operations are needed for: the
 * user says here that it does, and who ends a key looks at all who may say so:
 *
 * <pre>
 *   user                                    who ends the key
 *   inUse = key                             key.pins |= REVOKED
 *   fence                                   fence
 *   key.pins &lt; 0 ? leave it : touch it      while (inUse == key) wait
 *   inUse = null
 * </pre>
 */
public final class LastKey {
    // An updater, as for pins: it loads less than a VarHandle until the first message.
    private static final AtomicReferenceFieldUpdater<LastKey, MemoryKey> IN_USE =
            AtomicReferenceFieldUpdater.newUpdater(LastKey.class, MemoryKey.class, "inUse");

    MemoryKey key;

    /** What is used and not counted. Read by those who end keys. */
    private volatile MemoryKey inUse;

    /** Among whose users this one is, or null. */
    private MemoryKeys of;

    /**
     * Whether two keys may be touched that {@link MemoryKeys#use} has answered, each to its user: neither has ended. It ends when both are {@link #end
     * left}.
     */
    public static boolean mayTouch(MemoryKey one, MemoryKey other) {
        VarHandle.fullFence();
        return !one.isRevoked() && !other.isRevoked();
    }

    /** Uses a key without counting it. */
    void begin(MemoryKey steady) {
        IN_USE.lazySet(this, steady);
    }

    /** Ends the use of a key that {@link MemoryKeys#use} has answered. */
    public void end(MemoryKey used) {
        if (inUse == used) {
            IN_USE.lazySet(this, null);
        } else {
            used.unpin();
        }
    }

    /** Whether a key is used and not counted. */
    boolean uses(MemoryKey ended) {
        return inUse == ended;
    }

    /** Remembers a key that is pinned, or that there is none. */
    void remember(MemoryKey pinned, MemoryKeys keys) {
        key = pinned;
        if (pinned != null && pinned.isSteady()) {
            pinned.noteRemembered();
            if (of == null) {
                of = keys;
                keys.addUser(this);
            }
        }
    }

    /** Forgets it. */
    public void clear() {
        key = null;
        if (of != null) {
            of.removeUser(this);
            of = null;
        }
    }
}
