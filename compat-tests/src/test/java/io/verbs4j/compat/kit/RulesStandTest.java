/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.spi.VerbsProvider;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules are methods with bodies, which a class could override: no kit here does, and no author's class can. */
class RulesStandTest {
    private static Path place(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /** {@return the kits of this module; those of devices are in other packages} */
    private static List<Class<?>> kits() throws IOException, URISyntaxException {
        Path classes = place(RulesStandTest.class);
        try (Stream<Path> files = Files.walk(classes)) {
            return files.map(file -> classes.relativize(file).toString())
                    .filter(name -> name.endsWith("Kit.class"))
                    .map(name -> name.replace(File.separatorChar, '.').replace(".class", ""))
                    .<Class<?>>map(RulesStandTest::load)
                    .filter(ProviderKit.class::isAssignableFrom)
                    .toList();
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, RulesStandTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> rules(Class<?> kit) {
        return Arrays.stream(kit.getMethods())
                .filter(method -> method.isAnnotationPresent(Rule.class))
                .filter(method -> method.getDeclaringClass().isInterface())
                .map(Method::getName)
                .sorted()
                .toList();
    }

    @Test
    void noKitOverridesRule() throws Exception {
        List<String> rules = KitVerificationTest.rules().stream()
                .map(Method::getName)
                .sorted()
                .toList();

        assertThat(kits())
                .extracting(Class::getSimpleName)
                .contains("ModelKit", "RxeKit", "EfaKit", "GaudiKit", "Mlx5Kit", "KernelRxeKit", "KernelSiwKit");
        assertThat(kits()).allSatisfy(kit -> assertThat(rules(kit)).isEqualTo(rules));
    }

    @Test
    void chapterAddsOnlyRulesToAuthorsClass() {
        List<Class<?>> chapters = List.of(ProviderKit.class.getInterfaces());

        assertThat(chapters).hasSizeGreaterThan(30).allSatisfy(chapter -> {
            assertThat(Modifier.isPublic(chapter.getModifiers())).isFalse();
            assertThat(chapter.getFields()).isEmpty();
            assertThat(chapter.getClasses()).isEmpty();
            assertThat(chapter.getMethods())
                    .allSatisfy(method ->
                            assertThat(method.isAnnotationPresent(Rule.class)).isTrue());
        });
    }

    @Test
    void ruleTakesRigHiddenFromAuthors() {
        assertThat(KitVerificationTest.rules()).allSatisfy(rule -> {
            assertThat(rule.getParameterTypes()).hasSize(1).allMatch(Rig.class::isAssignableFrom);
            assertThat(Modifier.isPublic(rule.getParameterTypes()[0].getModifiers()))
                    .isFalse();
        });
    }

    @Test
    void authorsClassOverridingRuleDoesNotCompile(@TempDir Path folder) throws Exception {
        assertThat(compiled(folder, "")).isEmpty();
        String rig = "io.verbs4j.compat.kit.NegotiationRig";
        assertThat(compiled(folder, "@Override public void r101Registered(" + rig + " rig) {}"))
                .contains("NegotiationRig is not public in io.verbs4j.compat.kit");
    }

    /** {@return the compiler's messages about an author's class with another member} */
    private static String compiled(Path folder, String member) throws IOException, URISyntaxException {
        Path source = Files.writeString(folder.resolve("StrangerKit.java"), """
                package strangers;
                import io.verbs4j.compat.kit.*;
                import io.verbs4j.spi.VerbsProvider;
                import java.util.*;
                class StrangerKit extends ProviderKit {
                    @Override protected VerbsProvider provider() { return null; }
                    @Override protected int level() { return 1; }
                    @Override protected Set<Capability> capabilities() { return EnumSet.of(Capability.RC); }
                    %s
                }
                """.formatted(member));
        StringWriter said = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String path = Stream.of(place(ProviderKit.class), place(VerbsProvider.class), place(Test.class))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of("-proc:none", "-Xlint:none", "-cp", path, "-d", folder.toString());
            boolean accepted = compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            assertThat(accepted).as("%s", said).isEqualTo(member.isEmpty());
        }
        return member.isEmpty() ? "" : said.toString();
    }
}
