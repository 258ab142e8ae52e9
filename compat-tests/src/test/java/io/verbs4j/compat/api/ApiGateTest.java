/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.objectweb.asm.Opcodes.ACC_ABSTRACT;
import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_PROTECTED;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;

import io.verbs4j.compat.built.BuiltModules;
import io.verbs4j.compat.built.JarContent;
import io.verbs4j.testsupport.Full;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.ModuleExportNode;
import org.objectweb.asm.tree.ModuleProvideNode;

/** The gate rejects each kind of change that it must find, and accepts the additions of a level. */
class ApiGateTest {
    private static final String CONTEXT = "io/verbs4j/Context";
    private static final String CONTEXT_OPS = "io/verbs4j/ContextOps";
    private static final String DEVICE = "io/verbs4j/Device";
    private static final String HANDLE = "io/verbs4j/AddressHandle";
    private static final String LEVEL = "io/verbs4j/VerbsLevel";
    private static final String OPCODE = "io/verbs4j/WrOpcode";
    private static final String PROVIDER = "io/verbs4j/spi/VerbsProvider";
    private static final String REPORT = "io/verbs4j/core/ProviderReport";
    private static final String SLOT = "io/verbs4j/ContextSlot";
    private static final String VERBS = "io/verbs4j/core/Verbs";

    private static final AtomicInteger MUTANTS = new AtomicInteger();

    @TempDir
    static Path scratch;

    private static Release good;

    @BeforeAll
    static void findThisBuild() {
        good = Release.ofThisBuild(scratch);
    }

    private static List<String> violationsOfSpi(Consumer<JarContent> mutation) {
        return ApiGate.violations(good, good.withSpi(mutant(BuiltModules.SPI, mutation)));
    }

    private static List<String> violationsOfCore(Consumer<JarContent> mutation) {
        return ApiGate.violations(good, good.withCore(mutant(BuiltModules.CORE, mutation)));
    }

    private static Path mutant(String module, Consumer<JarContent> mutation) {
        JarContent jar = JarContent.of(BuiltModules.location(module));
        mutation.accept(jar);
        // A new file each time, because japicmp keeps the files that it has read open.
        return jar.writeTo(scratch.resolve("mutant-" + MUTANTS.incrementAndGet() + ".jar"));
    }

    // --- accepted changes ---

    @Test
    void buildIsCompatibleWithItself() {
        assertThat(ApiGate.violations(good, good)).isEmpty();
    }

    @Test
    void additionsOfLevelAreAccepted() {
        List<String> violations = violationsOfSpi(jar -> jar.put("io/verbs4j/New.class", emptyType("io/verbs4j/New"))
                .edit(CONTEXT, node -> node.methods.add(voidMethod(ACC_PUBLIC | ACC_FINAL, "added")))
                .edit(OPCODE, node -> node.fields.add(constant("ADDED", 99)))
                .edit(SLOT, node -> field(node, "COUNT").value = 77)
                .edit(LEVEL, node -> field(node, "CURRENT").value = 77));
        assertThat(violations).isEmpty();
    }

    @Test
    void hiddenApiMayChange() {
        assertThat(violationsOfCore(jar -> jar.put(VERBS + "Hidden.class", emptyType(VERBS + "Hidden", ACC_FINAL))
                        .edit(VERBS, node -> node.methods.add(voidMethod(ACC_PRIVATE | ACC_STATIC, "hidden")))
                        .edit(REPORT, node -> method(node, "<init>").desc = "(Ljava/util/Set;)V")))
                .isEmpty();
    }

    // --- the header ---

