/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.boundaries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import io.verbs4j.compat.built.Javac;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Violations of each boundary are found, in classes compiled for that purpose. */
class BoundaryViolationsTest {
    @TempDir
    Path scratch;

    static Stream<Arguments> violations() {
        return Stream.of(
                arguments("HEADER_NEEDS_JAVA_BASE_ONLY", "io.verbs4j", "java.util.logging.Logger f;"),
                arguments("HEADER_NEEDS_JAVA_BASE_ONLY", "io.verbs4j.spi", "io.verbs4j.core.Verbs[] f;"),
                arguments("CORE_NEEDS_HEADER_ONLY", "io.verbs4j.core", "java.sql.Connection f;"),
                arguments("CORE_PACKAGES_ARE_ORDERED", "io.verbs4j.core.discovery", "io.verbs4j.core.Verbs[] f;"),
                arguments(
                        "CORE_PACKAGES_ARE_ORDERED",
                        "io.verbs4j.core.verbs",
                        "Object f = io.verbs4j.core.discovery.TimeLimit.ofProperty();"),
                arguments("CORE_PACKAGES_ARE_ORDERED", "io.verbs4j.core.base", "io.verbs4j.core.verbs.Opening f;"),
                arguments("CORE_PACKAGES_ARE_ORDERED", "io.verbs4j.core.more", "Object f;"),
                arguments("RECORDING_IS_APART", "io.verbs4j.core", "jdk.jfr.Event f;"),
                arguments("CORE_NEEDS_HEADER_ONLY", "io.verbs4j.core", "io.verbs4j.provider.rxe.RxeProvider f;"),
                arguments("PROVIDERS_DO_NOT_KNOW_CORE", "io.verbs4j.provider.any", "io.verbs4j.core.ProviderReport f;"),
                arguments(
                        "TOOLS_DO_NOT_KNOW_PROVIDERS",
                        "io.verbs4j.tools.some",
                        "Object f = new io.verbs4j.provider.rxe.RxeProvider();"),
                arguments("NATIVES_KNOW_NO_DEVICE", "io.verbs4j.natives.lock", "io.verbs4j.rdmacore.NativeDevice f;"),
                arguments("JNA_IS_WHERE_C_IS_CALLED", "io.verbs4j.tools", "com.sun.jna.Pointer f;"),
                arguments("JNA_IS_WHERE_C_IS_CALLED", "io.verbs4j.provider.any", "com.sun.jna.Pointer f;"),
                arguments("UNSAFE_IS_FOR_MEMORY", "io.verbs4j.provider.rxe.link", "sun.misc.Unsafe f;"),
                arguments("UNSAFE_IS_FOR_MEMORY", "io.verbs4j.provider.rxe.memory", "sun.misc.Unsafe f;"),
                arguments("UNSAFE_IS_FOR_MEMORY", "io.verbs4j.rdmacore.memory", "sun.misc.Unsafe f;"),
                arguments("UNSAFE_IS_FOR_MEMORY", "io.verbs4j.natives.call", "sun.misc.Unsafe f;"),
                arguments("JNA_IS_WHERE_C_IS_CALLED", "io.verbs4j.rdmacore.object", "com.sun.jna.Pointer f;"),
                arguments("JNA_IS_MAPPED_DIRECTLY", "io.verbs4j.natives.call", "com.sun.jna.Function f;"),
                arguments(
                        "JNA_IS_MAPPED_DIRECTLY",
                        "io.verbs4j.natives.call",
                        "long f(com.sun.jna.NativeLibrary c) { return c.getFunction(\"getpid\").invokeLong(null); }"),
                arguments(
                        "JNA_IS_MAPPED_DIRECTLY",
                        "io.verbs4j.natives.memory",
                        "static class Wr extends com.sun.jna.Structure { public int a; }"),
                arguments(
                        "JNA_IS_MAPPED_DIRECTLY",
                        "io.verbs4j.natives.call",
                        "interface C extends com.sun.jna.Library { int getpid(); }"),
                arguments(
                        "JNA_IS_MAPPED_DIRECTLY",
                        "io.verbs4j.natives.call",
                        "Object f() { return com.sun.jna.Native.load(\"c\", com.sun.jna.Library.class); }"),
                arguments("LAYOUTS_ARE_NUMBERS", "io.verbs4j.rdmacore.layout", "io.verbs4j.Gid f;"),
                arguments("RXE_LOWER_LAYERS", "io.verbs4j.provider.rxe.wire", "io.verbs4j.provider.rxe.qp.RxeQp f;"),
                arguments("RXE_LOWER_LAYERS", "io.verbs4j.provider.rxe.link", "io.verbs4j.provider.rxe.port.Port f;"),
                arguments("HEADER_HAS_NO_ENUMS", "io.verbs4j", "public enum Visible { A }"),
                arguments(
                        "HANDLES_ARE_ABSTRACT",
                        "io.verbs4j",
                        "static class Plain extends Device { Plain() { super(\"a\", 0, 0, 0); } }"),
                arguments(
                        "NAMES_ON_HANDLES_ARE_THE_HEADERS",
                        "io.verbs4j.provider.any",
                        "static class Own extends io.verbs4j.Device { Own() { super(\"a\", 0, 0, 0); } int port() {"
                                + " return 1; } }"),
                arguments(
                        "NAMES_ON_HANDLES_ARE_THE_HEADERS",
                        "io.verbs4j.provider.any",
                        "static class Own extends io.verbs4j.Device { Own() { super(\"a\", 0, 0, 0); } static void"
                                + " port() {} }"),
                arguments(
                        "NAMES_ON_HANDLES_ARE_THE_HEADERS",
                        "io.verbs4j.provider.any",
                        "static class Own extends io.verbs4j.Device { Own() { super(\"a\", 0, 0, 0); } protected void"
                                + " ports() {} }"),
                arguments(
                        "NAMES_ON_HANDLES_ARE_THE_HEADERS",
                        "io.verbs4j.provider.any",
                        "static class Own extends io.verbs4j.Device implements Runnable { Own() { super(\"a\", 0, 0,"
                                + " 0); } public void run() {} }"),
                arguments(
                        "NAMES_ON_HANDLES_ARE_THE_HEADERS",
                        "io.verbs4j.provider.any",
                        "static class Own extends io.verbs4j.Device implements Ports { Own() { super(\"a\", 0, 0, 0);"
                                + " }  } interface Ports { default int ports() { return 1; } }"));
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @MethodSource("violations")
    void violationIsFound(String rule, String inPackage, String member) {
        EvaluationResult result = evaluate(rule, inPackage, member);
        assertThat(result.hasViolation()).isTrue();
        assertThat(result.getFailureReport().getDetails()).anyMatch(line -> line.contains(inPackage + ".Made"));
    }

    /** {@return the uses that each rule allows, so that no rule can refuse everything} */
    static Stream<Arguments> allowed() {
        return Stream.of(
                arguments("HEADER_NEEDS_JAVA_BASE_ONLY", "io.verbs4j", "java.util.concurrent.TimeUnit[][] f; int[] g;"),
                arguments("CORE_NEEDS_HEADER_ONLY", "io.verbs4j.core", "io.verbs4j.spi.VerbsProvider[] f;"),
                arguments(
                        "CORE_PACKAGES_ARE_ORDERED",
                        "io.verbs4j.core.discovery",
                        "io.verbs4j.core.verbs.Opening f; io.verbs4j.Context g;"),
                arguments("RECORDING_IS_APART", "io.verbs4j.core.flight", "jdk.jfr.Event f;"),
                arguments("PROVIDERS_DO_NOT_KNOW_CORE", "io.verbs4j.provider.any", "io.verbs4j.Context f;"),
                arguments("TOOLS_DO_NOT_KNOW_PROVIDERS", "io.verbs4j.tools.some", "io.verbs4j.core.Verbs f;"),
                arguments("NATIVES_KNOW_NO_DEVICE", "io.verbs4j.natives.lock", "io.verbs4j.Errno f;"),
                arguments("UNSAFE_IS_FOR_MEMORY", "io.verbs4j.natives.memory", "sun.misc.Unsafe f;"),
                arguments("JNA_IS_WHERE_C_IS_CALLED", "io.verbs4j.natives.call", "com.sun.jna.Pointer f;"),
                arguments("JNA_IS_WHERE_C_IS_CALLED", "io.verbs4j.natives.memory", "com.sun.jna.Pointer f;"),
                arguments(
                        "JNA_IS_MAPPED_DIRECTLY",
                        "io.verbs4j.natives.call",
                        "void f(com.sun.jna.NativeLibrary c) { com.sun.jna.Native.register(Made.class, c); }"),
                arguments(
                        "LAYOUTS_ARE_NUMBERS", "io.verbs4j.rdmacore.layout", "io.verbs4j.rdmacore.layout.WcLayout f;"),
                arguments("RXE_LOWER_LAYERS", "io.verbs4j.provider.rxe.qp", "io.verbs4j.provider.rxe.port.Port f;"),
                arguments("HEADER_HAS_NO_ENUMS", "io.verbs4j", "enum Hidden { A }"),
                arguments(
                        "HANDLES_ARE_ABSTRACT",
                        "io.verbs4j",
                        "abstract static class Plain extends Device { Plain() { super(\"a\", 0, 0, 0); } }"),
                arguments(
                        "NAMES_ON_HANDLES_ARE_THE_HEADERS",
                        "io.verbs4j.provider.any",
                        "static class Own extends io.verbs4j.Device { Own() { super(\"a\", 0, 0, 0); } final int port"
                                + " = 1; private int port() { return 1; } private static void all() {} }"),
                arguments(
                        "NAMES_ON_HANDLES_ARE_THE_HEADERS",
                        "io.verbs4j.provider.any",
                        "static class Cq extends io.verbs4j.CompletionQueue {"
                                + " Cq(io.verbs4j.Context c) { super(c, 1, null, null); }"
                                + " @Override public int poll(int n, io.verbs4j.WorkCompletion[] wc) { Runnable r ="
                                + " () -> {}; return 0; } @Override public int reqNotify(boolean s) { return 0; } }"));
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @MethodSource("allowed")
    void allowedUseIsAccepted(String rule, String inPackage, String member) {
        assertThat(evaluate(rule, inPackage, member).getFailureReport().getDetails())
                .isEmpty();
    }

    @Test
    void everyRuleIsTested() {
        Set<Object> tried = violations().map(row -> row.get()[0]).collect(Collectors.toSet());
        assertThat(tried).isEqualTo(Rules.all().keySet());
        assertThat(allowed().map(row -> row.get()[0]).collect(Collectors.toSet()))
                .isEqualTo(tried);
    }

    private EvaluationResult evaluate(String rule, String inPackage, String member) {
        Path classes = scratch.resolve("classes");
        String source = "package " + inPackage + "; public class Made { " + member + " }";
        Javac.compile(Map.of("Made.java", source), classes, List.of("-cp", System.getProperty("java.class.path")));
        JavaClasses made = new ClassFileImporter().importPath(classes);
        ArchRule checked = Rules.all().get(rule);
        return checked.allowEmptyShould(true).evaluate(made);
    }
}
