/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.rdmacore.memory.Pin;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Counts objects of this provider that the library does not know. Their owner cannot be closed while there are any, or
 * while it is used. Thread-safe.
 */
public final class Children {
    private final String owner;
    private final Pin pin = new Pin();
    private final Map<String, Integer> counts = new TreeMap<>();

    /** Creates an empty count. */
    public Children(String owner) {
        this.owner = owner;
    }

    /**
     * Calls a function that needs the owner open.
     *
     * @throws VerbsException {@link Errno#EINVAL} if the owner is closed
     */
    public <T> T use(String verb, Supplier<T> body) {
        if (!pin.enter()) {
            throw new VerbsException(Errno.EINVAL, verb, owner + " is closed; open it again");
        }
        try {
            return body.get();
        } finally {
            pin.leave();
        }
    }

    /** As {@link #use}, and counts the created object. */
    public <T> T make(String verb, String kind, Supplier<T> body) {
        return use(verb, () -> {
            T made = body.get();
            count(kind, 1);
            return made;
        });
    }

    /**
     * Destroys an object and removes it from the count; until then it keeps the owner open. If the body throws, the
     * object still counts.
     */
    public void unmake(String kind, Runnable body) {
        body.run();
        count(kind, -1);
    }

    private void count(String kind, int change) {
        synchronized (counts) {
            counts.merge(kind, change, (a, b) -> a + b == 0 ? null : a + b);
        }
    }

    /**
     * Closes the owner.
     *
     * @throws VerbsException {@link Errno#EBUSY} if there are children; the owner then stays open
     */
    public void closeFor(String verb, Runnable body) {
        requireNone(verb); // otherwise others might see it closed briefly
        pin.closeFor(() -> {
            requireNone(verb);
            body.run();
        });
    }

    private void requireNone(String verb) {
        synchronized (counts) {
            if (!counts.isEmpty()) {
                throw new VerbsException(Errno.EBUSY, verb, owner + " still has " + counts + "; close these first");
            }
        }
    }
}
