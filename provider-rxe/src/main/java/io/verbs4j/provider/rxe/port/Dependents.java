/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Objects on the contexts of a port that the library does not know about: ids of the connection manager. A context
 * can't be closed while it has any. Thread-safe. Callers may hold locks; none is held while objects are asked for their
 * names.
 */
public final class Dependents {
    private static final int MOST_NAMED = 4;

    /** Objects by open context. */
    private final Map<Context, Set<Object>> open = new HashMap<>();

    /** Adds an open context. */
    public synchronized void open(Context context) {
        open.put(context, new LinkedHashSet<>());
    }

    /** Adds an object that was opened on a context. */
    public synchronized void add(String verb, Context context, Object dependent) {
        Set<Object> present = open.get(context);
        if (present == null) {
            throw new VerbsException(Errno.EINVAL, verb, context + " is closed; open the device again");
        }
        present.add(dependent);
    }

    /** Removes an object that was closed. */
    public synchronized void remove(Context context, Object dependent) {
        Set<Object> present = open.get(context);
        if (present != null) {
            present.remove(dependent);
        }
    }

    /** Closes a context, or throws EBUSY and leaves it open. */
    public void close(String verb, Context context) {
        List<Object> left;
        synchronized (this) {
            left = List.copyOf(open.getOrDefault(context, Set.of()));
            if (left.isEmpty()) {
                open.remove(context);
                return;
            }
        }
        StringBuilder names = new StringBuilder();
        for (Object one : left.subList(0, Math.min(MOST_NAMED, left.size()))) {
            names.append(names.length() == 0 ? "" : ", ").append(one);
        }
        throw new VerbsException(
                Errno.EBUSY,
                verb,
                context + " still has " + left.size() + (left.size() == 1 ? " id" : " ids")
                        + " of the connection manager (" + names + (left.size() > MOST_NAMED ? ", ..." : "")
                        + "); close them first");
    }
}
