/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * The results of the tests of one build, read from the reports that Surefire and Failsafe left in the modules. A test
 * that failed first and then passed counts as passed.
 */
final class TestReports {
    /**
     * The results.
     *
     * @param passed the number of tests that passed
     * @param failed a line for each test that failed, and for each JVM that ended before its tests did
     * @param classes the classes that ran
     */
    record Outcome(int passed, List<String> failed, List<TestClass> classes) {}

    /** How long a class took, including what its tests share. */
    record TestClass(String name, double seconds) {}

    private static final DateTimeFormatter BUILD = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
    private static final int MESSAGE_LENGTH = 300;

    private final Path root;
    private final String target;
    private final Instant start;

    /**
     * Creates a reader.
     *
     * @param root the folder with the modules
     * @param target the folder below each module that the build writes to
     * @param build when the build started, as {@code yyyyMMdd-HHmmss} in UTC; older reports belong to another build
     */
    TestReports(Path root, String target, String build) {
        this.root = root;
        this.target = target;
        this.start = LocalDateTime.parse(build, BUILD).toInstant(ZoneOffset.UTC);
    }

    /** Reads all reports. */
    Outcome read() {
        int passed = 0;
        List<String> failed = new ArrayList<>();
        List<TestClass> classes = new ArrayList<>();
        for (Path module : modules()) {
            for (String plugin : List.of("surefire", "failsafe")) {
                Path reports = module.resolve(target).resolve(plugin + "-reports");
                for (Path path : list(reports, "TEST-*.xml")) {
                    Element report = parse(path).getDocumentElement();
                    passed += passed(report);
                    failed.addAll(failed(report));
                    classes.add(testClass(report));
                }
                list(reports, "failsafe-summary.xml").forEach(report -> failed.addAll(ended(module, parse(report))));
            }
        }
        return new Outcome(passed, failed, classes);
    }

    /** Modules, and modules in a module's folder. */
    private List<Path> modules() {
        List<Path> modules = new ArrayList<>();
        for (Path module : list(root, "*")) {
            modules.add(module);
            list(module, "*").stream()
                    .filter(nested -> Files.exists(nested.resolve("pom.xml")))
                    .forEach(modules::add);
        }
        return modules;
    }

    private List<Path> list(Path folder, String glob) {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
                for (Path entry : entries) {
                    if (Files.isDirectory(entry) || isOfThisBuild(entry)) {
                        found.add(entry);
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot list " + folder, e);
            }
        }
        Collections.sort(found);
        return found;
    }

    private boolean isOfThisBuild(Path report) throws IOException {
        return Files.getLastModifiedTime(report).compareTo(FileTime.from(start)) >= 0;
    }

    private static Document parse(Path report) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            return factory.newDocumentBuilder().parse(report.toFile());
        } catch (ParserConfigurationException | SAXException e) {
            throw new IllegalStateException("cannot read " + report, e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + report, e);
        }
    }

    private static TestClass testClass(Element report) {
        String seconds = report.getAttribute("time").replace(",", "");
        return new TestClass(report.getAttribute("name"), seconds.isEmpty() ? 0 : Double.parseDouble(seconds));
    }

    private static int passed(Element report) {
        NodeList tests = report.getElementsByTagName("testcase");
        int passed = 0;
        for (int i = 0; i < tests.getLength(); i++) {
            Element test = (Element) tests.item(i);
            boolean other = Stream.of("failure", "error", "skipped")
                    .anyMatch(kind -> test.getElementsByTagName(kind).getLength() > 0);
            passed += other ? 0 : 1;
        }
        return passed;
    }

    private static List<String> failed(Element report) {
        List<String> found = new ArrayList<>();
        NodeList tests = report.getElementsByTagName("testcase");
        for (int i = 0; i < tests.getLength(); i++) {
            Element test = (Element) tests.item(i);
            for (String kind : List.of("failure", "error")) {
                NodeList failures = test.getElementsByTagName(kind);
                if (failures.getLength() > 0) {
                    String name = test.getAttribute("classname") + "." + test.getAttribute("name");
                    found.add(line(name, ((Element) failures.item(0)).getAttribute("message")));
                }
            }
        }
        return found;
    }

    /**
     * Returns what Failsafe reports for a JVM that crashed or timed out; in the case of Surefire, Maven itself fails
     * the module.
     */
    private static List<String> ended(Path module, Document summary) {
        String message = summary.getElementsByTagName("failureMessage").getLength() == 0
                ? ""
                : summary.getElementsByTagName("failureMessage").item(0).getTextContent();
        return message.isBlank() ? List.of() : List.of(line("integration tests of " + module.getFileName(), message));
    }

    private static String line(String name, String message) {
        String text = message.strip().replaceAll("\\s+", " ");
        return "FAILED " + name + (text.isEmpty() ? "" : ": ")
                + (text.length() > MESSAGE_LENGTH ? text.substring(0, MESSAGE_LENGTH) + " ..." : text);
    }
}
