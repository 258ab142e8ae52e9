/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A structure of a table. */
final class Struct {
    /** The release that stands for all older ones. */
    static final int FIRST_RELEASE = 12;

    final int line;
    final String name;
    final String className;
    final int since;
    final List<String> comment = new ArrayList<>();
    final List<Sizes> sizes = new ArrayList<>();
    final List<Field> fields = new ArrayList<>();

    /** Which byte has offset 0. */
    int origin;

    Struct(int line, String name, String className, int since) {
        this.line = line;
        this.name = name;
        this.className = className;
        this.since = since;
    }

    /** On which processors a line is right. */
    enum Processor {
        ANY(null, ""),
        AARCH64("defined(__aarch64__)", "_AARCH64"),
        NOT_AARCH64("!defined(__aarch64__)", ""),
        X86_64("defined(__x86_64__)", "_X86_64"),
        NOT_X86_64("!defined(__x86_64__)", "");

        /** The condition in C; null for always. */
        final String condition;

        /** What the names of constants end with. */
        final String suffix;

        Processor(String condition, String suffix) {
            this.condition = condition;
            this.suffix = suffix;
        }

        /** Returns null if there is none of this name. */
        static Processor of(String word) {
            return switch (word) {
                case "aarch64" -> AARCH64;
                case "!aarch64" -> NOT_AARCH64;
                case "x86_64" -> X86_64;
                case "!x86_64" -> NOT_X86_64;
                default -> null;
            };
        }

        /** Whether there is a processor that both are about. */
        boolean meets(Processor other) {
            return switch (this) {
                case ANY -> true;
                case AARCH64 -> other != NOT_AARCH64 && other != X86_64;
                case NOT_AARCH64 -> other != AARCH64;
                case X86_64 -> other != NOT_X86_64 && other != AARCH64;
                case NOT_X86_64 -> other != X86_64;
            };
        }
    }

    /** A size, from a release on; {@code since} is 0 where the table does not say. */
    record Size(int bytes, int since) {}

    /** The sizes of a structure on some processors, oldest first. */
    record Sizes(int line, List<Size> history, Processor processor) {
        int newest() {
            return history.get(history.size() - 1).bytes();
        }

        String constant() {
            return "SIZEOF" + processor.suffix;
        }
    }

    /** A member; {@code since} is 0 where the table does not say. */
    record Field(
            int line,
            int offset,
            String type,
            String name,
            boolean union,
            int since,
            Processor processor,
            List<String> comment) {
        String constant() {
            String name = this.name.replace('.', '_').replaceFirst("^_", "");
            return name.toUpperCase(Locale.ROOT) + processor.suffix;
        }

        boolean isPartOf(Field other) {
            return name.startsWith(other.name + ".");
        }
    }
}
