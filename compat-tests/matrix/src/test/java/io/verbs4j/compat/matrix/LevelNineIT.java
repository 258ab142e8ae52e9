/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.matrix.Step.Kind;
import io.verbs4j.testsupport.Full;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Extensibility: a program and a provider of level 9 agree on a queue pair type, access flags, attributes and an
 * operation that no library knows, and every library, including frozen ones, passes them on.
 */
@Full
class LevelNineIT {
    private static final int NINE = 9;

    @TempDir
    Path scratch;

    private final Release build = Parties.build();

    /** Creates the header of both. Its numbers are from the ranges that are reserved for providers, or optional. */
    private Path header() {
        return Sources.header()
                .edit("io/verbs4j/VerbsLevel.java", "CURRENT = SHARING", "CURRENT = " + NINE)
                .edit(
                        "io/verbs4j/QpType.java",
                        "    private QpType() {}",
                        constant("int STREAM = 77", "private QpType() {}"))
                .edit(
                        "io/verbs4j/AccessFlags.java",
                        "    private AccessFlags() {}",
                        constant("int SEALED = 1 << 13, HINT = 1 << 26", "private AccessFlags() {}"))
                .edit(
                        "io/verbs4j/WrOpcode.java",
                        "    private WrOpcode() {}",
                        constant("int REVERSED = 300", "private WrOpcode() {}"))
                .edit(
                        "io/verbs4j/QpInitAttrMask.java",
                        "    private QpInitAttrMask() {}",
                        constant("long FLAVOUR = 1L << 20", "private QpInitAttrMask() {}"))
                .edit(
                        "io/verbs4j/QpAttrMask.java",
                        "    private QpAttrMask() {}",
                        constant("int RATE_LIMIT = 1 << 25", "private QpAttrMask() {}"))
                .edit(
                        "io/verbs4j/QpInitAttrEx.java",
                        "    public QpInitAttrEx() {}",
                        attribute("QpInitAttrEx", "flavour", "mark(QpInitAttrMask.FLAVOUR);"))
                .edit(
                        "io/verbs4j/QpAttr.java",
                        "    public QpAttr() {}",
                        attribute("QpAttr", "rateLimit", "mask |= QpAttrMask.RATE_LIMIT;"))
                .edit(
                        "io/verbs4j/ValuesMask.java",
                        "    private ValuesMask() {}",
                        constant("long HEAT = 1L << ValuesEx.HEAT", "private ValuesMask() {}"))
                .edit(
                        "io/verbs4j/ValuesEx.java",
                        "        Long.class, // HWCLOCK_NS",
                        "        Long.class, Long.class,")
                .edit(
                        "io/verbs4j/ValuesEx.java",
                        "    /** Creates an instance",
                        "    public static final int HEAT = 2;\n\n    public long heat() {\n"
                                + "        return (Long) field(HEAT, 0L);\n    }\n\n    /** Creates an instance")
                .jar(scratch.resolve("verbs-spi-nine.jar"));
    }

    private static String constant(String constants, String before) {
        return "    public static final " + constants + ";\n\n    " + before;
    }

    private static String attribute(String type, String name, String mark) {
        return "    private int " + name + ";\n\n    public " + type + "() {}\n\n    public int " + name
                + "() {\n        return "
                + name + ";\n    }\n\n    public " + type + " " + name + "(int value) {\n        " + name
                + " = value;\n        "
                + mark + "\n        return this;\n    }\n";
    }

    private Subject provider(Path header) {
        Map<String, String> sources = new LinkedHashMap<>(Witness.sources(NINE, 1));
        edit(sources, "WitnessOps", "return 0x1f;", "return 0x1f | AccessFlags.SEALED;");
        edit(sources, "WitnessOps", "if (type != QpType.RC) {", "if (type != QpType.RC && type != QpType.STREAM) {");
        edit(
                sources,
                "WitnessOps",
                "if (attrMask >>> 21 != 0) {",
                "if ((attrMask & ~QpAttrMask.RATE_LIMIT) >>> 21 != 0) {");
        edit(sources, "XrcOps", "| QpInitAttrMask.VENDOR;", "| QpInitAttrMask.VENDOR | QpInitAttrMask.FLAVOUR;");
        edit(sources, "Loop", "        if (opcode == WrOpcode.RDMA_WRITE) {", """
                        for (int i = 0; opcode == WrOpcode.REVERSED && i < bytes.length / 2; i++) {
                            byte swapped = bytes[i];
                            bytes[i] = bytes[bytes.length - 1 - i];
                            bytes[bytes.length - 1 - i] = swapped;
                        }
                        if (opcode == WrOpcode.RDMA_WRITE || opcode == WrOpcode.REVERSED) {""");
        return Witness.of(sources, NINE, 1, header, scratch);
    }

    private static void edit(Map<String, String> sources, String type, String from, String to) {
        String file = "witness/" + type + ".java";
        assertThat(sources.get(file)).containsOnlyOnce(from);
        sources.put(file, sources.get(file).replace(from, to));
    }

    private static AppSource app() throws IOException {
        Map<String, String> sources =
                new LinkedHashMap<>(AppSource.read("Results", "Mirror", "BaseVerbs", "Witnessed"));
        try (InputStream in = LevelNineIT.class.getResourceAsStream("NineApp.java.txt")) {
            sources.put("app/NineApp.java", new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        List<Step> steps = List.of(
                new Step("new", "default_device", 1, Kind.ALWAYS),
                new Step("new", "access_bit", 1, Kind.ALWAYS),
                new Step("new", "optional_access_bit", 1, Kind.ALWAYS),
                new Step("new", "qp_type", 1, Kind.ALWAYS),
                new Step("new", "modify_bit", 1, Kind.ALWAYS),
                new Step("new", "opcode", 1, Kind.ALWAYS),
                // This belongs to a verb of level 2, which is all that the library must have.
                new Step("new", "plain_attribute", 2, Kind.MISSING),
                // The same for a verb of level 3.
                new Step("new", "value", 3, Kind.MISSING));
        return new AppSource("level 9", NINE, "NineApp", sources, new TreeMap<>(), steps);
    }

    @Test
    void everyLibraryPassesOnWhatItDoesNotKnow() throws Exception {
        Release nine = new Release("level 9", NINE, header(), build.library(), build.provider());
        Subject provider = provider(nine.header());
        List<Release> libraries = new ArrayList<>(Release.frozen(Parties.frozenFolder()));
        libraries.add(build);
        List<Cell> cells = new ArrayList<>();
        for (Release library : libraries) {
            cells.add(new Cell(Plan.GENERAL, app(), nine, library, provider, nine, false, Parties.jdk()));
        }

        List<CellResult> results = Parties.run(scratch, cells);

        Parties.assertGreen(results);
        assertThat(results)
                .hasSize(libraries.size())
                .allSatisfy(r -> assertThat(r.outcome()).isEqualTo(Outcome.Y))
                .allSatisfy(r -> assertThat(r.detail()).contains("opcode works (1000 bytes verified)", "qp_type works"))
                .allSatisfy(r -> assertThat(r.detail())
                        .contains("plain_attribute " + (r.cell().library().level() < 2 ? "ENOSYS" : "works"))
                        .contains("value " + (r.cell().library().level() < 3 ? "ENOSYS" : "works")));
    }
}
