/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Results as a table: a line for each program, header and library, a column for each provider and platform.
 *
 * @param title the heading
 * @param columns the headings of the columns
 * @param lines the lines
 */
record Grid(String title, List<String> columns, List<Line> lines) {
    private static final String OLD = "old";
    private static final String NEW = "new";

    /**
     * A line.
     *
     * @param row its number
     * @param first a result that has the program, header and library of the line
     * @param cells the results by column, null if there is none
     */
    record Line(int row, CellResult first, List<CellResult> cells) {}

    /** {@return the talk's rows, and the general form if it was run} */
    static List<Grid> of(List<CellResult> results) {
        List<CellResult> talk =
                results.stream().filter(r -> r.cell().row() < Plan.GENERAL).toList();
        List<CellResult> witness = results.stream()
                .filter(r -> r.cell().row() >= Plan.GENERAL
                        && r.cell().provider().name().startsWith(Witness.NAME))
                .toList();
        List<CellResult> future = results.stream()
                .filter(r -> r.cell().header().name().equals(Future.NAME) && !witness.contains(r))
                .toList();
        List<CellResult> general = results.stream()
                .filter(r -> r.cell().row() >= Plan.GENERAL && !future.contains(r) && !witness.contains(r))
                .toList();
        List<Grid> grids = new ArrayList<>();
        Map<String, List<CellResult>> byOld =
                talk.stream().collect(Collectors.groupingBy(Grid::old, LinkedHashMap::new, Collectors.toList()));
        byOld.forEach((old, rows) ->
                grids.add(grid("The eight rows" + (old.equals(OLD) ? "" : ", where old is " + old), rows)));
        if (!general.isEmpty()) {
            grids.add(grid("Every level with every other", general));
        }
        if (!future.isEmpty()) {
            grids.add(grid("A future level with the existing ones", future));
        }
        if (!witness.isEmpty()) {
            grids.add(grid("Every attribute, with providers of every level and of a future one", witness));
        }
        return grids;
    }

    /** {@return the name of the old release in a row of the talk} */
    private static String old(CellResult result) {
        Cell cell = result.cell();
        return Stream.of(cell.app().name(), cell.header().name(), cell.library().name())
                .filter(name -> !name.equals(NEW))
                .findFirst()
                .orElse(OLD);
    }

    private static Grid grid(String title, List<CellResult> results) {
        boolean platforms =
                results.stream().map(r -> r.cell().platform()).distinct().count() > 1;
        boolean headers = results.stream()
                        .map(r -> r.cell().row()
                                + r.cell().provider().name()
                                + r.cell().platform())
                        .distinct()
                        .count()
                < results.size();
        List<String> columns = results.stream()
                .map(r -> column(r.cell(), platforms, headers))
                .distinct()
                .toList();
        Map<Integer, List<CellResult>> rows = new LinkedHashMap<>();
        for (CellResult result : results) {
            List<CellResult> cells = rows.computeIfAbsent(result.cell().row(), row -> {
                List<CellResult> empty = new ArrayList<>();
                columns.forEach(column -> empty.add(null));
                return empty;
            });
            cells.set(columns.indexOf(column(result.cell(), platforms, headers)), result);
        }
        List<Line> lines = new ArrayList<>();
        rows.forEach((row, cells) -> lines.add(new Line(
                row, cells.stream().filter(cell -> cell != null).findFirst().orElseThrow(), cells)));
        return new Grid(title, columns, lines);
    }

    private static String column(Cell cell, boolean platforms, boolean headers) {
        return "provider " + cell.provider().name()
                + (headers ? ", run-time header " + cell.runtimeHeader().name() : "")
                + (platforms ? ", " + cell.platform() : "");
    }
}
