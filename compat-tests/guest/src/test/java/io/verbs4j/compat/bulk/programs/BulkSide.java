/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.bulk.programs;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.OpenAttr;
import io.verbs4j.Resources;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.bulk.BulkBuffer;
import io.verbs4j.bulk.BulkConfig;
import io.verbs4j.bulk.BulkConnections;
import io.verbs4j.bulk.BulkEndpoint;
import io.verbs4j.bulk.BulkPeer;
import io.verbs4j.bulk.BulkResult;
import io.verbs4j.bulk.BulkRing;
import io.verbs4j.bulk.BulkWindow;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.Patience;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** An endpoint on a device, with memory and the completions of its entries, each of which may come only once. */
public final class BulkSide implements AutoCloseable {
    /** The length of its buffers. */
    public static final int SIZE = 2 << 20;

    private static final int ENTRIES = 256;

    private final Resources resources = new Resources();
    public final String device;
    private final List<Context> contexts = new ArrayList<>();
    private final boolean hasManager;
    public final BulkEndpoint endpoint;
    public final BulkRing ring;
    public final BulkBuffer source;
    public final BulkBuffer target;
    public final BulkWindow readable;
    public final BulkWindow writable;
    public final Deque<Long> notified = new ArrayDeque<>();
    private final Map<Long, Long> results = new HashMap<>();
    private long lastEntry;
    private int underWay;
    public BulkPeer peer;

    /**
     * Opens the side.
     *
     * @param place the device's name, or several joined by {@code +}. With {@code @HOST} appended, it connects at that
     *     address by the device's connection manager, otherwise by TCP
     * @param attr how to open the device
     */
    public BulkSide(String place, OpenAttr attr) {
        this(place, attr, config -> config);
    }

    /**
     * Opens the side with its own settings.
     *
     * @param place as above
     */
    BulkSide(String place, OpenAttr attr, UnaryOperator<BulkConfig> settings) {
        int at = place.indexOf('@');
        device = at < 0 ? place : place.substring(0, at);
        for (String name : device.split("\\+", -1)) {
            contexts.add(open(name, attr));
        }
        hasManager = at >= 0;
        InetSocketAddress address = hasManager
                ? new InetSocketAddress(place.substring(at + 1), 0)
                : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        endpoint = resources.add(BulkEndpoint.open(settings.apply(BulkConfig.of(contexts.toArray(Context[]::new))
                .withAddress(address)
                .withConnections(hasManager ? BulkConnections.CM : BulkConnections.AUTOMATIC))));
        ring = endpoint.ring(ENTRIES);
        source = endpoint.allocate(SIZE);
        target = endpoint.allocate(SIZE);
        readable = source.window(0, SIZE, BulkWindow.READ);
        writable = target.window(0, SIZE, BulkWindow.WRITE);
    }

    private Context open(String name, OpenAttr attr) {
        Device found = Verbs.devices().stream()
                .filter(d -> d.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + name + ": " + Verbs.report()));
        return resources.add(Verbs.open(found, VerbsLevel.CURRENT, attr));
    }

    /** {@return its devices, in the order of the argument} */
    List<Context> contexts() {
        return contexts;
    }

    /** Reopens a lost device in its place. */
    void reopen(int number) {
        Context lost = contexts.get(number);
        contexts.set(number, open(lost.device().name(), new OpenAttr()));
        endpoint.replace(lost, contexts.get(number));
    }

    /** Whether it has several devices. */
    public boolean hasSeveralDevices() {
        return device.indexOf('+') >= 0;
    }

    /** Checks the error for a device without a connection manager: it must say so, and name the remedy. */
    public void requireNoManager() {
        if (hasManager) {
            return;
        }
        try (BulkEndpoint unexpected =
                BulkEndpoint.open(BulkConfig.of(contexts.get(0)).withConnections(BulkConnections.CM))) {
            throw new IllegalStateException(device + " has a connection manager: " + unexpected);
        } catch (VerbsException e) {
            String why = whyNoManager();
            String message = e.getMessage();
            if (e.errno() != Errno.EOPNOTSUPP || !message.contains(why) || !message.contains("BulkConnections.TCP")) {
                throw e;
            }
        }
    }

    private String whyNoManager() {
        return switch (device.substring(0, 3)) {
            case "hbl" -> "its provider, gaudi, does not have one";
            case "efa" -> "it has no reliable connections";
            default -> "the kernel has no connection";
        };
    }

    /** {@return the number of the next entry that will complete} */
    public long entry() {
        underWay++;
        return ++lastEntry;
    }

    /** Takes completions, and returns their number. */
    public int turn() {
        return ring.handle((userData, result, flags, from, value) -> {
            if ((flags & BulkResult.NOTIFY_ARRIVED) != 0) {
                notified.add(value);
                return;
            }
            if (userData < 1 || userData > lastEntry || results.put(userData, result) != null) {
                throw new IllegalStateException(device + ": entry " + userData + " has completed again: " + result);
            }
            underWay--;
        });
    }

    public boolean isIdle() {
        return underWay == 0;
    }

    /** Checks the result of a completed entry. */
    public void expect(long entry, long... allowed) {
        long result = results.get(entry);
        for (long one : allowed) {
            if (result == one) {
                return;
            }
        }
        throw new IllegalStateException(device + ": entry " + entry + ": " + BulkResult.toString(result) + ", not "
                + BulkResult.toString(allowed[0]));
    }

    /** {@return the number of completed entries} */
    public long completed() {
        return results.size();
    }

    /** Takes completions until a condition holds; does not drive the other side. */
    public void until(BooleanSupplier holds) {
        long start = System.nanoTime();
        int turn = 0;
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - start > Patience.NANOS) {
                throw new IllegalStateException(device + ": timed out");
            }
            if (turn() == 0) {
                Patience.pause(turn++);
            }
        }
    }

    /** {@return the result of a completed entry} */
    long result(long entry) {
        return results.get(entry);
    }

    /** Whether an entry has completed. */
    public boolean isDone(long entry) {
        return results.containsKey(entry);
    }

    @Override
    public void close() {
        endpoint.close(); // before devices that were opened later
        resources.close();
    }
}
