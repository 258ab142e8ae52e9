/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

/** The environment variables that configure libmlx5's use of doorbell registers. */
final class BlueFlame {
    private BlueFlame() {}

    /**
     * Returns whether stores to a doorbell register may be combined with others and leave the processor late. The
     * registers are in a non-cached page only if the program's environment tells libmlx5 not to use BlueFlame.
     *
     * @param halfSize size of the register's halves; 0 if it takes only a doorbell
     */
    static boolean combines(int halfSize) {
        return halfSize != 0 || isThere();
    }

    /**
     * Returns whether, by default, single requests with inline data are copied to a doorbell register that supports it.
     */
    static boolean isThere() {
        return !isSet("MLX5_SHUT_UP_BF", "0");
    }

    /** Returns whether all single requests are copied, with or without inline data. */
    static boolean isPreferred() {
        return isSet("MLX5_POST_SEND_PREFER_BF", "1");
    }

    private static boolean isSet(String variable, String otherwise) {
        return !System.getenv().getOrDefault(variable, otherwise).equals("0");
    }
}
