/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipOutputStream;

/**
 * A provider that records every attribute, of any level and with any minimum: future levels, and those at the edge. Its
 * source is compiled with an existing header. The programs compare what the provider was given with what they passed.
 */
public final class Witness {
    static final String NAME = "witness";

    private static final List<String> BASE =
            List.of("witness/WitnessProvider", "witness/WitnessOps", "witness/Loop", "apps/Mirror");
    private static final List<String> EXTENDED = List.of("witness/WitnessXrc", "witness/XrcOps");
    private static final List<String> GROWN = List.of(
            "witness/WitnessCompletions",
            "witness/CompletionOps",
            "witness/CqEx",
            "witness/WitnessMemory",
            "witness/MemoryOps",
            "witness/MemoryLoop");

    private static final List<String> STEPS_OF_1 = List.of(
            "open_attr",
            "create_cq",
            "reg_mr",
            "create_ah",
            "create_srq",
            "create_qp",
            "query_device",
            "query_port",
            "query_tables");

    private static final List<String> STEPS_OF_3 = List.of(
            "slots_of_3",
            "create_cq_ex_given",
            "query_device_ex_given",
            "query_gid_ex_given",
            "poll_cq_sized",
            "builder_flags");

    private static final List<String> STEPS_OF_3_THERE =
            List.of("create_cq_ex", "start_poll", "query_values", "query_device_ex", "query_data_in_order", "changes");

    /** The steps that every program of the level prints, however old the other parties are. */
    private static final List<String> MEMORY_OF_3 = List.of("slots_of_memory", "reg_mr_ex_given", "base_domain");

    private static final List<String> MEMORY_OF_3_THERE = List.of(
            "reg_mr_ex",
            "advise_mr",
            "alloc_mr_key",
            "alloc_td",
            "parent_domain",
            "cq_of_parent_domain",
            "alloc_dm",
            "null_mr",
            "device_attr_ex",
            "memory_masks");

    private static final List<String> SHARED = List.of(
            "witness/WitnessSharing",
            "witness/SharingOps",
            "witness/EthernetOps",
            "witness/CounterOps",
            "witness/DmaOps");

    /** The steps that every program of the level prints, however old the other parties are. */
    private static final List<String> STEPS_OF_4 = List.of(
            "slots_of_4", "open_import", "slots_of_ece", "slots_of_ethernet", "slots_of_counters", "slots_of_dma");

    private static final List<String> STEPS_OF_4_THERE = List.of(
            "exports",
            "import_pd",
            "import_mr",
            "import_dm",
            "create_wq",
            "create_rwq_ind_table",
            "create_qp_ex_rss",
            "create_flow",
            "create_counters",
            "comp_cntr_caps",
            "comp_cntr",
            "comp_cntr_attached",
            "alloc_dmah",
            "alloc_buf",
            "flow_action_esp",
            "ece");

    private Witness() {}

    /**
     * Creates a witness.
     *
     * @param level the level that it reports; it has the verbs of that level, if they exist
     * @param minimum the lowest level of a library that it accepts
     * @param header the header that it is compiled with
     */
    public static Subject of(int level, int minimum, Path header, Path scratch) {
        return of(sources(level, minimum), level, minimum, header, scratch);
    }

    /** Creates a witness from changed sources. */
    static Subject of(Map<String, String> sources, int level, int minimum, Path header, Path scratch) {
        try {
            // Each in its own folder: the jars of one release lie beside each other.
            Path folder = Files.createTempDirectory(scratch, NAME);
            Path classes = folder.resolve("classes");
            List<String> options = List.of(
                    "--release", "17", "-proc:none", "-nowarn", "-d", classes.toString(), "-cp", header.toString());
            Compilation compilation = Compilation.compile(sources, options, classes);
            if (!compilation.succeeded()) {
                throw new MatrixException("the witness does not compile with " + header + ": "
                        + compilation.complaints().get(0).text());
            }
            Path jar = folder.resolve(NAME + ".jar");
            String provider = Stream.of("WitnessSharing", "WitnessMemory", "WitnessXrc", "WitnessProvider")
                    .filter(type -> sources.containsKey("witness/" + type + ".java"))
                    .findFirst()
                    .orElseThrow();
            try (OutputStream out = Files.newOutputStream(jar);
                    ZipOutputStream zip = new ZipOutputStream(out);
                    Stream<Path> files = Files.walk(classes)) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    Future.put(zip, classes.relativize(file).toString(), Files.readAllBytes(file));
                }
                byte[] service = ("witness." + provider).getBytes(StandardCharsets.UTF_8);
                Future.put(zip, "META-INF/services/io.verbs4j.spi.VerbsProvider", service);
            }
            return new Subject(NAME + " " + level + "/" + minimum, jar, level, minimum, false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Map<String, String> sources(int level, int minimum) {
        List<String> resources = new ArrayList<>(BASE);
        if (level >= 2) {
            resources.addAll(EXTENDED);
        }
        if (level >= 3) {
            resources.addAll(GROWN);
        }
        if (level >= 4) {
            resources.addAll(SHARED);
        }
        Map<String, String> sources = new LinkedHashMap<>();
        for (String resource : resources) {
            String text = AppSource.text(resource + ".java")
                    .replace("package app;", "package witness;")
                    .replace("return 1; // level", "return " + level + ";")
                    .replace("return 1; // minimum", "return " + minimum + ";");
            sources.put("witness/" + resource.substring(resource.indexOf('/') + 1) + ".java", text);
        }
        return sources;
    }

    /** {@return the steps that a program must print about the witness} */
    static List<String> steps(AppSource app, int library, int provider) {
        List<String> steps = new ArrayList<>(STEPS_OF_1);
        if (app.sources().containsKey("app/WitnessedXrc.java")) {
            steps.addAll(List.of("create_qp_ex_given", "create_srq_ex_given", "query_context"));
            if (provider >= 2) {
                steps.addAll(List.of("arrays", "fields"));
            }
            if (provider >= 2 && library >= 2) {
                steps.addAll(List.of("create_qp_ex", "create_srq_ex", "xrc", "masks"));
            }
        }
        if (app.sources().containsKey("app/WitnessedCompletions.java")) {
            steps.addAll(STEPS_OF_3);
            steps.addAll(MEMORY_OF_3);
            if (provider >= 3 && library >= 2) {
                steps.add("create_qp_ex_flags");
            }
            if (provider >= 3) {
                steps.add("operations");
            }
            if (provider >= 3 && library >= 3) {
                steps.addAll(STEPS_OF_3_THERE);
                steps.addAll(MEMORY_OF_3_THERE);
            }
        }
        if (app.sources().containsKey("app/WitnessedSharing.java")) {
            steps.addAll(STEPS_OF_4);
            if (provider >= 4 && library >= 4) {
                steps.addAll(STEPS_OF_4_THERE);
            }
        }
        return steps;
    }
}
