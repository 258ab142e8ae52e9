/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import io.verbs4j.core.base.Printable;
import io.verbs4j.core.base.ProviderIdentity;
import java.util.List;

/**
 * Which providers were found, which of them are used, and why the others are not.
 *
 * @param entries in the order in which the providers were found
 */
public record Report(List<Entry> entries) {
    public Report {
        entries = List.copyOf(entries);
    }

    /** A table for people: a row for each entry, with the reason below it. */
    @Override
    public String toString() {
        return ReportTable.of(entries);
    }

    /**
     * One provider, or one device that was left out.
     *
     * @param reason why it is set aside, or ""
     */
    public record Entry(ProviderIdentity identity, String reason, List<String> deviceNames) {
        public Entry {
            reason = Printable.text(reason);
            deviceNames = List.copyOf(deviceNames);
        }

        public boolean used() {
            return reason.isEmpty();
        }

        /** The devices' names, printable. */
        List<String> printableNames() {
            return deviceNames.stream().map(Printable::line).toList();
        }

        /** One line, with the reason if there is one. */
        @Override
        public String toString() {
            return identity.name() + " (" + identity.className() + " from " + identity.location() + "): "
                    + (used() ? "used, devices " + printableNames() : "set aside: " + reason);
        }
    }
}
