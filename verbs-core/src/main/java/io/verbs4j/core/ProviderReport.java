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
     * The entries, in the order in which the providers were found. A provider that is used and has a device that is left
     * out has one more entry for that device, after its own.
     *
     * @return the entries, unmodifiable
     */
    public List<Entry> entries() {
        return entries;
    }

    /** A table for people, with the reasons below their lines. */
    @Override
    public String toString() {
        return report.toString();
    }

    /** One provider, or one device of a provider that was left out. */
    public static final class Entry {
        private final Report.Entry entry;

        private Entry(Report.Entry entry) {
            this.entry = entry;
        }

        /**
         * The provider's name.
         *
         * @return the name; {@code "?"} where it could not be asked
         */
        public String name() {
            return entry.identity().name();
        }

        /**
         * The provider's class.
         *
         * @return the name of the class; {@code "?"} where it could not be found out
         */
        public String className() {
            return entry.identity().className();
        }

        /**
         * Where the provider comes from.
         *
         * @return the jar or directory; {@code "?"} where it could not be found out
         */
        public String location() {
            return entry.identity().location();
        }

        /**
         * The level that the provider was written for.
         *
         * @return the level; 0 where it could not be asked
         */
        public int level() {
            return entry.identity().level();
        }

        /**
         * The lowest level of the library that the provider works with.
         *
         * @return the level; 0 where it could not be asked
         */
        public int minimumLibraryLevel() {
            return entry.identity().minimumLibraryLevel();
        }

        /**
         * Whether this is used.
         *
         * @return false for what is set aside
         */
        public boolean used() {
            return entry.used();
        }

        /**
         * Why this is set aside, and what to do.
         *
         * @return the reason; "" where it is used
         */
        public String reason() {
            return entry.reason();
        }

        /**
         * The devices.
         *
         * @return their names, unmodifiable: the devices that the provider gave, or the one that was left out
         */
        public List<String> deviceNames() {
            return entry.deviceNames();
        }

        /** One line, with the reason where there is one. */
        @Override
        public String toString() {
            return entry.toString();
        }
    }
}
