/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.built.BuiltModules;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** The API of the vendors' packages can grow. */
class VendorApiTest {
    private static final List<String> VENDORS = List.of("efa", "gaudi", "mlx5", "rxe");

    /** The records whose C struct cannot grow; docs/reference/promises.md explains why. */
    private static final Set<String> CLOSED = Set.of(
            "io.verbs4j.mlx5dv.ClockInfo",
            "io.verbs4j.mlx5dv.DevxCommandCompletion",
            "io.verbs4j.mlx5dv.DevxEvent",
            "io.verbs4j.mlx5dv.LagPort",
            "io.verbs4j.mlx5dv.Mlx5DeviceAttr$CqeCompression",
            "io.verbs4j.mlx5dv.Mlx5DeviceAttr$DcRdAtom",
            "io.verbs4j.mlx5dv.Mlx5DeviceAttr$DciStreams",
            "io.verbs4j.mlx5dv.Mlx5DeviceAttr$OutOfOrderRecvWrs",
            "io.verbs4j.mlx5dv.Mlx5DeviceAttr$RegC0",
            "io.verbs4j.mlx5dv.Mlx5DeviceAttr$Signature",
            "io.verbs4j.mlx5dv.Mlx5DeviceAttr$StridingRq",
            "io.verbs4j.mlx5dv.Mlx5DeviceAttr$SwParsing",
            "io.verbs4j.mlx5dv.Mlx5Ring");

    @TempDir
    static Path scratch;

    private static List<ClassNode> types;

    @BeforeAll
    static void readVendors() {
        types = VENDORS.stream()
                .map(name -> ApiSurface.of(BuiltModules.jar(BuiltModules.PROVIDER_PREFIX + name, scratch)))
                .flatMap(surface -> surface.types().values().stream())
                .toList();
    }

    private static String name(ClassNode type) {
        return type.name.replace('/', '.');
    }

    /** Each added value changes a record's constructor and pattern. */
    @Test
    void recordsMirrorOnlyStructsThatCannotGrow() {
        Set<String> records = new TreeSet<>();
        types.stream()
                .filter(type -> "java/lang/Record".equals(type.superName))
                .forEach(type -> records.add(name(type)));
        assertThat(records).isEqualTo(new TreeSet<>(CLOSED));
    }

    /** A program could not call such a member without using a hidden type, and the provider could never change it. */
    @Test
    void visibleMembersUseOnlyExportedTypes() {
        Set<String> leaks = new TreeSet<>();
        for (ClassNode type : types) {
            for (MethodNode method : type.methods) {
                if ((method.access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0
                        && (method.access & Opcodes.ACC_SYNTHETIC) == 0
                        && Stream.concat(
                                        Stream.of(Type.getReturnType(method.desc)),
                                        Arrays.stream(Type.getArgumentTypes(method.desc)))
                                .anyMatch(VendorApiTest::isHidden)) {
                    leaks.add(name(type) + "." + method.name + method.desc);
                }
            }
        }
        assertThat(leaks).isEmpty();
    }

    private static boolean isHidden(Type type) {
        String name = (type.getSort() == Type.ARRAY ? type.getElementType() : type).getClassName();
        return Stream.of("io.verbs4j.provider.", "io.verbs4j.rdmacore.", "io.verbs4j.natives.")
                .anyMatch(name::startsWith);
    }
}
