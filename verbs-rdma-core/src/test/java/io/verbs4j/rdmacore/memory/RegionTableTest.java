/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Beyond {@link RegionTableRandomTest}: a region that is being taken away. */
class RegionTableTest {
    private final RegionTable table = new RegionTable();
    private final Object pd = new Object();

    @Test
    void whatIsClosedIsNotFound() {
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

    /** A key may be given out anew before the region that had it is forgotten. */
    @Test
    void theOneThatIsOpenIsFoundBesideOneThatIsNot() {
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

    @Test
    void whatIsPagedOnDemandGoesWithItsRegion() {
        Pin onDemand = new Pin();
        Pin other = new Pin();
        table.add(7, pd, 0, 100, onDemand);
        table.addOnDemand(7, onDemand);
        table.add(8, pd, 0, 100, other);
        assertThat(table.isOnDemand(7)).isTrue();
        assertThat(table.isOnDemand(8)).isFalse();
        table.add(7, pd, 0, 100, other); // the key is given anew before the old region is removed here
        table.remove(7, onDemand);
        assertThat(table.isOnDemand(7)).isFalse();
        assertThat(table.knows(7)).isTrue();
    }
}
