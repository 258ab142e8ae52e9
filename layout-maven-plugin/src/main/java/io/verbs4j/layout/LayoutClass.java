/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.layout;

import io.verbs4j.layout.Struct.Field;
import io.verbs4j.layout.Struct.Processor;
import io.verbs4j.layout.Struct.Size;
import io.verbs4j.layout.Struct.Sizes;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The source of a class of constants. */
final class LayoutClass {
    /** Where the annotations are. */
    private static final String ANNOTATIONS = "io.verbs4j.rdmacore.layout";

    private final LayoutTable table;
    private final Struct struct;
    private final StringBuilder source = new StringBuilder();

    private LayoutClass(LayoutTable table, Struct struct) {
        this.table = table;
        this.struct = struct;
    }

    static String source(LayoutTable table, Struct struct) {
        return new LayoutClass(table, struct).write();
    }

    private String write() {
        line("/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */");
        line("// Generated from " + Path.of(table.file).getFileName() + ".");
        line("package " + table.packageName + ";");
        line("");
        imports();
        List<String> comment = struct.comment;
        String name = "{@code struct " + struct.name + "}";
        comment(
                "",
                comment.isEmpty()
                        ? List.of(name + ".")
                        : Stream.concat(
                                        Stream.of(name + ": " + comment.get(0)),
                                        comment.stream().skip(1))
                                .toList());
        line("@CStruct(value = \"struct " + struct.name + "\", header = \"" + table.header + "\""
                + since(struct.since, Struct.FIRST_RELEASE) + ")");
        line("public final class " + struct.className + " {");
        struct.sizes.forEach(this::sizes);
        struct.fields.forEach(this::field);
        line("    private " + struct.className + "() {}");
        line("}");
        return source.toString();
    }

    private void line(String text) {
        source.append(text).append('\n');
    }

    private void imports() {
        if (table.packageName.equals(ANNOTATIONS)) {
            return;
        }
        boolean conditional = Stream.concat(
                        struct.sizes.stream().map(Sizes::processor),
                        struct.fields.stream().map(Field::processor))
                .anyMatch(processor -> processor != Processor.ANY);
        Stream.of("CField", "CIf", "CSize", "CStruct")
                .filter(name -> conditional || !name.equals("CIf"))
                .filter(name -> !struct.fields.isEmpty() || !name.equals("CField"))
                .forEach(name -> line("import " + ANNOTATIONS + "." + name + ";"));
        line("");
    }

    private void comment(String indent, List<String> lines) {
        if (lines.size() == 1) {
            line(indent + "/** " + lines.get(0) + " */");
        } else if (!lines.isEmpty()) {
            line(indent + "/**");
            lines.forEach(text -> line(indent + " * " + text));
            line(indent + " */");
        }
    }

    private void sizes(Sizes sizes) {
        condition(sizes.processor());
        for (Size size : sizes.history()) {
            line("    @CSize(size = " + size.bytes() + since(size.since(), 0) + ")");
        }
        constant(sizes.constant(), sizes.newest());
    }

    private void field(Field field) {
        comment("    ", field.comment());
        condition(field.processor());
        line("    @CField(value = \"" + field.name() + "\", size = " + LayoutChecks.size(table, field.type())
                + since(field.since(), 0) + ")");
        constant(field.constant(), field.offset());
    }

    private void condition(Processor processor) {
        if (processor != Processor.ANY) {
            line("    @CIf(\"" + processor.condition + "\")");
        }
    }

    private void constant(String name, int value) {
        line("    public static final int " + name + " = " + value + ";");
        line("");
    }

    private static String since(int release, int otherwise) {
        return release == otherwise ? "" : ", since = " + release;
    }
}
