/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.verbs4j.compat.built.BuiltModules;
import io.verbs4j.compat.built.JarContent;
import io.verbs4j.compat.built.Javac;
import io.verbs4j.compat.services.ChildJvm;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.Jdk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.aries.spifly.dynamic.DynamicWeavingActivator;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.util.Printer;

/** The jars as bundles in Felix, with a program that is also a bundle. */
@Full
class OsgiIT {
    /** Installs the bundles, starts them in order, and runs the main class of the last one. */
    private static final String LAUNCHER = """
            package launcher;

            import java.nio.file.*;
            import java.util.*;
            import org.osgi.framework.*;
            import org.osgi.framework.launch.*;

            public final class Launcher {
                public static void main(String[] args) throws Exception {
                    Framework framework = new org.apache.felix.framework.FrameworkFactory().newFramework(
                            Map.of(Constants.FRAMEWORK_STORAGE, args[0]));
                    framework.start();
                    try {
                        List<Bundle> bundles = new ArrayList<>();
                        for (String jar : args[1].split(":")) {
                            bundles.add(framework.getBundleContext().installBundle(Path.of(jar).toUri().toString()));
                        }
                        for (Bundle bundle : bundles) {
                            bundle.start();
                        }
                        Class<?> main = bundles.get(bundles.size() - 1).loadClass("com.example.Main");
                        main.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
                    } finally {
                        framework.stop();
                        framework.waitForStop(0);
                    }
                }
            }
            """;

    @TempDir
    static Path scratch;

    private static Path launcher;
    private static Path program;

    @BeforeAll
    static void make() {
        launcher = scratch.resolve("launcher");
        String felix = PackagedProgram.location(FrameworkFactory.class).toString();
        Javac.compile(Map.of("launcher/Launcher.java", LAUNCHER), launcher, List.of("-cp", felix));
        String manifest = """
                Manifest-Version: 1.0
                Bundle-ManifestVersion: 2
                Bundle-SymbolicName: com.example
                Import-Package: io.verbs4j,io.verbs4j.cm,io.verbs4j.core
                """;
        program = JarContent.of(PackagedProgram.compile(scratch))
                .put("META-INF/MANIFEST.MF", manifest.getBytes(StandardCharsets.UTF_8))
                .writeTo(scratch.resolve("program.jar"));
    }

    private static ChildJvm run(Jdk jdk, List<Path> bundles) throws Exception {
        List<String> jars = new ArrayList<>();
        bundles.forEach(jar -> jars.add(jar.toString()));
        jars.add(program.toString());
        return ChildJvm.run(
                jdk,
                scratch,
                List.of(
                        "-cp",
                        launcher + ":" + PackagedProgram.location(FrameworkFactory.class),
                        "launcher.Launcher",
                        Files.createTempDirectory(scratch, "storage").toString(),
                        String.join(":", jars)));
    }

    private static List<Path> libraries(String... providers) {
        List<Path> bundles = new ArrayList<>();
        for (String provider : providers) {
            bundles.add(BuiltModules.location(provider));
        }
        bundles.addAll(PackagedProgram.library());
        bundles.add(BuiltModules.location(BuiltModules.NATIVES));
        bundles.add(BuiltModules.location(BuiltModules.RDMA_CORE));
        bundles.add(PackagedProgram.location(Native.class));
        return bundles;
    }

    private static List<Path> withExtender(List<Path> libraries) {
        List<Path> bundles = new ArrayList<>();
        for (Class<?> type : List.of(
                ClassVisitor.class,
                ClassNode.class,
                Analyzer.class,
                Printer.class,
                GeneratorAdapter.class,
                DynamicWeavingActivator.class)) {
            bundles.add(PackagedProgram.location(type));
        }
        bundles.addAll(libraries);
        return bundles;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.verbs4j.testsupport.program.Jdk#all")
    void providersAreFoundAndConnect(Jdk jdk) throws Exception {
        ChildJvm jvm = run(jdk, withExtender(libraries(BuiltModules.RXE, BuiltModules.PROVIDER_PREFIX + "mlx5")));
        assertThat(jvm.status()).as("%s", jvm).isZero();
        assertThat(String.join("\n", jvm.out()))
                .as("%s", jvm)
                .contains("RxeProvider", "Mlx5Provider", "RdmaCoreProvider")
                .contains("connected by rxe_emb0");
    }

    @Test
    void missingExtenderIsNamed() throws Exception {
        ChildJvm jvm = run(Jdk.own(), libraries(BuiltModules.RXE));
        assertThat(jvm.status()).as("%s", jvm).isNotZero();
        assertThat(jvm.err()).contains("osgi.serviceloader.");
    }
}
