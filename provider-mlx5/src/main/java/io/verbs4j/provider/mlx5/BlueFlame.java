/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

/** What the program's environment tells libmlx5 of doorbell registers. */
final class BlueFlame {
    private BlueFlame() {}

    /**
     * Whether stores to a doorbell register may be combined with others, and leave the processor late. Only where the program's
     * environment tells libmlx5 to keep off BlueFlame are the registers in a page that is not cached.
     *
     * @param halfSize of the register; 0 where it takes a doorbell and nothing more
     */
    static boolean combines(int halfSize) {
        return halfSize != 0 || isThere();
    }

    /** Whether single requests with inline data are copied to a doorbell register that takes them, if nobody says otherwise. */
    static boolean isThere() {
        return !isSet("MLX5_SHUT_UP_BF", "0");
    }

    /** Whether all single requests are, with or without inline data. */
    static boolean isPreferred() {
        return isSet("MLX5_POST_SEND_PREFER_BF", "1");
    }

    private static boolean isSet(String variable, String otherwise) {
        return !System.getenv().getOrDefault(variable, otherwise).equals("0");
    }
}
