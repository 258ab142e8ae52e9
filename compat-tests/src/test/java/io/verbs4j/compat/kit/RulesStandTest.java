/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.built.TestClasses;
import io.verbs4j.spi.VerbsProvider;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules are methods with bodies, which a class could override: no kit here does, and no author's class can. */
class RulesStandTest {
    /** The kits of other devices are in compat-tests/guest. */
    @Test
    void noKitOverridesRule() throws Exception {
        KitClasses.requireNoRuleOverridden(RulesStandTest.class, "ModelKit", "RxeKit");
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
    private static String compiled(Path folder, String member) throws IOException {
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
        String path = TestClasses.only(ProviderKit.class, VerbsProvider.class, Test.class);
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of("-proc:none", "-Xlint:none", "-cp", path, "-d", folder.toString());
            boolean accepted = compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            assertThat(accepted).as("%s", said).isEqualTo(member.isEmpty());
        }
        return member.isEmpty() ? "" : said.toString();
    }
}
