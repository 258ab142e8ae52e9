/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** An endpoint on a simulated device, with memory, and the completions of its entries, each of which comes once. */
final class BulkSide implements AutoCloseable {
    static final int SIZE = 2 << 20;
    private static final int ENTRIES = 256;

    private final Resources resources = new Resources();
    final String device;
    private final Context context;
    final BulkEndpoint endpoint;
    final BulkRing ring;
    final BulkBuffer source;
    final BulkBuffer target;
    final BulkWindow readable;
    final BulkWindow writable;
    final Deque<Long> notified = new ArrayDeque<>();
    private final Map<Long, Long> results = new HashMap<>();
    private long lastEntry;
    private int underWay;
    BulkPeer peer;

    BulkSide(String device, OpenAttr attr) {
        this.device = device;
        Device found = Verbs.devices().stream()
                .filter(d -> d.name().equals(device))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + device + ": " + Verbs.report()));
        context = resources.add(Verbs.open(found, VerbsLevel.CURRENT, attr));
        endpoint = resources.add(BulkEndpoint.open(
                BulkConfig.of(context).withAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))));
        ring = endpoint.ring(ENTRIES);
        source = endpoint.allocate(SIZE);
        target = endpoint.allocate(SIZE);
        readable = source.window(0, SIZE, BulkWindow.READ);
        writable = target.window(0, SIZE, BulkWindow.WRITE);
    }

    /** The error says that the device has no connection manager, and what to do. */
    void requireNoManager() {
        try (BulkEndpoint unexpected = BulkEndpoint.open(BulkConfig.of(context).withConnections(BulkConnections.CM))) {
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
            case "hbl" -> "its provider, gaudi, has none";
            case "efa" -> "it has no reliable connections";
            default -> "the kernel has no connection";
        };
    }

    /** The number of the next entry, which is to complete. */
    long entry() {
        underWay++;
        return ++lastEntry;
    }

    /** Takes completions; returns how many. */
    int turn() {
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

    boolean isIdle() {
        return underWay == 0;
    }

    /** The result of an entry that has completed. */
    void expect(long entry, long... allowed) {
        long result = results.get(entry);
        for (long one : allowed) {
            if (result == one) {
                return;
            }
        }
        throw new IllegalStateException(device + ": entry " + entry + ": " + BulkResult.toString(result) + ", not "
                + BulkResult.toString(allowed[0]));
    }

    /** How many entries have completed. */
    long completed() {
        return results.size();
    }

    /** Whether an entry has completed. */
    boolean isDone(long entry) {
        return results.containsKey(entry);
    }

    @Override
    public void close() {
        resources.close();
    }
}
