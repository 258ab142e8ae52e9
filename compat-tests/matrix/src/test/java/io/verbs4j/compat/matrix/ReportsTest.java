/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.StrictJson;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The reports contain every result, whatever characters it contains. */
class ReportsTest {
    private static final String NASTY = "<b>&\"quoted\" \\ | tab\t\u0001 \ud83d\ude00 ]]> \u00e9\nline";

    private static final List<CellResult> RESULTS = results();

    /** With two releases of rdma-core, and with none. */
    private static final NativeSection SECTION = section();

    private static final NativeSection NOT_RUN = NativeSection.notRun("no guest " + NASTY);

    private static final SchemeSection SCHEMES = schemes();

    private static final RunRecord RUN = new RunRecord(
            "0123-dirty",
            "./verbs matrix " + NASTY,
            false,
            false,
            List.of(new RunRecord.Artifact("old", "4567", "a " + NASTY + ".jar", "89ab")));

    private static final SchemeSection NO_SCHEMES = SchemeSection.notRun("not asked for " + NASTY);

    private static SchemeSection schemes() {
        List<SchemeResult> results = new ArrayList<>();
        for (Scheme scheme : Scheme.values()) {
            for (int row = 1; row <= 8; row++) {
                for (int provider = 1; provider <= 2; provider++) {
                    String lost = scheme == Scheme.NAMES && row == 8 && provider == 1 ? "lost " + NASTY : "";
                    results.add(new SchemeResult(
                            scheme, row, provider, lost, "happened " + NASTY, "javac " + NASTY, "output " + NASTY));
                }
            }
        }
        return SchemeSection.of(results);
    }

    private static NativeSection section() {
        List<NativeResult> results = new ArrayList<>();
        for (int release : new int[] {44, 65}) {
            for (int row : new int[] {1, 8}) {
                NativeCell cell = new NativeCell(
                        Samples.cell(row == 1 ? 1 : 2, 2, 2, 2, 2),
                        Path.of("binding"),
                        new NativeRelease(release, Path.of("root")));
                List<String> problems = release == 65 && row == 8 ? List.of("sz " + NASTY) : List.of();
                CellResult result = new CellResult(
                        cell.cell(),
                        NativeExpectation.of(cell, true),
                        Outcome.Y,
                        problems,
                        List.of(),
                        "summary " + NASTY,
                        "guest " + NASTY,
                        "output " + NASTY);
                results.add(new NativeResult(cell, result));
            }
        }
        return NativeSection.of(results);
    }

    private static List<CellResult> results() {
        List<CellResult> results = new ArrayList<>();
        Release old = Samples.release(1).named("old");
        Release present = Samples.release(2).named("new");
        List<Subject> providers = List.of(Samples.provider(1), new Subject("their.jar", Path.of("x"), 2, 1, true));
        for (Cell cell : Plan.eightRows(old, present, providers, true, false, Samples.JDK)) {
            Expectation expected = Expectation.of(cell);
            boolean red = cell.row() == 8 && cell.provider().foreign();
            results.add(new CellResult(
                    cell,
                    expected,
                    expected.outcome(),
                    red ? List.of("wrong " + NASTY) : List.of(),
                    cell.row() == 7 ? List.of("open_qp: can't") : List.of(),
                    "summary " + NASTY,
                    "java " + NASTY,
                    "output " + NASTY));
        }
        List<Release> releases = List.of(Samples.release(1), Samples.release(2));
        Cell general = Plan.general(releases, List.of(Samples.provider(1)), Samples.JDK)
                .get(0);
        results.add(new CellResult(
                general, Expectation.of(general), Outcome.FAILED, List.of("no"), List.of(), "bad", "java", "out"));
        return List.copyOf(results);
    }

