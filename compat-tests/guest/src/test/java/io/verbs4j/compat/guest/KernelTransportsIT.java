/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.verbs4j.compat.built.TestClasses;
import io.verbs4j.compat.bulk.programs.BulkTransfersProgram;
import io.verbs4j.compat.guest.wire.BulkWireProgram;
import io.verbs4j.compat.guest.wire.NettyWireProgram;
import io.verbs4j.compat.netty.NettyTests;
import io.verbs4j.testsupport.Full;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The bulk transport and Netty's channels on the kernel's devices, connected by librdmacm: with each other, and with
 * the embedded device.
 */
@Full
class KernelTransportsIT {
    private static final int SECONDS = 120;

    /** The program's report: the bytes of a stream that came back, and those after it. */
    private static final String NETTYS = "netty ok: " + ((1 << 20) + 3) + " bytes verified";

    /** Returns the quickest guest, and skips the test if it is emulated: there, each of these takes minutes. */
    private static Guest quick() {
        Guest guest = Guest.quickest();
        assumeFalse(guest.isSlow(), "it takes minutes on the distribution's kernel: VERBS4J_UML names no quicker one");
        return guest;
    }

    private static List<String> twoSides(Guest guest, Class<?> program) {
        Guest.Result result =
                guest.run("wire", SECONDS, List.of(Guest.script("twosides"), TestClasses.path(), program.getName()));
        assertThat(result.lines())
                .containsSubsequence("ok kernel serves", "ok embedded serves")
                .noneMatch(line -> line.startsWith("not ok "));
        assertThat(result.status()).isZero();
        return result.lines();
    }

    @Test
    void bulkWorksBetweenKernelDevices() {
        Guest.Result result = quick().run(
                        "pair",
                        SECONDS,
                        Guest.java(BulkTransfersProgram.class.getName(), "rxe0@10.7.0.1", "rxe1@10.7.0.2"));
        assertThat(result.lines()).anyMatch(line -> line.startsWith("bulk ok: "));
        assertThat(result.status()).isZero();
    }

    @Test
    void bulkWorksWithEmbeddedDevice() {
        assertThat(twoSides(quick(), BulkWireProgram.class).stream()
                        .filter(line -> line.startsWith("bulk ok: 80 operations")))
                .hasSize(2);
    }

    @Test
    void nettyWorksWithEmbeddedDevice() {
        assertThat(twoSides(Guest.quickest(), NettyWireProgram.class).stream().filter(NETTYS::equals))
                .hasSize(2);
    }

    /** Uses only registered buffers, as the short form does. */
    @Test
    void nettyTestsPass() throws IOException {
        List<String> tests = NettyTests.all();
        List<String> command = new ArrayList<>(List.of(
                Guest.script("java"),
                "-cp",
                NettyTests.classPath(),
                "-Dio.verbs4j.device=rxe0",
                "-Dverbs4j.test.host=10.7.0.1",
                "-Dverbs4j.extent=SHORT",
                TestsMain.class.getName()));
        command.addAll(tests);
        Guest.Result result = quick().run("pair", 2 * SECONDS, command);
        NettyTests.requirePassed(result.lines(), tests, NettyTests.ALL_COUNT);
        assertThat(result.status()).isZero();
    }
}
