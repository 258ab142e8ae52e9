/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.LinkOptions;
import io.verbs4j.provider.rxe.link.Links;
import io.verbs4j.provider.rxe.port.RxeConfig;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The ways that a message can take from one queue pair of a device to another. */
enum EveryWay {
    WITHIN_JVM,
    PACKETS,
    ONE_COPY,
    PACKETS_BY_NIO;

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    /** Opens a device at its own address whose messages go this way; skips the test if this way is not available. */
    TestContext open() {
        LinkOptions options = switch (this) {
            case ONE_COPY -> TestContext.oneCopy();
            case PACKETS_BY_NIO -> TestContext.PACKETS.withKind(LinkOptions.Kind.NIO);
            default -> TestContext.PACKETS;
        };
        return TestContext.open(new RxeConfig(1, List.of(TestContext.newAddress()), this == WITHIN_JVM, options, null));
    }

    /** Waits until messages of a device go this way; the device's link is open. */
    void await(TestContext context) {
        long end = System.nanoTime() + PATIENCE;
        while (this == ONE_COPY && context.port().counters().get("onecopy_rings") == 0) {
            assumeTrue(Links.oneCopyProblem(LinkOptions.defaults()) == null);
            if (System.nanoTime() > end) {
                throw new AssertionError("no ring was established");
            }
            context.port().poll();
            context.port().openLinks().forEach(link -> link.reach(link.localGid()));
            LockSupport.parkNanos(1_000_000);
        }
    }
}
