/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Which packages of a module refer to which, as compiled. A module's {@code PackageCyclesTest} refuses packages that
 * depend on each other, directly or round a circle of several, unless the test lists them with a reason:
 *
 * <pre>{@code
 * PackageGraph.ofModule(Some.class)
 *         .allow("both are exported, and keep their classes", "some.pkg", "some.pkg.spi")
 *         .checkCycles();
 * }</pre>
 */
public final class PackageGraph {
    /** How many references between two packages a message names. */
    private static final int NAMED = 8;

    /** Package to package to "class -> class". */
    private final Map<String, Map<String, Set<String>>> edges = new TreeMap<>();

    private final List<Allowed> allowed = new ArrayList<>();

    /** Packages that may depend on each other. */
    private record Allowed(String reason, List<String> packages) {
        Set<Pair> pairs() {
            Set<Pair> pairs = new TreeSet<>();
            for (String one : packages) {
                packages.stream().filter(other -> !other.equals(one)).forEach(other -> pairs.add(Pair.of(one, other)));
            }
            return pairs;
        }
    }

    /** Two packages that depend on each other, in the order of their names. */
    record Pair(String first, String second) implements Comparable<Pair> {
        static Pair of(String one, String other) {
            return one.compareTo(other) < 0 ? new Pair(one, other) : new Pair(other, one);
        }

        @Override
        public int compareTo(Pair other) {
            int byFirst = first.compareTo(other.first);
            return byFirst != 0 ? byFirst : second.compareTo(other.second);
        }

        @Override
        public String toString() {
            return first + " and " + second;
        }
    }

    private PackageGraph(List<ClassReferences> classes) {
        classes.forEach(each -> edges.put(packageOf(each.name()), new TreeMap<>()));
        classes.forEach(this::addReferences);
    }

    /** The packages of the module that this class is compiled in. */
    public static PackageGraph ofModule(Class<?> one) {
        try {
            return of(Path.of(
                    one.getProtectionDomain().getCodeSource().getLocation().toURI()));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(one.getName(), e);
        }
    }

    /** The packages of the class files below this folder, or in this jar. */
    public static PackageGraph of(Path place) {
        try {
            List<ClassReferences> classes = Files.isDirectory(place) ? classesBelow(place) : classesIn(place);
            if (classes.isEmpty()) {
                throw new IllegalArgumentException("no classes under " + place);
            }
            return new PackageGraph(classes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<ClassReferences> classesIn(Path jar) throws IOException {
        try (FileSystem files = FileSystems.newFileSystem(jar)) {
            return classesBelow(files.getPath("/"));
        }
    }

    private static List<ClassReferences> classesBelow(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            List<ClassReferences> classes = new ArrayList<>();
            for (Path file : files.filter(PackageGraph::isClass).toList()) {
                classes.add(ClassReferences.read(file));
            }
            return classes;
        }
    }

    private static boolean isClass(Path file) {
        return file.toString().endsWith(".class") && !file.endsWith("module-info.class");
    }

    private static String packageOf(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }

    private void addReferences(ClassReferences each) {
        String from = packageOf(each.name());
        for (String name : each.references()) {
            String to = packageOf(name);
            if (!to.equals(from) && edges.containsKey(to)) {
                edges.get(from)
                        .computeIfAbsent(to, key -> new TreeSet<>())
                        .add(simple(each.name()) + " -> " + simple(name));
            }
        }
    }

    private static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** Lets these packages depend on each other. Once two of them no longer do, {@link #checkCycles} fails. */
    public PackageGraph allow(String reason, String... packages) {
        allowed.add(new Allowed(reason, List.of(packages)));
        return this;
    }

    /**
     * Checks that no two packages depend on each other besides those allowed.
     *
     * @throws AssertionError naming each pair, and the references that close its shortest circle
     */
    public void checkCycles() {
        Set<Pair> found = pairsInCycles();
        List<String> wrong = new ArrayList<>();
        for (Pair pair : found) {
            if (allowed.stream().noneMatch(each -> each.pairs().contains(pair))) {
                wrong.add(pair + " depend on each other:" + references(circle(pair)));
            }
        }
        for (Allowed each : allowed) {
            each.pairs().stream()
                    .filter(pair -> !found.contains(pair))
                    .forEach(pair -> wrong.add(
                            pair + " no longer depend on each other; remove from the list: " + each.reason()));
        }
        if (!wrong.isEmpty()) {
            throw new AssertionError(String.join("\n", wrong));
        }
    }

    /** Each pair of packages that depend on each other, directly or through others. */
    Set<Pair> pairsInCycles() {
        Map<String, Set<String>> reached = new HashMap<>();
        edges.keySet().forEach(each -> reached.put(each, before(each).keySet()));
        Set<Pair> pairs = new TreeSet<>();
        reached.forEach((from, all) -> all.stream()
                .filter(to -> !to.equals(from) && reached.get(to).contains(from))
                .forEach(to -> pairs.add(Pair.of(from, to))));
        return pairs;
    }

    /** Each package that this one reaches, and the one before it on the shortest way there. */
    private Map<String, String> before(String from) {
        Map<String, String> before = new HashMap<>();
        Deque<String> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty()) {
            String each = open.remove();
            for (String next : edges.get(each).keySet()) {
                if (before.putIfAbsent(next, each) == null) {
                    open.add(next);
                }
            }
        }
        return before;
    }

    private List<String> circle(Pair pair) {
        List<String> circle = way(pair.first(), pair.second());
        circle.addAll(way(pair.second(), pair.first()));
        circle.add(pair.first());
        return circle;
    }

    /** The shortest way between two packages, without its end. */
    private List<String> way(String from, String to) {
        Map<String, String> before = before(from);
        List<String> way = new ArrayList<>();
        for (String each = before.get(to); !each.equals(from); each = before.get(each)) {
            way.add(each);
        }
        way.add(from);
        Collections.reverse(way);
        return way;
    }

    private String references(List<String> circle) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < circle.size(); i++) {
            String from = circle.get(i - 1);
            String to = circle.get(i);
            Set<String> all = edges.get(from).get(to);
            text.append("\n    ").append(from).append(" -> ").append(to).append(": ");
            text.append(String.join(", ", all.stream().limit(NAMED).toList()));
            if (all.size() > NAMED) {
                text.append(", and ").append(all.size() - NAMED).append(" more");
            }
        }
        return text.toString();
    }
}
