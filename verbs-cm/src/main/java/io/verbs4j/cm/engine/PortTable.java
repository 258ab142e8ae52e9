/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The ports that ends are bound to. Guarded by the engine. */
final class PortTable {
    private static final int FIRST_FREE = 32768;
    private static final int LAST_FREE = 60999;

    private final Map<Long, List<Endpoint>> bound = new HashMap<>();
    private final Random random;

    PortTable(Random random) {
        this.random = random;
    }

    /** Binds an end whose address is set. Returns the port. */
    int bind(String verb, Endpoint end, int port) {
        int chosen = port == 0 ? free(verb, end) : port;
        if (port != 0 && !fits(end, port, false)) {
            throw new VerbsException(
                    Errno.EADDRINUSE, verb, "port " + port + " is used by another id; choose another one, or 0");
        }
        bound.computeIfAbsent(key(end, chosen), k -> new ArrayList<>()).add(end);
        return chosen;
    }

    private int free(String verb, Endpoint end) {
        int span = LAST_FREE - FIRST_FREE + 1;
        int first = random.nextInt(span);
        for (int i = 0; i < span; i++) {
            int port = FIRST_FREE + (first + i) % span;
            if (!bound.containsKey(key(end, port))) {
                return port;
            }
        }
        throw new VerbsException(Errno.EADDRNOTAVAIL, verb, "all ports are in use; close some ids");
    }

    /**
     * Returns whether an end may bind to a port, or may listen on the port that it has. Ends at overlapping addresses
     * share a port only if both have REUSEADDR and the other one does not listen.
     */
    boolean fits(Endpoint end, int port, boolean toListen) {
        for (Endpoint other : bound.getOrDefault(key(end, port), List.of())) {
            boolean shared =
                    other.options.reusesAddress() && end.options.reusesAddress() && !toListen && !other.isListening();
            boolean bothReuse = other.options.reusesAddress() && end.options.reusesAddress();
            if (other != end && overlaps(other, end) && !shared && !(toListen && bothReuse && !other.isListening())) {
                return false;
            }
        }
        return true;
    }

    private static boolean overlaps(Endpoint a, Endpoint b) {
        return a.localGid == null || b.localGid == null || a.localGid.equals(b.localGid);
    }

    /** Returns the listener of a port at an address, or null. */
    Endpoint listener(int portSpace, int port, Gid address) {
        Endpoint found = null;
        for (Endpoint end : bound.getOrDefault(key(portSpace, port), List.of())) {
            if (end.isListening()) {
                if (address.equals(end.localGid)) {
                    return end;
                }
                if (end.localGid == null && end.takesFamily(address.isIpv4Mapped())) {
                    found = end;
                }
            }
        }
        return found;
    }

    /** Returns whether an end listens on a port at any address. */
    boolean isListenedOn(int portSpace, int port) {
        return bound.getOrDefault(key(portSpace, port), List.of()).stream().anyMatch(Endpoint::isListening);
    }

    void release(Endpoint end) {
        long key = key(end, end.localPort);
        List<Endpoint> there = bound.get(key);
        if (there != null && there.remove(end) && there.isEmpty()) {
            bound.remove(key);
        }
    }

    int size() {
        return bound.size();
    }

    private static long key(Endpoint end, int port) {
        return key(end.portSpace(), port);
    }

    private static long key(int portSpace, int port) {
        return ServiceId.of(portSpace, port);
    }
}
