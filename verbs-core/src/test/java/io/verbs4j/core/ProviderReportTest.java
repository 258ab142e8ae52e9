/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.core.base.LibraryLevel;
import io.verbs4j.core.base.Origin;
import io.verbs4j.core.discovery.Library;
import io.verbs4j.core.discovery.TimeLimit;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What programs and people read of the providers. */
class ProviderReportTest {
    private final Fakes.FakeProvider a =
            new Fakes.FakeProvider("a", new Fakes.FakeDevice("a0"), new Fakes.FakeDevice("a1"));
    private final Fakes.FakeProvider b = new Fakes.FakeProvider("b", new Fakes.FakeDevice("b0"));

    private static Library library(Fakes.FakeProvider... providers) {
        return new Library(
                () -> Arrays.stream(providers).map(Fakes.FakeProvider::found).toList(), TimeLimit::ofProperty);
    }

    private static ProviderReport report(Fakes.FakeProvider... providers) {
        return new ProviderReport(library(providers).report());
    }

    @Test
    void reportListsDevicesFirstIfNeeded() {
        ProviderReport report = report(a, b);

        assertThat(report.entries()).extracting(ProviderReport.Entry::name).containsExactly("a", "b");
        assertThat(report.entries().get(0).deviceNames()).containsExactly("a0", "a1");
        assertThat(report.entries().get(0).className()).isEqualTo(Fakes.FakeProvider.class.getName());
        assertThat(report.entries().get(0).location()).isEqualTo("here");
        assertThat(report.entries().get(0).level()).isEqualTo(1);
        assertThat(report.entries().get(0).minimumLibraryLevel()).isEqualTo(1);
    }

    @Test
    void reportIsTable() {
        Fakes.FakeProvider broken = new Fakes.FakeProvider("a-provider-with-a-long-name").listing(() -> null);

        String table = report(a, broken).toString();

        List<String> lines = table.lines().toList();
        assertThat(lines).hasSize(5);
        assertThat(lines.get(0)).contains("library level 4", Origin.of(LibraryLevel.class));
        assertThat(lines.get(1)).startsWith("PROVIDER").contains("LEVEL", "SPEAKS", "USED", "DEVICES", "CLASS", "FROM");
        assertThat(lines.get(2)).startsWith("a ").contains(" 1 (library 1+)  1 ", " yes ", " a0,a1 ", "here");
        assertThat(lines.get(3)).startsWith("a-provider-with-a-long-name ").contains(" no ", " - ");
        assertThat(lines.get(4)).startsWith("    devices() returned null");
        int column = lines.get(1).indexOf("USED");
        assertThat(lines.get(2).substring(column)).startsWith("yes");
        assertThat(lines.get(3).substring(column)).startsWith("no");
    }

    @Test
    void emptyReportNamesRemedy() {
        assertThat(report().toString()).contains("no providers found", "class path");
        assertThat(library().devices()).isEmpty();
    }

    @Test
    void entryIsOneLine() {
        List<ProviderReport.Entry> entries =
                report(a, new Fakes.FakeProvider("x").listing(() -> null)).entries();

        assertThat(entries.get(0))
                .hasToString("a (" + Fakes.FakeProvider.class.getName() + " from here): used, devices [a0, a1]");
        assertThat(entries.get(1).toString()).contains("set aside: devices() returned null");
    }
}
