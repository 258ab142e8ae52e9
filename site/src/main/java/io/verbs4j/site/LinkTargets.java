/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.site;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Targets of links: other pages, files copied beside them, and everything else in the repository. */
final class LinkTargets {
    private final Path root;
    private final String repository;

    /**
     * Creates the targets.
     *
     * @param root the project's folder
     * @param repository URL of the project's files, for links to anything that is not part of the site
     */
    LinkTargets(Path root, String repository) {
        this.root = root;
        this.repository = repository;
    }

    private static boolean isAddress(String link) {
        return link.matches("[a-z]+:.*");
    }

    /** Returns the file that a page's link names, relative to the project's folder. */
    private static Path file(Path source, String link) {
        String path = link.replaceAll("#.*", "");
        Path folder = source.getParent();
        return path.isEmpty() ? source : (folder == null ? Path.of(path) : folder.resolve(path)).normalize();
    }

    /** Returns whether a file is copied unchanged. */
    static boolean isCopied(Path file) {
        return file.toString().matches(".*\\.(svg|jfc|json)");
    }

    /** Returns the target of a page's link in the site. */
    String inSite(Path source, String link) {
        if (isAddress(link) || link.startsWith("#")) {
            return link;
        }
        Path file = file(source, link);
        String anchor = link.contains("#") ? link.substring(link.indexOf('#')) : "";
        boolean isPage = file.toString().endsWith(".md");
        if (!isPage && !isCopied(file)) {
            return repository + "/" + file + anchor;
        }
        Path from = Page.target(source).getParent();
        Path to = isPage ? Page.target(file) : file;
        return (from == null ? to : from.relativize(to)) + anchor;
    }

    /**
     * Checks the links of all pages.
     *
     * @param pages the pages by their source
     * @return a line for each broken link, with page and line number; empty if there are none
     */
    List<String> problems(Map<Path, Page> pages) {
        List<String> problems = new ArrayList<>();
        for (Page page : pages.values()) {
            for (Page.Link link : page.links()) {
                String problem = problem(pages, page, link.target());
                if (problem != null) {
                    problems.add(page.source() + ":" + link.line() + ": " + link.target() + ": " + problem);
                }
            }
        }
        return problems;
    }

    private String problem(Map<Path, Page> pages, Page page, String link) {
        if (isAddress(link)) {
            return null;
        }
        Path file = file(page.source(), link);
        if (file.startsWith("..") || !Files.exists(root.resolve(file))) {
            return "there is no " + file;
        }
        if (!file.toString().endsWith(".md")) {
            return null;
        }
        Page to = pages.get(file);
        if (to == null) {
            return file + " is not a page of the site: add it to SiteBuilder.PAGES";
        }
        String anchor = link.contains("#") ? link.substring(link.indexOf('#') + 1) : "";
        return anchor.isEmpty() || to.anchors().contains(anchor)
                ? null
                : file + " has no heading #" + anchor + "; it has " + String.join(", ", to.anchors());
    }
}
