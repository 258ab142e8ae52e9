/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

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

/** The reports hold every result, whatever characters are in it. */
class ReportsTest {
    private static final String NASTY = "<b>&\"quoted\" \\ | tab\t\u0001 \ud83d\ude00 ]]> \u00e9\nline";

    private static final List<CellResult> RESULTS = results();

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
    void theJsonIsParsedBack() {
        Map<String, Object> json = (Map<String, Object>) Json.parse(TextReports.json(RESULTS));
        assertThat(json).containsOnlyKeys("rows");
        List<Map<String, Object>> rows = (List<Map<String, Object>>) json.get("rows");
        assertThat(rows).hasSameSizeAs(RESULTS);
        for (int i = 0; i < rows.size(); i++) {
            CellResult result = RESULTS.get(i);
            assertThat(rows.get(i).keySet())
                    .containsExactly("row", "app", "header", "library", "provider", "expected", "outcome", "detail");
            assertThat(rows.get(i))
                    .containsEntry("row", result.cell().row())
                    .containsEntry("app", result.cell().app().name())
                    .containsEntry("header", result.cell().header().name())
                    .containsEntry("library", result.cell().library().name())
                    .containsEntry("provider", result.cell().provider().name())
                    .containsEntry("expected", result.expected().outcome().name())
                    .containsEntry("detail", result.detail());
            // Whoever compares the two alone sees what is red.
            assertThat(rows.get(i).get("outcome").equals(rows.get(i).get("expected")))
                    .isEqualTo(result.green());
        }
    }

    @Test
    void thePageHasACellForEachResultAndWhatItLeadsTo() throws Exception {
        String html = HtmlReport.of(RESULTS);
        Document page = xml(html);
        NodeList links = page.getElementsByTagName("a");
        List<String> targets = new ArrayList<>();
        for (int i = 0; i < links.getLength(); i++) {
            Element link = (Element) links.item(i);
            if (((Element) link.getParentNode()).getAttribute("class").startsWith("cell")) {
                targets.add(link.getAttribute("href").substring(1));
            }
        }
        assertThat(targets).hasSameSizeAs(RESULTS).doesNotHaveDuplicates();
        NodeList panels = page.getElementsByTagName("section");
        assertThat(panels.getLength()).isEqualTo(RESULTS.size());
        for (int i = 0; i < panels.getLength(); i++) {
            Element panel = (Element) panels.item(i);
            CellResult result = RESULTS.get(i);
            assertThat(targets).contains(panel.getAttribute("id"));
            assertThat(panel.getAttribute("class")).endsWith(result.green() ? "green" : "red");
            assertThat(panel.getTextContent())
                    .contains(result.cell().toString(), legal(result.command()), legal(result.output()));
        }
        assertThat(html).doesNotContain("http:", "https:", "<script", "<link", "url(", "src=");
    }

    @Test
    void theXmlHasATestForEachResult() throws Exception {
        Document suite = xml(TextReports.junit(RESULTS));
        assertThat(suite.getDocumentElement().getAttribute("tests")).isEqualTo("" + RESULTS.size());
        assertThat(suite.getElementsByTagName("testcase").getLength()).isEqualTo(RESULTS.size());
        NodeList failures = suite.getElementsByTagName("failure");
        assertThat(failures.getLength())
                .isEqualTo(TextReports.red(RESULTS).size())
                .isEqualTo(3);
        assertThat(suite.getElementsByTagName("system-out").item(0).getTextContent())
                .contains(legal("output " + NASTY));
    }

    @Test
    void theMarkdownHasOneLineForEachRow() {
        List<String> lines = TextReports.markdown(RESULTS).lines().toList();
        assertThat(lines).anyMatch(line -> line.startsWith("| 5 | new | old | old | N |"));
        assertThat(lines).anyMatch(line -> line.contains("**FAILED, expected Y**"));
        assertThat(lines.stream().filter(line -> line.startsWith("| ") && line.contains(" (javac) ")))
                .hasSize(8);
        assertThat(lines).noneMatch(line -> line.contains("<b>"));
    }

    @Test
    void theTableTellsWhatIsRedAndWhatWasSkipped() {
        String table = TextReports.table(RESULTS);
        assertThat(table)
                .contains("Y!", "FAILED!", "ASIDE", "RED row 8", "NOT AS EXPECTED: wrong", "skipped: open_qp: can't")
                .endsWith("33 combinations, 3 not as expected\n");
        assertThat(TextReports.table(RESULTS.subList(0, 4))).endsWith("4 combinations, all as expected\n");
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
