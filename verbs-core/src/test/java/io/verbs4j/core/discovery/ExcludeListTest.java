/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExcludeListTest {
    @Test
    void nothingIsExcludedWithoutProperty() {
        assertThat(new ExcludeList(null).contains("a.B")).isFalse();
        assertThat(new ExcludeList("").contains("a.B")).isFalse();
        assertThat(new ExcludeList(" , ,").contains("")).isFalse();
    }

    @Test
    void classIsExcludedByItsFullName() {
        ExcludeList list = new ExcludeList("a.B, c.D ,");

        assertThat(list.contains("a.B")).isTrue();
        assertThat(list.contains("c.D")).isTrue();
        assertThat(list.contains("a.BC")).isFalse();
        assertThat(list.contains("B")).isFalse();
        assertThat(list.contains("x.a.B")).isFalse();
    }

    @Test
    void packageIsExcludedWithSubpackages() {
        ExcludeList list = new ExcludeList("a.b.*");

        assertThat(list.contains("a.b.C")).isTrue();
        assertThat(list.contains("a.b.c.D")).isTrue();
        assertThat(list.contains("a.bc.D")).isFalse();
        assertThat(list.contains("a.b")).isFalse();
    }
}
