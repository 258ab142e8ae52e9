/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import io.verbs4j.core.base.LibraryLevel;
import io.verbs4j.core.base.Origin;
import io.verbs4j.core.base.ProviderIdentity;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Formats a report as a table. */
final class ReportTable {
    private static final List<String> HEADING =
            List.of("PROVIDER", "LEVEL", "SPEAKS", "USED", "DEVICES", "CLASS", "FROM");

    private static final String LINKED = "this run-time image has none; link it with jlink --bind-services, or name"
            + " each: --add-modules io.verbs4j.provider.rxe";

    private ReportTable() {}

    /** Whether the library is part of a linked run-time image. */
    private static boolean isLinked() {
        URL own = ReportTable.class.getResource("ReportTable.class");
        return own != null && own.getProtocol().equals("jrt");
    }

    static String of(List<Report.Entry> entries) {
        String library =
                "verbs4j library level " + LibraryLevel.CURRENT + " from " + Origin.of(LibraryLevel.class) + "\n";
        if (entries.isEmpty()) {
            return library + "no providers found: "
                    + (isLinked() ? LINKED : "put a provider's jar on the class path or module path") + "\n";
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADING);
        entries.forEach(entry -> rows.add(row(entry)));
        List<Integer> widths = widths(rows);
        StringBuilder text = new StringBuilder(library);
        line(text, HEADING, widths);
        for (Report.Entry entry : entries) {
            line(text, row(entry), widths);
            if (!entry.used()) {
                text.append("    ")
                        .append(entry.reason().replace("\n", "\n    "))
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static List<String> row(Report.Entry entry) {
        String devices = entry.deviceNames().isEmpty() ? "-" : String.join(",", entry.printableNames());
        String level = entry.identity().level() == 0
                ? ProviderIdentity.UNKNOWN
                : entry.identity().level() + " (library " + entry.identity().minimumLibraryLevel() + "+)";
        String speaks =
                entry.used() ? Integer.toString(Math.min(entry.identity().level(), LibraryLevel.CURRENT)) : "-";
        String used = entry.used() ? "yes" : "no";
        return List.of(
                entry.identity().name(),
                level,
                speaks,
                used,
                devices,
                entry.identity().className(),
                entry.identity().location());
    }

    private static List<Integer> widths(List<List<String>> rows) {
        List<Integer> widths = new ArrayList<>(Collections.nCopies(HEADING.size(), 0));
        for (List<String> row : rows) {
            for (int i = 0; i < widths.size(); i++) {
                widths.set(i, Math.max(widths.get(i), row.get(i).length()));
            }
        }
        return widths;
    }

    private static void line(StringBuilder text, List<String> row, List<Integer> widths) {
        int last = row.size() - 1;
        for (int i = 0; i < last; i++) {
            text.append(row.get(i)).append(" ".repeat(widths.get(i) - row.get(i).length() + 2));
        }
        text.append(row.get(last)).append('\n');
    }
}
