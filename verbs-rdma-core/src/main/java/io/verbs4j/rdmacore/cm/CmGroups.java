/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm;

import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Librdmacm;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/** The groups that an id has joined. librdmacm gets a number, from 1, in place of the program's object. */
final class CmGroups {
    private final Map<InetAddress, Long> tokens = new HashMap<>();
    private final Map<Long, Object> contexts = new HashMap<>();
    private long last;

    synchronized void join(String verb, long id, InetAddress group, Object context) {
        long token = ++last;
        contexts.put(token, context);
        boolean done = false;
        try (Scratch c = new Scratch(SockAddrs.SIZE)) {
            SockAddrs.write(c.address(), group, 0);
            CmErrors.check(verb, Librdmacm.rdma_join_multicast(id, c.address(), token));
            tokens.put(group, token);
            done = true;
        } finally {
            if (!done) {
                contexts.remove(token);
            }
        }
    }

    /** Leaves a group. Waits, without a lock, until the group's events are acknowledged. */
    void leave(String verb, long id, InetAddress group) {
        synchronized (this) {
            Long token = tokens.remove(group);
            if (token == null) {
                return;
            }
            contexts.remove(token);
        }
        try (Scratch c = new Scratch(SockAddrs.SIZE)) {
            SockAddrs.write(c.address(), group, 0);
            CmErrors.check(verb, Librdmacm.rdma_leave_multicast(id, c.address()));
        }
    }

    /** {@return the object that the group was joined with; null for 0 and for a group that was left} */
    synchronized Object context(long token) {
        return contexts.get(token);
    }
}
