/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;

import io.verbs4j.compat.built.BuiltModules;
import io.verbs4j.compat.built.JarContent;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/** Attributes that providers cannot refuse must not grow. */
class DataPathGateTest {
    private static final String RULE = "verbs-spi: the data path grows only by new opcodes and flags: ";
    private static final String REQUEST = "io/verbs4j/SendWorkRequest";

    @TempDir
    Path scratch;

    private List<String> violations(Consumer<JarContent> mutation) {
        JarContent jar = JarContent.of(BuiltModules.location(BuiltModules.SPI));
        mutation.accept(jar);
        Path now = jar.writeTo(scratch.resolve("now.jar"));
        return DataPathGate.violations(ApiSurface.of(BuiltModules.jar(BuiltModules.SPI, scratch)), ApiSurface.of(now));
    }

    /** Adds a method that ignores its arguments. */
    private static void addMethod(ClassNode node, int access, String descriptor) {
        MethodNode method = new MethodNode(access, "added", descriptor, null, null);
        method.visitInsn(Opcodes.RETURN);
        method.visitMaxs(0, 3);
        node.methods.add(method);
    }

    private static void addConstant(ClassNode node) {
        node.fields.add(new FieldNode(ACC_PUBLIC | ACC_STATIC | ACC_FINAL, "ADDED", "I", null, 99));
    }

    static List<String> closed() {
        return DataPathGate.CLOSED;
    }

    @ParameterizedTest
    @MethodSource("closed")
    void setterOfTypeWithoutMaskIsFound(String type) {
        assertThat(violations(jar -> jar.edit("io/verbs4j/WrOpcode", DataPathGateTest::addConstant)
                        .edit(type.replace('.', '/'), node -> addMethod(node, ACC_PUBLIC, "(J)V"))))
                .containsExactly(RULE + type + ".added(J) would be silently ignored by existing providers");
    }

    @ParameterizedTest
    @MethodSource("closed")
    void writableFieldIsFound(String type) {
        assertThat(violations(jar -> jar.edit(
                        type.replace('.', '/'),
                        node -> node.fields.add(new FieldNode(ACC_PUBLIC, "added", "I", null, null)))))
                .containsExactly(RULE + type + ".added would be silently ignored by existing providers");
    }

    @ParameterizedTest
    @MethodSource("closed")
    void maskThatProvidersIgnoreIsFound(String type) {
        assertThat(violations(jar -> jar.edit(type.replace('.', '/'), node -> node.superName = "io/verbs4j/InputAttr")))
                .containsExactly(RULE + type + " extends another class, but existing providers check no mask");
    }

    @ParameterizedTest
    @MethodSource("closed")
    void readOnlyAdditionsAreAccepted(String type) {
        assertThat(violations(jar -> jar.edit(type.replace('.', '/'), node -> {
                    addMethod(node, ACC_PUBLIC, "()V");
                    addMethod(node, ACC_PUBLIC | ACC_STATIC, "(J)V");
                })))
                .isEmpty();
    }

    @Test
    void requestGrowingWithoutOperationIsFound() {
        assertThat(violations(jar -> jar.edit(REQUEST, node -> addMethod(node, ACC_PUBLIC, "(J)V"))))
                .containsExactly(RULE + "io.verbs4j.SendWorkRequest has added(J) more, but neither WrOpcode nor"
                        + " SendFlags has a constant that it could belong to");
    }

    @ParameterizedTest
    @ValueSource(strings = {"WrOpcode", "SendFlags"})
    void requestGrowingWithOperationOrFlagIsAccepted(String type) {
        assertThat(violations(jar -> jar.edit("io/verbs4j/" + type, DataPathGateTest::addConstant)
                        .edit(REQUEST, node -> addMethod(node, ACC_PUBLIC, "(J)V"))))
                .isEmpty();
    }
}