    @Test
    @SuppressWarnings("unchecked")
    void jsonContainsEveryResult() {
        Map<String, Object> json = StrictJson.object(JsonReport.of(RESULTS, SECTION, SCHEMES, RUN));
        assertThat(json).containsOnlyKeys("run", "rows", "native", "schemes");
        List<Map<String, Object>> rows = (List<Map<String, Object>>) json.get("rows");
        assertThat(rows).hasSameSizeAs(RESULTS);
        for (int i = 0; i < rows.size(); i++) {
            CellResult result = RESULTS.get(i);
            assertThat(rows.get(i).keySet())
                    .containsExactly(
                            "row",
                            "app",
                            "header",
                            "library",
                            "provider",
                            "runtimeHeader",
                            "path",
                            "jdk",
                            "expected",
                            "outcome",
                            "asExpected",
                            "problems",
                            "skipped",
                            "steps",
                            "detail",
                            "command",
                            "again");
            assertThat(rows.get(i))
                    .containsEntry("row", (double) result.cell().row())
                    .containsEntry("app", result.cell().app().name())
                    .containsEntry("header", result.cell().header().name())
                    .containsEntry("library", result.cell().library().name())
                    .containsEntry("provider", result.cell().provider().name())
                    .containsEntry(
                            "runtimeHeader", result.cell().runtimeHeader().name())
                    .containsEntry("path", "class path")
                    .containsEntry("jdk", Samples.JDK.version())
                    .containsEntry("expected", result.expected().outcome().name())
                    .containsEntry("asExpected", result.green())
                    .containsEntry("problems", result.problems())
                    .containsEntry("skipped", result.skipped())
                    .containsEntry("command", result.command())
                    .containsEntry("again", RUN.again(result.cell()))
                    .containsEntry("detail", result.detail());
            // Comparing these two fields must be enough to see what is red.
            assertThat(rows.get(i).get("outcome").equals(rows.get(i).get("expected")))
                    .isEqualTo(result.green());
        }
    }

    /** Fields, not the text of the detail, must distinguish the rows of a run over every axis. */
    @Test
    @SuppressWarnings("unchecked")
    void jsonRowsHaveUniqueKeys() {
        List<CellResult> all = new ArrayList<>();
        Release old = Samples.release(1).named("old");
        Release present = Samples.release(2).named("new");
        Jdk other = new Jdk("25.0.1", Path.of("jdk25"));
        for (Jdk jdk : List.of(Samples.JDK, other)) {
            for (boolean modular : new boolean[] {false, true}) {
                for (Cell cell : Plan.eightRows(old, present, List.of(Samples.provider(1)), true, modular, jdk)) {
                    all.add(Judge.ran(cell, Samples.output(0, "old send works", "new missing ENOSYS too old")));
                }
            }
        }
        Map<String, Object> json = StrictJson.object(JsonReport.of(all, NOT_RUN, NO_SCHEMES, RUN));
        List<String> keys = List.of("row", "app", "header", "library", "provider", "runtimeHeader", "path", "jdk");
        List<Map<String, Object>> rows = (List<Map<String, Object>>) json.get("rows");
        assertThat(rows.stream().map(row -> keys.stream().map(row::get).toList()))
                .hasSize(64)
                .doesNotHaveDuplicates();
        List<Map<String, Object>> steps =
                (List<Map<String, Object>>) rows.get(7).get("steps");
        assertThat(steps)
                .contains(Map.of("group", "old", "step", "send", "status", "works", "text", ""))
                .anySatisfy(step ->
                        assertThat(step).containsEntry("status", "ENOSYS").containsEntry("text", "too old"));
    }

    @Test
    @SuppressWarnings("unchecked")
    void jsonSummarizesRun() {
        Map<String, Object> json = StrictJson.object(JsonReport.of(RESULTS, SECTION, SCHEMES, RUN));
        assertThat((Map<String, Object>) json.get("run"))
                .containsEntry("verdict", "33 combinations, 3 not as expected")
                .containsEntry("status", 1.0)
                .containsEntry("combinations", 33.0)
                .containsEntry("red", 3.0)
                .containsEntry("unshown", 0.0)
                .containsEntry("commit", "0123-dirty")
                .containsEntry("command", RUN.command())
                .containsEntry("skipped", List.of("open_qp: can't"))
                .containsEntry(
                        "artifacts",
                        List.of(Map.of(
                                "release", "old", "commit", "4567", "file", "a " + NASTY + ".jar", "sha256", "89ab")));
    }

