/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.compat.built.TestClasses;
import io.verbs4j.core.Verbs;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.RxeProvider;
import io.verbs4j.rdmacore.RdmaCoreProvider;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.tools.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code verbs devices} on a machine whose kernel has an RDMA device but that lacks libibverbs. */
class NativeLibraryIT {
    @TempDir
    Path scratch;

    @Test
    void missingLibraryIsReportedAndEmbeddedDevicesWork() throws IOException, InterruptedException {
        Files.createDirectories(scratch.resolve("sys/class/infiniband_verbs/uverbs0"));
        String path = TestClasses.only(
                Main.class,
                Verbs.class,
                Context.class,
                CmConnection.class,
                RxeProvider.class,
                RdmaCoreProvider.class,
                NativeMemory.class,
                com.sun.jna.Native.class,
                CommandLine.class,
                Histogram.class);
        ChildJvm jvm = ChildJvm.run(
                Jdk.own(),
                scratch,
                Map.of("SYSFS_PATH", scratch.resolve("sys").toString()),
                List.of(
                        "-Dio.verbs4j.rdmacore.libibverbs=/nowhere/libibverbs.so.1",
                        "-cp",
                        path,
                        Main.class.getName(),
                        "devices"));
        String all = String.join("\n", jvm.out()) + jvm.err();
        assertThat(jvm.status()).as(all).isZero();
        assertThat(all)
                .contains("rxe_emb0", "/nowhere/libibverbs.so.1 can't be loaded", "install rdma-core")
                .doesNotContain("\tat ");
    }
}
