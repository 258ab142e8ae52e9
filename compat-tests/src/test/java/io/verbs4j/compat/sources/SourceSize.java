/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sources;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Finds what is too large in a source file: lines that are too wide, files with too many lines, classes with too many
 * public methods. A comment above the class may give the reason for the last two, in a sentence with a fixed beginning.
 */
final class SourceSize {
    static final int MAX_COLUMNS = 120;

    static final int MAX_LINES = 500;

    static final int MAX_METHODS = 30;

    /** How the reason for a long file begins. */
    static final String LONGER = "Longer than " + MAX_LINES + " lines because";

    /** How the reason for a class with many public methods begins. */
    static final String MORE = "More than " + MAX_METHODS + " public methods because";

    /** A reason of fewer words is no clause. */
    private static final int MIN_WORDS = 4;

    private static final Pattern COMMENT_MARKS = Pattern.compile("(?m)^\\s*(?:/\\*+|\\*+/|\\*|//)|\\*/");

    /** A link alone on its line, which can't be wrapped: a definition, an item of a list, or a picture. */
    private static final Pattern LINK_ONLY = Pattern.compile(
            "\\s*(?:[-*>]\\s+|\\d+\\.\\s+)?!?(?:\\[[^\\]]*\\](?:\\(\\S+\\)|:\\s*\\S+)|<?https?://\\S+)\\.?");

    private static final Pattern FENCE = Pattern.compile("\\s*(?:```|~~~).*");

    private SourceSize() {}

    /** Returns what is too large in a Java source, a line for each. */
    static List<String> ofJava(String file, String text) {
        List<String> found = new ArrayList<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            checkWidth(file, i, lines.get(i), found);
        }
        boolean isLong = lines.size() > MAX_LINES;
        if (isLong || occurrences(text, "public ") > MAX_METHODS || hasPhrase(text)) {
            checkSize(file, text, isLong, found);
        }
        return found;
    }

    /** Returns the lines of a Markdown page that are too wide; tables, code and links alone on a line may be. */
    static List<String> ofMarkdown(String file, String text) {
        List<String> found = new ArrayList<>();
        List<String> lines = text.lines().toList();
        boolean isCode = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            boolean isFence = FENCE.matcher(line).matches();
            isCode ^= isFence;
            boolean isTable = line.strip().startsWith("|");
            if (!isCode && !isFence && !isTable && !LINK_ONLY.matcher(line).matches()) {
                checkWidth(file, i, line, found);
            }
        }
        return found;
    }

    private static void checkWidth(String file, int index, String line, List<String> found) {
        int columns = line.codePointCount(0, line.length());
        if (columns > MAX_COLUMNS) {
            found.add(file + ":" + (index + 1) + ": " + columns + " columns, more than " + MAX_COLUMNS);
        }
    }

    private static int occurrences(String text, String word) {
        int count = 0;
        for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length())) {
            count++;
        }
        return count;
    }

    private static boolean hasPhrase(String text) {
        return text.contains(LONGER) || text.contains(MORE);
    }

    private static void checkSize(String file, String text, boolean isLong, List<String> found) {
        boolean isExplained = false;
        int end = 0;
        Parsed parsed = parse(text);
        for (Tree type : parsed.unit.getTypeDecls()) {
            int start = (int) parsed.positions.getStartPosition(parsed.unit, type);
            String comment = comment(text.substring(end, start));
            end = (int) parsed.positions.getEndPosition(parsed.unit, type);
            if (type instanceof ClassTree top) {
                isExplained |= hasReason(comment, LONGER);
                String name = file + ": " + top.getSimpleName();
                check(name, publicMethods(top) > MAX_METHODS, hasReason(comment, MORE), MORE, found);
            }
        }
        check(file, isLong, isExplained, LONGER, found);
    }

    private static void check(String what, boolean isLarge, boolean isExplained, String phrase, List<String> found) {
        if (isLarge && !isExplained) {
            found.add(what + ": split it, or write above the class \"" + phrase + " ...\", with the reason");
        } else if (!isLarge && isExplained) {
            found.add(what + ": remove \"" + phrase + " ...\", which is no longer true");
        }
    }

    /** Interfaces are left out: their methods are public whatever they do. */
    private static long publicMethods(ClassTree type) {
        return type.getMembers().stream()
                .filter(member -> member instanceof MethodTree method
                        && method.getModifiers().getFlags().contains(Modifier.PUBLIC)
                        && !method.getName().contentEquals("<init>"))
                .count();
    }

    private static boolean hasReason(String comment, String phrase) {
        Matcher reason = Pattern.compile(phrase + "((?:[^.]|\\.(?=\\S))+)\\.").matcher(comment);
        return reason.find() && reason.group(1).strip().split(" ").length >= MIN_WORDS;
    }

    /** Returns the text of comments without their marks and line ends. */
    private static String comment(String source) {
        return COMMENT_MARKS.matcher(source).replaceAll(" ").replaceAll("\\s+", " ");
    }

    private static Parsed parse(String text) {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        SimpleJavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///Source.java"), SimpleJavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return text;
                    }
                };
        JavacTask task =
                (JavacTask) javac.getTask(null, null, diagnostic -> {}, List.of("-proc:none"), null, List.of(source));
        try {
            return new Parsed(
                    task.parse().iterator().next(), Trees.instance(task).getSourcePositions());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A parsed source, with the places of its parts. */
    private record Parsed(CompilationUnitTree unit, SourcePositions positions) {}
}
