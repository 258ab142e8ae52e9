/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A region that is being removed, which {@link RegionTableRandomTest} does not cover. */
class RegionTableTest {
    private final RegionTable table = new RegionTable();
    private final Object pd = new Object();

    @Test
    void closedRegionIsNotFound() {
        Pin pin = new Pin();
        table.add(7, pd, 100, 10, pin);
        pin.close();
        assertThat(table.enter(7, pd, 100, 10)).isNull();
        pin.reopen();
        assertThat(table.enter(7, pd, 100, 10)).isSameAs(pin);
        assertThat(table.enter(7, new Object(), 100, 10))
                .as("of another domain")
                .isNull();
    }

    /** A key may be reused before its previous region is removed. */
    @Test
    void openRegionIsFoundBesideClosedOne() {
        Pin old = new Pin();
        Pin present = new Pin();
        table.add(7, pd, 100, 10, present);
        table.add(7, pd, 100, 10, old);
        old.close();
        assertThat(table.enter(7, pd, 105, 5)).isSameAs(present);
        table.remove(7, old);
        assertThat(table.enter(7, pd, 105, 5)).isSameAs(present);
        assertThat(table.enter(7, pd, 105, 6)).isNull();
    }
}
