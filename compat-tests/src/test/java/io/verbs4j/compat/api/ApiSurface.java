/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.api;

import io.verbs4j.compat.built.BuiltModules;
import io.verbs4j.compat.built.JarContent;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InnerClassNode;
import org.objectweb.asm.tree.MethodNode;

/** The visible API of a jar: the public and protected types of its exported packages, with their members. */
final class ApiSurface {
    private static final int VISIBLE = Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED;
    private static final int TYPE_MODIFIERS =
            VISIBLE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE;

    private final Map<String, ClassNode> all;
    private final Set<String> packages;
    /** The types by the name that {@code Class.forName} takes. */
    private final Map<String, ClassNode> types = new TreeMap<>();

    private ApiSurface(Path jar) {
        all = JarContent.of(jar).classes();
        packages = BuiltModules.descriptorIn(jar).exports().stream()
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toCollection(TreeSet::new));
        for (ClassNode type : all.values()) {
            String name = type.name.replace('/', '.');
            if (packages.contains(name.substring(0, Math.max(0, name.lastIndexOf('.')))) && isVisible(type)) {
                types.put(name, type);
            }
        }
    }

    static ApiSurface of(Path jar) {
        return new ApiSurface(jar);
    }

    Map<String, ClassNode> types() {
        return types;
    }

    static boolean isVisible(FieldNode field) {
        return (field.access & VISIBLE) != 0 && (field.access & Opcodes.ACC_SYNTHETIC) == 0;
    }

    /** {@return the exported packages that the other surface lacks} */
    Set<String> removedPackages(ApiSurface now) {
        return without(packages, now.packages);
    }

    /** {@return what the other surface adds: packages, types, members, modifiers} */
    Set<String> additions(ApiSurface now) {
        Set<String> added = new TreeSet<>();
        without(now.packages, packages).forEach(name -> added.add("the exported package " + name));
        added.addAll(without(now.lines(), lines()));
        return added;
    }

    /** {@return the differences in a type} */
    List<String> differences(ApiSurface now, String type) {
        if (!types.containsKey(type)) {
            return List.of("it is missing in the older release");
        }
        if (!now.types.containsKey(type)) {
            return List.of("it is gone");
        }
        Set<String> before = lines(types.get(type));
        Set<String> after = now.lines(now.types.get(type));
        Set<String> differences = new TreeSet<>();
        without(before, after).forEach(line -> differences.add("gone: " + line));
        without(after, before).forEach(line -> differences.add("added: " + line));
        return List.copyOf(differences);
    }

    private Set<String> lines() {
        return types.values().stream()
                .flatMap(type -> lines(type).stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> lines(ClassNode type) {
        String name = type.name.replace('/', '.');
        Set<String> lines = new TreeSet<>();
        lines.add(modifiers(access(type) & TYPE_MODIFIERS) + "type " + name + " extends "
                + Type.getObjectType(type.superName).getClassName()
                + type.interfaces.stream()
                        .map(face -> ", " + Type.getObjectType(face).getClassName())
                        .collect(Collectors.joining())
                + generics(type.signature));
        for (FieldNode field : type.fields) {
            if (isVisible(field)) {
                lines.add(modifiers(field.access & Modifier.fieldModifiers())
                        + Type.getType(field.desc).getClassName() + " " + name + "." + field.name
                        + generics(field.signature));
            }
        }
        for (MethodNode method : type.methods) {
            if ((method.access & VISIBLE) != 0 && (method.access & Opcodes.ACC_SYNTHETIC) == 0) {
                lines.add(line(name, method));
            }
        }
        return lines;
    }

    private static String line(String type, MethodNode method) {
        String parameters = Arrays.stream(Type.getArgumentTypes(method.desc))
                .map(Type::getClassName)
                .collect(Collectors.joining(", "));
        String exceptions = method.exceptions.stream()
                .map(name -> Type.getObjectType(name).getClassName())
                .collect(Collectors.joining(", "));
        // Callers do not care whether a body is synchronized or native.
        int access = method.access & (VISIBLE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_ABSTRACT);
        return modifiers(access)
                + Type.getReturnType(method.desc).getClassName() + " " + type + "." + method.name + "(" + parameters
                + ((method.access & Opcodes.ACC_VARARGS) != 0 ? "...)" : ")")
                + (exceptions.isEmpty() ? "" : " throws " + exceptions)
                + generics(method.signature);
    }

    private static String generics(String signature) {
        return signature == null ? "" : " with generics " + signature;
    }

    private static String modifiers(int access) {
        String text = Modifier.toString(access);
        return text.isEmpty() ? "" : text + " ";
    }

    private boolean isVisible(ClassNode type) {
        if ((access(type) & VISIBLE) == 0 || (type.access & Opcodes.ACC_SYNTHETIC) != 0) {
            return false;
        }
        InnerClassNode nested = nesting(type);
        if (nested == null) {
            return true;
        }
        ClassNode outer = nested.outerName == null ? null : all.get(nested.outerName);
        return outer != null && isVisible(outer);
    }

    /**
     * Returns the access flags of the source: a nested class's own flags cannot express protected, private or static.
     */
    private static int access(ClassNode type) {
        InnerClassNode nested = nesting(type);
        return nested == null ? type.access : nested.access;
    }

    private static InnerClassNode nesting(ClassNode type) {
        return type.innerClasses.stream()
                .filter(inner -> inner.name.equals(type.name))
                .findFirst()
                .orElse(null);
    }

    private static Set<String> without(Set<String> set, Set<String> others) {
        Set<String> rest = new TreeSet<>(set);
        rest.removeAll(others);
        return rest;
    }
}
