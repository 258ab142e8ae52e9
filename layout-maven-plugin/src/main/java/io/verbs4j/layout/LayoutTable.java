/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.layout;

import io.verbs4j.layout.Struct.Field;
import io.verbs4j.layout.Struct.Processor;
import io.verbs4j.layout.Struct.Size;
import io.verbs4j.layout.Struct.Sizes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/** A table of the structures that a C header declares. docs/internals/native-devices.md describes the format. */
final class LayoutTable {
    private static final Pattern JAVA_NAME = Pattern.compile("[A-Z][A-Za-z0-9]*Layout");
    private static final Pattern C_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern MEMBER = Pattern.compile(C_NAME + "(\\." + C_NAME + ")*");
    private static final Pattern SIZE = Pattern.compile("\\d{1,9}(@\\d{1,9})?");

    final String file;
    final List<Struct> structs = new ArrayList<>();
    String packageName = "";
    String header = "";

    private final List<String> mistakes = new ArrayList<>();
    private int line;

    /** The comment that an indented one continues. */
    private List<String> comment;

    private LayoutTable(String file) {
        this.file = file;
    }

    /**
     * Reads a table.
     *
     * @param file its name, for messages
     * @throws LayoutException with all mistakes that it has
     */
    static LayoutTable parse(String file, List<String> lines) throws LayoutException {
        LayoutTable table = new LayoutTable(file);
        for (String text : lines) {
            table.line++;
            try {
                table.read(text);
            } catch (Mistake e) {
                table.mistakes.add(table.at(table.line) + e.getMessage());
            }
        }
        if (table.packageName.isEmpty() || table.header.isEmpty()) {
            table.mistakes.add(table.at(1) + "a table needs a package and a header");
        }
        if (table.mistakes.isEmpty()) {
            table.mistakes.addAll(new LayoutChecks(table).mistakes());
        }
        if (!table.mistakes.isEmpty()) {
            throw new LayoutException(table.mistakes);
        }
        return table;
    }

    /** What a message about a line begins with. */
    String at(int number) {
        return file + ":" + number + ": ";
    }

    private void read(String text) throws Mistake {
        int hash = text.indexOf('#');
        String code = hash < 0 ? text : text.substring(0, hash);
        String remark = hash < 0 ? "" : text.substring(hash + 1).strip();
        boolean indented = text.startsWith(" ");
        if (code.isBlank()) {
            if (hash > 0 && comment != null) {
                comment.add(remark);
            } else if (hash > 0) {
                throw new Mistake("a comment that belongs to no statement");
            } else {
                comment = null;
            }
            return;
        }
        comment = new ArrayList<>();
        Deque<String> words = new ArrayDeque<>(Arrays.asList(code.strip().split("\\s+")));
        if (indented) {
            entry(words);
        } else {
            statement(words);
        }
        if (!remark.isEmpty()) {
            comment.add(remark);
        }
    }

    private void statement(Deque<String> words) throws Mistake {
        String first = words.remove();
        switch (first) {
            case "package" -> packageName = only(first, packageName, words);
            case "header" -> header = only(first, header, words);
            case "struct" -> struct(words);
            default -> throw new Mistake("expected package, header or struct instead of '" + first + "'");
        }
    }

    private static String only(String what, String before, Deque<String> words) throws Mistake {
        if (!before.isEmpty()) {
            throw new Mistake("a second " + what);
        }
        if (words.size() != 1) {
            throw new Mistake(what + " takes one name");
        }
        return words.remove();
    }

    private void struct(Deque<String> words) throws Mistake {
        String name = word(words, C_NAME, "the name of a structure");
        String className = word(words, JAVA_NAME, "a class named ...Layout");
        int since = since(words);
        if (!words.isEmpty()) {
            throw new Mistake("unexpected '" + words.peek() + "'");
        }
        Struct struct = new Struct(line, name, className, since == 0 ? Struct.FIRST_RELEASE : since);
        structs.add(struct);
        comment = struct.comment;
    }

    private void entry(Deque<String> words) throws Mistake {
        if (structs.isEmpty()) {
            throw new Mistake("a line of a structure before the first structure");
        }
        Struct struct = structs.get(structs.size() - 1);
        switch (words.element()) {
            case "size" -> {
                words.remove();
                size(struct, words);
            }
            case "origin" -> {
                words.remove();
                struct.origin = number(words, "the byte that has offset 0");
            }
            default -> field(struct, words);
        }
    }

    private void size(Struct struct, Deque<String> words) throws Mistake {
        List<Size> history = new ArrayList<>();
        while (!words.isEmpty() && SIZE.matcher(words.element()).matches()) {
            String[] size = words.remove().split("@", -1);
            history.add(new Size(Integer.parseInt(size[0]), size.length == 1 ? 0 : Integer.parseInt(size[1])));
        }
        if (history.isEmpty()) {
            throw new Mistake("size takes bytes, or bytes@release, instead of '" + String.join(" ", words) + "'");
        }
        for (int i = 1; i < history.size(); i++) {
            if (history.get(i).since() <= history.get(i - 1).since()
                    || history.get(i).bytes() == history.get(i - 1).bytes()) {
                throw new Mistake("sizes out of order or repeated");
            }
        }
        Processor processor = processor(words);
        struct.sizes.add(new Sizes(line, history, processor));
    }

    private void field(Struct struct, Deque<String> words) throws Mistake {
        boolean union = words.element().equals("|");
        if (union) {
            words.remove();
        }
        int offset = number(words, "an offset");
        String type = words.isEmpty() ? "" : words.remove();
        String name = word(words, MEMBER, "the name of a member");
        int since = since(words);
        Processor processor = processor(words);
        struct.fields.add(new Field(line, offset, type, name, union, since, processor, comment));
    }

    private static int number(Deque<String> words, String what) throws Mistake {
        return Integer.parseInt(word(words, Pattern.compile("-?\\d{1,9}"), what));
    }

    private static String word(Deque<String> words, Pattern pattern, String what) throws Mistake {
        String word = words.isEmpty() ? "" : words.remove();
        if (!pattern.matcher(word).matches()) {
            throw new Mistake("expected " + what + (word.isEmpty() ? "" : " instead of '" + word + "'"));
        }
        return word;
    }

    /** Returns 0 if there is none. */
    private static int since(Deque<String> words) throws Mistake {
        if (words.isEmpty() || !words.element().startsWith("@")) {
            return 0;
        }
        return Integer.parseInt(word(words, Pattern.compile("@\\d{1,9}"), "a release, such as @24")
                .substring(1));
    }

    /** Takes the last word, if there is one. */
    private static Processor processor(Deque<String> words) throws Mistake {
        if (words.isEmpty()) {
            return Processor.ANY;
        }
        Processor processor = Processor.of(words.element());
        if (processor == null || words.size() > 1) {
            throw new Mistake("unexpected '" + String.join(" ", words) + "'");
        }
        return processor;
    }

    /** One line is wrong; reading goes on with the next. */
    private static final class Mistake extends Exception {
        private static final long serialVersionUID = 1L;

        Mistake(String message) {
            super(message);
        }
    }
}
