/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.provider.rxe.TestContext;
import java.io.File;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Opens a link with slightly too little direct memory, failing at one allocation after the other; prints "opens" at the
 * end.
 */
final class FullDirectMemoryProgram {
    /** The shortages: that of the last allocation of a link, and those before it. */
    private static final int[] LACKING = {120, 1000};

    @SuppressWarnings("unused") // its existence matters
    private static Object hog;

    private FullDirectMemoryProgram() {}

    /** Takes the JVM's limit of direct memory as argument. */
    public static void main(String[] args) throws InterruptedException {
        InetAddress address = TestContext.newAddress();
        LinkOptions options = LinkOptions.defaults();
        open(address, options); // loads everything needed
        long before = collect(0);
        Link link = Links.open(address, options);
        long takes = used() - before;
        link.close();
        link = null;
        int descriptors = descriptors();
        for (int lacking : LACKING) {
            long free = Long.parseLong(args[0]) - collect(before);
            hog = ByteBuffer.allocateDirect((int) (free - takes + lacking));
            try {
                open(address, options); // garbage may have compensated for the shortage
            } catch (OutOfMemoryError e) {
                // as expected
            }
            if (descriptors() > descriptors) {
                System.out.println("descriptors stay open without " + lacking + " of " + takes + " bytes");
            }
            hog = null;
            open(address, options); // fails if the address is still in use
        }
        System.out.println("opens");
    }

    private static void open(InetAddress address, LinkOptions options) {
        Links.open(address, options).close();
    }

    /** Waits until unreachable memory is collected, down to what it was before; returns the remaining use. */
    private static long collect(long before) throws InterruptedException {
        long used = used();
        for (int i = 0; i < 50 && (i < 3 || used > before && before > 0); i++) {
            System.gc();
            Thread.sleep(10);
            used = used();
        }
        return used;
    }

    private static long used() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getTotalCapacity)
                .sum();
    }

    private static int descriptors() {
        String[] all = new File("/proc/self/fd").list();
        return all == null ? 0 : all.length;
    }
}
