/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import io.verbs4j.compat.matrix.Step.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A program, as source.
 *
 * @param name its name in the reports
 * @param level the lowest level of a header that it compiles with
 * @param mainClass its main class, in package {@code app}
 * @param sources its files by name
 * @param symbols names that javac must report as missing with an older header, by the level that added them
 * @param steps its steps beyond level 1
 */
public record AppSource(
        String name,
        int level,
        String mainClass,
        Map<String, String> sources,
        NavigableMap<Integer, List<String>> symbols,
        List<Step> steps) {

    private static final String MODULE = "module app { requires io.verbs4j.core; }";

    /** {@return the program of a level; each frozen level must have one} */
    public static AppSource ofLevel(int level) {
        return switch (level) {
            case 1 ->
                new AppSource(
                        "level 1",
                        1,
                        "OldApp",
                        read("Results", "Mirror", "BaseVerbs", "OwnProvider", "Witnessed", "OldApp"),
                        symbols(1),
                        List.of());
            case 2 ->
                new AppSource(
                        "level 2",
                        2,
                        "NewApp",
                        read(
                                "Results",
                                "Mirror",
                                "BaseVerbs",
                                "OwnProvider",
                                "XrcVerbs",
                                "Witnessed",
                                "WitnessedXrc",
                                "NewApp"),
                        symbols(2),
                        STEPS_OF_2);
            case 3 ->
                new AppSource(
                        "level 3",
                        3,
                        "CompletionsApp",
                        read(
                                "Results",
                                "Mirror",
                                "BaseVerbs",
                                "OwnProvider",
                                "XrcVerbs",
                                "CompletionVerbs",
                                "MemoryVerbs",
                                "MemoryMasks",
                                "OperationVerbs",
                                "Witnessed",
                                "WitnessedXrc",
                                "WitnessedCompletions",
                                "WitnessedMemory",
                                NAMES_OF_3,
                                "CompletionsApp"),
                        symbols(3),
                        Stream.of(STEPS_OF_2, STEPS_OF_3, MEMORY_OF_3, OPERATIONS_OF_3, BUILDER_OF_3, MASKS_OF_3)
                                .flatMap(List::stream)
                                .toList());
            case 4 ->
                new AppSource(
                        "level 4",
                        4,
                        "SharingApp",
                        read(
                                "Results",
                                "Mirror",
                                "BaseVerbs",
                                "OwnProvider",
                                "XrcVerbs",
                                "CompletionVerbs",
                                "MemoryVerbs",
                                "MemoryMasks",
                                "OperationVerbs",
                                "SharedVerbs",
                                "EthernetVerbs",
                                "CountedVerbs",
                                "BufferVerbs",
                                "Witnessed",
                                "WitnessedXrc",
                                "WitnessedCompletions",
                                "WitnessedMemory",
                                "WitnessedSharing",
                                "WitnessedEthernet",
                                "WitnessedCounters",
                                "WitnessedDma",
                                NAMES_OF_3,
                                NAMES_OF_4,
                                "SharingApp"),
                        symbols(4),
                        Stream.of(
                                        STEPS_OF_2,
                                        STEPS_OF_3,
                                        MEMORY_OF_3,
                                        OPERATIONS_OF_3,
                                        BUILDER_OF_3,
                                        MASKS_OF_3,
                                        STEPS_OF_4,
                                        ETHERNET_OF_4)
                                .flatMap(List::stream)
                                .toList());
            default ->
                throw new MatrixException("level " + level + " has no program in the matrix: write one, and add it to "
                        + AppSource.class.getName());
        };
    }

    private static final List<String> SYMBOLS_OF_2 = List.of(
            "AttrArray",
            "ContextAttr",
            "ContextSlot",
            "OutputAttr",
            "QpCreateSendOps",
            "QpInitAttrEx",
            "QpInitAttrMask",
            "QpOpenAttr",
            "SrqInitAttrEx",
            "SrqType",
            "XrcDomain",
            "XrcdInitAttr",
            "XrcdInitAttrMask",
            "XrcdOpenFlags");

    /** A file that only names what level 3 added, each name once; also for providers. */
    private static final String NAMES_OF_3 = "NamesOf3";

    /** A file that only names what level 4 added. */
    private static final String NAMES_OF_4 = "NamesOf4";

    private static final Pattern NAME = Pattern.compile(
            "(?m)^        (?:name\\((?:io\\.verbs4j\\.)?((?:slot\\.)?\\w+)\\.class\\)|value\\((\\w+\\.\\w+)\\)"
                    + "|(?:of\\((\\w+)\\.class\\)|(\\w+))\\.(\\w+)\\(.*\\));$");

    private static final List<String> SYMBOLS_OF_3 = names(text("apps/" + NAMES_OF_3 + ".java"));

    private static final List<String> SYMBOLS_OF_4 = names(text("apps/" + NAMES_OF_4 + ".java"));

    /**
     * {@return the names in a file: classes, with their package if it is not the main one; fields and methods prefixed
     * by their class}
     */
    static List<String> names(String source) {
        return NAME.matcher(source)
                .results()
                .map(found -> {
                    if (found.group(1) != null || found.group(2) != null) {
                        return found.group(1) != null ? found.group(1) : found.group(2);
                    }
                    return (found.group(3) != null ? found.group(3) : found.group(4)) + "." + found.group(5);
                })
                .distinct()
                .toList();
    }

    /** {@return the names that a level and the levels before it added} */
    private static NavigableMap<Integer, List<String>> symbols(int level) {
        NavigableMap<Integer, List<String>> all =
                new TreeMap<>(Map.of(2, SYMBOLS_OF_2, 3, SYMBOLS_OF_3, 4, SYMBOLS_OF_4));
        return new TreeMap<>(all.headMap(level, true)); // a view can't be queried beyond its end
    }

    private static final List<Step> STEPS_OF_3 = List.of(
            Step.of(3, "new", "create_cq_ex", Kind.FALLS_BACK),
            Step.of(3, "new", "poll_cq_sized", Kind.ALWAYS),
            Step.of(3, "new", "start_poll", Kind.PAST_THE_LIBRARY),
            Step.of(3, "new", "create_cq_ex_ts", Kind.MISSING),
            Step.of(3, "new", "query_values", Kind.MISSING),
            Step.of(3, "new", "query_device_ex", Kind.FALLS_BACK),
            Step.of(3, "new", "query_gid_ex", Kind.FALLS_BACK),
            Step.of(3, "new", "query_gid_table", Kind.FALLS_BACK),
            Step.of(3, "new", "query_data_in_order", Kind.FALLS_BACK),
            Step.of(3, "new", "modify_cq", Kind.MISSING),
            Step.of(3, "new", "modify_rate_limit", Kind.MISSING),
            Step.of(3, "mask", "create_cq_ex", Kind.UNKNOWN_BIT),
            Step.of(3, "mask", "create_cq_ex_device", Kind.BIT_OF_THE_DEVICE),
            Step.of(3, "mask", "create_cq_ex_wc", Kind.BIT_OF_THE_DEVICE),
            Step.of(3, "mask", "query_device_ex", Kind.UNKNOWN_BIT),
            Step.of(3, "mask", "modify_cq", Kind.UNKNOWN_BIT),
            Step.of(3, "mask", "modify_rate_limit", Kind.UNKNOWN_BIT));

    private static final List<Step> MEMORY_OF_3 = List.of(
            Step.of(3, "new", "reg_mr_ex", Kind.FALLS_BACK),
            Step.of(3, "new", "reg_mr_ex_iova", Kind.MISSING),
            Step.of(3, "new", "advise_mr", Kind.MISSING),
            Step.of(3, "new", "alloc_null_mr", Kind.MISSING),
            Step.of(3, "new", "alloc_mr_key", Kind.MISSING),
            Step.of(3, "new", "alloc_td", Kind.MISSING),
            Step.of(3, "new", "alloc_parent_domain", Kind.MISSING),
            Step.of(3, "new", "alloc_parent_domain_cq", Kind.DEPENDENT),
            Step.of(3, "new", "alloc_parent_domain_transfer", Kind.DEPENDENT),
            Step.of(3, "new", "dealloc_td", Kind.MISSING),
            Step.of(3, "new", "alloc_dm", Kind.MISSING),
            Step.of(3, "new", "reg_dm_mr", Kind.MISSING),
            Step.of(3, "new", "alloc_dm_copy", Kind.DEPENDENT),
            Step.of(3, "new", "dm_export_dmabuf_fd", Kind.MISSING),
            Step.of(3, "new", "free_dm", Kind.MISSING));

    private static final List<Step> OPERATIONS_OF_3 = Stream.of(
                    "local_inv",
                    "bind_mw",
                    "send_with_inv",
                    "masked_atomic_cmp_and_swp",
                    "masked_atomic_fetch_and_add",
                    "flush",
                    "atomic_write",
                    "reg_mr",
                    "rdma_read_with_inv",
                    "nop",
                    "cqe_wait",
                    "send_enable",
                    "recv_enable")
            .map(name -> Step.of(3, "new", "post_" + name, Kind.OPERATION))
            .toList();

    private static final List<Step> BUILDER_OF_3 =
            List.of(Step.of(3, "new", "builder_write", Kind.ALWAYS), Step.of(3, "new", "builder_nop", Kind.OPERATION));

    /**
     * Each verb with an unknown bit that the library checks, and with one that only the device checks, in either mask.
     */
    private static final List<Step> MASKS_OF_3 = Stream.of(
                    "reg_mr_ex", "alloc_mr_key", "alloc_td", "alloc_parent_domain", "alloc_dm")
            .flatMap(verb -> Stream.of(
                    Step.of(3, "mask", verb, Kind.UNKNOWN_BIT),
                    Step.of(3, "mask", verb + "_device", Kind.BIT_OF_THE_DEVICE),
                    Step.of(3, "mask", verb + "_device_2", Kind.BIT_OF_THE_DEVICE)))
            .toList();

    private static final List<Step> STEPS_OF_4 = List.of(
            Step.of(4, "new", "export_device", Kind.MISSING),
            Step.of(4, "new", "export_handle", Kind.MISSING),
            Step.of(4, "new", "import_device", Kind.DEPENDENT),
            Step.of(4, "new", "import_pd", Kind.MISSING),
            Step.of(4, "new", "import_mr", Kind.MISSING),
            Step.of(4, "new", "import_pd_transfer", Kind.DEPENDENT),
            Step.of(4, "new", "import_dm", Kind.MISSING),
            Step.of(4, "new", "import_dm_copy", Kind.DEPENDENT),
            Step.of(4, "new", "unimport_dm", Kind.DEPENDENT),
            Step.of(4, "new", "unimport_mr", Kind.DEPENDENT),
            Step.of(4, "new", "unimport_pd", Kind.DEPENDENT),
            Step.of(4, "new", "query_comp_cntr_caps", Kind.MISSING),
            Step.of(4, "new", "create_comp_cntr", Kind.MISSING),
            Step.of(4, "new", "qp_attach_comp_cntr", Kind.DEPENDENT),
            Step.of(4, "new", "destroy_comp_cntr", Kind.DEPENDENT),
            Step.of(4, "new", "alloc_buf", Kind.MISSING),
            Step.of(4, "new", "alloc_buf_transfer", Kind.DEPENDENT),
            Step.of(4, "new", "free_buf", Kind.DEPENDENT));

    private static final List<Step> ETHERNET_OF_4 = List.of(
            Step.of(4, "new", "create_wq", Kind.MISSING),
            Step.of(4, "new", "modify_wq", Kind.DEPENDENT),
            Step.of(4, "new", "create_rwq_ind_table", Kind.MISSING),
            Step.of(4, "new", "destroy_rwq_ind_table", Kind.DEPENDENT),
            Step.of(4, "new", "destroy_wq", Kind.DEPENDENT),
            Step.of(4, "new", "create_counters", Kind.MISSING),
            Step.of(4, "new", "attach_counters_point_flow", Kind.DEPENDENT),
            Step.of(4, "new", "read_counters", Kind.DEPENDENT),
            Step.of(4, "new", "create_flow", Kind.MISSING),
            Step.of(4, "new", "destroy_flow", Kind.DEPENDENT),
            Step.of(4, "new", "destroy_counters", Kind.DEPENDENT));

    private static final List<Step> STEPS_OF_2 = List.of(
            Step.of(2, "new", "create_qp_ex", Kind.FALLS_BACK),
            Step.of(2, "new", "modify_qp_ex", Kind.ALWAYS),
            Step.of(2, "new", "send_ex", Kind.ALWAYS),
            Step.of(2, "new", "rdma_write_ex", Kind.ALWAYS),
            Step.of(2, "new", "create_srq_ex", Kind.FALLS_BACK),
            Step.of(2, "new", "open_xrcd", Kind.MISSING),
            Step.of(2, "new", "create_srq_ex_xrc", Kind.MISSING),
            Step.of(2, "new", "get_srq_num", Kind.MISSING),
            Step.of(2, "new", "create_qp_ex_xrc_send", Kind.MISSING),
            Step.of(2, "new", "create_qp_ex_xrc_recv", Kind.MISSING),
            Step.of(2, "new", "open_qp", Kind.MISSING),
            Step.of(2, "new", "xrc_transfer", Kind.DEPENDENT),
            Step.of(2, "new", "close_xrcd", Kind.DEPENDENT),
            Step.of(2, "mask", "open_xrcd", Kind.UNKNOWN_BIT),
            Step.of(2, "mask", "create_qp_ex", Kind.UNKNOWN_BIT),
            Step.of(2, "mask", "create_qp_ex_device", Kind.BIT_OF_THE_DEVICE));

    /** {@return a copy with another name} */
    public AppSource named(String other) {
        return new AppSource(other, level, mainClass, sources, symbols, steps);
    }

    static Map<String, String> read(String... types) {
        Map<String, String> sources = new LinkedHashMap<>();
        sources.put("module-info.java", MODULE);
        for (String type : types) {
            sources.put("app/" + type + ".java", text("apps/" + type + ".java"));
        }
        return sources;
    }

    /** {@return a source among the resources} */
    static String text(String file) {
        try (InputStream in = AppSource.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
