/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

/**
 * What a constant says of C, for the compiler to judge.
 *
 * @param name of the constant, as the compiler's complaint will show it
 * @param header that declares what the expression uses
 * @param expression of C
 * @param value what it must come to
 * @param when condition for {@code #if}; null for always
 * @param since first release of rdma-core that it is true of
 * @param before first release that it is no longer true of
 * @param isNew whether what the expression names came with {@code since}, so that no older release has it
 */
public record Claim(
        String name, String header, String expression, long value, String when, int since, int before, boolean isNew) {
    /** For {@code before}. */
    public static final int FOR_EVER = Integer.MAX_VALUE;

    /** Whether it is true of a release. */
    public boolean isAbout(int release) {
        return since <= release && release < before;
    }

    Claim withValue(long other) {
        return new Claim(name, header, expression, other, when, since, before, isNew);
    }

    /** The claim as an assertion; where its condition does not hold, {@code otherwise}. */
    String toC(String otherwise) {
        String assertion = "_Static_assert((long) (" + expression + ") == " + value + "L, \"" + name + "\");\n";
        return when == null ? assertion : "#if " + when + "\n" + assertion + "#else\n" + otherwise + "#endif\n";
    }
}
