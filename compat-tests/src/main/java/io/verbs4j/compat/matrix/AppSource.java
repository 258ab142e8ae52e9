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

/**
 * A program, as its source.
 *
 * @param name what it is called in the reports
 * @param level the lowest level of a header that it compiles with
 * @param mainClass its main class, in package {@code app}
 * @param sources its files by name
 * @param symbols names that javac must miss with an older header
 * @param steps what it does beyond level 1
 */
public record AppSource(
        String name, int level, String mainClass, Map<String, String> sources, List<String> symbols, List<Step> steps) {

    private static final String MODULE = "module app { requires io.verbs4j.core; }";

    /** The program of a level; each frozen level must have one. */
    public static AppSource ofLevel(int level) {
        return switch (level) {
            case 1 ->
                new AppSource(
                        "level 1",
                        1,
                        "OldApp",
                        read("Results", "Mirror", "BaseVerbs", "OwnProvider", "Witnessed", "OldApp"),
                        List.of(),
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
                        List.of(
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
                                "XrcdOpenFlags"),
                        STEPS_OF_2);
            default ->
                throw new MatrixException("level " + level + " has no program in the matrix: write one, and add it to "
                        + AppSource.class.getName());
        };
    }

    private static final List<Step> STEPS_OF_2 = List.of(
            Step.of("new", "create_qp_ex", Kind.FALLS_BACK),
            Step.of("new", "modify_qp_ex", Kind.ALWAYS),
            Step.of("new", "send_ex", Kind.ALWAYS),
            Step.of("new", "rdma_write_ex", Kind.ALWAYS),
            Step.of("new", "create_srq_ex", Kind.FALLS_BACK),
            Step.of("new", "open_xrcd", Kind.MISSING),
            Step.of("new", "create_srq_ex_xrc", Kind.MISSING),
            Step.of("new", "get_srq_num", Kind.MISSING),
            Step.of("new", "create_qp_ex_xrc_send", Kind.MISSING),
            Step.of("new", "create_qp_ex_xrc_recv", Kind.MISSING),
            Step.of("new", "open_qp", Kind.MISSING),
            Step.of("new", "xrc_transfer", Kind.DEPENDENT),
            Step.of("new", "close_xrcd", Kind.DEPENDENT),
            Step.of("mask", "open_xrcd", Kind.UNKNOWN_BIT),
            Step.of("mask", "create_qp_ex", Kind.UNKNOWN_BIT),
            Step.of("mask", "create_qp_ex_device", Kind.BIT_OF_THE_DEVICE));

    /** The same by another name. */
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

    /** A source among the resources. */
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
