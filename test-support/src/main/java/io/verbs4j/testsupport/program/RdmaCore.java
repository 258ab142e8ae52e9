/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport.program;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.testsupport.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Releases of rdma-core that {@code compat-tests/rdma-core/fetch} unpacks side by side. */
public final class RdmaCore {
    /** The releases that tests run under, the oldest first. */
    public static final List<Integer> RELEASES = List.of(33, 44, 56, 65);

    private static final int FETCH_SECONDS = 600;

    private RdmaCore() {}

    /** Returns their folder: {@code VERBS4J_RDMA_CORE}, or beside the build of compat-tests. */
    public static Path folder() {
        String shared = System.getenv("VERBS4J_RDMA_CORE");
        return shared != null ? Path.of(shared) : tests().resolve("target/rdma-core");
    }

    /** Returns the folder of a release, after fetching it if it is missing; skips the test if it cannot be fetched. */
    public static Path release(int number) throws IOException, InterruptedException {
        Path release = folder().resolve("" + number);
        if (!Files.isRegularFile(release.resolve("packages"))) { // this file is written last
            Program.Result fetched =
                    Program.run(List.of(tests().resolve("rdma-core/fetch").toString(), "" + number), FETCH_SECONDS);
            assumeTrue(fetched.status() == 0, "rdma-core " + number + " is not available: " + fetched.lines());
        }
        return release;
    }

    private static Path tests() {
        return Checkout.path("compat-tests");
    }
}
