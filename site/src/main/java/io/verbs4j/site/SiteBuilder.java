/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Builds the site; {@code site/build} runs it. */
public final class SiteBuilder {
    private static final List<Path> FIRST = List.of(Path.of("README.md"), Path.of("docs/start/getting-started.md"));

    /** The pages that follow those of {@code docs} and its folders. */
    private static final List<Path> PAGES = List.of(
            Path.of("CHANGELOG.md"),
            Path.of("CONTRIBUTING.md"),
            Path.of("SECURITY.md"),
            Path.of("benchmarks/README.md"),
            Path.of("compat-tests/guest/README.md"),
            Path.of("compat-tests/rdma-core/README.md"),
            Path.of("device-sim/README.md"),
            Path.of("verbs-device-code/gpu/README.md"));

    private static final Path DOCS = Path.of("docs");
    private static final List<String> ASSETS = List.of("site.css", "search.js");

    private final Path root;
    private final Path site;
    private final LinkTargets targets;

    /**
     * Creates a builder.
     *
     * @param root the project's folder
     * @param site folder to write the site to
     * @param repository URL of the project's files
     */
    SiteBuilder(Path root, Path site, String repository) {
        this.root = root;
        this.site = site;
        this.targets = new LinkTargets(root, repository);
    }

    /**
     * Builds the site, or reports broken links.
     *
     * @param args the project's folder, the folder to write to, and the URL of the project's files
     * @throws IOException if something cannot be read or written
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 3) {
            throw new IllegalArgumentException("usage: SiteBuilder PROJECT SITE REPOSITORY");
        }
        SiteBuilder builder = new SiteBuilder(Path.of(args[0]), Path.of(args[1]), args[2]);
        Map<Path, Page> pages = builder.read();
        List<String> problems = builder.problems(pages);
        if (!problems.isEmpty()) {
            problems.forEach(System.err::println);
            throw new IllegalStateException(problems.size() + " broken link(s)");
        }
        builder.write(pages);
        System.out.println(pages.size() + " pages in " + builder.site);
    }

    /** Reads all pages, in the order of the list at the side. */
    Map<Path, Page> read() throws IOException {
        Set<Path> sources = new LinkedHashSet<>(FIRST);
        try (Stream<Path> docs = Files.walk(root.resolve(DOCS))) {
            docs.filter(file -> file.toString().endsWith(".md"))
                    .map(root::relativize)
                    .sorted()
                    .forEach(sources::add);
        }
        sources.addAll(PAGES);
        PageReader reader = new PageReader();
        Map<Path, Page> pages = new LinkedHashMap<>();
        for (Path source : sources) {
            pages.put(source, reader.read(root, source, link -> targets.inSite(source, link)));
        }
        return pages;
    }

    /** Returns the broken links; see {@link LinkTargets#problems}. */
    List<String> problems(Map<Path, Page> pages) {
        return targets.problems(pages);
    }

    /** Writes the pages, their images and other files, and the search. */
    void write(Map<Path, Page> pages) throws IOException {
        Layout layout = new Layout(resource("page.html"), pages);
        for (Page page : pages.values()) {
            text(page.target(), layout.of(page));
        }
        for (String asset : ASSETS) {
            text(Path.of(asset), resource(asset));
        }
        text(Path.of("search-index.js"), SearchIndex.of(pages.values()));
        try (Stream<Path> docs = Files.walk(root.resolve(DOCS))) {
            for (Path file : docs.filter(LinkTargets::isCopied).toList()) {
                Path copy = site.resolve(root.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private void text(Path file, String text) throws IOException {
        Path target = site.resolve(file);
        Files.createDirectories(target.getParent());
        Files.writeString(target, text);
    }

    private static String resource(String name) {
        try (InputStream in = SiteBuilder.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
