/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.dependencies;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** The BOM has no list of modules, and versions that stand alone: it must not lag behind. */
class BomTest {
    private static final Path ROOT = Path.of("..");
    private static final XPath XPATH = XPathFactory.newInstance().newXPath();

    @Test
    void itListsWhatIsPublishedInTheVersionOfThisBuild() throws Exception {
        String version = texts(ROOT.resolve("pom.xml"), "/project/version").get(0);
        List<String> published = new ArrayList<>();
        for (String module : texts(ROOT.resolve("pom.xml"), "/project/modules/module")) {
            Path pom = ROOT.resolve(module).resolve("pom.xml");
            boolean isPublished =
                    texts(pom, "/project/properties/maven.deploy.skip").contains("false");
            if (isPublished && !module.equals("verbs4j-bom")) {
                published.add("io.verbs4j:" + module + ":" + version);
            }
        }
        Path bom = ROOT.resolve("verbs4j-bom/pom.xml");
        List<String> listed = new ArrayList<>();
        String entry = "/project/dependencyManagement/dependencies/dependency/";
        List<String> artefacts = texts(bom, entry + "artifactId");
        for (int i = 0; i < artefacts.size(); i++) {
            listed.add(texts(bom, entry + "groupId").get(i) + ":" + artefacts.get(i) + ":"
                    + texts(bom, entry + "version").get(i));
        }

        assertThat(published).hasSizeGreaterThan(10);
        assertThat(listed).containsExactlyInAnyOrderElementsOf(published);
    }

    private static List<String> texts(Path pom, String path) throws Exception {
        Document document;
        try (var in = Files.newInputStream(pom)) {
            document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
        }
        NodeList nodes = (NodeList) XPATH.evaluate(path, document, XPathConstants.NODESET);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent().trim());
        }
        return texts;
    }
}
