/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.site;

import java.util.Collection;
import java.util.StringJoiner;

/** What the search looks through: a script, as pages that are opened as files can't load anything else. */
final class SearchIndex {
    private SearchIndex() {}

    /** An array of {@code [address, page, heading, text]}, one for each heading. */
    static String of(Collection<Page> pages) {
        StringJoiner entries = new StringJoiner(",\n", "window.searchIndex = [\n", "\n];\n");
        for (Page page : pages) {
            for (Page.Section section : page.sections()) {
                StringJoiner entry = new StringJoiner(", ", "[", "]");
                entry.add(Html.literal(page.address() + "#" + section.anchor()));
                entry.add(Html.literal(page.title()));
                entry.add(Html.literal(section.heading()));
                entry.add(Html.literal(section.text()));
                entries.add(entry.toString());
            }
        }
        return entries.toString();
    }
}
