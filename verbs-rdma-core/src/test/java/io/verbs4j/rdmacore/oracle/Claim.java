/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

/**
 * A statement about C that a constant makes, for the compiler to check.
 *
 * @param name of the constant, as the compiler's error shows it
 * @param header that declares what the expression uses
 * @param expression in C
 * @param value expected value of the expression
 * @param when condition for {@code #if}; null for always
 * @param since first release of rdma-core for which it is true
 * @param before first release for which it is no longer true
 * @param isNew whether the names in the expression came with {@code since}, so that no older release has them
 */
public record Claim(
        String name, String header, String expression, long value, String when, int since, int before, boolean isNew) {
    /** Value of {@code before} without an end. */
    public static final int FOR_EVER = Integer.MAX_VALUE;

    /** {@return whether the claim applies to a release} */
    public boolean isAbout(int release) {
        return since <= release && release < before;
    }

    Claim withValue(long other) {
        return new Claim(name, header, expression, other, when, since, before, isNew);
    }

    /** {@return the claim as an assertion; if its condition is false, {@code otherwise}} */
    String toC(String otherwise) {
        String assertion = "_Static_assert((long) (" + expression + ") == " + value + "L, \"" + name + "\");\n";
        return when == null ? assertion : "#if " + when + "\n" + assertion + "#else\n" + otherwise + "#endif\n";
    }
}
