/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names that javac did not find. */
final class MissingNames {
    private static final Pattern SYMBOL = Pattern.compile("\\bsymbol:\\s+(?:class|method|variable) (\\w+)");
    private static final Pattern LOCATION = Pattern.compile("\\blocation:(.*)", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("\\w+");

    /** A method exists, but not the overload with more parameters: javac reports one method, or several of the name. */
    private static final Pattern OTHER_FORM = Pattern.compile(
            "\\bmethod (\\w+) in class (?:\\w+\\.)*(\\w+) cannot be applied|\\bno suitable method found for (\\w+)");

    private static final Pattern OF_SEVERAL = Pattern.compile("\\bmethod (?:\\w+\\.)*(\\w+)\\.\\w+\\(");
    private static final Pattern PACKAGE = Pattern.compile("\\bpackage (?:\\w+\\.)*(\\w+) is not visible");

    private final Set<String> names = new HashSet<>();

    static MissingNames of(List<Compilation.Complaint> errors) {
        MissingNames missing = new MissingNames();
        errors.forEach(error -> missing.add(error.text()));
        return missing;
    }

    void add(String text) {
        Matcher symbol = SYMBOL.matcher(text);
        if (symbol.find()) {
            names.add(symbol.group(1));
            Matcher location = LOCATION.matcher(text);
            if (location.find()) {
                WORD.matcher(location.group(1))
                        .results()
                        .forEach(owner -> names.add(owner.group() + "." + symbol.group(1)));
            }
        }
        Matcher form = OTHER_FORM.matcher(text);
        if (form.find()) {
            if (form.group(1) != null) {
                names.add(form.group(1));
                names.add(form.group(2) + "." + form.group(1));
            } else {
                OF_SEVERAL.matcher(text).results().forEach(owner -> names.add(owner.group(1) + "." + form.group(3)));
            }
        }
        Matcher hidden = PACKAGE.matcher(text);
        if (hidden.find()) {
            names.add(hidden.group(1));
        }
    }

    /**
     * {@return whether a name was missing: a class, a member prefixed by its class, or a class prefixed by its package;
     * or its prefix}
     */
    boolean has(String symbol) {
        int dot = symbol.indexOf('.');
        return names.contains(symbol) || dot > 0 && names.contains(symbol.substring(0, dot));
    }
}
