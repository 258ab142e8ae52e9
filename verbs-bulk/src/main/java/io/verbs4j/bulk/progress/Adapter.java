/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceTraits;
import io.verbs4j.Errno;
import io.verbs4j.PortAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.Resources;
import io.verbs4j.VerbsException;
import io.verbs4j.WcOpcode;
import io.verbs4j.WorkCompletion;
import io.verbs4j.bulk.connect.Connections;
import io.verbs4j.bulk.strategy.Abilities;
import io.verbs4j.bulk.transfer.DeviceCheck;
import io.verbs4j.bulk.transfer.DeviceLoad;
import io.verbs4j.bulk.transfer.Limits;
import io.verbs4j.bulk.transfer.Link;
import io.verbs4j.bulk.transfer.LinkTable;

/** What an endpoint has of one device. */
public final class Adapter implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");
    private static final int BATCH = 64;
    private static final int FIRST_LINKS = 2;

    /** Connections of a device whose completion queues can't grow, if it has so many completions. */
    private static final int FIXED_LINKS = 48;

    private final Context context;
    private final int number;
    private final Limits limits;
    private final DeviceLoad load;
    private final Abilities abilities;
    private final Connections connections;
    private final Resources resources = new Resources();
    private final ProtectionDomain pd;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final WorkCompletion[] completions = new WorkCompletion[BATCH];
    private final int ports;
    private int links;

    /** Those who make queue pairs now. */
    private int users;

    /** What is done when nobody uses the lost device any more; null before it is lost, and afterwards. */
    private Runnable whenUnused;

    private boolean closed;
    private volatile Runnable whenLost = () -> {};

    /**
     * Of a device.
     *
     * @param number which the endpoint has used for no other one
     * @param connections how its queue pairs are connected
     * @param device its index in the endpoint
     */
    public Adapter(
            Context context, int number, Abilities abilities, Connections connections, int device, Limits limits) {
        this.context = context;
        this.number = number;
        this.abilities = abilities;
        this.connections = connections;
        this.limits = limits;
        load = new DeviceLoad(device, limits.deviceWindow());
        ports = context.queryDevice().physPortCnt();
        boolean done = false;
        try {
            pd = resources.add(context.allocPd());
            channel = channel(context, resources);
            cq = resources.add(queue(context, channel, limits.completions()));
            done = true;
        } finally {
            if (!done) {
                resources.close();
            }
        }
        for (int i = 0; i < BATCH; i++) {
            completions[i] = new WorkCompletion();
        }
    }

    /** Rights to register memory with, of some: without those that the device has no operation for. */
    public int access(int wanted) {
        if (abilities.usesDatagrams()) {
            return wanted
                    & ~(abilities.has(Abilities.DATAGRAM_READ) ? 0 : AccessFlags.REMOTE_READ)
                    & ~(abilities.has(Abilities.DATAGRAM_WRITE) ? 0 : AccessFlags.REMOTE_WRITE);
        }
        DeviceAttrEx attr = context.queryDeviceEx();
        boolean known = attr.has(DeviceAttrEx.MR_ACCESS_FLAGS);
        return known && (attr.mrAccessFlags() & AccessFlags.REMOTE_READ) == 0
                ? wanted & ~AccessFlags.REMOTE_READ
                : wanted;
    }

    /** A queue that can grow; where the device has none, one of the size for {@link #FIXED_LINKS}. */
    private static CompletionQueue queue(Context context, CompletionChannel channel, int completions) {
        CompletionQueue first = context.createCq(FIRST_LINKS * completions, null, channel, 0);
        if (canGrow(first)) {
            return first;
        }
        first.close();
        int most = context.queryDevice().maxCqe();
        return context.createCq(Math.min(most, FIXED_LINKS * completions), null, channel, 0);
    }

    private static boolean canGrow(CompletionQueue cq) {
        try {
            cq.resize(cq.cqe());
            return true;
        } catch (VerbsException e) {
            return e.errno() != Errno.EOPNOTSUPP && e.errno() != Errno.ENOSYS;
        }
    }

    /** A channel, or null where the device has no events of completions. Some EFA say so by refusing a queue alone. */
    private static CompletionChannel channel(Context context, Resources resources) {
        if ((context.queryDeviceEx().deviceTraits() & DeviceTraits.NO_COMPLETION_EVENTS) != 0) {
            return null;
        }
        CompletionChannel channel = context.createCompChannel();
        try {
            context.createCq(1, null, channel, 0).close();
            return resources.add(channel);
        } catch (VerbsException e) {
            channel.close();
            if (e.errno() != Errno.EOPNOTSUPP) {
                throw e;
            }
            return null;
        }
    }

    public Context context() {
        return context;
    }

    /** Its index in the endpoint; another device may have the same one when a lost device has left. */
    public int index() {
        return load.device();
    }

    /** What the endpoint tells this device by from others, and from those that were lost. */
    int number() {
        return number;
    }

    /** Whether the device is lost. */
    public boolean isLost() {
        return load.isLost();
    }

    /** Whether the device is lost, as a verb has failed: where it does not answer any more. Any thread may ask. */
    public boolean isLost(int errno) {
        if (!isLost() && DeviceEvents.isOfLostDevice(errno) && isDead()) {
            whenLost.run();
        }
        return isLost();
    }

    /** Sets what runs when the device is found to be lost. Any thread may run it, perhaps more than once. */
    void whenLost(Runnable action) {
        whenLost = action;
    }

    /** Whether the device does not answer any more: not even how its port is. */
    boolean isDead() {
        try {
            PortAttr unused = context.queryPort(1);
            return false;
        } catch (VerbsException e) {
            return DeviceEvents.isOfLostDevice(e.errno());
        }
    }

    public ProtectionDomain pd() {
        return pd;
    }

    /** How many ports the device has. */
    int ports() {
        return ports;
    }

    Abilities abilities() {
        return abilities;
    }

    /** How its queue pairs are connected. */
    public Connections connections() {
        return connections;
    }

    /** The channel of completion events, or null where the device has none. */
    CompletionChannel channel() {
        return channel;
    }

    /** Requests an event for the next completion, if there is a channel. */
    void arm(DeviceCheck check) {
        if (channel == null || isLost()) {
            return;
        }
        try {
            cq.reqNotify(false);
        } catch (VerbsException e) {
            if (!check.isLost(load, e.errno())) {
                throw e;
            }
        }
    }

    CompletionQueue cq() {
        return cq;
    }

    DeviceLoad load() {
        return load;
    }

    /** Makes room for the completions of one more connection: a queue that overruns fails all of them. */
    synchronized void reserve() {
        int needed = (links + 1) * limits.completions();
        if (needed > cq.cqe()) {
            grow(needed);
        }
        links++;
    }

    private void grow(int needed) {
        try {
            cq.resize(Math.max(needed, 2 * cq.cqe()));
        } catch (VerbsException e) {
            throw new VerbsException(
                    e.errno(),
                    "bulk_connect",
                    "the completion queue of " + context.device() + " has room for " + links
                            + " connections and can't grow; close some, or open the endpoint with fewer slots",
                    e);
        }
    }

    /** A connection has ended, or has left. */
    void unreserve() {
        synchronized (this) {
            links--;
        }
        releaseIfUnused();
    }

    /** Somebody makes a queue pair. */
    synchronized void use() {
        users++;
    }

    /** The queue pair is a connection's, or closed. */
    void unuse() {
        synchronized (this) {
            users--;
        }
        releaseIfUnused();
    }

    /** The device is lost: does something once when no queue pair is there any more. */
    void release(Runnable action) {
        synchronized (this) {
            whenUnused = action;
        }
        releaseIfUnused();
    }

    private void releaseIfUnused() {
        Runnable action;
        synchronized (this) {
            if (whenUnused == null || links > 0 || users > 0) {
                return;
            }
            action = whenUnused;
            whenUnused = null;
        }
        action.run();
    }

    /** Hands completions to their connections. Those of connections that have ended are dropped. */
    boolean poll(LinkTable table, DeviceCheck check) {
        return !isLost() && look(table, check);
    }

    private boolean look(LinkTable table, DeviceCheck check) {
        int count = cq.poll(BATCH, completions);
        for (int i = 0; i < count; i++) {
            WorkCompletion wc = completions[i];
            long wrId = wc.wrId();
            Link link = table.find(Link.idOf(wrId));
            if (link == null) {
                continue;
            }
            if (wrId < 0) {
                boolean told = wc.opcode() == WcOpcode.RECV_RDMA_WITH_IMM;
                link.receiveCompleted((int) wrId, wc.status(), told, wc.immData(), wc.byteLen());
            } else {
                link.sendCompleted((int) wrId, wc.status());
            }
        }
        if (count < 0 && count != -Errno.EBUSY && !check.isLost(load, -count)) {
            failAll(table);
        }
        return count > 0;
    }

    /**
     * Hands on all completions that are there; not all that come meanwhile, as that may never end. Also those of a lost
     * device: peers were told that these messages have come.
     */
    void drain(LinkTable table, DeviceCheck check) {
        synchronized (cq) { // which must not be closed meanwhile
            int left = closed ? 0 : cq.cqe();
            while (left > 0 && look(table, check)) {
                left--; // at least one
            }
        }
    }

    /** The queue has overrun: nobody knows what has completed. */
    private void failAll(LinkTable table) {
        for (Link link : table.all()) {
            if (link.isOf(load)) {
                link.fail(Errno.EIO);
            } else {
                link.rails().fail(load);
            }
        }
    }

    /** A lost device may say what it likes. */
    @Override
    public void close() {
        synchronized (cq) {
            if (closed) {
                return;
            }
            closed = true;
        }
        try {
            resources.close();
        } catch (VerbsException e) {
            if (!isLost()) {
                throw e;
            }
            LOG.log(System.Logger.Level.DEBUG, "something of a lost device was not closed", e);
        }
    }
}
