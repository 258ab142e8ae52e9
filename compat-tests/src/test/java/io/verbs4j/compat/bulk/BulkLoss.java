/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.bulk;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import io.verbs4j.Context;
import io.verbs4j.EventType;
import io.verbs4j.Resources;
import io.verbs4j.VerbsLevel;
import io.verbs4j.bulk.BulkBuffer;
import io.verbs4j.bulk.BulkConfig;
import io.verbs4j.bulk.BulkEndpoint;
import io.verbs4j.bulk.BulkListener;
import io.verbs4j.bulk.BulkPeer;
import io.verbs4j.bulk.BulkProgress;
import io.verbs4j.bulk.BulkRing;
import io.verbs4j.bulk.BulkWindow;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.Patience;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A simulated device reports that it has failed: another one takes its connection over, and then its replacement. */
public final class BulkLoss {
    private static final int SIZE = 4 << 20;

    static {
        Native.register(BulkLoss.class, NativeLibrary.getProcess());
    }

    private BulkLoss() {}

    static native int device_sim_async_event(int device, int eventType, int number);

    public static void main(String... args) throws Exception {
        LinkedBlockingQueue<Context> lost = new LinkedBlockingQueue<>();
        BulkListener listener = new BulkListener() {
            @Override
            public void deviceLost(Context context) {
                lost.add(context);
            }
        };
        try (Resources resources = new Resources()) {
            Context first = resources.add(open(args[0]));
            Context second = resources.add(open(args[1]));
            Context other = resources.add(open(args[2]));
            BulkEndpoint server = resources.add(BulkEndpoint.open(BulkConfig.of(other)
                    .withProgress(BulkProgress.SERVICE)
                    .withAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))));
            BulkEndpoint client = resources.add(BulkEndpoint.open(BulkConfig.of(first, second)
                    .withProgress(BulkProgress.SERVICE)
                    .withListener(listener)));
            BulkBuffer there = server.allocate(SIZE);
            BulkWindow window = there.window(0, SIZE, BulkWindow.READ | BulkWindow.WRITE);
            BulkBuffer source = client.allocate(SIZE);
            BulkPeer peer = client.connect(server.address(), Patience.SECONDS, TimeUnit.SECONDS);
            BulkRing ring = client.ring(16);
            for (int n = 1; n <= 3; n++) {
                source.bytes().putLong(SIZE - Long.BYTES, n);
                ring.put(ring.next(), peer, source, 0, window.id(), 0, SIZE, n);
                ring.get(ring.next(), peer, source, 0, window.id(), 0, SIZE / 2, n);
                ring.submit();
                if (n < 3) {
                    require(device_sim_async_event(n - 1, EventType.DEVICE_FATAL, 0) == 0, "no event");
                    Context gone = lost.poll(Patience.SECONDS, TimeUnit.SECONDS);
                    require(gone == (n == 1 ? first : second), "lost " + gone);
                    client.replace(gone, resources.add(open(args[n - 1])));
                }
                for (int i = 0; i < 2; i++) {
                    require(ring.await(Patience.SECONDS, TimeUnit.SECONDS), "no completion");
                    require(ring.result(ring.peek()) > 0, "result " + ring.result(ring.peek()));
                    ring.advance(1);
                }
                require(there.bytes().getLong(SIZE - Long.BYTES) == n, "other bytes");
            }
            System.out.println("loss ok: " + peer.reconnections() + " reconnections");
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static Context open(String name) {
        return Verbs.open(
                Verbs.devices().stream()
                        .filter(one -> one.name().equals(name))
                        .findFirst()
                        .orElseThrow(),
                VerbsLevel.CURRENT);
    }
}
