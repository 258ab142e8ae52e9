/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.api;

import io.verbs4j.compat.built.BuiltModules;
import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.cmp.JarArchiveComparatorOptions.ClassPathMode;
import japicmp.filter.JavadocLikePackageFilter;
import japicmp.model.AccessModifier;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import japicmp.model.JApiCompatibilityChange;
import japicmp.model.JApiCompatibilityChangeType;
import japicmp.model.JApiConstructor;
import japicmp.model.JApiField;
import japicmp.model.JApiHasAnnotations;
import japicmp.model.JApiImplementedInterface;
import japicmp.model.JApiMethod;
import japicmp.model.JApiModifier;
import japicmp.model.JApiParameter;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The findings of japicmp: changes that break programs, either as compiled or when recompiled. */
final class Japicmp {
    /** The changes allowed to deprecated members. */
    private static final Set<JApiCompatibilityChangeType> REMOVALS = Set.of(
            JApiCompatibilityChangeType.CLASS_REMOVED,
            JApiCompatibilityChangeType.CONSTRUCTOR_REMOVED,
            JApiCompatibilityChangeType.FIELD_REMOVED,
            JApiCompatibilityChangeType.METHOD_REMOVED);

    private final String artifact;
    private final boolean deprecatedMayGo;
    private final Set<String> found = new TreeSet<>();

    private Japicmp(String artifact, boolean deprecatedMayGo) {
        this.artifact = artifact;
        this.deprecatedMayGo = deprecatedMayGo;
    }

    /**
     * Compares the packages that two jars export to everybody.
     *
     * @param oldNeeds the jars that the old jar requires
     * @param newNeeds the jars that the new jar requires
     */
    static Set<String> violations(String artifact, Path old, Path now, List<Path> oldNeeds, List<Path> newNeeds) {
        return violations(artifact, false, old, now, oldNeeds, newNeeds);
    }

    /** The same, except that deprecated members may have been removed. */
    static Set<String> violationsButDeprecated(
            String artifact, Path old, Path now, List<Path> oldNeeds, List<Path> newNeeds) {
        return violations(artifact, true, old, now, oldNeeds, newNeeds);
    }

    private static Set<String> violations(
            String artifact, boolean deprecatedMayGo, Path old, Path now, List<Path> oldNeeds, List<Path> newNeeds) {
        JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
        options.setAccessModifier(AccessModifier.PROTECTED);
        options.setClassPathMode(ClassPathMode.TWO_SEPARATE_CLASSPATHS);
        options.setOldClassPath(classPath(old, oldNeeds));
        options.setNewClassPath(classPath(now, newNeeds));
        for (Path jar : List.of(old, now)) {
            for (ModuleDescriptor.Exports exports :
                    BuiltModules.descriptorIn(jar).exports()) {
                if (!exports.isQualified()) {
                    options.getFilters().getIncludes().add(new JavadocLikePackageFilter(exports.source(), true));
                }
            }
        }
        List<JApiClass> classes = new JarArchiveComparator(options)
                .compare(new JApiCmpArchive(old.toFile(), "old"), new JApiCmpArchive(now.toFile(), "new"));
        if (classes.isEmpty()) {
            throw new IllegalStateException("japicmp found no class in " + old + " and " + now);
        }
        Japicmp walk = new Japicmp(artifact, deprecatedMayGo);
        classes.forEach(walk::visit);
        return walk.found;
    }

    /**
     * Includes the jar itself: japicmp drops the packages that are filtered out, which may hold superclasses of hidden
     * classes.
     */
    private static List<String> classPath(Path jar, List<Path> needs) {
        return Stream.concat(Stream.of(jar), needs.stream()).map(Path::toString).toList();
    }

    private void visit(JApiClass type) {
        String name = type.getFullyQualifiedName();
        check(type, name);
        check(type.getSuperclass(), name + " (its superclass)");
        for (JApiImplementedInterface face : type.getInterfaces()) {
            check(face, name + " (its interface " + face.getFullyQualifiedName() + ")");
        }
        for (JApiConstructor constructor : type.getConstructors()) {
            if (isForPrograms(constructor)) {
                check(constructor, name + "(" + parameters(constructor.getParameters()) + ")");
            }
        }
        for (JApiMethod method : type.getMethods()) {
            check(method, name + "." + method.getName() + "(" + parameters(method.getParameters()) + ")");
        }
        for (JApiField field : type.getFields()) {
            check(field, name + "." + field.getName());
        }
    }

    /**
     * Whether programs could call it before, or can now. For methods, japicmp itself leaves out package-private ones.
     */
    private static boolean isForPrograms(JApiConstructor constructor) {
        JApiModifier<AccessModifier> access = constructor.getAccessModifier();
        return Stream.of(access.getOldModifier(), access.getNewModifier())
                .flatMap(Optional::stream)
                .anyMatch(modifier -> modifier == AccessModifier.PUBLIC || modifier == AccessModifier.PROTECTED);
    }

    private static String parameters(List<JApiParameter> parameters) {
        return parameters.stream().map(JApiParameter::getType).collect(Collectors.joining(", "));
    }

    private boolean mayGo(JApiCompatibility element) {
        return deprecatedMayGo
                && element instanceof JApiHasAnnotations annotated
                && annotated.getAnnotations().stream()
                        .anyMatch(one -> one.getFullyQualifiedName().equals(Deprecated.class.getName()));
    }

    private void check(JApiCompatibility element, String name) {
        for (JApiCompatibilityChange change : element.getCompatibilityChanges()) {
            if (REMOVALS.contains(change.getType()) && mayGo(element)) {
                continue;
            }
            if (!change.isBinaryCompatible() || !change.isSourceCompatible()) {
                String what = change.getType().name().toLowerCase(Locale.ROOT).replace('_', ' ');
                String breaks = change.isBinaryCompatible()
                        ? "source"
                        : change.isSourceCompatible() ? "compiled programs" : "compiled programs and source";
                found.add(artifact + ": " + name + ": " + what + " (breaks " + breaks + ")");
            }
        }
    }
}
