/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.site;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A page that was read.
 *
 * @param source its file, from the project's folder on
 * @param title its first heading
 * @param html its content
 * @param anchors the anchors of its headings
 * @param links where it leads to
 * @param sections what the search finds
 */
record Page(Path source, String title, String html, Set<String> anchors, List<Link> links, List<Section> sections) {
    /**
     * A link as it is written.
     *
     * @param target a page, another file, an address, or an anchor of this page
     * @param line which line has it, from 1 on; 0 where that is not known
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

    /** The file that it becomes, from the site's folder on. */
    Path target() {
        return target(source);
    }

    /** The same as an address. */
    String address() {
        return target().toString().replace('\\', '/');
    }

    /** The file that a source becomes: the README is the front page, and README files of folders have their names. */
    static Path target(Path source) {
        String name = source.toString().replace('\\', '/');
        String html = "README.md".equals(name) ? "index.html" : name.replaceAll("\\.md$", ".html");
        return Path.of(html);
    }
}
