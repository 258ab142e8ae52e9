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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jars in a jar, loaded by a class loader that reads them in place, with its own URLs. */
@Full
class NestedJarsIT {
    private static final String LAUNCHER = """
            package launcher;

            import java.io.*;
            import java.net.*;
            import java.security.*;
            import java.util.*;
            import java.util.zip.*;

            public final class Launcher extends ClassLoader {
                private final Map<String, Map<String, byte[]>> jars = new TreeMap<>();

                private Launcher() {
                    super(ClassLoader.getPlatformClassLoader());
                }

                public static void main(String[] args) throws Exception {
                    Launcher launcher = new Launcher();
                    URL own = Launcher.class.getProtectionDomain().getCodeSource().getLocation();
                    read(own.openStream()).forEach((name, bytes) -> {
                        if (name.endsWith(".jar")) launcher.jars.put(name, read(new ByteArrayInputStream(bytes)));
                    });
                    Thread.currentThread().setContextClassLoader(launcher);
                    Class<?> main = launcher.loadClass("com.example.Main");
                    main.getMethod("main", String[].class).invoke(null, (Object) args);
                }

                private static Map<String, byte[]> read(InputStream in) {
                    Map<String, byte[]> files = new HashMap<>();
                    try (ZipInputStream zip = new ZipInputStream(in)) {
                        for (ZipEntry e = zip.getNextEntry(); e != null; e = zip.getNextEntry()) {
                            files.put(e.getName(), zip.readAllBytes());
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return files;
                }

                private static URL url(String file, byte[] bytes) {
                    try {
                        return new URL("nested", null, -1, file, new URLStreamHandler() {
                            @Override
                            protected URLConnection openConnection(URL url) {
                                return new URLConnection(url) {
                                    @Override
                                    public void connect() {}

                                    @Override
                                    public InputStream getInputStream() {
                                        return new ByteArrayInputStream(bytes);
                                    }
                                };
                            }
                        });
                    } catch (MalformedURLException e) {
                        throw new IllegalArgumentException(e);
                    }
                }

                @Override
                protected Class<?> findClass(String name) throws ClassNotFoundException {
                    for (Map.Entry<String, Map<String, byte[]>> jar : jars.entrySet()) {
                        byte[] bytes = jar.getValue().get(name.replace('.', '/') + ".class");
                        if (bytes != null) {
                            URL url = url("all.jar/!" + jar.getKey(), bytes);
                            CodeSource source = new CodeSource(url, (CodeSigner[]) null);
                            return defineClass(name, bytes, 0, bytes.length,
                                    new ProtectionDomain(source, new Permissions(), this, null));
                        }
                    }
                    throw new ClassNotFoundException(name);
                }

                @Override
                protected Enumeration<URL> findResources(String name) {
                    List<URL> found = new ArrayList<>();
                    jars.forEach((jar, files) -> {
                        byte[] bytes = files.get(name);
                        if (bytes != null) found.add(url("all.jar/!" + jar + "!/" + name, bytes));
                    });
                    return Collections.enumeration(found);
                }

                @Override
                protected URL findResource(String name) {
                    Enumeration<URL> all = findResources(name);
                    return all.hasMoreElements() ? all.nextElement() : null;
                }
            }
            """;

    @TempDir
    static Path scratch;

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.verbs4j.testsupport.program.Jdk#all")
    void eachJarKeepsItsServices(Jdk jdk) throws Exception {
        Path classes = Files.createTempDirectory(scratch, "launcher");
        Javac.compile(Map.of("launcher/Launcher.java", LAUNCHER), classes, List.of());
        List<Path> parts = new ArrayList<>(PackagedProgram.library());
        for (String module : List.of(BuiltModules.RDMA_CORE, BuiltModules.RXE, "io.verbs4j.provider.mlx5")) {
            parts.add(BuiltModules.location(module));
        }
        parts.add(BuiltModules.location(BuiltModules.NATIVES));
        parts.add(PackagedProgram.location(Native.class));
        JarContent all = JarContent.of(classes)
                .put("META-INF/MANIFEST.MF", "Main-Class: launcher.Launcher\n".getBytes(StandardCharsets.UTF_8));
        Path lib = PackagedProgram.lib(classes, PackagedProgram.compile(classes), parts);
        JarContent jars = JarContent.of(lib);
        jars.names().forEach(name -> all.put("BOOT-INF/lib/" + name, jars.bytes(name)));

        ChildJvm jvm = ChildJvm.run(
                jdk,
                scratch,
                PackagingPage.arguments(
                        "java -jar",
                        Map.of(
                                "all.jar",
                                all.writeTo(scratch.resolve("nested.jar")).toString())));
        assertThat(jvm.status()).as("%s", jvm).isZero();
        assertThat(String.join("\n", jvm.out()))
                .contains("RxeProvider", "Mlx5Provider", "RdmaCoreProvider", "nested:all.jar/!BOOT-INF/lib/part-4.jar")
                .contains("connected by rxe_emb0")
                .doesNotContain("services");
        assertThat(jvm.err()).doesNotContain("through the JDK's channels");
    }
}
