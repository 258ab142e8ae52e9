/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CIf;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The claims of the classes in a layout package, taken from their annotations alone. */
public final class LayoutClaims {
    private LayoutClaims() {}

    /** {@return the layouts of a package} */
    public static List<Class<?>> classes(Class<?> oneOfThem) {
        return ClassesOf.packageOf(oneOfThem).stream()
                .filter(type -> !type.isAnnotation())
                .toList();
    }

    /** {@return the claims of a package's layouts} */
    public static List<Claim> all(Class<?> oneOfThem) {
        List<Claim> claims = new ArrayList<>();
        classes(oneOfThem).forEach(type -> claims.addAll(of(type)));
        return claims;
    }

    static List<Claim> of(Class<?> type) {
        List<Claim> claims = new ArrayList<>();
        for (Field constant : constants(type)) {
            CField field = constant.getAnnotation(CField.class);
            if (field != null) {
                claims.addAll(ofField(type.getAnnotation(CStruct.class), constant, field));
            } else {
                claims.addAll(ofSizes(type.getAnnotation(CStruct.class), constant));
            }
        }
        return claims;
    }

    private static List<Claim> ofField(CStruct struct, Field constant, CField field) {
        String name = name(constant);
        int since = Math.max(struct.since(), field.since());
        List<Claim> claims = new ArrayList<>();
        claims.add(claim(
                name, struct, constant, offsetof(struct, field.value()), value(constant), since, Claim.FOR_EVER, true));
        String size = "sizeof(((" + struct.value() + " *) 0)->" + field.value() + ")";
        claims.add(claim(name + " size", struct, constant, size, field.size(), since, Claim.FOR_EVER, true));
        return claims;
    }

    private static List<Claim> ofSizes(CStruct struct, Field constant) {
        CSize[] sizes = constant.getAnnotationsByType(CSize.class);
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < sizes.length; i++) {
            boolean newest = i + 1 == sizes.length;
            claims.add(claim(
                    newest ? name(constant) : name(constant) + " from " + sizes[i].since(),
                    struct,
                    constant,
                    "sizeof(" + struct.value() + ")",
                    newest ? value(constant) : sizes[i].size(),
                    Math.max(struct.since(), sizes[i].since()),
                    newest ? Claim.FOR_EVER : sizes[i + 1].since(),
                    i == 0));
        }
        return claims;
    }

    private static Claim claim(
            String name,
            CStruct struct,
            Field constant,
            String expression,
            long value,
            int since,
            int before,
            boolean isNew) {
        CIf when = constant.getAnnotation(CIf.class);
        String condition = when == null ? null : when.value();
        return new Claim(name, struct.header(), expression, value, condition, since, before, isNew);
    }

    /** {@return whether it is the one struct whose offsets count from its last member, the well-known context} */
    private static boolean growsAtFront(CStruct struct) {
        return struct.value().equals("struct verbs_context");
    }

    private static String offsetof(CStruct struct, String member) {
        String offset = "(long) offsetof(" + struct.value() + ", " + member + ")";
        return growsAtFront(struct) ? offset + " - (long) offsetof(struct verbs_context, context)" : offset;
    }

    /** {@return what a class lacks for claims to be derived from it} */
    public static List<String> faults(Class<?> type) {
        List<String> faults = new ArrayList<>();
        if (!type.isAnnotationPresent(CStruct.class)) {
            faults.add(type.getSimpleName() + ": no @CStruct");
        }
        if (!type.getSimpleName().endsWith("Layout") || !Modifier.isFinal(type.getModifiers())) {
            faults.add(type.getSimpleName() + ": not a final class named ...Layout");
        }
        if (type.getDeclaredMethods().length + type.getDeclaredClasses().length + type.getConstructors().length > 0) {
            faults.add(type.getSimpleName() + ": has more than constants");
        }
        if (constants(type).stream().noneMatch(constant -> constant.getName().equals("SIZEOF"))) {
            faults.add(type.getSimpleName() + ": no SIZEOF");
        }
        for (Field constant : constants(type)) {
            String fault = fault(constant);
            if (fault != null) {
                faults.add(name(constant) + ": " + fault);
            }
        }
        return faults;
    }

    private static String fault(Field constant) {
        int expected = Modifier.PUBLIC | Modifier.STATIC | Modifier.FINAL;
        if (constant.getModifiers() != expected || constant.getType() != int.class) {
            return "not a public static final int";
        }
        CField field = constant.getAnnotation(CField.class);
        CSize[] sizes = constant.getAnnotationsByType(CSize.class);
        if ((field == null) == (sizes.length == 0)) {
            return "neither @CField nor @CSize, or both";
        }
        for (int i = 1; i < sizes.length; i++) {
            if (sizes[i].since() <= sizes[i - 1].since() || sizes[i].size() == sizes[i - 1].size()) {
                return "sizes out of order or repeated";
            }
        }
        if (field == null && sizes[sizes.length - 1].size() != value(constant)) {
            return "its value is not the newest size";
        }
        String name = field == null
                ? "SIZEOF"
                : field.value().replace('.', '_').replaceFirst("^_", "").toUpperCase(Locale.ROOT);
        boolean suffixed =
                constant.isAnnotationPresent(CIf.class) && constant.getName().matches(name + "_(AARCH64|X86_64)");
        return constant.getName().equals(name) || suffixed ? null : "its name should be " + name;
    }

    private static List<Field> constants(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(field -> !field.isSynthetic())
                .toList();
    }

    private static String name(Field constant) {
        return constant.getDeclaringClass().getSimpleName() + "." + constant.getName();
    }

    private static int value(Field constant) {
        try {
            return constant.getInt(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
