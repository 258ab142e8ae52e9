/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.core.discovery.Report;
import java.util.List;

/**
 * Which providers were found, which of them are used, and why the others are not.
 *
 * <p>Immutable. <strong>Frozen</strong>: this class does not grow in later levels.
 */
public final class ProviderReport {
    private final Report report;
    private final List<Entry> entries;

    ProviderReport(Report report) {
        this.report = report;
        entries = report.entries().stream().map(Entry::new).toList();
    }

    /**
     * The entries, in the order in which the providers were found. A provider that is used, but has a device that was
     * left out, has another entry for that device after its own.
     *
     * @return the entries, unmodifiable
     */
    public List<Entry> entries() {
        return entries;
    }

    /** A table for people: a row for each entry, with the reason below it. */
    @Override
    public String toString() {
        return report.toString();
    }

    /** One provider, or one device that was left out. */
    public static final class Entry {
        private final Report.Entry entry;

        private Entry(Report.Entry entry) {
            this.entry = entry;
        }

        /**
         * The provider's name.
         *
         * @return the name; {@code "?"} if it is unknown
         */
        public String name() {
            return entry.identity().name();
        }

        /**
         * The provider's class.
         *
         * @return the name of the class; {@code "?"} if it is unknown
         */
        public String className() {
            return entry.identity().className();
        }

        /**
         * Where the provider comes from.
         *
         * @return the jar or directory; {@code "?"} if it is unknown
         */
        public String location() {
            return entry.identity().location();
        }

        /**
         * The level that the provider was written for.
         *
         * @return the level; 0 if it is unknown
         */
        public int level() {
            return entry.identity().level();
        }

        /**
         * The lowest level of the library that the provider works with.
         *
         * @return the level; 0 if it is unknown
         */
        public int minimumLibraryLevel() {
            return entry.identity().minimumLibraryLevel();
        }

        /**
         * Whether the provider or device is used.
         *
         * @return false if it is set aside
         */
        public boolean used() {
            return entry.used();
        }

        /**
         * Why the provider or device is set aside, and what to do.
         *
         * @return the reason; "" if it is used
         */
        public String reason() {
            return entry.reason();
        }

        /**
         * The devices.
         *
         * @return their names, unmodifiable: the devices that the provider listed, or the one that was left out
         */
        public List<String> deviceNames() {
            return entry.deviceNames();
        }

        /** One line, with the reason if there is one. */
        @Override
        public String toString() {
            return entry.toString();
        }
    }
}
