/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The picture of docs/internals/mlx5.md shows the values of the JSON file beside it. */
class Mlx5PictureTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern CASES = Pattern.compile("--plot-cases ([\\w,-]+)");

    @Test
    void pictureShowsCasesNamedByPage() throws Exception {
        List<String> cases = CASES.matcher(Files.readString(DOCS.resolve("internals/mlx5.md")))
                .results()
                .flatMap(match -> Stream.of(match.group(1).split(",")))
                .toList();
        JsonReport report = JsonReport.read(Files.readString(DOCS.resolve("pictures/mlx5-cost.json")));

        assertThat(cases).isNotEmpty();
        assertThat(DOCS.resolve("pictures/mlx5-cost.svg")).hasContent(SvgPlot.of(report.figures(), cases));
    }
}
