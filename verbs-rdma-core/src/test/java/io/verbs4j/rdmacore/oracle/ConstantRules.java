/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the public numbers of a package are in C: by a rule, and exceptions to it.
 *
 * @param oneOfThem a class of the package
 * @param header that has them
 * @param prefixes class to what its constants begin with in C
 * @param headers classes whose constants another header has
 * @param otherwise constants that are something else in C than the rule says
 * @param notInC classes and constants without anything in C, and why
 * @param since names that the header has had only since a release after 33
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
        /** With its class. */
        public String fullName() {
            return type + "." + name;
        }
    }

    /** Every public number of the package. */
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

    /** What a constant is in C; null where no rule and no exception says. */
    public String inC(Constant constant) {
        if (notInC.containsKey(constant.fullName())) {
            return null; // an exception to its class
        }
        String prefix = prefixes.get(constant.type());
        return otherwise.getOrDefault(constant.fullName(), prefix == null ? null : prefix + constant.name());
    }

    /** Whether C has nothing like it, for a reason. */
    public boolean isNotInC(Constant constant) {
        return notInC.containsKey(constant.type()) || notInC.containsKey(constant.fullName());
    }

    /** A claim for each constant that is in C. */
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

    /** Constants that are in no rule, or in two; and rules that are about nothing. */
    public List<String> faults() {
        List<String> faults = new ArrayList<>();
        List<String> known = new ArrayList<>();
        List<String> named = new ArrayList<>();
        for (Constant constant : constants()) {
            known.add(constant.type());
            known.add(constant.fullName());
            named.add(inC(constant));
            if ((inC(constant) != null) == isNotInC(constant)) {
                faults.add(constant
                        + ": a class of the rule or an exception to it, or not in C for a reason; one of them");
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
