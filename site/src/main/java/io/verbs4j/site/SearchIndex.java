/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.site;

import java.util.Collection;
import java.util.StringJoiner;

/** The data of the search. It is a script because pages opened as local files cannot load anything else. */
final class SearchIndex {
    private SearchIndex() {}

    /** Returns an array of {@code [address, page, heading, text]}, one for each heading. */
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
