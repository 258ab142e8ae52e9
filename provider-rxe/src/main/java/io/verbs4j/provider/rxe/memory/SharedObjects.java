/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.random.KernelRandom;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What contexts share that were imported from one another: their objects by the numbers that programs pass on. Objects get a number
 * when a program asks for one, and the whole a token when a program makes a descriptor. Ends with the last of the contexts.
 */
public final class SharedObjects {
    /** Those that have a token, of all devices of this process. */
    private static final Map<Long, SharedObjects> BY_TOKEN = new ConcurrentHashMap<>();

    private static final Random RANDOM = new KernelRandom();

    private final Object device;
    private final Map<Integer, Object> objects = new HashMap<>();
    private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();

    /** How many handles other contexts have of a domain. */
    private final IdentityHashMap<ProtectionDomain, Integer> imports = new IdentityHashMap<>();

    private int contexts = 1;
    private int last;
    private long token;

    /** Of a context that was not imported. */
    public SharedObjects(Object device) {
        this.device = device;
    }

    /** Those of a token, for one more context; null where there are none of that device. */
    public static SharedObjects join(long token, Object device) {
        SharedObjects found = BY_TOKEN.get(token);
        return found != null && found.device == device && found.enter() ? found : null;
    }

    private synchronized boolean enter() {
        if (contexts == 0) {
            return false;
        }
        contexts++;
        return true;
    }

    /** A context closes. */
    public synchronized void leave() {
        contexts--;
        if (contexts == 0 && token != 0) {
            BY_TOKEN.remove(token);
        }
    }

    /** A number that nobody can guess, not 0. */
    public synchronized long token() {
        while (token == 0) {
            long candidate = RANDOM.nextLong() >>> 1;
            if (candidate != 0 && BY_TOKEN.putIfAbsent(candidate, this) == null) {
                token = candidate;
            }
        }
        return token;
    }

    /** The number of an object, from 1. */
    public synchronized int number(Object object) {
        Integer number = numbers.get(object);
        if (number == null) {
            number = ++last;
            numbers.put(object, number);
            objects.put(number, object);
        }
        return number;
    }

    /** The object of a number. */
    public synchronized <T> T find(String verb, int number, Class<T> type, String what) {
        Object found = objects.get(number);
        if (!type.isInstance(found)) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "handle " + number + " is not that of a " + what
                            + " of a context that shares a descriptor with this one; pass what exportHandle() returned");
        }
        return type.cast(found);
    }

    /** An object has ended. */
    public synchronized void remove(Object object) {
        Integer number = numbers.remove(object);
        if (number != null) {
            objects.remove(number);
        }
    }

    /** Counts a handle of a domain that another context is to have, until {@link #release}. */
    public synchronized ProtectionDomain importDomain(String verb, int number) {
        ProtectionDomain pd = find(verb, number, ProtectionDomain.class, "protection domain");
        imports.merge(pd, 1, Integer::sum);
        return pd;
    }

    /** A handle less. */
    public synchronized void release(ProtectionDomain pd) {
        imports.computeIfPresent(Domains.root(pd), (domain, count) -> count == 1 ? null : count - 1);
    }

    /** A domain ends; throws where other contexts have handles of it. */
    public synchronized void end(ProtectionDomain pd) {
        Integer handles = imports.get(pd);
        if (handles != null) {
            throw new VerbsException(
                    Errno.EBUSY,
                    "dealloc_pd",
                    "the domain is imported " + handles + " time(s) in other contexts; close those handles first");
        }
        remove(pd);
    }
}
