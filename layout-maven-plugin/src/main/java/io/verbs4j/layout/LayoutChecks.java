/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.layout;

import io.verbs4j.layout.Struct.Field;
import io.verbs4j.layout.Struct.Processor;
import io.verbs4j.layout.Struct.Sizes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds what cannot be right in a table, whatever the header says. */
final class LayoutChecks {
    /** {@code u32}, {@code u8[16]}, {@code [24]}, {@code ibv_qp_cap}, {@code hbldv_wq_array_attr[5]}. */
    private static final Pattern TYPE = Pattern.compile("([A-Za-z_]\\w*)?(?:\\[(\\d{1,6})])?");

    private final LayoutTable table;
    private final List<String> mistakes = new ArrayList<>();

    LayoutChecks(LayoutTable table) {
        this.table = table;
    }

    List<String> mistakes() {
        Map<String, Struct> names = new HashMap<>();
        Map<String, Struct> classes = new HashMap<>();
        for (Struct struct : table.structs) {
            check(struct);
            Struct same = names.putIfAbsent(struct.name, struct);
            if (same != null) {
                mistake(struct.line, "struct " + struct.name + " is a duplicate of line " + same.line);
            }
            same = classes.putIfAbsent(struct.className, struct);
            if (same != null) {
                mistake(struct.line, "class " + struct.className + " is a duplicate of line " + same.line);
            }
        }
        return mistakes;
    }

    private void mistake(int line, String message) {
        mistakes.add(table.at(line) + message);
    }

    private void check(Struct struct) {
        if (struct.sizes.stream().noneMatch(sizes -> sizes.constant().equals("SIZEOF"))) {
            mistake(struct.line, "struct " + struct.name + " has no size");
        }
        Map<String, Integer> constants = new HashMap<>();
        for (Sizes sizes : struct.sizes) {
            unique(constants, sizes.constant(), sizes.line());
        }
        for (int i = 0; i < struct.fields.size(); i++) {
            Field field = struct.fields.get(i);
            unique(constants, field.constant(), field.line());
            int size = size(table, field.type());
            if (size <= 0) {
                mistake(field.line(), "unknown type '" + field.type() + "'");
                return;
            }
            inside(struct, field, size);
            overlap(struct, i);
        }
    }

    private void unique(Map<String, Integer> constants, String constant, int line) {
        Integer same = constants.putIfAbsent(constant, line);
        if (same != null) {
            mistake(line, constant + " is a duplicate of line " + same);
        }
    }

    private void inside(Struct struct, Field field, int size) {
        int start = struct.origin + field.offset();
        for (Sizes sizes : struct.sizes) {
            if (sizes.processor().meets(field.processor()) && (start < 0 || start + size > sizes.newest())) {
                mistake(
                        field.line(),
                        field.name() + " is at " + start + " to " + (start + size) + ", outside struct " + struct.name
                                + " of " + sizes.newest() + " bytes");
            }
        }
    }

    /** Compares a field with those before it. */
    private void overlap(Struct struct, int index) {
        Field field = struct.fields.get(index);
        int end = field.offset() + size(table, field.type());
        boolean shares = false;
        for (Field other : struct.fields.subList(0, index)) {
            int otherEnd = other.offset() + size(table, other.type());
            boolean together = field.processor().meets(other.processor());
            boolean overlaps = together && field.offset() < otherEnd && other.offset() < end;
            if (together && field.isPartOf(other)) {
                if (field.offset() < other.offset() || end > otherEnd) {
                    mistake(field.line(), field.name() + " is not within " + other.name() + " of line " + other.line());
                }
            } else if (overlaps) {
                shares = true;
                if (!field.union()) {
                    mistake(
                            field.line(),
                            field.name() + " overlaps " + other.name() + " of line " + other.line()
                                    + "; in a union, the line begins with |");
                }
            }
        }
        if (field.union() && !shares) {
            mistake(field.line(), field.name() + " begins with | but overlaps nothing above it");
        }
    }

    /** Returns the bytes that a type takes; 0 if it is unknown. */
    static int size(LayoutTable table, String type) {
        Matcher parts = TYPE.matcher(type);
        if (type.isEmpty() || !parts.matches()) {
            return 0;
        }
        int count = parts.group(2) == null ? 1 : Integer.parseInt(parts.group(2));
        String element = parts.group(1);
        if (element == null) {
            return count;
        }
        return switch (element) {
            case "u8" -> count;
            case "u16" -> 2 * count;
            case "u32" -> 4 * count;
            case "u64" -> 8 * count;
            default -> count * sizeOfStruct(table, element);
        };
    }

    /** A structure whose size depends on the processor is no type. */
    private static int sizeOfStruct(LayoutTable table, String name) {
        return table.structs.stream()
                .filter(struct -> struct.name.equals(name) && struct.sizes.size() == 1)
                .map(struct -> struct.sizes.get(0))
                .filter(sizes -> sizes.processor() == Processor.ANY)
                .mapToInt(Sizes::newest)
                .findFirst()
                .orElse(0);
    }
}
