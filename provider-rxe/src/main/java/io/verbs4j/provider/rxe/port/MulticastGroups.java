/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.qp.RxeQp;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The multicast groups of a port and the queue pairs attached to each. */
public final class MulticastGroups {
    /** Maximum number of groups. */
    public static final int MAX_GROUPS = 1024;

    /** Maximum number of queue pairs in a group. */
    public static final int MAX_ATTACHED = 256;

    private static final RxeQp[] NONE = {};

    private final Port port;
    private volatile Map<Gid, RxeQp[]> groups = Map.of();

    MulticastGroups(Port port) {
        this.port = port;
    }

    /** Returns the queue pairs attached to a group; must not be modified. */
    public RxeQp[] attached(Gid group) {
        return groups.getOrDefault(group, NONE);
    }

    /** Attaches a queue pair; does nothing if it is already attached. */
    public synchronized void attach(RxeQp qp, Gid group) {
        RxeQp[] old = attached(group);
        for (RxeQp other : old) {
            if (other == qp) {
                return;
            }
        }
        if (old.length == 0 && groups.size() == MAX_GROUPS || old.length == MAX_ATTACHED) {
            throw new VerbsException(
                    Errno.ENOMEM,
                    "attach_mcast",
                    "a port has at most " + MAX_GROUPS + " groups of at most " + MAX_ATTACHED + " queue pairs");
        }
        if (old.length == 0) {
            linkFor(group).joinMulticast(group);
        }
        RxeQp[] more = Arrays.copyOf(old, old.length + 1);
        more[old.length] = qp;
        Map<Gid, RxeQp[]> changed = new HashMap<>(groups);
        changed.put(group, more);
        groups = changed;
    }

    /** Detaches a queue pair. */
    public synchronized void detach(RxeQp qp, Gid group) {
        RxeQp[] old = attached(group);
        RxeQp[] fewer = Arrays.stream(old).filter(q -> q != qp).toArray(RxeQp[]::new);
        if (fewer.length == old.length) {
            throw new VerbsException(
                    Errno.EINVAL, "detach_mcast", "queue pair " + qp.qpNum() + " is not attached to " + group);
        }
        Map<Gid, RxeQp[]> changed = new HashMap<>(groups);
        if (fewer.length == 0) {
            changed.remove(group);
            linkFor(group).leaveMulticast(group);
        } else {
            changed.put(group, fewer);
        }
        groups = changed;
    }

    private Link linkFor(Gid group) {
        for (Gid gid : port.gids()) {
            if (gid.isIpv4Mapped() == group.isIpv4Mapped()) {
                return port.link(gid);
            }
        }
        throw new VerbsException(
                Errno.EINVAL,
                "attach_mcast",
                "the port has no address in the family of group " + group + "; its addresses: " + port.gids());
    }
}
