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

/** An endpoint's resources on one device. */
public final class Adapter implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");
    private static final int BATCH = 64;
    private static final int FIRST_LINKS = 2;

    /** Number of connections that a fixed-size completion queue has room for, as far as the device's limit allows. */
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

    /** Number of queue pairs that are being created. */
    private int users;

    /** Runs when the lost device is no longer in use; null before the loss and afterwards. */
    private Runnable whenUnused;

    private boolean closed;
    private volatile Runnable whenLost = () -> {};

    /**
     * Creates the resources on a device.
     *
     * @param number a number that the endpoint has used for no other device
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

    /** Reduces access flags for registration to those that the device supports. */
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

    /** Creates a queue that can grow; if the device has none, one of the size for {@link #FIXED_LINKS}. */
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

    /** Creates a channel, or returns null without completion events. Some EFA devices only refuse such a queue. */
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

    /** Its index in the endpoint. Another device may get the same index after a lost device has left. */
    public int index() {
        return load.device();
    }

    /** The endpoint's number for the device, unlike that of any other device, even a lost one. */
    int number() {
        return number;
    }

    /** Whether the device is lost. */
    public boolean isLost() {
        return load.isLost();
    }

    /**
     * Whether the device is lost, after a verb failed with this errno: probes whether it answers. Any thread may ask.
     */
    public boolean isLost(int errno) {
        if (!isLost() && DeviceEvents.isOfLostDevice(errno) && isDead()) {
            whenLost.run();
        }
        return isLost();
    }

    /** Sets the action for when the device is found lost. Any thread may run it, perhaps more than once. */
    void whenLost(Runnable action) {
        whenLost = action;
    }

    /** Whether the device no longer answers, even to a port query. */
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

    /** Number of ports of the device. */
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

    /** The channel of completion events, or null if the device has none. */
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

    /** Makes room for the completions of one more connection, because an overrun of the queue fails all connections. */
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

    /** Releases the room of a connection that has ended or left. */
    void unreserve() {
        synchronized (this) {
            links--;
        }
        releaseIfUnused();
    }

    /** Records that a queue pair is being created. */
    synchronized void use() {
        users++;
    }

    /** Records that the queue pair belongs to a connection or is closed. */
    void unuse() {
        synchronized (this) {
            users--;
        }
        releaseIfUnused();
    }

    /** Runs an action once when no queue pair of the lost device is left. */
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

    /** Passes completions to their connections. Drops those of connections that have ended. */
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
     * Passes on all completions in the queue, but not all that arrive meanwhile, which might never end. Includes those
     * of a lost device, because peers were told that these messages have arrived.
     */
    void drain(LinkTable table, DeviceCheck check) {
        synchronized (cq) { // must not be closed meanwhile
            int left = closed ? 0 : cq.cqe();
            while (left > 0 && look(table, check)) {
                left--; // at least one
            }
        }
    }

    /** Fails all connections after an overrun of the queue, because it is unknown what has completed. */
    private void failAll(LinkTable table) {
        for (Link link : table.all()) {
            if (link.isOf(load)) {
                link.fail(Errno.EIO);
            } else {
                link.rails().fail(load);
            }
        }
    }

    /** Closes the resources. Errors of a lost device are ignored. */
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
            LOG.log(System.Logger.Level.DEBUG, "closing a resource of a lost device failed", e);
        }
    }
}
