/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class SvgChartTest {
    private static Document parse(SvgChart chart) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        byte[] bytes = chart.draw().getBytes(StandardCharsets.UTF_8);
        return factory.newDocumentBuilder().parse(new ByteArrayInputStream(bytes));
    }

    private static SvgChart chart(double[] x, double[] y) {
        SvgChart chart = new SvgChart("Send <RC> & \"more\"", "bytes", "MB/s");
        chart.series("average", x, y);
        return chart;
    }

    @Test
    void chartIsWellFormedWithAllPointsInsideFrame() throws Exception {
        double[] x = new double[23];
        double[] y = new double[23];
        for (int i = 0; i < x.length; i++) {
            x[i] = 2L << i;
            y[i] = 0.07 * x[i];
        }
        Document document = parse(chart(x, y));
        assertThat(document.getDocumentElement().getNamespaceURI()).isEqualTo("http://www.w3.org/2000/svg");
        assertThat(document.getElementsByTagName("title").item(0).getTextContent())
                .isEqualTo("Send <RC> & \"more\"");
        String points = ((Element) document.getElementsByTagName("polyline").item(0)).getAttribute("points");
        String[] pairs = points.split(" ", -1);
        assertThat(pairs).hasSize(23);
        for (String pair : pairs) {
            String[] xy = pair.split(",", -1);
            assertThat(Double.parseDouble(xy[0])).isBetween(89.0, 731.0);
            assertThat(Double.parseDouble(xy[1])).isBetween(59.0, 451.0);
        }
        assertThat(texts(document)).contains("2", "8M", "bytes", "MB/s", "average", "1 000");
    }

    @Test
    void oneOrNoPointIsDrawn() throws Exception {
        assertThat(parse(chart(new double[] {8}, new double[] {1.5}))
                        .getElementsByTagName("circle")
                        .getLength())
                .isEqualTo(2); // the point and its mark in the legend
        parse(chart(new double[] {1}, new double[] {1}));
        parse(chart(new double[0], new double[0]));
        parse(chart(new double[] {8}, new double[] {0})); // nothing was measured
    }

    private static java.util.List<String> texts(Document document) {
        NodeList nodes = document.getElementsByTagName("text");
        java.util.List<String> texts = new java.util.ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent());
        }
        return texts;
    }
}
