/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * The key that a queue pair's messages used last. The next message usually uses it again and saves the lookup. The key
 * may have ended meanwhile; pinning it then fails. Guarded by whatever guards the messages.
 *
 * <p>{@link MemoryKeys#use} does not pin a {@linkplain MemoryKey#isSteady steady} key, which would cost two atomic
 * operations. Instead the user announces its use here, and the thread that ends a key checks all possible users:
 *
 * <pre>
 *   user                                    thread that ends the key
 *   inUse = key                             key.pins |= REVOKED
 *   fence                                   fence
 *   key.pins &lt; 0 ? leave it : touch it      while (inUse == key) wait
 *   inUse = null
 * </pre>
 */
public final class LastKey {
    // A field updater, as for pins: it loads fewer classes than a VarHandle before the first message.
    private static final AtomicReferenceFieldUpdater<LastKey, MemoryKey> IN_USE =
            AtomicReferenceFieldUpdater.newUpdater(LastKey.class, MemoryKey.class, "inUse");

    MemoryKey key;

    /** The key in use without being counted. Read by threads that end keys. */
    private volatile MemoryKey inUse;

    /** The keys that this is registered with as a user, or null. */
    private MemoryKeys of;

    /**
     * Returns whether two keys that {@link MemoryKeys#use} returned to two users may be touched, because neither has
     * ended. The answer holds until the users call {@link #end}.
     */
    public static boolean mayTouch(MemoryKey one, MemoryKey other) {
        VarHandle.fullFence();
        return !one.isRevoked() && !other.isRevoked();
    }

    /** Starts to use a key without counting it. */
    void begin(MemoryKey steady) {
        IN_USE.lazySet(this, steady);
    }

    /** Ends the use of a key that {@link MemoryKeys#use} returned. */
    public void end(MemoryKey used) {
        if (inUse == used) {
            IN_USE.lazySet(this, null);
        } else {
            used.unpin();
        }
    }

    /** {@return whether this key is in use without being counted} */
    boolean uses(MemoryKey ended) {
        return inUse == ended;
    }

    /** Remembers a pinned key, or null for none. */
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

    /** Forgets the key. */
    public void clear() {
        key = null;
        if (of != null) {
            of.removeUser(this);
            of = null;
        }
    }
}
