/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

/** Opens links one after another and prints their classes. */
final class SlowLinkProgram {
    private SlowLinkProgram() {}

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            try (Link link = Traffic.open(LinkOptions.fromProperties())) {
                System.out.println("link " + link.getClass().getSimpleName());
            }
        }
    }
}