    static Stream<Arguments> breakingChangesOfTheHeader() {
        return Stream.of(
                change(
                        "a method is gone",
                        jar -> jar.edit(DEVICE, node -> node.methods.remove(method(node, "guid"))),
                        "io.verbs4j.Device.guid(): method removed (breaks compiled programs and source)"),
                change(
                        "a constructor for subclasses is gone",
                        jar -> jar.edit(DEVICE, node -> node.methods.remove(method(node, "<init>"))),
                        "io.verbs4j.Device(java.lang.String, long, int, int): constructor removed"),
                change(
                        "a class is gone",
                        jar -> jar.remove(OPCODE + ".class"),
                        "io.verbs4j.WrOpcode: class removed (breaks compiled programs and source)"),
                change(
                        "a parameter is wider",
                        jar -> jar.edit(CONTEXT, node -> method(node, "queryPort").desc = "(J)Lio/verbs4j/PortAttr;"),
                        "io.verbs4j.Context.queryPort(int): method removed"),
                change(
                        "a return type is wider",
                        jar -> jar.edit(CONTEXT, node -> method(node, "numCompVectors").desc = "()J"),
                        "io.verbs4j.Context.numCompVectors(): method return type changed"),
                change(
                        "a method is less visible",
                        jar -> jar.edit(CONTEXT, node -> access(method(node, "allocPd"), ACC_PUBLIC, ACC_PROTECTED)),
                        "io.verbs4j.Context.allocPd(): method less accessible"),
                change(
                        "a class is less visible",
                        jar -> jar.edit(OPCODE, node -> node.access &= ~ACC_PUBLIC),
                        "io.verbs4j.WrOpcode: class no longer public"),
                change(
                        "a class is final",
                        jar -> jar.edit("io/verbs4j/VerbsException", node -> node.access = node.access | ACC_FINAL),
                        "io.verbs4j.VerbsException: class now not extendable"),
                change(
                        "a method is final",
                        jar -> jar.edit(CONTEXT, node -> access(method(node, "libraryOps"), ACC_ABSTRACT, ACC_FINAL)),
                        "io.verbs4j.Context.libraryOps(): method now final"),
                change(
                        "a handle has one more abstract method",
                        jar -> jar.edit(HANDLE, node -> node.methods.add(abstractMethod(ACC_PUBLIC, "added"))),
                        "io.verbs4j.AddressHandle.added(): method abstract added to class"),
                change(
                        "a checked exception is thrown",
                        jar -> jar.edit(
                                CONTEXT,
                                node -> method(node, "close").exceptions.add("java/io/IOException")),
                        "io.verbs4j.Context.close(): method now throws checked exception (breaks source)"),
                change(
                        "a package is no longer exported",
                        jar -> jar.edit(
                                "module-info",
                                node -> node.module.exports.removeIf(e -> e.packaze.equals("io/verbs4j/spi"))),
                        "verbs-spi: the package io.verbs4j.spi is no longer exported"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("breakingChangesOfTheHeader")
    void breakingChangeOfHeaderIsFound(String name, Consumer<JarContent> mutation, String expected) {
        assertThat(violationsOfSpi(mutation)).as(name).anyMatch(line -> line.contains(expected));
    }

    static Stream<Arguments> changesOfWhatIsFrozenForEver() {
        return Stream.of(
                change(
                        "ContextOps has one more method",
                        jar -> jar.edit(CONTEXT_OPS, node -> node.methods.add(abstractMethod(ACC_PUBLIC, "added"))),
                        "io.verbs4j.ContextOps is frozen forever, without additions: added: public abstract void"
                                + " io.verbs4j.ContextOps.added()"),
                change(
                        "ContextOps has one more method with a body",
                        jar -> jar.edit(CONTEXT_OPS, node -> node.methods.add(voidMethod(ACC_PUBLIC, "added"))),
                        "io.verbs4j.ContextOps is frozen forever, without additions: added: public void"
                                + " io.verbs4j.ContextOps.added()"),
                change(
                        "a method of ContextOps has lost its body",
                        jar -> jar.edit(CONTEXT_OPS, node -> takeBody(method(node, "close"))),
                        "io.verbs4j.ContextOps is frozen forever, without additions: gone: public void"
                                + " io.verbs4j.ContextOps.close()"),
                change(
                        "VerbsProvider has one more method",
                        jar -> jar.edit(PROVIDER, node -> node.methods.add(abstractMethod(ACC_PUBLIC, "added"))),
                        "io.verbs4j.spi.VerbsProvider is frozen forever, without additions: added: public abstract void"
                                + " io.verbs4j.spi.VerbsProvider.added()"),
                change(
                        "VerbsProvider has one more constant",
                        jar -> jar.edit(PROVIDER, node -> node.fields.add(constant("ADDED", 1))),
                        "io.verbs4j.spi.VerbsProvider is frozen forever, without additions: added: public static final"
                                + " int io.verbs4j.spi.VerbsProvider.ADDED"),
                change(
                        "VerbsProvider is gone",
                        jar -> jar.remove(PROVIDER + ".class"),
                        "io.verbs4j.spi.VerbsProvider is frozen forever, without additions: it is gone"));
    }

    static List<String> frozenTypes() {
        List<String> types =
                ApiGate.frozenTypes(ApiSurface.of(Release.ofThisBuild(scratch).spi()));
        // No name in the list may be misspelt, and the slots must be among them.
        assertThat(types)
                .containsAll(ApiGate.UNCHANGEABLE)
                .contains("io.verbs4j.slot.CreateQpEx", "io.verbs4j.slot.OpenQp");
        return types;
    }

    /** Adds a method with a body, which is easily taken for harmless, to each frozen type. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("frozenTypes")
    @Full
    void methodWithBodyInFrozenTypeIsFound(String type) {
        String file = type.replace('.', '/');
        String expected = type + " is frozen forever, without additions: added: public ";
        assertThat(violationsOfSpi(jar -> jar.edit(file, node -> node.methods.add(voidMethod(ACC_PUBLIC, "added")))))
                .singleElement()
                .asString()
                .startsWith("verbs-spi: " + expected + "void " + type + ".added()");
    }

    /** Adds a method that only subclasses see. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"InputAttr", "OutputAttr", "ExtendedContext"})
    void protectedMethodInFrozenTypeIsFound(String type) {
        assertThat(violationsOfSpi(jar ->
                        jar.edit("io/verbs4j/" + type, node -> node.methods.add(voidMethod(ACC_PROTECTED, "added")))))
                .singleElement()
                .asString()
                .contains(
                        "is frozen forever, without additions: added: protected void io.verbs4j." + type + ".added()");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changesOfWhatIsFrozenForEver")
    void changeOfFrozenTypeIsFound(String name, Consumer<JarContent> mutation, String expected) {
        assertThat(violationsOfSpi(mutation)).as(name).anyMatch(line -> line.contains(expected));
    }

    // --- additions of a level to handles ---

    private static final String DEFAULT = "verbs-spi: what a level adds to a handle fails with EOPNOTSUPP by default: ";

    /** Adds a verb with this body to handles that have a data path. */
    private static List<String> violationsOfHandles(int access, String descriptor, Consumer<MethodNode> body) {
        MethodNode method = new MethodNode(access, "added", descriptor, null, null);
        body.accept(method);
        method.visitMaxs(5, 4);
        return violationsOfSpi(jar -> {
            for (String handle : List.of("QueuePair", "CompletionQueue", "SharedReceiveQueue")) {
                jar.edit("io/verbs4j/" + handle, node -> node.methods.add(method));
            }
        });
    }

    private static void returning(MethodNode method, int value) {
        method.visitIntInsn(Opcodes.BIPUSH, value);
        method.visitInsn(Opcodes.IRETURN);
    }

    private static void throwing(MethodNode method, int errno) {
        method.visitTypeInsn(Opcodes.NEW, "io/verbs4j/VerbsException");
        method.visitInsn(Opcodes.DUP);
        method.visitIntInsn(Opcodes.BIPUSH, errno);
        method.visitLdcInsn("added");
        method.visitLdcInsn("the device can't");
        String constructor = "(ILjava/lang/String;Ljava/lang/String;)V";
        method.visitMethodInsn(Opcodes.INVOKESPECIAL, "io/verbs4j/VerbsException", "<init>", constructor, false);
        method.visitInsn(Opcodes.ATHROW);
    }

    @Test
    void handleVerbFailingWithEopnotsuppIsAccepted() {
        assertThat(violationsOfHandles(ACC_PUBLIC, "(J)I", method -> returning(method, 95)))
                .isEmpty();
        assertThat(violationsOfHandles(ACC_PUBLIC, "(Lio/verbs4j/Gid;I)I", method -> returning(method, -95)))
                .isEmpty();
        assertThat(violationsOfHandles(ACC_PUBLIC, "()Ljava/lang/String;", method -> throwing(method, 95)))
                .isEmpty();
        // No provider can override it: it calls through the table.
        assertThat(violationsOfHandles(ACC_PUBLIC | ACC_FINAL, "()I", method -> returning(method, 0)))
                .isEmpty();
    }

    @Test
    void handleVerbSilentlyDoingNothingIsFound() {
        assertThat(violationsOfHandles(ACC_PUBLIC, "(J)I", method -> returning(method, 0)))
                .containsExactlyInAnyOrder(
                        DEFAULT + "io.verbs4j.CompletionQueue.added returns 0",
                        DEFAULT + "io.verbs4j.QueuePair.added returns 0",
                        DEFAULT + "io.verbs4j.SharedReceiveQueue.added returns 0");
        assertThat(violationsOfHandles(ACC_PROTECTED, "()V", ApiGateTest::giveBody))
                .hasSize(3)
                .contains(DEFAULT + "io.verbs4j.QueuePair.added returns as if it had succeeded");
        assertThat(violationsOfHandles(ACC_PUBLIC, "()V", method -> throwing(method, 22)))
                .hasSize(3)
                .allMatch(line -> line.contains("throws io.verbs4j.VerbsException: added: EINVAL"));
    }

    // --- constants ---

    @Test
    void renumberedConstantIsFound() {
        assertThat(violationsOfSpi(jar -> jar.edit(OPCODE, node -> field(node, "SEND").value = 77)))
                .singleElement()
                .asString()
                .isEqualTo("verbs-spi: the constant io.verbs4j.WrOpcode.SEND was 2 and is now 77; compiled programs"
                        + " contain the old value");
    }

    @Test
    void computedConstantIsFound() {
        assertThat(violationsOfSpi(jar -> jar.edit(OPCODE, node -> field(node, "SEND").value = null)))
                .singleElement()
                .asString()
                .contains("the constant io.verbs4j.WrOpcode.SEND = 2 is gone, or is no longer a compile-time constant");
    }

    @Test
    void decreasedLevelIsFound() {
        assertThat(violationsOfSpi(jar -> jar.edit(LEVEL, node -> field(node, "CURRENT").value = 0)))
                .singleElement()
                .asString()
                .contains("the constant io.verbs4j.VerbsLevel.CURRENT was");
    }

    // --- the library ---

    static Stream<Arguments> changesOfTheLibrary() {
        return Stream.of(
                change(
                        "a public class is added",
                        jar -> jar.put("io/verbs4j/core/New.class", emptyType("io/verbs4j/core/New")),
                        "verbs-core: its exports must not grow: added public type io.verbs4j.core.New extends"),
                change(
                        "a public method is added",
                        jar -> jar.edit(VERBS, node -> node.methods.add(voidMethod(ACC_PUBLIC | ACC_STATIC, "added"))),
                        "verbs-core: its exports must not grow: added public static void"
                                + " io.verbs4j.core.Verbs.added()"),
                change(
                        "a public constant is added",
                        jar -> jar.edit(VERBS, node -> node.fields.add(constant("ADDED", 5))),
                        "verbs-core: its exports must not grow: added public static final int"
                                + " io.verbs4j.core.Verbs.ADDED"),
                change(
                        "a constructor is public now",
                        jar -> jar.edit(REPORT, node -> method(node, "<init>").access |= ACC_PUBLIC),
                        "verbs-core: its exports must not grow: added public void"
                                + " io.verbs4j.core.ProviderReport.<init>("),
                change(
                        "a package is exported",
                        jar -> jar.put("io/verbs4j/core/more/New.class", emptyType("io/verbs4j/core/more/New"))
                                .edit("module-info", node -> export(node, "io/verbs4j/core/more")),
                        "verbs-core: its exports must not grow: added the exported package io.verbs4j.core.more"),
                change(
                        "an entry point is hidden",
                        jar -> jar.edit(VERBS, node -> method(node, "report").access &= ~ACC_PUBLIC),
                        "verbs-core: io.verbs4j.core.Verbs.report(): method less accessible"),
                change(
                        "an entry point returns something else",
                        jar -> jar.edit(VERBS, node -> method(node, "level").desc = "()J"),
                        "verbs-core: io.verbs4j.core.Verbs.level(): method return type changed"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changesOfTheLibrary")
    void changeOfLibraryIsFound(String name, Consumer<JarContent> mutation, String expected) {
        assertThat(violationsOfCore(mutation)).as(name).anyMatch(line -> line.contains(expected));
    }

    // --- the provider ---

    @Test
    void renamedProviderIsFound() {
        Path renamed = mutant(
                BuiltModules.RXE,
                jar -> jar.edit("module-info", node -> {
                    ModuleProvideNode provides = node.module.provides.stream()
                            .filter(p -> p.service.equals("io/verbs4j/spi/VerbsProvider"))
                            .findFirst()
                            .orElseThrow();
                    provides.providers = new ArrayList<>(List.of("io/verbs4j/provider/rxe/Renamed"));
                }));
        assertThat(ApiGate.violations(good, good.withRxe(renamed)))
                .singleElement()
                .asString()
                .startsWith("provider-rxe: no longer provides io.verbs4j.spi.VerbsProvider with"
                        + " io.verbs4j.provider.rxe.RxeProvider;");
    }

    // --- helpers ---

    private static Arguments change(String name, Consumer<JarContent> mutation, String expected) {
        return arguments(name, mutation, expected);
    }

    private static MethodNode method(ClassNode node, String name) {
        return node.methods.stream()
                .filter(m -> m.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static FieldNode field(ClassNode node, String name) {
        return node.fields.stream().filter(f -> f.name.equals(name)).findFirst().orElseThrow();
    }

    private static void access(MethodNode method, int instead, int access) {
        method.access = method.access & ~instead | access;
    }

    private static void giveBody(MethodNode method) {
        method.access &= ~ACC_ABSTRACT;
        method.instructions = new InsnList();
        method.instructions.add(new InsnNode(Opcodes.RETURN));
        method.maxLocals = 1;
    }

    private static void takeBody(MethodNode method) {
        method.access |= ACC_ABSTRACT;
        method.instructions = new InsnList();
        method.localVariables = List.of();
    }

    private static void export(ClassNode module, String name) {
        module.module.exports.add(new ModuleExportNode(name, 0, null));
        if (module.module.packages != null) { // jars have this list, folders do not
            module.module.packages.add(name);
        }
    }

    private static MethodNode voidMethod(int access, String name) {
        MethodNode method = new MethodNode(access, name, "()V", null, null);
        giveBody(method);
        return method;
    }

    private static MethodNode abstractMethod(int access, String name) {
        return new MethodNode(access | ACC_ABSTRACT, name, "()V", null, null);
    }

    private static FieldNode constant(String name, int value) {
        return new FieldNode(ACC_PUBLIC | ACC_STATIC | ACC_FINAL, name, "I", null, value);
    }

    private static byte[] emptyType(String internalName) {
        return emptyType(internalName, ACC_PUBLIC);
    }

    private static byte[] emptyType(String internalName, int access) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V17, access, internalName, null, "java/lang/Object", null);
        writer.visitEnd();
        return writer.toByteArray();
    }
}