    /** A reader of the XML alone must come to the same verdict as the exit status. */
    @Test
    void xmlReportsUnshownResultAsFailure() throws Exception {
        CellResult red = RESULTS.get(0);
        CellResult unshown = new CellResult(
                red.cell(), red.expected(), Outcome.UNSHOWN, List.of(), List.of(), "moved nothing", "java", "");
        List<CellResult> results = List.of(unshown, RESULTS.get(1));
        assertThat(RUN.status(results, NOT_RUN)).isEqualTo(3);
        Element suite = (Element) xml(TextReports.junit(results, NOT_RUN, RUN))
                .getElementsByTagName("testsuite")
                .item(0);
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        Element failure = (Element) suite.getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("type")).isEqualTo("UNSHOWN");
        assertThat(failure.getAttribute("message")).contains("moved no data");
        // The part about rdma-core, requested on its own but impossible to run.
        RunRecord wanted = new RunRecord("", "./verbs matrix", false, true, List.of());
        List<CellResult> green = List.of(RESULTS.get(1));
        assertThat(RUN.status(green, NOT_RUN)).isZero();
        assertThat(wanted.status(green, NOT_RUN)).isEqualTo(2);
        Document suites = xml(TextReports.junit(green, NOT_RUN, wanted));
        assertThat(suites.getElementsByTagName("failure").getLength()).isEqualTo(1);
        assertThat(suites.getElementsByTagName("skipped").getLength()).isZero();
    }

    /** If hundreds of symbols are missing, only the first ones are shown. */
    @Test
    void compilerErrorsAreAbbreviated() {
        CellResult row5 = RESULTS.stream()
                .filter(result -> result.outcome() == Outcome.N)
                .findFirst()
                .orElseThrow();
        String errors = "App.java: error: cannot find symbol\n".repeat(829);
        CellResult result = new CellResult(
                row5.cell(), row5.expected(), Outcome.N, List.of(), List.of(), "does not compile", "javac", errors);
        assertThat(result.excerpt().lines()).hasSize(13).contains("... and 817 more lines like these");
        assertThat(HtmlReport.of(List.of(result), NOT_RUN, NO_SCHEMES, RUN)).hasSizeLessThan(10_000);
        assertThat(TextReports.junit(List.of(result), NOT_RUN, RUN)).hasSizeLessThan(10_000);
    }

    @Test
    @SuppressWarnings("unchecked")
    void jsonContainsReleasesOfRdmaCore() {
        Map<String, Object> json = StrictJson.object(JsonReport.of(RESULTS, SECTION, SCHEMES, RUN));
        List<Map<String, Object>> rows =
                (List<Map<String, Object>>) ((Map<String, Object>) json.get("native")).get("rows");
        assertThat(rows).hasSameSizeAs(SECTION.results());
        for (int i = 0; i < rows.size(); i++) {
            NativeResult result = SECTION.results().get(i);
            assertThat(rows.get(i))
                    .containsEntry("rdmaCore", (double) result.cell().release().number())
                    .containsEntry("library", result.cell().cell().library().name())
                    .containsEntry("outcome", result.green() ? "Y" : "FAILED")
                    .containsEntry("detail", result.result().detail());
        }
        json = StrictJson.object(JsonReport.of(RESULTS, NOT_RUN, NO_SCHEMES, RUN));
        assertThat((Map<String, Object>) json.get("native"))
                .containsOnlyKeys("notRun")
                .containsValue(NOT_RUN.reason());
    }

    @Test
    void pageLinksEachResultToItsDetails() throws Exception {
        String html = HtmlReport.of(RESULTS, SECTION, NO_SCHEMES, RUN);
        Document page = xml(html);
        NodeList links = page.getElementsByTagName("a");
        List<String> targets = new ArrayList<>();
        for (int i = 0; i < links.getLength(); i++) {
            Element link = (Element) links.item(i);
            if (((Element) link.getParentNode()).getAttribute("class").startsWith("cell")) {
                targets.add(link.getAttribute("href").substring(1));
            }
        }
        List<CellResult> all = new ArrayList<>(RESULTS);
        List<String> titles =
                new ArrayList<>(RESULTS.stream().map(r -> r.cell().toString()).toList());
        SECTION.results().forEach(result -> {
            all.add(result.result());
            titles.add(result.cell().toString());
        });
        assertThat(targets).hasSameSizeAs(all).doesNotHaveDuplicates();
        NodeList panels = page.getElementsByTagName("section");
        assertThat(panels.getLength()).isEqualTo(all.size());
        for (int i = 0; i < panels.getLength(); i++) {
            Element panel = (Element) panels.item(i);
            CellResult result = all.get(i);
            assertThat(targets).contains(panel.getAttribute("id"));
            assertThat(panel.getAttribute("class")).endsWith(result.green() ? "green" : "red");
            boolean general = i < RESULTS.size() && result.cell().row() >= Plan.GENERAL && result.green();
            assertThat(panel.getTextContent())
                    .contains(titles.get(i), general ? "--json" : legal(result.command()))
                    .contains(i < RESULTS.size() ? legal(RUN.again(result.cell())) : "guest ")
                    .contains(general ? "" : legal(result.output()));
        }
        assertThat(html).contains("<th>rdma-core 44</th><th>rdma-core 65</th>", "4 combinations with rdma-core, 1 not");
        String without = HtmlReport.of(RESULTS.subList(0, 2), NOT_RUN, SCHEMES, RUN);
        assertThat(xml(without).getDocumentElement().getTextContent()).contains(legal("not run: no guest " + NASTY));
        assertThat(without).contains("class=\"verdict green\"");
        assertThat(HtmlReport.of(RESULTS.subList(0, 2), SECTION, NO_SCHEMES, RUN))
                .contains("class=\"verdict red\"");
        assertThat(html).doesNotContain("http:", "https:", "<script", "<link", "url(", "src=");
    }

    @Test
    void xmlContainsTestForEachResult() throws Exception {
        Document suite = xml(TextReports.junit(RESULTS, SECTION, RUN));
        NodeList suites = suite.getElementsByTagName("testsuite");
        List<Integer> sizes = List.of(RESULTS.size(), SECTION.results().size());
        List<Integer> reds = List.of(TextReports.red(RESULTS).size(), 1);
        assertThat(suites.getLength()).isEqualTo(2);
        for (int i = 0; i < 2; i++) {
            Element part = (Element) suites.item(i);
            assertThat(part.getAttribute("tests")).isEqualTo("" + sizes.get(i));
            assertThat(part.getElementsByTagName("testcase").getLength()).isEqualTo(sizes.get(i));
            assertThat(part.getAttribute("failures")).isEqualTo("" + reds.get(i));
            assertThat(part.getElementsByTagName("failure").getLength()).isEqualTo(reds.get(i));
        }
        assertThat(reds.get(0)).isEqualTo(3);
        Element skipped = (Element) xml(TextReports.junit(RESULTS, NOT_RUN, RUN))
                .getElementsByTagName("skipped")
                .item(0);
        assertThat(skipped.getAttribute("message")).startsWith("no guest <b>&");
        assertThat(suite.getElementsByTagName("system-out").item(0).getTextContent())
                .contains(legal("output " + NASTY));
    }

    @Test
    void pageContainsOtherSchemes() throws Exception {
        String html = HtmlReport.of(RESULTS.subList(0, 2), NOT_RUN, SCHEMES, RUN);
        NodeList panels = xml(html).getElementsByTagName("section");
        assertThat(panels.getLength()).isEqualTo(2 + SCHEMES.results().size());
        for (int i = 2; i < panels.getLength(); i++) {
            Element panel = (Element) panels.item(i);
            SchemeResult result = SCHEMES.results().get(i - 2);
            assertThat(html).containsOnlyOnce("href=\"#" + panel.getAttribute("id") + "\"");
            assertThat(panel.getAttribute("class")).endsWith(result.held() ? "green" : "red");
            assertThat(panel.getTextContent())
                    .contains(result.scheme().title() + ", row " + result.row())
                    .contains(
                            legal(result.lost()),
                            legal(result.happened()),
                            legal(result.command()),
                            legal(result.output()));
        }
        // A loss of another scheme is not a fault of the tested release.
        assertThat(html).contains("class=\"verdict green\"").contains("loses rows 8 (old provider)");
        assertThat(HtmlReport.of(RESULTS, SECTION, NO_SCHEMES, RUN)).contains("not run: not asked for &lt;b&gt;");
    }

    @Test
    @SuppressWarnings("unchecked")
    void jsonContainsOtherSchemes() {
        Map<String, Object> json = StrictJson.object(JsonReport.of(RESULTS, NOT_RUN, SCHEMES, RUN));
        List<Map<String, Object>> rows =
                (List<Map<String, Object>>) ((Map<String, Object>) json.get("schemes")).get("rows");
        assertThat(rows).hasSize(48);
        for (int i = 0; i < rows.size(); i++) {
            SchemeResult result = SCHEMES.results().get(i);
            assertThat(rows.get(i))
                    .containsEntry("scheme", result.scheme().title())
                    .containsEntry("row", (double) result.row())
                    .containsEntry("provider", result.provider() == 1 ? "old" : "new")
                    .containsEntry("held", result.held())
                    .containsEntry("lost", result.lost())
                    .containsEntry("happened", result.happened());
        }
        json = StrictJson.object(JsonReport.of(RESULTS, NOT_RUN, NO_SCHEMES, RUN));
        assertThat((Map<String, Object>) json.get("schemes"))
                .containsOnlyKeys("notRun")
                .containsValue(NO_SCHEMES.reason());
    }

    @Test
    void markdownHasOneLinePerRow() {
        List<String> lines =
                TextReports.markdown(RESULTS, SECTION, SCHEMES).lines().toList();
        assertThat(lines).anyMatch(line -> line.startsWith("| 5 | new | old | old | N |"));
        assertThat(lines).anyMatch(line -> line.contains("**FAILED, expected Y**"));
        assertThat(lines.stream().filter(line -> line.startsWith("| ") && line.contains(" (javac) ")))
                .hasSize(8);
        assertThat(lines).noneMatch(line -> line.contains("<b>"));
        assertThat(lines)
                .contains("| row | app | header | library | rdma-core 44 | rdma-core 65 |")
                .contains("| 8 | level 2 | level 2 | level 2 | Y | **Y!** |")
                .contains("4 combinations with rdma-core, 1 not as expected.")
                .contains("| 5 | new | old | old | N | N | N | N | N | N |")
                .anyMatch(line -> line.startsWith("| 8 | new | new | new | Y | Y | Y | Y | **lost**: lost &lt;b>"));
        assertThat(TextReports.markdown(RESULTS, NOT_RUN, NO_SCHEMES)).contains("not run: no guest &lt;b>");
    }

    @Test
    void tableListsRedAndSkippedResults() {
        String table = TextReports.table(RESULTS);
        assertThat(table)
                .contains("Y!", "FAILED!", "EPROTO", "RED row 8", "NOT AS EXPECTED: wrong", "skipped: open_qp: can't")
                .endsWith("33 combinations, 3 not as expected\n");
        assertThat(TextReports.table(RESULTS.subList(0, 4))).endsWith("4 combinations, all as expected\n");
    }

    @Test
    void tableContainsReleases() {
        assertThat(NativeReports.table(SECTION).lines())
                .anyMatch(line -> line.matches(" +row +app +header +library +44 +65"))
                .anyMatch(line -> line.matches(" +8 +level 2 +level 2 +level 2 +Y +Y!"))
                .anyMatch(line -> line.startsWith("RED row 8") && line.endsWith("rdma-core 65"))
                .contains("4 combinations with rdma-core, 1 not as expected");
        assertThat(NativeReports.table(NOT_RUN)).contains("\nnot run: no guest ");
    }

    private static String legal(String text) {
        return text.replace('\u0001', '?');
    }

    private static Document xml(String text) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }
}
