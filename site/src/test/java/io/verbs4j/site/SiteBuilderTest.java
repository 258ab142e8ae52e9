/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteBuilderTest {
    private static final String REPOSITORY = "https://example.com/files";

    @TempDir
    Path root;

    private SiteBuilder builder;

    @BeforeEach
    void makeProject() throws IOException {
        for (String page : new String[] {
            "CHANGELOG.md",
            "CONTRIBUTING.md",
            "SECURITY.md",
            "benchmarks/README.md",
            "compat-tests/guest/README.md",
            "compat-tests/rdma-core/README.md",
            "device-sim/README.md",
            "verbs-device-code/gpu/README.md"
        }) {
            write(page, "# " + page);
        }
        write("README.md", "# Front\n\n[one](docs/one.md)");
        write("docs/one.md", "# One");
        write("docs/start/getting-started.md", "# Start");
        builder = new SiteBuilder(root, root.resolve("site"), REPOSITORY);
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private Page page(String source) throws IOException {
        return builder.read().get(Path.of(source));
    }

    @Test
    void pagesInFoldersOfDocsAreBuilt() throws IOException {
        write("docs/reference/all.md", "# All\n\n[one](../one.md)");
        assertThat(page("docs/reference/all.md").html()).contains("href=\"../one.html\"");
        assertThat(builder.problems(builder.read())).isEmpty();
    }

    @Test
    void linksPointToPagesAndSources() throws IOException {
        write("src/A.java", "");
        write("docs/pictures/a.svg", "<svg/>");
        write(
                "docs/one.md",
                "# One\n\n[up](../README.md#front) [side](two.md) [source](../src/A.java) [here](#one)"
                        + " ![picture](pictures/a.svg) [away](https://example.org/x.md)");
        write("docs/two.md", "# Two");
        assertThat(page("docs/one.md").html())
                .contains(
                        "href=\"../index.html#front\"",
                        "href=\"two.html\"",
                        "href=\"" + REPOSITORY + "/src/A.java\"",
                        "href=\"#one\"",
                        "src=\"pictures/a.svg\"",
                        "href=\"https://example.org/x.md\"");
        assertThat(builder.problems(builder.read())).isEmpty();
    }

    @Test
    void brokenLinksAreReportedWithTheirLine() throws IOException {
        write("docs/two.md", "# Two\n\ntext\n[a](gone.md)\n[b](one.md#gone)\n![c](gone.svg)\n[d](../../outside.md)\n");
        write("docs/note.txt", "");
        assertThat(builder.problems(builder.read()))
                .containsExactly(
                        "docs/two.md:4: gone.md: there is no docs/gone.md",
                        "docs/two.md:5: one.md#gone: docs/one.md has no heading #gone; it has one",
                        "docs/two.md:6: gone.svg: there is no docs/gone.svg",
                        "docs/two.md:7: ../../outside.md: there is no ../outside.md");
    }

    @Test
    void unlistedPageIsReported() throws IOException {
        write("other/README.md", "# Other");
        write("docs/two.md", "# Two\n\n[other](../other/README.md)");
        assertThat(builder.problems(builder.read()))
                .containsExactly(
                        "docs/two.md:3: ../other/README.md: other/README.md is not a page of the site: add it to"
                                + " SiteBuilder.PAGES");
    }

    @Test
    void searchIndexHasEachHeadingWithItsText() throws IOException {
        write("docs/one.md", """
                # One & only

                first `code`
                line

                ## `two` of "them"

                | a | b |
                |---|---|
                | c | <d> |

                ```
                </script>
                ```
                """);
        Page page = page("docs/one.md");
        assertThat(page.title()).isEqualTo("One & only");
        assertThat(page.sections())
                .containsExactly(
                        new Page.Section("One & only", "one--only", "first code line"),
                        new Page.Section("two of \"them\"", "two-of-them", "a b c </script>"));
        assertThat(page.html()).contains("id=\"one--only\"", "id=\"two-of-them\"", "<table>");
        assertThat(SearchIndex.of(builder.read().values()))
                .contains("[\"docs/one.html#one--only\", \"One & only\", \"One & only\", \"first code line\"]")
                .contains("\\u003c/script>")
                .doesNotContain("</script>");
    }

    @Test
    void writtenPagesHaveNavigationAndRelativeLinks() throws IOException {
        write("docs/pictures/a.svg", "<svg/>");
        Map<Path, Page> pages = builder.read();
        builder.write(pages);
        Path site = root.resolve("site");
        assertThat(Files.readString(site.resolve("compat-tests/guest/README.html")))
                .contains("href=\"../../site.css\"", "href=\"../../docs/one.html\">One</a>")
                .contains("aria-current=\"page\">compat-tests/guest/README.md</a>")
                .doesNotContain("{{");
        assertThat(Files.readString(site.resolve("index.html")))
                .contains("href=\"site.css\"", "<title>Front · verbs4j</title>");
        assertThat(site.resolve("docs/pictures/a.svg")).exists();
        assertThat(site.resolve("search.js")).isNotEmptyFile();
        assertThat(site.resolve("search-index.js")).isNotEmptyFile();
    }

    /** Checks this project's own documentation. */
    @Test
    void documentationOfProjectHasNoBrokenLinks() throws IOException {
        SiteBuilder own = new SiteBuilder(Path.of(".."), root.resolve("site"), REPOSITORY);
        Map<Path, Page> pages = own.read();
        assertThat(pages).hasSizeGreaterThan(30);
        assertThat(own.problems(pages)).isEmpty();
    }
}
