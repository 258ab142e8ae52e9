/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import io.verbs4j.compat.matrix.ProgramRun.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Compares what the probe found in the native library with the rules of {@link NativeExpectation}; {@link Judge}
 * compares the verbs.
 */
final class NativeJudge {
    private static final String GROUP = "native";
    private static final String ON_DEMAND = "on_demand";
    private static final String ON_DEMAND_IN_C = "on_demand_in_c";
    private static final List<String> VERBS_OF_2 =
            List.of("open_xrcd", "close_xrcd", "create_srq_ex", "get_srq_num", "create_qp_ex", "open_qp");

    private final NativeCell cell;
    private final List<Line> lines;
    private final List<String> problems = new ArrayList<>();

    private NativeJudge(NativeCell cell, List<Line> lines) {
        this.cell = cell;
        this.lines = lines;
    }

    static NativeResult ran(NativeCell cell, ProgramRun run) {
        NativeJudge judge = new NativeJudge(cell, run.lines());
        boolean onDemand = judge.text(ON_DEMAND).equals("offered");
        CellResult verbs = Judge.ran(cell.cell(), NativeExpectation.of(cell, onDemand), run);
        judge.all();
        List<String> problems = new ArrayList<>(verbs.problems());
        problems.addAll(judge.problems);
        CellResult result = new CellResult(
                verbs.cell(),
                verbs.expected(),
                verbs.outcome(),
                List.copyOf(problems),
                verbs.skipped(),
                judge.summary() + "; " + verbs.summary(),
                verbs.command(),
                verbs.output());
        return new NativeResult(cell, result);
    }

    private void all() {
        int release = cell.release().number();
        boolean measured = release <= NativeSlots.NEWEST;
        loaded("libibverbs\\.so\\.1\\.\\d+\\." + release + "\\.");
        if (measured) {
            loaded("librxe-" + NativeSlots.suffix(release) + "\\.so");
            expect("sz", String.valueOf(NativeSlots.size(release)), text("sz"));
        }
        for (int i = 0; i < NativeSlots.ORDER.size(); i++) {
            String name = NativeSlots.ORDER.get(i);
            if (!name.equals("-")) {
                expect("slot " + name, i < NativeSlots.count(release) ? "used" : "not used", text("slot " + name));
            }
        }
        for (String verb : VERBS_OF_2) {
            boolean there = NativeSlots.ORDER.indexOf(verb) < NativeSlots.count(release);
            expect("our " + verb, there ? "filled" : "empty", text("our " + verb));
        }
        onDemand();
    }

    /**
     * Checks on-demand paging, which depends on the kernel: it must have what the device offers, but a device may hide
     * what the kernel has.
     */
    private void onDemand() {
        String said = text(ON_DEMAND);
        if (said.equals("offered")) {
            expect(ON_DEMAND_IN_C, "registered", text(ON_DEMAND_IN_C));
        } else {
            expect(ON_DEMAND, "not offered", said);
        }
    }

    private void loaded(String file) {
        String files = text("loaded");
        if (!Pattern.compile(file).matcher(files).find()) {
            problems.add("loaded: expected files of " + cell.release() + " (" + file + "), but found " + files);
        }
    }

    private void expect(String what, String expected, String found) {
        if (!Objects.equals(expected, found)) {
            problems.add(what + ": expected " + expected + ", but was " + found);
        }
    }

    /** {@return what the probe reports about something, or "not reported"} */
    private String text(String step) {
        return lines.stream()
                .filter(line -> line.group().equals(GROUP) && line.step().equals(step))
                .map(line -> line.status().equals(Expectation.WORKS) ? line.text() : line.status() + " " + line.text())
                .findFirst()
                .orElse("not reported");
    }

    private String summary() {
        String slots = lines.stream()
                .filter(line -> line.group().equals(GROUP) && line.step().startsWith("slot "))
                .collect(Collectors.groupingBy(Line::text, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(count -> count.getValue() + " " + count.getKey())
                .collect(Collectors.joining(", "));
        return text("loaded") + ", sz " + text("sz") + ", slots: " + slots;
    }
}
