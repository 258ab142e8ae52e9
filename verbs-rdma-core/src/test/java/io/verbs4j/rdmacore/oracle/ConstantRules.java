/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The C names of the public numbers in a package: a rule and exceptions to it.
 *
 * @param oneOfThem a class of the package
 * @param header that declares them
 * @param prefixes prefix in C of the constants of a class
 * @param headers classes whose constants are in another header
 * @param otherwise constants whose C name does not follow the rule
 * @param notInC classes and constants without a counterpart in C, and why
 * @param since names that came to the header after release 33
 */
public record ConstantRules(
        Class<?> oneOfThem,
        String header,
        Map<String, String> prefixes,
        Map<String, String> headers,
        Map<String, String> otherwise,
        Map<String, String> notInC,
        Map<String, Integer> since) {

    /** A public number. */
    public record Constant(String type, String name, long value) {
        /** {@return the name with its class} */
        public String fullName() {
            return type + "." + name;
        }
    }

    /** {@return every public number in the package} */
    public List<Constant> constants() {
        List<Constant> constants = new ArrayList<>();
        for (Class<?> type : ClassesOf.packageOf(oneOfThem)) {
            for (Field field : type.getDeclaredFields()) {
                int wanted = Modifier.PUBLIC | Modifier.STATIC | Modifier.FINAL;
                if ((field.getModifiers() & wanted) == wanted && field.getType().isPrimitive()) {
                    constants.add(new Constant(type.getSimpleName(), field.getName(), value(field)));
                }
            }
        }
        return constants;
    }

    private static long value(Field field) {
        try {
            return field.getLong(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@return the C expression of a constant, or null without a rule or an exception} */
    public String inC(Constant constant) {
        if (notInC.containsKey(constant.fullName())) {
            return null; // an exception to its class
        }
        String prefix = prefixes.get(constant.type());
        return otherwise.getOrDefault(constant.fullName(), prefix == null ? null : prefix + constant.name());
    }

    /** {@return whether there is a reason for having no counterpart in C} */
    public boolean isNotInC(Constant constant) {
        return notInC.containsKey(constant.type()) || notInC.containsKey(constant.fullName());
    }

    /** {@return a claim for each constant with a counterpart in C} */
    public List<Claim> all() {
        List<Claim> claims = new ArrayList<>();
        for (Constant constant : constants()) {
            if (!isNotInC(constant)) {
                claims.add(new Claim(
                        constant.fullName(),
                        headers.getOrDefault(constant.type(), header),
                        inC(constant),
                        constant.value(),
                        null,
                        since.getOrDefault(inC(constant), 0),
                        Claim.FOR_EVER,
                        true));
            }
        }
        return claims;
    }

    /** {@return constants in no rule or in two, and rules for nothing} */
    public List<String> faults() {
        List<String> faults = new ArrayList<>();
        List<String> known = new ArrayList<>();
        List<String> named = new ArrayList<>();
        for (Constant constant : constants()) {
            known.add(constant.type());
            known.add(constant.fullName());
            named.add(inC(constant));
            if ((inC(constant) != null) == isNotInC(constant)) {
                faults.add(constant + ": needs either a name in C or a reason for not being in C");
            }
        }
        List<String> listed = new ArrayList<>(prefixes.keySet());
        listed.addAll(headers.keySet());
        listed.addAll(otherwise.keySet());
        listed.addAll(notInC.keySet());
        listed.removeAll(known);
        listed.addAll(since.keySet());
        listed.removeAll(named);
        listed.forEach(name -> faults.add(name + ": listed, but there is no such constant"));
        return faults;
    }
}
