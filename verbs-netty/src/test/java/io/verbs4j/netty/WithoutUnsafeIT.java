/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.testsupport.program.Suite;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs tests of buffers in a JVM in which Netty does not use Unsafe, which is the default from JDK 24 on. */
class WithoutUnsafeIT {
    private static final int SECONDS = 300;

    @Test
    void bufferTestsPassWithoutUnsafe() throws Exception {
        List<String> command = new ArrayList<>(
                Jdk.own().command(List.of(Jdk.QUICK, "-Xmx1g", "-Dio.netty.noUnsafe=true"), Suite.class));
        command.addAll(List.of("io.verbs4j.netty", "io\\.verbs4j\\.netty\\.(Allocator|Echo|Flow)Test"));
        Program.Result result = Program.run(command, SECONDS);
        assertThat(result.status()).as(result.text()).isZero();
    }
}
