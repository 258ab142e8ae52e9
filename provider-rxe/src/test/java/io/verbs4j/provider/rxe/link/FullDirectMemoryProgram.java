/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.provider.rxe.TestContext;
import java.io.File;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Opens a link while there is a little less direct memory than it takes, at one place after the other; says "opens" in
 * the end.
 */
final class FullDirectMemoryProgram {
    /** What a link lacks: the last that it takes, and what comes before. */
    private static final int[] LACKING = {120, 1000};

    @SuppressWarnings("unused") // it is there
    private static Object hog;

    private FullDirectMemoryProgram() {}

    /** The limit of the JVM's direct memory is its argument. */
    public static void main(String[] args) throws InterruptedException {
        InetAddress address = TestContext.newAddress();
        LinkOptions options = LinkOptions.defaults();
        open(address, options); // loads what it takes
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
                open(address, options); // garbage may have made up for what lacks
            } catch (OutOfMemoryError e) {
                // as it is to be
            }
            if (descriptors() > descriptors) {
                System.out.println("descriptors are left open without " + lacking + " of " + takes + " bytes");
            }
            hog = null;
            open(address, options); // fails where the address is in use still
        }
        System.out.println("opens");
    }

    private static void open(InetAddress address, LinkOptions options) {
        Links.open(address, options).close();
    }

    /** Waits until what nobody refers to is collected, as far as it was before; answers how much is used then. */
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
