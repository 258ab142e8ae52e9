/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.objectweb.asm.Opcodes.ACC_ABSTRACT;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;

import io.verbs4j.compat.built.BuiltModules;
import io.verbs4j.compat.built.JarContent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodNode;

/** The gate holds verbs-cm and the vendors' packages to their promises. */
class PromisedGateTest {
    private static final String CONNECTION = "io/verbs4j/cm/CmConnection";
    private static final String ENDPOINT = "io/verbs4j/cm/spi/CmEndpoint";
    private static final String EFA = "io/verbs4j/efadv/EfaDv";

    @TempDir
    static Path scratch;

    private static Release good;
    private static int mutants;

    @BeforeAll
    static void findThisBuild() {
        good = Release.ofThisBuild(scratch);
    }

    private static Path mutant(String module, Consumer<JarContent> mutation) {
        JarContent jar = JarContent.of(BuiltModules.location(module));
        mutation.accept(jar);
        mutants++;
        return jar.writeTo(scratch.resolve("promised-" + mutants + ".jar")); // japicmp keeps files open
    }

    private static List<String> violationsOfCm(Consumer<JarContent> mutation) {
        return ApiGate.violations(good, good.withCm(mutant(BuiltModules.CM, mutation)));
    }

    private static Release withEfa(Consumer<JarContent> mutation) {
        return good.withVendor("provider-efa", mutant(BuiltModules.PROVIDER_PREFIX + "efa", mutation));
    }

    private static MethodNode method(ClassNode node, String name) {
        return node.methods.stream()
                .filter(one -> one.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void add(ClassNode node, boolean body) {
        MethodNode method = new MethodNode(ACC_PUBLIC | (body ? 0 : ACC_ABSTRACT), "added", "()V", null, null);
        if (body) {
            method.instructions.add(new InsnNode(Opcodes.RETURN));
            method.maxLocals = 1;
        }
        node.methods.add(method);
    }

    @Test
    void buildKeepsItsOwnPromises() {
        assertThat(ApiGate.violations(good, good)).isEmpty();
        assertThat(ApiGate.violationsOfVendors(good, good)).isEmpty();
        assertThat(good.vendors().keySet())
                .containsExactly("provider-efa", "provider-gaudi", "provider-mlx5", "provider-rxe");
    }

    /** {@return a release whose EfaDv has an additional constructor} */
    private static Release withConstructor(int access) {
        return withEfa(jar -> jar.edit(EFA, node -> {
            MethodNode constructor = new MethodNode(access, "<init>", "(I)V", null, null);
            constructor.instructions.add(new InsnNode(Opcodes.RETURN));
            constructor.maxLocals = 2;
            node.methods.add(constructor);
        }));
    }

    @Test
    void packagePrivateConstructorMayBeRemoved() {
        assertThat(ApiGate.violationsOfVendors(withConstructor(0), good)).isEmpty();
        assertThat(ApiGate.violationsOfVendors(withConstructor(ACC_PUBLIC), good))
                .containsExactly("provider-efa: io.verbs4j.efadv.EfaDv(int): constructor removed (breaks compiled"
                        + " programs and source)");
    }

    @Test
    void connectionApiMayGrow() {
        assertThat(violationsOfCm(
                        jar -> jar.edit(CONNECTION, node -> add(node, true)).edit(ENDPOINT, node -> add(node, true))))
                .isEmpty();
    }

    @Test
    void newAbstractMethodForConnectionProvidersIsFound() {
        assertThat(violationsOfCm(jar -> jar.edit(ENDPOINT, node -> add(node, false))))
                .singleElement()
                .asString()
                .startsWith("verbs-cm: io.verbs4j.cm.spi.CmEndpoint.added(): method added to interface");
    }

    @Test
    void removalFromConnectionApiIsFound() {
        assertThat(violationsOfCm(jar -> jar.edit(CONNECTION, node -> node.methods.remove(method(node, "queuePair")))))
                .containsExactly("verbs-cm: io.verbs4j.cm.CmConnection.queuePair(): method removed (breaks compiled"
                        + " programs and source)");
        assertThat(violationsOfCm(jar -> jar.edit(
                        "io/verbs4j/cm/CmEventType",
                        node -> node.fields.stream()
                                .filter(field -> field.name.equals("DISCONNECTED"))
                                .forEach(field -> field.value = 77))))
                .singleElement()
                .asString()
                .startsWith("verbs-cm: the constant io.verbs4j.cm.CmEventType.DISCONNECTED was ");
        assertThat(violationsOfCm(jar -> jar.edit(
                        "module-info",
                        node -> node.module.exports = new ArrayList<>(node.module.exports.stream()
                                .filter(one -> !one.packaze.endsWith("spi"))
                                .toList()))))
                .contains("verbs-cm: the package io.verbs4j.cm.spi is no longer exported");
    }

    @Test
    void vendorPackagesMayGrow() {
        assertThat(ApiGate.violationsOfVendors(good, withEfa(jar -> jar.edit(EFA, node -> add(node, true)))))
                .isEmpty();
    }

    /** A whole release of deprecation gives programs the time to replace it. */
    @Test
    void removingVendorApiRequiresEarlierDeprecation() {
        Release without = withEfa(jar -> jar.edit(EFA, node -> node.methods.remove(method(node, "readSgid"))));
        assertThat(ApiGate.violationsOfVendors(good, without))
                .singleElement()
                .asString()
                .startsWith("provider-efa: io.verbs4j.efadv.EfaDv.readSgid(")
                .contains("method removed");
        Release deprecating = withEfa(jar -> jar.edit(
                EFA,
                node -> method(node, "readSgid").visibleAnnotations =
                        new ArrayList<>(List.of(new AnnotationNode("Ljava/lang/Deprecated;")))));
        assertThat(ApiGate.violationsOfVendors(good, deprecating)).isEmpty();
        assertThat(ApiGate.violationsOfVendors(deprecating, without)).isEmpty();
    }

    @Test
    void changeOfVendorApiIsFound() {
        Release other = withEfa(jar -> jar.edit(EFA, node -> method(node, "readSgid").access &= ~Opcodes.ACC_PUBLIC));
        assertThat(ApiGate.violationsOfVendors(good, other))
                .singleElement()
                .asString()
                .contains("EfaDv.readSgid(")
                .contains("method less accessible");
    }
}
