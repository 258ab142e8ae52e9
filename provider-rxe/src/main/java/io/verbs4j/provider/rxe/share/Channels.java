/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Gid;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * The channels of an address. Anyone can request a connection from any address of this machine, so a channel that leads
 * nowhere is dropped after a while, or earlier when many channels need room. Thread-safe.
 */
final class Channels {
    /** Maximum number of channels. Further destinations get no ring; their packets use the socket. */
    static final int MOST = 4096;

    /** Nanoseconds after which an unused channel is dropped. */
    static final long UNUSED = 10_000_000_000L;

    private final OneCopy owner;
    private volatile Channel[] all = {};

    /** Hash table of the channels with linear probing. Its length is a power of two. */
    private volatile Channel[] table = {null};

    private boolean closed;

    Channels(OneCopy owner) {
        this.owner = owner;
    }

    Channel[] all() {
        return all;
    }

    /** Returns the channel to an address, or null. */
    Channel find(long high, long low) {
        Channel[] now = table;
        int at = hash(high, low);
        for (Channel c = now[at & now.length - 1]; c != null; c = now[++at & now.length - 1]) {
            if (c.to().interfaceId() == low && c.to().subnetPrefix() == high) {
                return c;
            }
        }
        return null;
    }

    private static int hash(long high, long low) {
        return (int) ((high * 31 + low) * 0x9e37_79b9_7f4a_7c15L >>> 40);
    }

    /** Builds a table of all channels that is at most half full. */
    private static Channel[] table(Channel[] all) {
        Channel[] made = new Channel[Integer.highestOneBit(all.length + 1) << 2];
        for (Channel c : all) {
            insert(c, made);
        }
        return made;
    }

    private static void insert(Channel c, Channel[] into) {
        int at = hash(c.to().subnetPrefix(), c.to().interfaceId());
        while (into[at & into.length - 1] != null) {
            at++;
        }
        into[at & into.length - 1] = c;
    }

    private void replace(Channel[] by) {
        all = by;
        table = table(by);
    }

    /**
     * Returns the channel to an address and creates it if necessary; null if the address does not belong to this
     * machine.
     */
    Channel reach(Gid to) {
        Channel channel = find(to.subnetPrefix(), to.interfaceId());
        if (channel == null && isOfThisMachine(to)) {
            channel = add(to);
        }
        if (channel != null) {
            channel.wanted();
        }
        return channel;
    }

    private synchronized Channel add(Gid to) {
        Channel channel = find(to.subnetPrefix(), to.interfaceId());
        if (channel == null && !closed && (all.length < MOST || makeRoom())) {
            channel = new Channel(owner, to);
            Channel[] more = Arrays.copyOf(all, all.length + 1);
            more[all.length] = channel;
            all = more;
            if (2 * more.length > table.length) {
                table = table(more);
            } else {
                insert(channel, table); // threads that do not see it yet call reach, which searches under the lock
            }
        }
        return channel;
    }

    /**
     * Drops the channels that have been unused for at least half as long as the longest unused one. Returns false if
     * all channels have peers. The caller holds the lock.
     */
    private boolean makeRoom() {
        long now = System.nanoTime();
        long longest = -1;
        for (Channel c : all) {
            longest = Math.max(longest, c.unusedFor(now));
        }
        if (longest < 0) {
            return false;
        }
        Set<Channel> unused = new HashSet<>();
        for (Channel c : all) {
            if (c.unusedFor(now) >= longest / 2) {
                unused.add(c);
            }
        }
        drop(unused);
        return !unused.isEmpty();
    }

    private synchronized void drop(Set<Channel> unused) {
        replace(Arrays.stream(all).filter(c -> !unused.contains(c)).toArray(Channel[]::new));
        unused.forEach(Channel::dropped); // last, because threads that see it look for another channel
    }

    private static boolean isOfThisMachine(Gid to) {
        if (to.isMulticast()) {
            return false;
        }
        InetAddress address = to.toInetAddress();
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /** Frees what is held for receivers that are gone, and drops unused channels; call it periodically. */
    void lookAfter(long now) {
        Set<Channel> unused = new HashSet<>();
        for (Channel c : all) {
            c.lookAfter(now);
            if (c.unusedFor(now) > UNUSED) {
                unused.add(c);
            }
        }
        if (!unused.isEmpty()) {
            drop(unused);
        }
    }

    /** Closes all channels; no more can be added. */
    void close() {
        Channel[] last;
        synchronized (this) {
            closed = true;
            last = all;
            replace(new Channel[0]);
        }
        for (Channel c : last) {
            c.close();
        }
    }
}
