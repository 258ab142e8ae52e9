/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.testsuite.transport.socket.SocketTestPermutation;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/internals/netty.md lists every test of Netty's suite that does not run, with the reason stated in its class. */
class NotRunTest {
    private static final String SUITE = "io/netty/testsuite/transport/socket/";
    private static final Pattern ROW = Pattern.compile("\\| `(\\w+Test)` \\| (?:`(\\w+)`|all) \\| (.*) \\|");

    @Test
    void pageListsTestsNotRun() throws Exception {
        List<String> listed = ROW.matcher(Files.readString(Path.of("..", "docs", "internals", "netty.md")))
                .results()
                .map(row -> row.group(1) + "." + (row.group(2) == null ? "all" : row.group(2) + ": " + row.group(3)))
                .toList();
        List<String> left = new ArrayList<>();
        for (String name : classesOfSuite()) {
            Class<?> ours = ours(name);
            if (ours == null) {
                left.add(name + ".all");
                continue;
            }
            assertThat(ours.getSuperclass().getPackageName()).isEqualTo(SocketTestPermutation.class.getPackageName());
            for (Method method : ours.getDeclaredMethods()) {
                NotRun reason = method.getAnnotation(NotRun.class);
                if (reason != null) {
                    left.add(name + "." + method.getName() + ": " + reason.value());
                }
            }
        }
        assertThat(listed).containsExactlyInAnyOrderElementsOf(left);
    }

    /**
     * Returns the stream tests: concrete classes, and {@code SocketAddressesTest}, a base class about peer addresses.
     */
    private static List<String> classesOfSuite() throws IOException, ClassNotFoundException {
        Path jar = Path.of(SocketTestPermutation.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        List<String> names = new ArrayList<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            for (String entry : file.stream().map(e -> e.getName()).toList()) {
                String name = entry.replace(SUITE, "").replace(".class", "");
                if (entry.startsWith(SUITE) && name.matches("[A-Za-z]+Test") && !name.startsWith("Datagram")) {
                    Class<?> test = Class.forName(SUITE.replace('/', '.') + name);
                    if (!Modifier.isAbstract(test.getModifiers()) || name.equals("SocketAddressesTest")) {
                        names.add(name);
                    }
                }
            }
        }
        assertThat(names).hasSizeGreaterThan(30);
        return names;
    }

    private static Class<?> ours(String name) {
        try {
            return Class.forName(NotRunTest.class.getPackageName() + "." + name);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
