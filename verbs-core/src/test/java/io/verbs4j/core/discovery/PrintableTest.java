/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.core.Fakes;
import io.verbs4j.core.base.Printable;
import io.verbs4j.core.base.ProviderIdentity;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a provider has made up does not reach a terminal as it is. */
class PrintableTest {
    private static final String EVIL = "mlx\u001b[2J\u202e0\u009b\n";
    private static final String MASKED = "mlx\\u001b[2J\\u202e0\\u009b\\u000a";

    @ParameterizedTest
    @ValueSource(strings = {"", "mlx5_0", "/home/Jürgen/a b.jar", "\u05d0\u4e2d\ud83d\ude00"})
    void harmlessTextStays(String text) {
        assertThat(Printable.line(text)).isSameAs(text);
        assertThat(Printable.text(text)).isSameAs(text);
    }

    @Test
    void harmfulCharactersAreEscapedAsInJava() {
        assertThat(Printable.line(EVIL)).isEqualTo(MASKED);
        assertThat(Printable.text("a\n\tb\r\u2028\ud800\ufeff\udb40\udc01"))
                .isEqualTo("a\n\tb\\u000d\\u2028\\ud800\\ufeff\\udb40\\udc01");
    }

    @Test
    void deviceNameIsEscapedWhereverPrinted() {
        Device device = new Fakes.FakeDevice(EVIL);
        Fakes.FakeProvider provider = new Fakes.FakeProvider("evil", device, new Fakes.FakeDevice(EVIL));
        provider.opener = (d, c) -> new ContextOps() {};
        Library library = new Library(() -> List.of(provider.found()), TimeLimit::ofProperty);

        assertThat(library.devices()).containsExactly(device);
        Report report = library.report();
        assertThat(report.entries().get(0).deviceNames()).as("for programs").containsExactly(EVIL);
        assertThat(report.toString()).contains(MASKED).doesNotContain("\u001b", "\u202e", "\u009b");
        assertThat(report.entries().get(0).toString()).contains("devices [" + MASKED + "]");
        assertThat(report.entries().get(1).reason()).contains("its device " + MASKED + " was left out");
        assertFails(Errno.ENODEV, () -> library.open(new Fakes.FakeDevice(EVIL), 1), "device " + MASKED + " is not");
        var closed = library.open(device, 1);
        closed.close();
        assertFails(Errno.EINVAL, closed::numCompVectors, "context of " + MASKED + " is closed");
    }

    @Test
    void classJarAndReasonAreEscapedInReport() {
        ProviderIdentity identity = ProviderIdentity.unnamed("a.B\u001b", "/x\u202e.jar");
        Report report =
                new Report(List.of(new Report.Entry(identity, "failed with oops\u001b[0m\nsecond line", List.of())));

        assertThat(report.toString())
                .contains("a.B\\u001b", "/x\\u202e.jar", "oops\\u001b[0m\n    second line")
                .doesNotContain("\u001b", "\u202e");
        assertThat(report.entries().get(0).identity().className()).isEqualTo("a.B\\u001b");
    }
}
