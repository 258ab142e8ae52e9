/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.site;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A parsed page.
 *
 * @param source its file, relative to the project's folder
 * @param title its first heading
 * @param html its content
 * @param anchors the anchors of its headings
 * @param links its links
 * @param sections the text for the search
 */
record Page(Path source, String title, String html, Set<String> anchors, List<Link> links, List<Section> sections) {
    /**
     * A link as written in the source.
     *
     * @param target a page, another file, a URL, or an anchor of this page
     * @param line line number, from 1; 0 if unknown
     */
    record Link(String target, int line) {}

    /**
     * A heading with the text below it.
     *
     * @param heading the heading
     * @param anchor its anchor
     * @param text the text, without markup
     */
    record Section(String heading, String anchor, String text) {}

    /** Returns the output file, relative to the site's folder. */
    Path target() {
        return target(source);
    }

    /** Returns the output file as a relative URL. */
    String address() {
        return target().toString().replace('\\', '/');
    }

    /**
     * Returns the output file of a source. The project's README becomes the front page; all other pages keep their
     * names.
     */
    static Path target(Path source) {
        String name = source.toString().replace('\\', '/');
        String html = "README.md".equals(name) ? "index.html" : name.replaceAll("\\.md$", ".html");
        return Path.of(html);
    }
}
