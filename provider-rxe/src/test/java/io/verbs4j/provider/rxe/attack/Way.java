/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.LinkOptions;
import io.verbs4j.provider.rxe.port.RxeConfig;
import java.util.List;

/** The ways that messages go from one queue pair of a device to another. */
enum Way {
    /** Within the JVM. */
    LOCAL,

    /** By packets through a socket. */
    PACKETS,

    /** By one copy, as between processes: through a ring, and large data directly from the sender's memory. */
    ONE_COPY;

    /** Opens a device at its own address whose messages go this way; skips the test if they cannot. */
    TestContext device() {
        LinkOptions options = this == ONE_COPY ? TestContext.oneCopy() : TestContext.PACKETS;
        return TestContext.open(new RxeConfig(1, List.of(TestContext.newAddress()), this == LOCAL, options, null));
    }
}
