/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.site;

import java.nio.file.Path;
import java.util.Map;

/** The frame around a page's content: title, list of pages, and search. */
final class Layout {
    private final String template;
    private final Map<Path, Page> pages;

    Layout(String template, Map<Path, Page> pages) {
        this.template = template;
        this.pages = pages;
    }

    /** Returns the complete page. */
    String of(Page page) {
        String top = "../".repeat(page.target().getNameCount() - 1);
        return template.replace("{{title}}", Html.escape(page.title()))
                .replace("{{root}}", top)
                .replace("{{pages}}", list(page, top))
                .replace("{{content}}", page.html());
    }

    private String list(Page current, String top) {
        StringBuilder list = new StringBuilder();
        for (Page page : pages.values()) {
            String here = page.equals(current) ? " aria-current=\"page\"" : "";
            String address = top + page.address();
            list.append("<li><a href=\"%s\"%s>%s</a>\n".formatted(address, here, Html.escape(page.title())));
        }
        return list.toString();
    }
}
